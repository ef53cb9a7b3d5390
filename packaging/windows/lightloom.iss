; Inno Setup 6. packaging/build.py calls its compiler with /D for Version, Bundle, Output, Name, Icon, Licence and
; Compression.
; Per user by default, so that no administrator is needed; the first page offers an installation for all.

[Setup]
AppId={{6C1E3F0B-6B38-4E3A-9E0C-5B7E2C9A4D11}
AppName=Lightloom
AppVersion={#Version}
AppVerName=Lightloom {#Version}
AppPublisher=The Lightloom authors
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Lightloom
DefaultGroupName=Lightloom
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile={#Licence}
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\lightloom.exe
UninstallDisplayName=Lightloom
OutputDir={#Output}
OutputBaseFilename={#Name}
Compression={#Compression}
SolidCompression=yes
WizardStyle=modern
ChangesAssociations=yes
ChangesEnvironment=yes
CloseApplications=yes

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked
Name: path; Description: "Add the command line (lightloom-cli) to the search path"; Flags: unchecked
; Nobody's file types change unless they are asked for.
Name: openonnx; Description: "Open networks (.onnx) with Lightloom"; GroupDescription: "File types:"; Flags: unchecked
Name: openvideo; Description: "Offer Lightloom in 'Open with' for videos and images"; GroupDescription: "File types:"; Flags: unchecked

[InstallDelete]
; An older version's libraries must not stay beside the new ones.
Type: filesandordirs; Name: "{app}\_internal"
Type: files; Name: "{app}\installed-by.txt"

[UninstallDelete]
Type: files; Name: "{app}\installed-by.txt"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Lightloom"; Filename: "{app}\lightloom.exe"
Name: "{autodesktop}\Lightloom"; Filename: "{app}\lightloom.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\Lightloom.onnx"; ValueType: string; ValueData: "ONNX network"; Flags: uninsdeletekey; Tasks: openonnx
Root: HKA; Subkey: "Software\Classes\Lightloom.onnx\DefaultIcon"; ValueType: string; ValueData: "{app}\lightloom.exe,0"; Tasks: openonnx
Root: HKA; Subkey: "Software\Classes\Lightloom.onnx\shell\open\command"; ValueType: string; ValueData: """{app}\lightloom.exe"" ""%1"""; Tasks: openonnx
Root: HKA; Subkey: "Software\Classes\.onnx\OpenWithProgids"; ValueType: string; ValueName: "Lightloom.onnx"; ValueData: ""; Flags: uninsdeletevalue; Tasks: openonnx
Root: HKA; Subkey: "Software\Classes\Applications\lightloom.exe\shell\open\command"; ValueType: string; ValueData: """{app}\lightloom.exe"" ""%1"""; Flags: uninsdeletekey; Tasks: openvideo
Root: HKA; Subkey: "Software\Classes\Applications\lightloom.exe"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "Lightloom"; Flags: uninsdeletekey; Tasks: openvideo
#define OpenWith(str Suffix) \
    "Root: HKA; Subkey: ""Software\Classes\" + Suffix + "\OpenWithList\lightloom.exe""; ValueType: none; Flags: uninsdeletekey; Tasks: openvideo"
#emit OpenWith(".mp4")
#emit OpenWith(".mov")
#emit OpenWith(".mkv")
#emit OpenWith(".webm")
#emit OpenWith(".avi")
#emit OpenWith(".png")
#emit OpenWith(".jpg")
#emit OpenWith(".webp")
Root: HKA; Subkey: "{code:EnvironmentKey}"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: NeedsPath

[Run]
Filename: "{app}\lightloom.exe"; Description: "{cm:LaunchProgram,Lightloom}"; Flags: nowait postinstall skipifsilent

[Code]
function EnvironmentKey(Unused: string): string;
begin
  if IsAdminInstallMode then
    Result := 'System\CurrentControlSet\Control\Session Manager\Environment'
  else
    Result := 'Environment';
end;

{ A package manager calls with /INSTALLEDBY=its name; the program then says how to update. }
procedure CurStepChanged(CurStep: TSetupStep);
var
  Manager: string;
begin
  Manager := ExpandConstant('{param:INSTALLEDBY|}');
  if (CurStep = ssPostInstall) and (Manager <> '') then
    SaveStringToFile(ExpandConstant('{app}\installed-by.txt'), Manager, False);
end;

function NeedsPath: Boolean;
var
  Before: string;
begin
  Result := not RegQueryStringValue(HKA, EnvironmentKey(''), 'Path', Before)
    or (Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Before) + ';') = 0);
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Before, Folder: string;
  Place: Integer;
begin
  if Step <> usPostUninstall then
    Exit;
  Folder := ';' + ExpandConstant('{app}');
  if RegQueryStringValue(HKA, EnvironmentKey(''), 'Path', Before) then
  begin
    Place := Pos(Uppercase(Folder) + ';', Uppercase(Before) + ';');
    if Place > 0 then
    begin
      Delete(Before, Place, Length(Folder));
      RegWriteExpandStringValue(HKA, EnvironmentKey(''), 'Path', Before);
    end;
  end;
end;
