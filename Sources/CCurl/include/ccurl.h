// libcurl for Swift, loaded at run time. Loading it and its thirty libraries takes longer than anything else before a
// short command's first request. Linked, it would load before `main`; this way it loads while the command line is read,
// or not at all. Functions have libcurl's names, with one for each kind of variable argument. Options newer than
// libcurl 7.80 are numbers, so that the package builds against older headers.
#pragma once

#include <curl/curl.h>

/// Call it before anything else, never twice at a time, until it returns NULL; otherwise it returns the problem.
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
CURLcode ccurl_easy_set_prereq_callback(CURL *easy, curl_prereq_callback value);
curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info);
long ccurl_easy_get_long(CURL *easy, CURLINFO info);
void *ccurl_easy_get_private(CURL *easy);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_ms);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
const char *ccurl_multi_strerror(CURLMcode code);
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *remaining);

CURLSH *ccurl_share_init(void);
CURLSHcode ccurl_share_cleanup(CURLSH *share);
CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

static inline CURLoption ccurl_opt_protocols_str(void) { // 7.85.0
  return (CURLoption)(CURLOPTTYPE_OBJECTPOINT + 318);
}
// Swift doesn't see these macros.
static inline long ccurl_auth_basic(void) { return (long)CURLAUTH_BASIC; }
static inline long ccurl_auth_digest(void) { return (long)CURLAUTH_DIGEST; }

static inline CURLoption ccurl_opt_quick_exit(void) { // 7.87.0
  return (CURLoption)(CURLOPTTYPE_LONG + 322);
}
