# Signs programs and installers with signtool. Where no certificate is configured it says so and ends well: a build without one is not
# signed by anyone, and docs/packaging.md says what a user then sees.
#
#     packaging/windows/sign.ps1 build/bundle/lightloom/*.exe
#
# WINDOWS_CERTIFICATE            the certificate with its key, PKCS #12, base64
# WINDOWS_CERTIFICATE_PASSWORD   its password
param([Parameter(Mandatory, ValueFromRemainingArguments)][string[]]$Files)
$ErrorActionPreference = 'Stop'

if (-not $env:WINDOWS_CERTIFICATE) {
    Write-Output "::notice::No signing certificate is configured (secret WINDOWS_CERTIFICATE); $Files stays unsigned."
    exit 0
}
$certificate = Join-Path $env:RUNNER_TEMP 'certificate.pfx'
[IO.File]::WriteAllBytes($certificate, [Convert]::FromBase64String($env:WINDOWS_CERTIFICATE))
try {
    $tool = Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" | Sort-Object FullName | Select-Object -Last 1
    if (-not $tool) { throw 'There is no signtool.exe; install the Windows SDK.' }
    foreach ($file in Get-Item $Files) {
        & $tool.FullName sign /fd SHA256 /td SHA256 /tr http://timestamp.digicert.com `
            /f $certificate /p $env:WINDOWS_CERTIFICATE_PASSWORD $file.FullName
        if ($LASTEXITCODE) { throw "signtool failed for $file (exit status $LASTEXITCODE)." }
    }
}
finally {
    Remove-Item $certificate
}
