// libcurl for Swift: loaded at run time, and without functions of variable arguments.
//
// Loading libcurl means loading some thirty libraries that it needs, which takes longer than everything
// else that a short-lived command does before its first request. Linked, that would be paid before
// `main`; loaded, it happens beside the reading of the command line, and not at all where nothing is
// sent.
//
// Types and constants are those of libcurl's own header. Every function here is the one of the same name
// without the first `c`, with its arguments and its result; where that one takes variable arguments, there
// is one per kind of argument. Options that came after libcurl 7.80 are given by number, so that the
// package builds against older headers and still uses them where the library knows them.
#pragma once

#include <curl/curl.h>

/// Loads libcurl and looks its functions up. To be called once, before anything else.
/// Returns NULL, or what is wrong.
const char *ccurl_load(void);

CURLcode ccurl_global_init(long flags);
const char *ccurl_version(void);
unsigned int ccurl_runtime_version(void);
int ccurl_has_http2(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int bitmask);
const char *ccurl_easy_strerror(CURLcode code);
CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode ccurl_easy_set_callback(CURL *easy, CURLoption option, curl_write_callback value);
CURLcode ccurl_easy_set_seek_callback(CURL *easy, curl_seek_callback value);
CURLcode ccurl_easy_set_progress_callback(CURL *easy, curl_xferinfo_callback value);
curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info);
long ccurl_easy_get_long(CURL *easy, CURLINFO info);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_ms);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *remaining);

CURLSH *ccurl_share_init(void);
CURLSHcode ccurl_share_cleanup(CURLSH *share);
CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

static inline CURLoption ccurl_opt_protocols_str(void) { // 7.85.0
  return (CURLoption)(CURLOPTTYPE_OBJECTPOINT + 318);
}
static inline CURLoption ccurl_opt_quick_exit(void) { // 7.87.0
  return (CURLoption)(CURLOPTTYPE_LONG + 322);
}
