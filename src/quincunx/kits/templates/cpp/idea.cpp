// {{title}}

// {{help}}

#include <iostream>
#include <random>

#include "view.hpp"

std::string choose(const View& view) {
    static std::mt19937 random{std::random_device{}()};
    std::cerr << view.legal.size() << "\n";  // {{example}}
    return view.legal[random() % view.legal.size()];
}
