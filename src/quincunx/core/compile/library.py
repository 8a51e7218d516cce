"""What is written in LLVM rather than compiled from a rule.

A target defines four functions more: `ptr @take(i64)`, so many zeros of 64 bits from the heap; `void @give(ptr)`,
which gives them back, or does nothing if it is null; `i64 @now()`, the clock in nanoseconds; and `void @overflow()`,
which is called when more was written than there is room for.
"""

from __future__ import annotations

from quincunx.core.layout import FOLD

FINGERPRINT = f"""define internal i64 @fingerprint(ptr %structure, i64 %size) #0 {{
start:
  br label %words
words:
  %at = phi i64 [ 0, %start ], [ %next, %folded ]
  %h = phi i64 [ 0, %start ], [ %h3, %folded ]
  %more = icmp ult i64 %at, %size
  br i1 %more, label %begun, label %done
begun:
  %next = add i64 %at, 8
  %short = icmp ugt i64 %next, %size
  br i1 %short, label %bytes, label %whole
whole:
  %q = getelementptr i8, ptr %structure, i64 %at
  %eight = load i64, ptr %q, align 1
  br label %folded
bytes:
  %k = phi i64 [ 0, %begun ], [ %k1, %byte ]
  %part = phi i64 [ 0, %begun ], [ %part1, %byte ]
  %place = add i64 %at, %k
  %inside = icmp ult i64 %place, %size
  br i1 %inside, label %byte, label %folded
byte:
  %p = getelementptr i8, ptr %structure, i64 %place
  %b = load i8, ptr %p
  %wide = zext i8 %b to i64
  %shift = shl i64 %k, 3
  %moved = shl i64 %wide, %shift
  %part1 = or i64 %part, %moved
  %k1 = add i64 %k, 1
  br label %bytes
folded:
  %word = phi i64 [ %eight, %whole ], [ %part, %bytes ]
  %h1 = xor i64 %h, %word
  %h2 = mul i64 %h1, {FOLD - (1 << 64)}
  %down = lshr i64 %h2, 29
  %h3 = xor i64 %h2, %down
  br label %words
done:
  %result = lshr i64 %h, 1
  ret i64 %result
}}"""
