// What a champion in C++ includes, under the name that the contest of 2012 had for it.
#include "api.hh"
