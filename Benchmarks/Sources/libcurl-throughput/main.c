// Does with libcurl alone what curl-transport-throughput does with this package: the floor of its times. One thread, one
// multi handle, and an easy handle for each connection, which is used again for the next request.
//
//     libcurl-throughput get|put URL COUNT CONNECTIONS [BYTES]
//
// A certificate authority can be named by SSL_CERT_FILE. With the variable HTTP2, it uses HTTP/2 over TLS.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *url;
static int puts_body;
static long size;
static char *body;

struct request {
  curl_off_t received;
  long sent;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  ((struct request *)context)->received += (curl_off_t)(size * count);
  return size * count;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

static size_t send_body(char *buffer, size_t one, size_t count, void *context) {
  struct request *request = context;
  size_t room = one * count, rest = (size_t)(size - request->sent);
  size_t length = rest < room ? rest : room;
  memcpy(buffer, body + request->sent, length);
  request->sent += (long)length;
  return length;
}

static void fail(const char *problem) {
  fprintf(stderr, "libcurl-throughput: %s\n", problem);
  exit(1);
}

static void prepare(CURL *easy, struct request *request) {
  request->received = 0;
  request->sent = 0;
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, request);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "throughput");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  int http2 = getenv("HTTP2") != NULL;
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, http2 ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
  if (http2) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, request);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, ignore);
  if (getenv("SSL_CERT_FILE")) curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("SSL_CERT_FILE"));
  if (!puts_body) return;
  static struct curl_slist *fields;
  if (!fields) fields = curl_slist_append(NULL, "Expect:");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
  curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, send_body);
  curl_easy_setopt(easy, CURLOPT_READDATA, request);
  curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)size);
}

int main(int argc, char **argv) {
  if (argc < 5) fail("usage: libcurl-throughput get|put URL COUNT CONNECTIONS [BYTES]");
  puts_body = strcmp(argv[1], "put") == 0;
  url = argv[2];
  long count = atol(argv[3]), connections = atol(argv[4]), begun = 0, ended = 0;
  size = argc > 5 ? atol(argv[5]) : 0;
  if (count < 1 || connections < 1 || (puts_body && size < 1)) fail("a number is missing");
  if (puts_body && !(body = calloc(1, (size_t)size))) fail("no memory");
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  struct request *requests = calloc((size_t)connections, sizeof *requests);
  for (; begun < connections && begun < count; begun++) {
    CURL *easy = curl_easy_init();
    prepare(easy, &requests[begun]);
    curl_multi_add_handle(multi, easy);
  }
  while (ended < count) {
    int running, remaining;
    if (curl_multi_perform(multi, &running) != CURLM_OK) fail("curl_multi_perform");
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &remaining))) {
      CURL *easy = message->easy_handle;
      if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
      struct request *request;
      long status;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &request);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (status < 200 || status > 299 || (!puts_body && request->received == 0)) fail("not a good response");
      ended++;
      curl_multi_remove_handle(multi, easy);
      if (begun == count) continue;
      begun++;
      request->received = 0;
      request->sent = 0;
      curl_multi_add_handle(multi, easy);
    }
    if (ended < count && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) fail("curl_multi_poll");
  }
  return 0;
}
