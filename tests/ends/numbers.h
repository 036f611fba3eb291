// Values of `+how` that are for C++.
#pragma once

enum { kStack = 10, kNull = 11, kAbort = 12, kDivision = 13, kExit = 14, kLeave = 15, kThrow = 16, kMemory = 17, kKill = 18 };
