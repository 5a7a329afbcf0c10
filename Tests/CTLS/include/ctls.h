// The server side of TLS, by the OpenSSL that is on this machine: loaded at run time, so that the tests
// need no headers of it and are skipped where it isn't there.
//
// Sessions are driven over non-blocking sockets. The functions for it return a number of bytes, or one of
// the negative values below.
#pragma once

#define CTLS_ENDED 0
#define CTLS_WANTS_READ -1
#define CTLS_WANTS_WRITE -2
#define CTLS_FAILED -3

/// Loads libssl and looks its functions up. Returns NULL, or what is wrong. To be called once.
const char *ctls_load(void);

/// Makes the context of a server with a certificate and its key, both files in PEM form. `protocol` is
/// the one that is agreed on by ALPN (RFC 7301) where the client offers it; NULL for none. Returns NULL
/// when the files can't be used.
void *ctls_context(const char *certificate, const char *key, const char *protocol);
/// Lets a context speak no version newer than this one, as its number is on the wire, and every older one.
/// Returns 0 when it doesn't know it.
int ctls_context_limit(void *context, int version);
/// Lets only clients in that show a certificate of an authority, a file in PEM form. Returns 0 when that can't be
/// used.
int ctls_context_require_client(void *context, const char *authority);
void ctls_context_free(void *context);

void *ctls_session(void *context, int descriptor);
void ctls_session_free(void *session);
/// Goes on with the handshake; 1 when it is done.
int ctls_accept(void *session);
int ctls_read(void *session, void *bytes, int count);
int ctls_write(void *session, const void *bytes, int count);
/// Whether bytes have been decrypted already and wait to be read.
int ctls_has_pending(void *session);
/// Tells the client that nothing follows.
void ctls_shutdown(void *session);

/// Makes an RSA key of 2,048 bits for the app of the made-up GitHub. Returns NULL when it can't.
void *ctls_make_key(void);
/// Writes the private key in PEM form, as PKCS #8 or else as PKCS #1. Returns its length, or 0.
int ctls_write_key(void *key, int is_pkcs8, char *text, int capacity);
/// Whether a signature is the RS256 signature of a message.
int ctls_verify(void *key, const unsigned char *signature, unsigned long size, const void *message,
                unsigned long length);
/// The HMAC-SHA-256 of a message, 32 bytes. Returns 0 when it can't be computed.
int ctls_authenticate(const void *secret, int size, const void *message, unsigned long length, unsigned char *code);
