#include "ctls.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// As OpenSSL's own headers declare them since 1.1.0: https://docs.openssl.org/3.0/man3/
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_st SSL;
typedef struct ssl_method_st SSL_METHOD;
typedef int (*alpn_callback)(SSL *, const unsigned char **, unsigned char *, const unsigned char *,
                             unsigned int, void *);

enum { filetype_pem = 1, ctrl_mode = 33, mode_partial_write = 1, mode_moving_buffer = 2 };
enum { ctrl_minimum_version = 123, ctrl_maximum_version = 124, tls_1_0 = 0x301 };
enum { verify_peer = 1, verify_fail_without_peer = 2 };
enum { error_want_read = 2, error_want_write = 3, error_zero_return = 6 };
enum { alpn_ok = 0, alpn_none = 3 };

#define FUNCTIONS(X)                                                                               \
  X(const SSL_METHOD *, TLS_server_method, (void))                                                 \
  X(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *))                                                  \
  X(void, SSL_CTX_free, (SSL_CTX *))                                                               \
  X(long, SSL_CTX_ctrl, (SSL_CTX *, int, long, void *))                                            \
  X(int, SSL_CTX_set_cipher_list, (SSL_CTX *, const char *))                                       \
  X(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX *, const char *))                            \
  X(int, SSL_CTX_use_PrivateKey_file, (SSL_CTX *, const char *, int))                              \
  X(int, SSL_CTX_load_verify_locations, (SSL_CTX *, const char *, const char *))                   \
  X(void, SSL_CTX_set_verify, (SSL_CTX *, int, void *))                                            \
  X(void, SSL_CTX_set_alpn_select_cb, (SSL_CTX *, alpn_callback, void *))                          \
  X(SSL *, SSL_new, (SSL_CTX *))                                                                   \
  X(void, SSL_free, (SSL *))                                                                       \
  X(int, SSL_set_fd, (SSL *, int))                                                                 \
  X(int, SSL_accept, (SSL *))                                                                      \
  X(int, SSL_read, (SSL *, void *, int))                                                           \
  X(int, SSL_write, (SSL *, const void *, int))                                                    \
  X(int, SSL_pending, (const SSL *))                                                               \
  X(int, SSL_shutdown, (SSL *))                                                                    \
  X(int, SSL_get_error, (const SSL *, int))

#define POINTER(result, name, arguments) result(*name) arguments;
static struct {
  FUNCTIONS(POINTER)
} ssl;
// Of libcrypto.
#define CRYPTO_FUNCTIONS(X)                                                                        \
  X(void *, EVP_PKEY_CTX_new_id, (int, void *))                                                    \
  X(int, EVP_PKEY_keygen_init, (void *))                                                           \
  X(int, EVP_PKEY_keygen, (void *, void **))                                                       \
  X(void, EVP_PKEY_CTX_free, (void *))                                                             \
  X(const void *, BIO_s_mem, (void))                                                               \
  X(void *, BIO_new, (const void *))                                                               \
  X(int, BIO_read, (void *, void *, int))                                                          \
  X(int, BIO_free, (void *))                                                                       \
  X(int, PEM_write_bio_PKCS8PrivateKey,                                                            \
    (void *, void *, const void *, const char *, int, void *, void *))                             \
  X(int, PEM_write_bio_PrivateKey_traditional,                                                     \
    (void *, void *, const void *, const unsigned char *, int, void *, void *))                    \
  X(void *, EVP_MD_CTX_new, (void))                                                                \
  X(void, EVP_MD_CTX_free, (void *))                                                               \
  X(const void *, EVP_sha256, (void))                                                              \
  X(int, EVP_DigestVerifyInit, (void *, void *, const void *, void *, void *))                     \
  X(int, EVP_DigestVerify,                                                                         \
    (void *, const unsigned char *, size_t, const unsigned char *, size_t))                        \
  X(unsigned char *, HMAC,                                                                         \
    (const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned *))

static struct {
  CRYPTO_FUNCTIONS(POINTER)
} crypto;
/// Forgets the errors of earlier calls on this thread, which SSL_get_error would take for its own.
static void (*clear_error)(void);

const char *ctls_load(void) {
  static const char *const names[] = {"libssl.so.3", "libssl.so.1.1"};
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  }
  if (library == NULL) return dlerror();
#define LOOK_UP(result, name, arguments)                                                           \
  ssl.name = (result(*) arguments)dlsym(library, #name);                                           \
  if (ssl.name == NULL) return dlerror();
  FUNCTIONS(LOOK_UP)
#define LOOK_UP_CRYPTO(result, name, arguments)                                                    \
  crypto.name = (result(*) arguments)dlsym(library, #name);                                        \
  if (crypto.name == NULL) return dlerror();
  CRYPTO_FUNCTIONS(LOOK_UP_CRYPTO)
  // Of libcrypto, which libssl has loaded: a look-up goes through what a library depends on.
  clear_error = (void (*)(void))dlsym(library, "ERR_clear_error");
  return clear_error == NULL ? dlerror() : NULL;
}

static int select_protocol(SSL *session, const unsigned char **chosen, unsigned char *length,
                           const unsigned char *offered, unsigned int size, void *wanted) {
  (void)session;
  size_t wanted_length = strlen(wanted);
  // A list of names, each after a byte with its length.
  for (unsigned int index = 0; index < size; index += 1u + offered[index]) {
    if (index + 1u + offered[index] > size) break;
    if (offered[index] == wanted_length && memcmp(offered + index + 1, wanted, wanted_length) == 0) {
      *chosen = offered + index + 1;
      *length = offered[index];
      return alpn_ok;
    }
  }
  return alpn_none;
}

void *ctls_context(const char *certificate, const char *key, const char *protocol) {
  clear_error();
  SSL_CTX *context = ssl.SSL_CTX_new(ssl.TLS_server_method());
  if (context == NULL) return NULL;
  ssl.SSL_CTX_ctrl(context, ctrl_mode, mode_partial_write | mode_moving_buffer, NULL);
  if (ssl.SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      ssl.SSL_CTX_use_PrivateKey_file(context, key, filetype_pem) != 1) {
    ssl.SSL_CTX_free(context);
    return NULL;
  }
  // The string must outlive the context: callers give a constant.
  if (protocol != NULL) ssl.SSL_CTX_set_alpn_select_cb(context, select_protocol, (void *)protocol);
  return context;
}

int ctls_context_limit(void *context, int version) {
  clear_error();
  // What is older than TLS 1.2 is signed with SHA-1, which is beneath every other level.
  return ssl.SSL_CTX_ctrl(context, ctrl_minimum_version, tls_1_0, NULL) == 1 &&
         ssl.SSL_CTX_ctrl(context, ctrl_maximum_version, version, NULL) == 1 &&
         ssl.SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0") == 1;
}

int ctls_context_require_client(void *context, const char *authority) {
  clear_error();
  if (ssl.SSL_CTX_load_verify_locations(context, authority, NULL) != 1) return 0;
  ssl.SSL_CTX_set_verify(context, verify_peer | verify_fail_without_peer, NULL);
  return 1;
}

void ctls_context_free(void *context) { ssl.SSL_CTX_free(context); }

void *ctls_session(void *context, int descriptor) {
  SSL *session = ssl.SSL_new(context);
  if (session != NULL) ssl.SSL_set_fd(session, descriptor);
  return session;
}

void ctls_session_free(void *session) { ssl.SSL_free(session); }

static int outcome(void *session, int result) {
  if (result > 0) return result;
  switch (ssl.SSL_get_error(session, result)) {
  case error_want_read: return CTLS_WANTS_READ;
  case error_want_write: return CTLS_WANTS_WRITE;
  case error_zero_return: return CTLS_ENDED;
  default: return CTLS_FAILED;
  }
}

int ctls_accept(void *session) {
  clear_error();
  return outcome(session, ssl.SSL_accept(session));
}

int ctls_read(void *session, void *bytes, int count) {
  clear_error();
  return outcome(session, ssl.SSL_read(session, bytes, count));
}

int ctls_write(void *session, const void *bytes, int count) {
  clear_error();
  return outcome(session, ssl.SSL_write(session, bytes, count));
}

int ctls_has_pending(void *session) { return ssl.SSL_pending(session) > 0; }

void ctls_shutdown(void *session) {
  clear_error();
  ssl.SSL_shutdown(session);
}

void *ctls_make_key(void) {
  enum { rsa = 6 };
  void *key = NULL;
  void *context = crypto.EVP_PKEY_CTX_new_id(rsa, NULL);
  if (context == NULL) return NULL;
  if (crypto.EVP_PKEY_keygen_init(context) != 1 || crypto.EVP_PKEY_keygen(context, &key) != 1) key = NULL;
  crypto.EVP_PKEY_CTX_free(context);
  return key;
}

int ctls_write_key(void *key, int is_pkcs8, char *text, int capacity) {
  void *memory = crypto.BIO_new(crypto.BIO_s_mem());
  if (memory == NULL) return 0;
  int is_written =
      is_pkcs8 ? crypto.PEM_write_bio_PKCS8PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL)
               : crypto.PEM_write_bio_PrivateKey_traditional(memory, key, NULL, NULL, 0, NULL, NULL);
  int length = is_written ? crypto.BIO_read(memory, text, capacity) : 0;
  crypto.BIO_free(memory);
  return length > 0 ? length : 0;
}

int ctls_verify(void *key, const unsigned char *signature, unsigned long size, const void *message,
                unsigned long length) {
  void *context = crypto.EVP_MD_CTX_new();
  int is_valid = context != NULL &&
                 crypto.EVP_DigestVerifyInit(context, NULL, crypto.EVP_sha256(), NULL, key) == 1 &&
                 crypto.EVP_DigestVerify(context, signature, size, message, length) == 1;
  crypto.EVP_MD_CTX_free(context);
  clear_error();
  return is_valid;
}

int ctls_authenticate(const void *secret, int size, const void *message, unsigned long length, unsigned char *code) {
  unsigned count = 0;
  return crypto.HMAC(crypto.EVP_sha256(), secret, size, message, length, code, &count) != NULL && count == 32;
}
