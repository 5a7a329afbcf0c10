#include "ccrypto.h"

#include <dlfcn.h>
#include <limits.h>

// As OpenSSL's own headers declare them since 1.1.1: https://docs.openssl.org/3.0/man3/
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_md_st EVP_MD;
typedef int (*password_callback)(char *, int, int, void *);

#define FUNCTIONS(X)                                                                               \
  X(BIO *, BIO_new_mem_buf, (const void *, int))                                                   \
  X(int, BIO_free, (BIO *))                                                                        \
  X(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO *, EVP_PKEY **, password_callback, void *))          \
  X(void, EVP_PKEY_free, (EVP_PKEY *))                                                             \
  X(const void *, EVP_PKEY_get0_RSA, (const EVP_PKEY *))                                           \
  X(EVP_MD_CTX *, EVP_MD_CTX_new, (void))                                                          \
  X(void, EVP_MD_CTX_free, (EVP_MD_CTX *))                                                         \
  X(const EVP_MD *, EVP_sha256, (void))                                                            \
  X(int, EVP_DigestSignInit, (EVP_MD_CTX *, EVP_PKEY_CTX **, const EVP_MD *, void *, EVP_PKEY *))  \
  X(int, EVP_DigestSign, (EVP_MD_CTX *, uint8_t *, size_t *, const uint8_t *, size_t))             \
  X(uint8_t *, HMAC,                                                                               \
    (const EVP_MD *, const void *, int, const uint8_t *, size_t, uint8_t *, unsigned int *))       \
  X(int, CRYPTO_memcmp, (const void *, const void *, size_t))                                      \
  X(void, ERR_clear_error, (void))

#define POINTER(result, function, parameters) static result(*function) parameters;
FUNCTIONS(POINTER)

const char *ccrypto_load(void) {
#ifdef __APPLE__
  static const char *const names[] = {
      "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib"};
#else
  static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
#endif
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
  }
  if (library == NULL) return dlerror();
#define LOOK_UP(result, function, parameters)                                                      \
  function = (result(*) parameters)dlsym(library, #function);                                      \
  if (function == NULL) return dlerror(); // The next call opens the same library again.
  FUNCTIONS(LOOK_UP)
  return NULL;
}

/// Without it, OpenSSL would ask on the terminal.
static int no_passphrase(char *buffer, int size, int is_writing, void *context) {
  (void)buffer;
  (void)size;
  (void)is_writing;
  (void)context;
  return -1;
}

size_t ccrypto_sign(const void *pem, size_t pem_length, const void *message, size_t length, uint8_t *signature,
                    size_t capacity) {
  if (pem_length > INT_MAX) return 0;
  size_t result = 0;
  BIO *source = BIO_new_mem_buf(pem, (int)pem_length);
  EVP_PKEY *key = source == NULL ? NULL : PEM_read_bio_PrivateKey(source, NULL, no_passphrase, NULL);
  EVP_MD_CTX *context = key == NULL ? NULL : EVP_MD_CTX_new();
  if (context != NULL && EVP_PKEY_get0_RSA(key) != NULL &&
      EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1) {
    result = capacity;
    if (EVP_DigestSign(context, signature, &result, message, length) != 1) result = 0;
  }
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  BIO_free(source);
  // libcurl would take an error of this thread for its own.
  ERR_clear_error();
  return result;
}

int ccrypto_is_authentic(const uint8_t *code, const void *key, size_t key_length, const void *message, size_t length) {
  uint8_t own[32];
  unsigned int own_length = 0;
  if (key_length > INT_MAX || HMAC(EVP_sha256(), key, (int)key_length, message, length, own, &own_length) == NULL) {
    ERR_clear_error();
    return 0;
  }
  return own_length == sizeof own && CRYPTO_memcmp(own, code, sizeof own) == 0;
}
