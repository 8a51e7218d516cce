"""The compiler of rules: from the syntax trees of Python functions to machine code, by way of LLVM.

    front end, the same for every target            target
    ─────────────────────────────────────           ──────────────────────────────────────────────
    source       the tree of a function             doors      functions that Python can call
    kinds        the types of a rule                native     optimise, emit, keep in the cache, load
    module       tables, words, what may alias      selftest   does it work on this machine at all?
    body         blocks, lines, local names
    scope        what a name means
    signs        what is never negative
    inference    the type of an expression
    numbers      operators and conversions
    memory       fields, rows, faults
    calls        rules and the few functions of Python
    expressions, statements
    front        all rules of a plan as one module

docs/technical/compiler.md follows one rule all the way.
"""
