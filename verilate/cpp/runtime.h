// Included before Verilator's runtime sources: sends their prints and their ends to our functions.
#pragma once

#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_STOP_MAYBE
#define VL_USER_FATAL
#define VL_PRINTF congruent_printf

__attribute__((format(printf, 1, 2))) int congruent_printf(const char* format, ...);
void vl_finish(const char* file, int line, const char* hier);
void vl_stop(const char* file, int line, const char* hier);
void vl_stop_maybe(const char* file, int line, const char* hier, bool maybe);
void vl_fatal(const char* file, int line, const char* hier, const char* message);
