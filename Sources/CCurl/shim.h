// libcurl for Swift: its functions with variable arguments, which Swift can't call, one per kind of
// argument. Options that came after libcurl 7.80 are given by number, so that the package builds
// against older headers and still uses them where the library at run time knows them.
#pragma once

#include <curl/curl.h>

#define CCURL_OPT_PROTOCOLS_STR ((CURLoption)(CURLOPTTYPE_OBJECTPOINT + 318)) // 7.85.0
#define CCURL_OPT_QUICK_EXIT ((CURLoption)(CURLOPTTYPE_LONG + 322))           // 7.87.0

static inline CURLoption ccurl_opt_protocols_str(void) { return CCURL_OPT_PROTOCOLS_STR; }
static inline CURLoption ccurl_opt_quick_exit(void) { return CCURL_OPT_QUICK_EXIT; }

static inline CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_list(CURL *easy, CURLoption option,
                                           struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_callback(CURL *easy, CURLoption option,
                                               curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

static inline unsigned int ccurl_runtime_version(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num;
}

static inline int ccurl_has_http2(void) {
  return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0;
}
