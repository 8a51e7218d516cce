"""The compiler of rules: from the syntax trees of Python functions to machine code or WebAssembly, by way of LLVM.

    front end, the same for every target            this computer
    ─────────────────────────────────────           ──────────────────────────────────────────────
    source       the tree of a function             doors      functions that Python can call
    kinds        the types of a rule                native     optimise, emit, keep in the cache, load
    module       tables, words, what may alias      selftest   does it work on this machine at all?
    body         blocks, lines, local names
    scope        what a name means                  a browser
    signs        what is never negative             ──────────────────────────────────────────────
    inference    the type of an expression          wasm       exported functions, what describes them
    numbers      operators and conversions          link       from an object file to a module
    memory       fields, rows, faults
    calls        rules and the few functions of Python
    expressions, statements
    front        all rules of a plan as one module

docs/technical/compiler.md follows one rule all the way.
"""
