#!/usr/bin/env bash
# Puts the signing certificate of a CI run into a keychain of its own and names it for the steps that follow; does nothing but say so
# where none is configured.
#
# APPLE_CERTIFICATE            the certificate with its key, PKCS #12, base64
# APPLE_CERTIFICATE_PASSWORD   its password
set -euo pipefail

if [[ -z ${APPLE_CERTIFICATE:-} ]]; then
    echo "::notice::No signing certificate is configured (secret APPLE_CERTIFICATE); the app is signed ad hoc."
    exit 0
fi
keychain=$RUNNER_TEMP/signing.keychain-db
password=$(openssl rand -hex 20)
file=$RUNNER_TEMP/certificate.p12
printf '%s' "$APPLE_CERTIFICATE" | base64 --decode > "$file"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$file" -P "$APPLE_CERTIFICATE_PASSWORD" -A -t cert -f pkcs12 -k "$keychain"
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" > /dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
rm "$file"
identity=$(security find-identity -v -p codesigning "$keychain" | sed -n 's/.*"\(Developer ID Application: .*\)".*/\1/p' | head -n 1)
if [[ -z $identity ]]; then
    echo "The certificate of APPLE_CERTIFICATE is no Developer ID Application." >&2
    exit 1
fi
echo "LIGHTLOOM_MAC_IDENTITY=$identity" >> "$GITHUB_ENV"
