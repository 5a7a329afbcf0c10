#include "ccurl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// The header's macros check argument types by wrapping these functions, which are meant here.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

#define FUNCTIONS(X)                                                                               \
  X(curl_global_init)                                                                              \
  X(curl_version)                                                                                  \
  X(curl_version_info)                                                                             \
  X(curl_easy_init)                                                                                \
  X(curl_easy_cleanup)                                                                             \
  X(curl_easy_reset)                                                                               \
  X(curl_easy_pause)                                                                               \
  X(curl_easy_strerror)                                                                            \
  X(curl_easy_setopt)                                                                              \
  X(curl_easy_getinfo)                                                                             \
  X(curl_multi_init)                                                                               \
  X(curl_multi_cleanup)                                                                            \
  X(curl_multi_setopt)                                                                             \
  X(curl_multi_add_handle)                                                                         \
  X(curl_multi_remove_handle)                                                                      \
  X(curl_multi_perform)                                                                            \
  X(curl_multi_poll)                                                                               \
  X(curl_multi_wakeup)                                                                             \
  X(curl_multi_strerror)                                                                           \
  X(curl_multi_info_read)                                                                          \
  X(curl_share_init)                                                                               \
  X(curl_share_cleanup)                                                                            \
  X(curl_share_setopt)                                                                             \
  X(curl_slist_append)                                                                             \
  X(curl_slist_free_all)

// With the types of the header's declarations, so that the compiler checks every call below.
#define POINTER(function) __typeof__(function) *function##_;
static struct {
  FUNCTIONS(POINTER)
} curl;

const char *ccurl_load(void) {
  // The one ABI since 2006: https://curl.se/libcurl/abi.html
#ifdef __APPLE__
  static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
  }
  if (library == NULL) return dlerror();
#define LOOK_UP(function)                                                                          \
  curl.function##_ = (__typeof__(function) *)dlsym(library, #function);                            \
  if (curl.function##_ == NULL) return dlerror(); // The next call opens the same library again.
  FUNCTIONS(LOOK_UP)
  // OpenSSL would free its memory at exit, while the curl thread may still use it.
  // https://docs.openssl.org/3.0/man3/OPENSSL_init_crypto/
  const uint64_t no_atexit = 0x00080000;
  int (*init_crypto)(uint64_t, const void *) =
      (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
  if (init_crypto != NULL) init_crypto(no_atexit, NULL);
  return NULL;
}

CURLcode ccurl_global_init(long flags) { return curl.curl_global_init_(flags); }

const char *ccurl_version(void) { return curl.curl_version_(); }

unsigned int ccurl_runtime_version(void) {
  return curl.curl_version_info_(CURLVERSION_NOW)->version_num;
}

int ccurl_has_http2(void) {
  return (curl.curl_version_info_(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0;
}

CURL *ccurl_easy_init(void) { return curl.curl_easy_init_(); }

void ccurl_easy_cleanup(CURL *easy) { curl.curl_easy_cleanup_(easy); }

void ccurl_easy_reset(CURL *easy) { curl.curl_easy_reset_(easy); }

CURLcode ccurl_easy_pause(CURL *easy, int bitmask) { return curl.curl_easy_pause_(easy, bitmask); }

const char *ccurl_easy_strerror(CURLcode code) { return curl.curl_easy_strerror_(code); }

CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_callback(CURL *easy, CURLoption option, curl_write_callback value) {
  return curl.curl_easy_setopt_(easy, option, value);
}

CURLcode ccurl_easy_set_seek_callback(CURL *easy, curl_seek_callback value) {
  return curl.curl_easy_setopt_(easy, CURLOPT_SEEKFUNCTION, value);
}

CURLcode ccurl_easy_set_progress_callback(CURL *easy, curl_xferinfo_callback value) {
  return curl.curl_easy_setopt_(easy, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode ccurl_easy_set_prereq_callback(CURL *easy, curl_prereq_callback value) {
  return curl.curl_easy_setopt_(easy, CURLOPT_PREREQFUNCTION, value);
}

curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl.curl_easy_getinfo_(easy, info, &value) == CURLE_OK ? value : -1;
}

void *ccurl_easy_get_private(CURL *easy) {
  char *value = NULL;
  return curl.curl_easy_getinfo_(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

long ccurl_easy_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl.curl_easy_getinfo_(easy, info, &value) == CURLE_OK ? value : -1;
}

CURLM *ccurl_multi_init(void) { return curl.curl_multi_init_(); }

CURLMcode ccurl_multi_cleanup(CURLM *multi) { return curl.curl_multi_cleanup_(multi); }

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.curl_multi_setopt_(multi, option, value);
}

CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) {
  return curl.curl_multi_add_handle_(multi, easy);
}

CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) {
  return curl.curl_multi_remove_handle_(multi, easy);
}

CURLMcode ccurl_multi_perform(CURLM *multi, int *running) {
  return curl.curl_multi_perform_(multi, running);
}

CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_ms) {
  return curl.curl_multi_poll_(multi, NULL, 0, timeout_ms, NULL);
}

CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.curl_multi_wakeup_(multi); }

const char *ccurl_multi_strerror(CURLMcode code) { return curl.curl_multi_strerror_(code); }

CURLMsg *ccurl_multi_info_read(CURLM *multi, int *remaining) {
  return curl.curl_multi_info_read_(multi, remaining);
}

CURLSH *ccurl_share_init(void) { return curl.curl_share_init_(); }

CURLSHcode ccurl_share_cleanup(CURLSH *share) { return curl.curl_share_cleanup_(share); }

CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data) {
  return curl.curl_share_setopt_(share, CURLSHOPT_SHARE, data);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return curl.curl_slist_append_(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { curl.curl_slist_free_all_(list); }
