#!/usr/bin/env bash
# Notarises a disk image whose app is signed with a Developer ID, and staples the ticket to it. Where no identity or no account is
# configured it says so and ends well: a build without them is not signed by anyone, and docs/packaging.md says what a user then sees.
#
#     packaging/macos/sign.sh dist/Lightloom-*.dmg
#
# LIGHTLOOM_MAC_IDENTITY   name of the certificate, as `security find-identity` prints it (PyInstaller has signed the app with it)
# APPLE_ID, APPLE_TEAM_ID, APPLE_PASSWORD   the account for notarytool; the password is one made for this app
set -euo pipefail

notice() {
    echo "${GITHUB_ACTIONS:+::notice::}$1"
}

image=$1
if [[ -z ${LIGHTLOOM_MAC_IDENTITY:-} ]]; then
    notice "No signing identity is configured; $image is signed ad hoc and not notarised."
    exit 0
fi
codesign --force --timestamp --sign "$LIGHTLOOM_MAC_IDENTITY" "$image"
if [[ -z ${APPLE_ID:-} || -z ${APPLE_TEAM_ID:-} || -z ${APPLE_PASSWORD:-} ]]; then
    notice "No account for notarisation is configured; $image is signed and not notarised."
    exit 0
fi
xcrun notarytool submit "$image" --wait --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM_ID" --password "$APPLE_PASSWORD"
xcrun stapler staple "$image"
# As a Mac that has downloaded it: the ticket is there, and the system would open it.
xcrun stapler validate "$image"
spctl --assess --type open --context context:primary-signature --verbose "$image"
