// Signatures by the OpenSSL that is on this machine. It is loaded at run time: few users need it, and libcurl has mostly
// loaded it already. Building a library of cryptography with the package would double the time of a build.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Loads libcrypto and looks its functions up. Returns NULL, or what is wrong. Only one thread may call it at a time.
const char *ccrypto_load(void);

/// Signs a message with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017, section 8.2). The key is in PEM form, without a
/// passphrase. Returns the length of the signature, or 0 if the key isn't an RSA key or the signature is longer than
/// `capacity`.
size_t ccrypto_sign(const void *pem, size_t pem_length, const void *message, size_t length, uint8_t *signature,
                    size_t capacity);

/// Whether a code is the HMAC-SHA-256 (RFC 2104) of a message, compared in constant time. The code has 32 bytes.
int ccrypto_is_authentic(const uint8_t *code, const void *key, size_t key_length, const void *message, size_t length);
