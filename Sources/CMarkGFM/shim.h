#ifndef CMARKGFM_SHIM_H
#define CMARKGFM_SHIM_H

// GitHub's own Markdown parser: https://github.com/github/cmark-gfm

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>

#endif
