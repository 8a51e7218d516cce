"""Runs a Python champion of the contest as a program of the bot protocol, in a process of its own.

The folder is run by its path: `python python_host FILE.py`. It imports the standard library only.
"""
