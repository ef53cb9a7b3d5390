<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Lightloom</source>
        <translation>Über Lightloom</translation>
    </message>
    <message>
        <source>Computing on {0}</source>
        <translation>Rechnet auf {0}</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>Dieser Rechner wird untersucht...</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>WebGPU: {0}</source>
        <translation>WebGPU: {0}</translation>
    </message>
</context>
<context>
    <name>AdapterDialog</name>
    <message>
        <source>Adapters</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>Effects and networks compute on this adapter. The chain is kept when you change it.</source>
        <translation>Effekte und Netze rechnen auf diesem Adapter. Beim Wechsel bleibt die Kette erhalten.</translation>
    </message>
    <message>
        <source>Graphics adapter</source>
        <translation>Grafikadapter</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>Wird gesucht...</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>{0}, in use</source>
        <translation>{0}, in Gebrauch</translation>
    </message>
</context>
<context>
    <name>AnonymizeCard</name>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n verdeckt</numerusform>
            <numerusform>%n verdeckt</numerusform>
        </translation>
    </message>
    <message>
        <source>Anonymize</source>
        <translation>Unkenntlich machen</translation>
    </message>
    <message>
        <source>Hide what the network detects, on the screen and in everything that is saved</source>
        <translation>Verdecken, was das Netz im Bild findet, auch in allem, was davon gespeichert wird</translation>
    </message>
    <message>
        <source>Show what is hidden, and how</source>
        <translation>Zeigen, was verdeckt wird und wie</translation>
    </message>
    <message>
        <source>The network knows no class of this name, which is not hidden: {0}</source>
        <translation>Das Netz kennt keine Klasse dieses Namens, sie wird nicht verdeckt: {0}</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>ganz verdeckt</translation>
    </message>
</context>
<context>
    <name>AudioFollowing</name>
    <message>
        <source>Turn off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Use the microphone</source>
        <translation>Mikrofon benutzen</translation>
    </message>
</context>
<context>
    <name>AutomationPopup</name>
    <message>
        <source>Automated by</source>
        <translation>Automatisiert durch</translation>
    </message>
    <message>
        <source>Automation of {0}</source>
        <translation>Automatisierung von {0}</translation>
    </message>
    <message>
        <source>Follow the next controller that moves</source>
        <translation>Dem nächsten Regler folgen, der bewegt wird</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Move a controller...</source>
        <translation>Einen Regler bewegen...</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Switch the automation on or off</source>
        <translation>Die Automatisierung ein- oder ausschalten</translation>
    </message>
    <message>
        <source>While the video plays, move the parameter&apos;s slider; click the badge beside it to stop</source>
        <translation>Während das Video läuft, den Schieberegler des Parameters bewegen; ein Klick auf das Zeichen daneben beendet es</translation>
    </message>
</context>
<context>
    <name>Automations</name>
    <message numerus="yes">
        <source>%n scene cuts have no key frame, as {0} can have {1} at most; remove some first.</source>
        <translation>
            <numerusform>%n Schnitt hat keinen Keyframe, denn {0} kann höchstens {1} haben; zuerst einige entfernen.</numerusform>
            <numerusform>%n Schnitte haben keinen Keyframe, denn {0} kann höchstens {1} haben; zuerst einige entfernen.</numerusform>
        </translation>
    </message>
    <message>
        <source>A chain has at most {0} automations; remove one first.</source>
        <translation>Eine Kette hat höchstens {0} Automatisierungen; zuerst eine entfernen.</translation>
    </message>
    <message>
        <source>Automate {0}</source>
        <translation>{0} automatisieren</translation>
    </message>
    <message>
        <source>Automation of {0}</source>
        <translation>Automatisierung von {0}</translation>
    </message>
    <message>
        <source>Automation of {0} off</source>
        <translation>Automatisierung von {0} aus</translation>
    </message>
    <message>
        <source>Automation of {0} on</source>
        <translation>Automatisierung von {0} ein</translation>
    </message>
    <message>
        <source>Nothing was recorded: {0} has at most {1} key frames, and no room for more; remove some first.</source>
        <translation>Nichts wurde aufgezeichnet: {0} hat höchstens {1} Keyframes und keinen Platz für weitere; zuerst einige entfernen.</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>Pause, or record the key frames</source>
        <translation>Anhalten oder die Keyframes aufzeichnen</translation>
    </message>
    <message>
        <source>Play the video and move {0}</source>
        <translation>Das Video abspielen und {0} bewegen</translation>
    </message>
    <message>
        <source>Record {0}</source>
        <translation>{0} aufzeichnen</translation>
    </message>
    <message>
        <source>Remove the automation of {0}</source>
        <translation>Automatisierung von {0} entfernen</translation>
    </message>
    <message>
        <source>{0} has at most {1} key frames: what was recorded follows the movement less closely; record a shorter part, or remove key frames.</source>
        <translation>{0} hat höchstens {1} Keyframes: Die Aufnahme folgt der Bewegung weniger genau; einen kürzeren Teil aufnehmen oder Keyframes entfernen.</translation>
    </message>
    <message>
        <source>{0} has at most {1} key frames; remove one first.</source>
        <translation>{0} hat höchstens {1} Keyframes; zuerst eines entfernen.</translation>
    </message>
    <message>
        <source>{0}, across</source>
        <translation>{0}, waagerecht</translation>
    </message>
    <message>
        <source>{0}, down</source>
        <translation>{0}, senkrecht</translation>
    </message>
</context>
<context>
    <name>CameraLogin</name>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>{0} at {1}. Leave both empty for a camera without users.</source>
        <translation>{0} unter {1}. Für eine Kamera ohne Benutzer beides leer lassen.</translation>
    </message>
</context>
<context>
    <name>ChainPanel</name>
    <message>
        <source>Analysis</source>
        <translation>Analyse</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Kette</translation>
    </message>
    <message>
        <source>Chain: more</source>
        <translation>Kette: mehr</translation>
    </message>
    <message>
        <source>Drag an effect here</source>
        <translation>Effekt hierher ziehen</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>Effekte</translation>
    </message>
    <message>
        <source>No effects yet. Double-click one in the library, or drop an effect, a look or a network here.</source>
        <translation>Noch keine Effekte. In der Bibliothek auf einen doppelklicken, oder einen Effekt, einen Look oder ein Netz hier ablegen.</translation>
    </message>
    <message>
        <source>Or start with one of these:</source>
        <translation>Oder mit einem von diesen beginnen:</translation>
    </message>
    <message>
        <source>Save effects, network and settings under a name</source>
        <translation>Effekte, Netz und Einstellungen unter einem Namen speichern</translation>
    </message>
    <message>
        <source>Search the effects</source>
        <translation>Effekte suchen</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Time of all effects for one frame</source>
        <translation>Zeit aller Effekte für ein Einzelbild</translation>
    </message>
    <message>
        <source>Time of all effects for one frame, by {0}.</source>
        <translation>Zeit aller Effekte für ein Bild, nach {0}.</translation>
    </message>
    <message>
        <source>Time of the chain: {0}</source>
        <translation>Zeit der Kette: {0}</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>Look speichern</translation>
    </message>
    <message>
        <source>About the time of the chain</source>
        <translation>Über die Zeit der Kette</translation>
    </message>
    <message>
        <source>{0} (edited)</source>
        <translation>{0} (geändert)</translation>
    </message>
</context>
<context>
    <name>ChoiceEditor</name>
    <message>
        <source>{0} (not found)</source>
        <translation>{0} (nicht gefunden)</translation>
    </message>
</context>
<context>
    <name>ClassesList</name>
    <message>
        <source>Add a class</source>
        <translation>Klasse hinzufügen</translation>
    </message>
    <message>
        <source>Add...</source>
        <translation>Hinzufügen...</translation>
    </message>
    <message>
        <source>Choose a class</source>
        <translation>Klasse wählen</translation>
    </message>
    <message>
        <source>Class, or the name of a new one</source>
        <translation>Klasse oder Name einer neuen</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Key {0}</source>
        <translation>Taste {0}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>None yet. Proposals and imports bring theirs.</source>
        <translation>Noch keine. Vorschläge und Importe bringen ihre mit.</translation>
    </message>
</context>
<context>
    <name>CleanCanvas</name>
    <message>
        <source>Clean output</source>
        <translation>Reine Bildausgabe</translation>
    </message>
</context>
<context>
    <name>Clicks</name>
    <message numerus="yes">
        <source>%n points at most</source>
        <translation>
            <numerusform>Höchstens %n Punkt</numerusform>
            <numerusform>Höchstens %n Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>Click on an object in the image, or drag a box around it</source>
        <translation>Auf etwas im Bild klicken oder einen Kasten darum ziehen</translation>
    </message>
    <message>
        <source>Encoding the image... Esc cancels</source>
        <translation>Das Bild wird angesehen... Esc bricht ab</translation>
    </message>
    <message>
        <source>Encoding the image: {0} %. Esc cancels</source>
        <translation>Das Bild wird angesehen: {0} %. Esc bricht ab</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
</context>
<context>
    <name>ClipPlayer</name>
    <message>
        <source>From the beginning (R)</source>
        <translation>Von Anfang an (R)</translation>
    </message>
    <message>
        <source>Image of the clip</source>
        <translation>Bild des Clips</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>Wiedergabe oder Pause (Leertaste)</translation>
    </message>
    <message>
        <source>Save the clip</source>
        <translation>Clip speichern</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message numerus="yes">
        <source>%n exports are not done yet.</source>
        <translation>
            <numerusform>%n Export ist noch nicht fertig.</numerusform>
            <numerusform>%n Exporte sind noch nicht fertig.</numerusform>
        </translation>
    </message>
    <message>
        <source>A recording is running.</source>
        <translation>Eine Aufnahme läuft.</translation>
    </message>
    <message>
        <source>Close and cancel them</source>
        <translation>Schließen und abbrechen</translation>
    </message>
    <message>
        <source>Close and save the recording</source>
        <translation>Schließen und die Aufnahme speichern</translation>
    </message>
    <message>
        <source>Close now</source>
        <translation>Jetzt schließen</translation>
    </message>
    <message>
        <source>Close when they are done</source>
        <translation>Schließen, sobald sie fertig sind</translation>
    </message>
    <message>
        <source>Close, and go on at the next start</source>
        <translation>Schließen, später weitermachen</translation>
    </message>
    <message>
        <source>Do not close</source>
        <translation>Nicht schließen</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>Exports of results are canceled when the window closes, and write no file.</source>
        <translation>Exporte von Ergebnissen werden beim Schließen des Fensters abgebrochen und schreiben keine Datei.</translation>
    </message>
    <message>
        <source>Exports of videos and images end with the window. Those that are not done begin again from their beginning at the next start; older files stay.</source>
        <translation>Exporte von Videos und Bildern enden mit dem Fenster. Unfertige beginnen beim nächsten Start wieder von vorn; ältere Dateien bleiben.</translation>
    </message>
    <message>
        <source>Lightloom closes when its exports are done.</source>
        <translation>Lightloom schließt, wenn seine Exporte fertig sind.</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
    <message>
        <source>The recording ends when the window closes, and its file is saved.</source>
        <translation>Die Aufnahme endet, wenn das Fenster schließt, und ihre Datei wird gespeichert.</translation>
    </message>
</context>
<context>
    <name>CodeEditor</name>
    <message>
        <source>Shader</source>
        <translation>Shader</translation>
    </message>
    <message>
        <source>Tab indents; Escape leaves the editor.</source>
        <translation>Tab rückt ein; Escape verlässt den Editor.</translation>
    </message>
</context>
<context>
    <name>ColorReadout</name>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>{0}   RGB {1} {2} {3}   HSV {4}° {5} % {6} %</source>
        <translation>{0}   RGB {1} {2} {3}   HSV {4}° {5} % {6} %</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>Gefundene Befehle</translation>
    </message>
    <message>
        <source>Nothing is called “{0}”. Try another word.</source>
        <translation>Nichts heißt „{0}“. Ein anderes Wort versuchen.</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Search commands, effects, looks, networks, files and settings</source>
        <translation>Befehle, Effekte, Looks, Netze, Dateien und Einstellungen suchen</translation>
    </message>
</context>
<context>
    <name>ComparisonPanel</name>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Both compute their first image...</source>
        <translation>Beide berechnen ihr erstes Bild...</translation>
    </message>
    <message>
        <source>Both get the same input; the times are from array to array.</source>
        <translation>Beide bekommen dieselbe Eingabe; die Zeiten sind die von Array zu Array.</translation>
    </message>
    <message>
        <source>Choose two ways to compute the network, and compare them on what plays.</source>
        <translation>Zwei Wege wählen, das Netz zu rechnen, und auf dem vergleichen, was läuft.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Erster</translation>
    </message>
    <message>
        <source>Greatest difference: {0}</source>
        <translation>Größter Unterschied: {0}</translation>
    </message>
    <message>
        <source>In both: {0}, IoU {1}; in one alone: {2}</source>
        <translation>In beiden: {0}, IoU {1}; nur in einem: {2}</translation>
    </message>
    <message>
        <source>Least cosine: {0}</source>
        <translation>Kleinster Kosinus: {0}</translation>
    </message>
    <message>
        <source>Run both during playback, twice a second at most</source>
        <translation>Beide betrachten lassen, was läuft, höchstens zweimal in der Sekunde</translation>
    </message>
    <message>
        <source>Loading both...</source>
        <translation>Beide werden geladen...</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>Kein Netz betrachtet das Bild.</translation>
    </message>
    <message>
        <source>Nothing is detected in this image.</source>
        <translation>In diesem Bild ist nichts zu sehen.</translation>
    </message>
    <message>
        <source>Relative error: {0}</source>
        <translation>Relativer Fehler: {0}</translation>
    </message>
    <message>
        <source>Same first name: {0} of {1}</source>
        <translation>Gleicher erster Name: {0} von {1}</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>Zweiter</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Waiting for an image...</source>
        <translation>Warten auf ein Bild...</translation>
    </message>
    <message>
        <source>No difference in time: {0} to {1} %.</source>
        <translation>Kein Unterschied in der Zeit: {0} bis {1} %.</translation>
    </message>
    <message>
        <source>The second is faster: {0} to {1} %.</source>
        <translation>Das zweite ist schneller: {0} bis {1} %.</translation>
    </message>
    <message>
        <source>The second is slower: {0} to {1} %.</source>
        <translation>Das zweite ist langsamer: {0} bis {1} %.</translation>
    </message>
    <message>
        <source>Too few images to compare the times.</source>
        <translation>Zu wenige Bilder, um die Zeiten zu vergleichen.</translation>
    </message>
    <message>
        <source>{0}: p50 {1}, p95 {2}, p99 {3} ms</source>
        <translation>{0}: p50 {1}, p95 {2}, p99 {3} ms</translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message>
        <source>Computing on {0}</source>
        <translation>Rechnet auf {0}</translation>
    </message>
    <message>
        <source>There is no graphics adapter {0} here.</source>
        <translation>Einen Grafikadapter {0} gibt es hier nicht.</translation>
    </message>
</context>
<context>
    <name>ControlsPanel</name>
    <message>
        <source>Open a camera to set its exposure, focus and colors.</source>
        <translation>Eine Kamera öffnen, um Belichtung, Fokus und Farben einzustellen.</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>Auf Standardwerte zurücksetzen</translation>
    </message>
    <message>
        <source>Set by: {0}</source>
        <translation>Eingestellt von: {0}</translation>
    </message>
    <message>
        <source>The camera does not take it now</source>
        <translation>Die Kamera nimmt das gerade nicht an</translation>
    </message>
    <message>
        <source>This camera, or this system, has no controls that can be set from here.</source>
        <translation>Diese Kamera oder dieses System hat keine Regler, die von hier aus zu stellen sind.</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>A report has the log, a description of this machine, and the current setup. It is saved where you choose, and never sent.</source>
        <translation>Ein Bericht enthält das Protokoll, die Ausstattung dieses Rechners und das zuletzt Eingestellte. Er wird am gewählten Ort gespeichert und an niemanden gesendet.</translation>
    </message>
    <message>
        <source>If it happens again, safe mode helps to find out why: it leaves out your own shaders, starts without a network and computes without the graphics card.</source>
        <translation>Wenn es wieder geschieht, hilft der abgesicherte Modus bei der Suche nach der Ursache: Er lässt eigene Shader weg, beginnt ohne Netz und rechnet ohne die Grafikkarte.</translation>
    </message>
    <message>
        <source>Lightloom closed unexpectedly last time.</source>
        <translation>Lightloom ist beim letzten Mal abgestürzt.</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>Dieser Rechner wird untersucht...</translation>
    </message>
    <message>
        <source>Report saved as {0}</source>
        <translation>Bericht gespeichert als {0}</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Save a report...</source>
        <translation>Bericht speichern...</translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation>Abgesichert starten</translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation>Normal starten</translation>
    </message>
    <message numerus="yes">
        <source>Starts normally in %n seconds.</source>
        <translation>
            <numerusform>Startet normal in %n Sekunde.</numerusform>
            <numerusform>Startet normal in %n Sekunden.</numerusform>
        </translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation>Zip-Dateien (*.zip)</translation>
    </message>
</context>
<context>
    <name>Cuts</name>
    <message>
        <source>Cut at {0}</source>
        <translation>Schnitt bei {0}</translation>
    </message>
    <message>
        <source>Finding the scene cuts...</source>
        <translation>Schnitte werden gesucht...</translation>
    </message>
    <message>
        <source>No earlier cut</source>
        <translation>Kein früherer Schnitt</translation>
    </message>
    <message>
        <source>No later cut</source>
        <translation>Kein späterer Schnitt</translation>
    </message>
    <message>
        <source>Scene cuts found: {0}</source>
        <translation>Gefundene Schnitte: {0}</translation>
    </message>
</context>
<context>
    <name>Decoding</name>
    <message>
        <source>Automatic: what is faster here</source>
        <translation>Automatisch: was hier schneller ist</translation>
    </message>
    <message>
        <source>From the next video on</source>
        <translation>Ab dem nächsten Video</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>Software</translation>
    </message>
</context>
<context>
    <name>DeviceBox</name>
    <message>
        <source>Device of the network</source>
        <translation>Gerät des Netzes</translation>
    </message>
    <message>
        <source>Looking for devices...</source>
        <translation>Geräte werden gesucht...</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
</context>
<context>
    <name>DriverFault</name>
    <message>
        <source>{driver} loses memory with larger filters, up to {rate} MB a second, and ends loops in shaders after {rounds} rounds. Install {name} {version} or newer, which is faster too ({system}: {command}).</source>
        <translation>{driver} verliert bei größeren Filtern Speicher, bis zu {rate} MB je Sekunde, und beendet Schleifen in Shadern nach {rounds} Durchläufen. {name} {version} oder neuer installieren, das auch schneller ist ({system}: {command}).</translation>
    </message>
</context>
<context>
    <name>Edits</name>
    <message>
        <source>Add {0}</source>
        <translation>{0} hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate {0}</source>
        <translation>{0} duplizieren</translation>
    </message>
    <message>
        <source>Follow nothing</source>
        <translation>Nichts verfolgen</translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>Dinge verfolgen</translation>
    </message>
    <message>
        <source>How frames are interpolated</source>
        <translation>Wie Bilder interpoliert werden</translation>
    </message>
    <message>
        <source>Tracking settings</source>
        <translation>Wie Dinge verfolgt werden</translation>
    </message>
    <message>
        <source>Interpolate frames</source>
        <translation>Bilder interpolieren</translation>
    </message>
    <message>
        <source>Blend mode of {0}</source>
        <translation>Mischmodus von {0}</translation>
    </message>
    <message>
        <source>Clear the effects</source>
        <translation>Effekte leeren</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n effects</source>
        <translation>
            <numerusform>%n Effekt kopiert</numerusform>
            <numerusform>%n Effekte kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Interpolate no frames</source>
        <translation>Keine Bilder interpolieren</translation>
    </message>
    <message>
        <source>Mask of {0}</source>
        <translation>Maske von {0}</translation>
    </message>
    <message>
        <source>Move {0}</source>
        <translation>{0} verschieben</translation>
    </message>
    <message>
        <source>Opacity of {0}</source>
        <translation>Deckkraft von {0}</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Redone: {0}</source>
        <translation>Wiederhergestellt: {0}</translation>
    </message>
    <message>
        <source>Reload a shader</source>
        <translation>Shader neu laden</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
    <message>
        <source>Reset {0}</source>
        <translation>{0} zurücksetzen</translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation>{0} ausschalten</translation>
    </message>
    <message>
        <source>Switch {0} on</source>
        <translation>{0} einschalten</translation>
    </message>
    <message>
        <source>Undone: {0}</source>
        <translation>Rückgängig gemacht: {0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>Anonymize</source>
        <translation>Unkenntlich machen</translation>
    </message>
    <message>
        <source>Anonymize nothing</source>
        <translation>Nichts unkenntlich machen</translation>
    </message>
    <message>
        <source>Redaction settings</source>
        <translation>Wie Dinge verdeckt werden</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Compare before and after</source>
        <translation>Vorher und nachher vergleichen</translation>
    </message>
    <message>
        <source>Drop your own video or image, a network or an effect</source>
        <translation>Eigenes Video oder Bild, ein Netz oder einen Effekt hier ablegen</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>Öffnen...</translation>
    </message>
    <message>
        <source>Pick a look</source>
        <translation>Look wählen</translation>
    </message>
    <message>
        <source>Play the sample</source>
        <translation>Beispiel abspielen</translation>
    </message>
    <message>
        <source>Use a camera</source>
        <translation>Kamera verwenden</translation>
    </message>
    <message>
        <source>or a folder, a look, a color table (.cube), an address</source>
        <translation>oder Ordner, Look, Farbtabelle (.cube), Adresse</translation>
    </message>
</context>
<context>
    <name>EncodingForm</name>
    <message>
        <source>As it is, where the file takes it</source>
        <translation>Unverändert, wo die Datei ihn aufnimmt</translation>
    </message>
    <message>
        <source>As usual for the codec</source>
        <translation>Wie beim Codec üblich</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Encode on the graphics card, if it can</source>
        <translation>Mit der Grafikkarte kodieren, wenn sie es kann</translation>
    </message>
    <message>
        <source>Encoded</source>
        <translation>Neu kodiert</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>Bildrate</translation>
    </message>
    <message>
        <source>Keep HDR as it is</source>
        <translation>HDR lassen, wie es ist</translation>
    </message>
    <message>
        <source>Keep transparency</source>
        <translation>Transparenz behalten</translation>
    </message>
    <message>
        <source>More than 8 bits a color</source>
        <translation>Mehr als 8 Bit je Farbe</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Otherwise transparent parts are black. Not every kind of file and codec holds transparency.</source>
        <translation>Sonst sind durchsichtige Teile schwarz. Nicht jede Art von Datei und nicht jeder Codec enthält Transparenz.</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>{0} (larger than the source)</source>
        <translation>{0} (größer als die Quelle)</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0} (empfohlen)</translation>
    </message>
    <message>
        <source>{0} ({1} x {2})</source>
        <translation>{0} ({1} x {2})</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>10 bits in videos, 16 in PNG files. HDR is kept through effects that allow it.</source>
        <translation>10 Bit in Videos, 16 in PNG-Dateien. HDR bleibt bei Effekten erhalten, die es zulassen.</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>Videos</translation>
    </message>
</context>
<context>
    <name>EntriesModel</name>
    <message>
        <source>on screen</source>
        <translation>auf dem Schirm</translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>A look that was opened does nothing before this is switched on.</source>
        <translation>Ein geöffneter Look tut nichts, bevor das eingeschaltet ist.</translation>
    </message>
    <message>
        <source>Add what is done when it happens</source>
        <translation>Hinzufügen, was dann getan wird</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Do something</source>
        <translation>Etwas tun</translation>
    </message>
    <message>
        <source>For how long</source>
        <translation>Wie lange</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Wie viele</translation>
    </message>
    <message>
        <source>Name of the event</source>
        <translation>Name des Ereignisses</translation>
    </message>
    <message>
        <source>An event happens when an object enters, leaves, stays in or crosses what was drawn.</source>
        <translation>Ein Ereignis tritt ein, wenn ein Objekt das Gezeichnete betritt, verlässt, kreuzt oder darin bleibt.</translation>
    </message>
    <message>
        <source>Show when it happens and what is done</source>
        <translation>Zeigen, wann es eintritt und was getan wird</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>both ways</source>
        <translation>in beide Richtungen</translation>
    </message>
    <message>
        <source>crosses</source>
        <translation>überquert</translation>
    </message>
    <message>
        <source>enters</source>
        <translation>betritt</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>verlässt</translation>
    </message>
    <message>
        <source>more inside than</source>
        <translation>mehr darin als</translation>
    </message>
    <message>
        <source>stays longer than</source>
        <translation>bleibt länger als</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>%n events were removed from the list.</source>
        <translation>
            <numerusform>%n Ereignis wurde aus der Liste entfernt.</numerusform>
            <numerusform>%n Ereignisse wurden aus der Liste entfernt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Bring them back</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Clip saved as {0}</source>
        <translation>Clip gespeichert als {0}</translation>
    </message>
    <message>
        <source>Clips cannot be kept: {0}. Free some disk space or check the permissions.</source>
        <translation>Clips können nicht aufbewahrt werden: {0}. Speicherplatz freigeben oder die Rechte prüfen.</translation>
    </message>
    <message>
        <source>Its clip is not written yet, or was deleted.</source>
        <translation>Der Clip dazu ist noch nicht geschrieben oder wurde gelöscht.</translation>
    </message>
    <message>
        <source>Open {0} to play it.</source>
        <translation>{0} öffnen, um es abzuspielen.</translation>
    </message>
    <message>
        <source>Open {0} to save a clip of it: Enter plays the event.</source>
        <translation>{0} öffnen, um einen Clip davon zu speichern: Enter spielt das Ereignis ab.</translation>
    </message>
    <message>
        <source>The clip is in the queue of exports</source>
        <translation>Der Clip ist in der Warteschlange der Exporte</translation>
    </message>
    <message>
        <source>The list shows the last {n} events; older ones are left out.</source>
        <translation>Die Liste zeigt die letzten {n} Ereignisse; ältere sind weggelassen.</translation>
    </message>
    <message>
        <source>There is no clip of it. Keep clips, with the round button, for later events.</source>
        <translation>Es gibt keinen Clip davon. Für spätere Ereignisse mit der runden Schaltfläche Clips aufbewahren.</translation>
    </message>
    <message>
        <source>{0} has no further events</source>
        <translation>{0} hat keine weiteren Ereignisse</translation>
    </message>
</context>
<context>
    <name>EventsPanel</name>
    <message>
        <source>All classes</source>
        <translation>Alle Klassen</translation>
    </message>
    <message>
        <source>All zones</source>
        <translation>Alle Zonen</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>At</source>
        <translation>Bei</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>JSON lines ({0});;All files (*)</source>
        <translation>JSON-Zeilen ({0});;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Keep clips of the events of live sources, until Lightloom ends</source>
        <translation>Clips der Ereignisse von Live-Quellen aufbewahren, bis Lightloom endet</translation>
    </message>
    <message>
        <source>Last 10 minutes</source>
        <translation>Letzte 10 Minuten</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>Letzter Tag</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>No event yet. Draw a zone (Z) and add an event to it in the panel Zones: what happens is listed here. The folder opens events of an earlier time.</source>
        <translation>Noch kein Ereignis. Eine Zone zeichnen (Z) und ihr im Bereich Zonen ein Ereignis hinzufügen: Hier steht dann, was geschieht. Der Ordner öffnet frühere Ereignisse.</translation>
    </message>
    <message>
        <source>None of the events passes the filters.</source>
        <translation>Keines der Ereignisse passt zu den Filtern.</translation>
    </message>
    <message>
        <source>Open events</source>
        <translation>Ereignisse öffnen</translation>
    </message>
    <message>
        <source>Open events that were written as JSON lines</source>
        <translation>Ereignisse öffnen, die als JSON-Zeilen geschrieben wurden</translation>
    </message>
    <message>
        <source>Play the event (Enter)</source>
        <translation>Ereignis abspielen (Enter)</translation>
    </message>
    <message>
        <source>Save a clip of the event</source>
        <translation>Clip des Ereignisses speichern</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>A rough estimate: how much the frames move decides</source>
        <translation>Grobe Schätzung: entscheidend ist, wie viel sich im Bild bewegt</translation>
    </message>
    <message>
        <source>Another source was opened meanwhile; close this dialog, and export again.</source>
        <translation>Inzwischen wurde eine andere Quelle geöffnet; diesen Dialog schließen und neu exportieren.</translation>
    </message>
    <message>
        <source>Any audio is slowed down at the same pitch; the frame rate is that of the source.</source>
        <translation>Ton wird bei gleicher Tonhöhe verlangsamt; die Bildrate ist die der Quelle.</translation>
    </message>
    <message>
        <source>Change...</source>
        <translation>Ändern...</translation>
    </message>
    <message>
        <source>Choose another name or folder</source>
        <translation>Anderen Namen oder Ordner wählen</translation>
    </message>
    <message>
        <source>Draw in what the network sees</source>
        <translation>Einzeichnen, was das Netz sieht</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Estimated size</source>
        <translation>Geschätzte Größe</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Frames in between are blended, which shows what moves fast twice; for better ones turn on frame interpolation with a network such as RIFE.</source>
        <translation>Bilder dazwischen werden überblendet, was schnell Bewegtes doppelt zeigt; für bessere die Zwischenbildberechnung mit einem Netz wie RIFE einschalten.</translation>
    </message>
    <message>
        <source>Frames in between are made by {0}.</source>
        <translation>Bilder dazwischen berechnet {0}.</translation>
    </message>
    <message>
        <source>Keep all audio tracks</source>
        <translation>Alle Tonspuren behalten</translation>
    </message>
    <message>
        <source>Make pans even too</source>
        <translation>Auch Schwenks glätten</translation>
    </message>
    <message>
        <source>Makes frames between those of the source, and slows the audio down</source>
        <translation>Berechnet Bilder zwischen denen der Quelle und verlangsamt den Ton</translation>
    </message>
    <message>
        <source>Moves and enlarges the frames so that the camera is steady; the video is read twice</source>
        <translation>Verschiebt und vergrößert die Bilder, sodass die Kamera ruhig steht; das Video wird zweimal gelesen</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>Remove shaking</source>
        <translation>Verwackeln entfernen</translation>
    </message>
    <message>
        <source>Slow motion makes frames with 8 bits a color; choose the usual color, or the normal speed.</source>
        <translation>Die Zeitlupe erzeugt Bilder mit 8 Bit je Farbe; die übliche Farbe oder die normale Geschwindigkeit wählen.</translation>
    </message>
    <message>
        <source>Slow motion, 1/{0}</source>
        <translation>Zeitlupe, 1/{0}</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Stabilization</source>
        <translation>Stabilisierung</translation>
    </message>
    <message>
        <source>Subtitles are drawn in standard range; leave them out, or do not keep HDR.</source>
        <translation>Untertitel werden im üblichen Dynamikumfang gezeichnet; sie weglassen oder HDR nicht behalten.</translation>
    </message>
    <message>
        <source>The source has no second audio track</source>
        <translation>Die Quelle hat keine zweite Tonspur</translation>
    </message>
    <message>
        <source>The window shows HDR tone-mapped to standard range; the file has it as it is.</source>
        <translation>Das Fenster zeigt HDR auf den üblichen Dynamikumfang umgerechnet; in der Datei ist es, wie es ist.</translation>
    </message>
    <message>
        <source>Trying the encoders...</source>
        <translation>Die Kodierer werden probiert...</translation>
    </message>
    <message>
        <source>What will be made</source>
        <translation>Was entsteht</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>etwa {0}</translation>
    </message>
    <message>
        <source>{0} is what is read; choose another name.</source>
        <translation>{0} wird gerade gelesen; bitte einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>{0} is written to a file, with the effects as they are now.</source>
        <translation>{0} wird in eine Datei geschrieben, mit den Effekten, wie sie jetzt sind.</translation>
    </message>
    <message>
        <source>Draw in the subtitles</source>
        <translation>Untertitel einzeichnen</translation>
    </message>
    <message>
        <source>A numbered {0} file for each frame, without audio.</source>
        <translation>Eine nummerierte {0}-Datei für jedes Bild, ohne Ton.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Show subtitles in the window first</source>
        <translation>Zuerst Untertitel im Fenster zeigen</translation>
    </message>
</context>
<context>
    <name>ExportLabelsDialog</name>
    <message numerus="yes">
        <source>%n images go into the file.</source>
        <translation>
            <numerusform>%n Bild kommt in die Datei.</numerusform>
            <numerusform>%n Bilder kommen in die Datei.</numerusform>
        </translation>
    </message>
    <message>
        <source>Export labels</source>
        <translation>Beschriftungen exportieren</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren...</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>No image is confirmed yet.</source>
        <translation>Noch ist kein Bild bestätigt.</translation>
    </message>
    <message>
        <source>Only confirmed images</source>
        <translation>Nur bestätigte Bilder</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message numerus="yes">
        <source>%n exports were interrupted; the panel Exports begins them again.</source>
        <translation>
            <numerusform>%n Export wurde unterbrochen; im Bereich Exporte beginnt er neu.</numerusform>
            <numerusform>%n Exporte wurden unterbrochen; im Bereich Exporte beginnen sie neu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply them again</source>
        <translation>Wieder anwenden</translation>
    </message>
    <message>
        <source>Exported as {0}</source>
        <translation>Exportiert als {0}</translation>
    </message>
    <message>
        <source>Play {0} as it was written</source>
        <translation>{0} abspielen, wie geschrieben</translation>
    </message>
    <message>
        <source>The export to {0} failed.</source>
        <translation>Der Export nach {0} ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>{0} plays as it was written: the effects and the network are switched off.</source>
        <translation>{0} läuft so, wie es geschrieben wurde: Effekte und Netz sind ausgeschaltet.</translation>
    </message>
    <message>
        <source>{0} plays as it was written: the effects are switched off; Anonymize stays on.</source>
        <translation>{0} läuft so, wie es geschrieben wurde: Die Effekte sind ausgeschaltet; „Unkenntlich machen“ bleibt an.</translation>
    </message>
    <message numerus="yes">
        <source>%n exports begin again, as you wanted when Lightloom was closed.</source>
        <translation>
            <numerusform>%n Export beginnt wieder, wie beim Schließen von Lightloom gewünscht.</numerusform>
            <numerusform>%n Exporte beginnen wieder, wie beim Schließen von Lightloom gewünscht.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportsPanel</name>
    <message>
        <source>Begin again</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>Wie weit der Export ist</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Nothing is exported yet; Export... puts the open file here.</source>
        <translation>Noch nichts exportiert; „Exportieren...“ stellt die geöffnete Datei hierher.</translation>
    </message>
    <message>
        <source>Open the finished video in this window as it was written</source>
        <translation>Das fertige Video in diesem Fenster öffnen, wie es geschrieben wurde</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Time left, size</source>
        <translation>Restzeit, Größe</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>about {0} MB</source>
        <translation>etwa {0} MB</translation>
    </message>
</context>
<context>
    <name>FilesEditor</name>
    <message>
        <source>Add images...</source>
        <translation>Bilder hinzufügen...</translation>
    </message>
    <message>
        <source>Choose images</source>
        <translation>Bilder wählen</translation>
    </message>
    <message>
        <source>Images ({0})</source>
        <translation>Bilder ({0})</translation>
    </message>
    <message>
        <source>Take {0} away</source>
        <translation>{0} wegnehmen</translation>
    </message>
    <message>
        <source>There can be {n} images at most; left out: {names}</source>
        <translation>Es kann höchstens {n} Bilder geben; weggelassen: {names}</translation>
    </message>
    <message>
        <source>{0}: add images</source>
        <translation>{0}: Bilder hinzufügen</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close the search</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <source>Find in the shader</source>
        <translation>Im Shader suchen</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
</context>
<context>
    <name>FoldingCard</name>
    <message>
        <source>Enable or disable</source>
        <translation>Ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>Informationen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}, {1}</translation>
    </message>
    <message>
        <source>{0}: more</source>
        <translation>{0}: mehr</translation>
    </message>
    <message>
        <source>{0}: on or off</source>
        <translation>{0}: ein oder aus</translation>
    </message>
</context>
<context>
    <name>FrameGraph</name>
    <message>
        <source>Graph of frame time and latency</source>
        <translation>Verlauf von Bildzeit und Latenz</translation>
    </message>
    <message>
        <source>frame time</source>
        <translation>Bildzeit</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
</context>
<context>
    <name>FullScreenControls</name>
    <message>
        <source>Looks</source>
        <translation>Looks</translation>
    </message>
</context>
<context>
    <name>GalleryModel</name>
    <message>
        <source>Effect</source>
        <translation>Effekt</translation>
    </message>
    <message>
        <source>Favorite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Look</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message>
        <source>A grid shows {0} sources at most, so {1} was left out; close a tile first.</source>
        <translation>Ein Raster zeigt höchstens {0} Quellen, deshalb fehlt {1}; zuerst eine Kachel schließen.</translation>
    </message>
    <message>
        <source>A recording runs: finish it before you close its tile</source>
        <translation>Eine Aufnahme läuft: sie beenden, bevor ihre Kachel geschlossen wird</translation>
    </message>
    <message>
        <source>A recording runs: finish it before you go to another tile</source>
        <translation>Eine Aufnahme läuft: sie vor dem Wechsel zu einer anderen Kachel beenden</translation>
    </message>
    <message>
        <source>Drop a video or an image here, or open one with {0}</source>
        <translation>Ein Video oder Bild hierher ziehen, oder eines mit {0} öffnen</translation>
    </message>
    <message>
        <source>The other tiles are closed; {key} opens them again.</source>
        <translation>Die anderen Kacheln sind geschlossen; {key} öffnet sie wieder.</translation>
    </message>
    <message>
        <source>{0} (ended)</source>
        <translation>{0} (zu Ende)</translation>
    </message>
    <message numerus="yes">
        <source>A grid shows {0} sources at most, so %n were left out; close a tile first.</source>
        <translation>
            <numerusform>Ein Raster zeigt höchstens {0} Quellen, deshalb fehlt %n; zuerst eine Kachel schließen.</numerusform>
            <numerusform>Ein Raster zeigt höchstens {0} Quellen, deshalb fehlen %n; zuerst eine Kachel schließen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>Bildrate</translation>
    </message>
    <message>
        <source>All passes of one frame together, by {0}.</source>
        <translation>Alle Durchläufe eines Bildes zusammen, nach {0}.</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Frame rate and latency; click for an explanation</source>
        <translation>Bildrate und Latenz; ein Klick erklärt sie</translation>
    </message>
    <message>
        <source>From capture, or from when a file&apos;s frame is due, to the end of its last pass; the median of the last frames.</source>
        <translation>Von der Aufnahme, bei Dateien von der Fälligkeit des Bildes, bis zum Ende seines letzten Durchlaufs; der Median der letzten Bilder.</translation>
    </message>
    <message>
        <source>GPU total</source>
        <translation>GPU gesamt</translation>
    </message>
    <message>
        <source>GPU: {0}</source>
        <translation>GPU: {0}</translation>
    </message>
    <message>
        <source>Graphics adapter: {0}</source>
        <translation>Grafikadapter: {0}</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>New frames shown per second; {0} of the frames of the last seconds were dropped.</source>
        <translation>Neue Bilder pro Sekunde; {0} der Bilder der letzten Sekunden wurden ausgelassen.</translation>
    </message>
    <message>
        <source>Open a source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>Wird geöffnet...</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Source: {0}</source>
        <translation>Quelle: {0}</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>The graphics adapter in use; click to choose another</source>
        <translation>Der verwendete Grafikadapter; klicken, um einen anderen zu wählen</translation>
    </message>
    <message>
        <source>The playlist</source>
        <translation>Die Playlist</translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} ms</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0} of {1} in the playlist</source>
        <translation>{0} von {1} in der Playlist</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Lightloom guide</source>
        <translation>Lightloom-Anleitung</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>Anleitung durchsuchen</translation>
    </message>
    <message>
        <source>The guide has nothing about “{0}”. Try another word.</source>
        <translation>Die Anleitung hat nichts zu „{0}“. Ein anderes Wort versuchen.</translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Drop your own video, pick a look, or drag the line to compare.</source>
        <translation>Eigenes Video ablegen, einen Look wählen oder zum Vergleichen die Linie ziehen.</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>Öffnen...</translation>
    </message>
    <message>
        <source>Pick a look</source>
        <translation>Look wählen</translation>
    </message>
    <message>
        <source>Several files play one after the other, as a playlist. {list} shows it, {next} goes on to the next.</source>
        <translation>Mehrere Dateien laufen nacheinander, als Playlist. {list} zeigt sie, {next} geht zur nächsten Datei.</translation>
    </message>
    <message>
        <source>Show the playlist</source>
        <translation>Playlist zeigen</translation>
    </message>
</context>
<context>
    <name>HostQuestion</name>
    <message>
        <source>Don&apos;t send</source>
        <translation>Nicht senden</translation>
    </message>
    <message>
        <source>May images be sent to {0}?</source>
        <translation>Dürfen Bilder an {0} gesendet werden?</translation>
    </message>
    <message>
        <source>Images for a server</source>
        <translation>Bilder für einen Server</translation>
    </message>
    <message>
        <source>A network is to be computed there: the host receives the images of your camera, screen or files. You are asked once for each host; Effects &gt; Open a network on a server takes it back.</source>
        <translation>Ein Netz, das verwendet werden soll, wird dort berechnet: Der Rechner bekommt die Bilder von Kamera, Bildschirm oder Dateien. Gefragt wird einmal je Rechner; unter Effekte &gt; Netz auf einem Server öffnen ist es zurückzunehmen.</translation>
    </message>
    <message>
        <source>Send images</source>
        <translation>Bilder senden</translation>
    </message>
</context>
<context>
    <name>InformationPopup</name>
    <message>
        <source>Open the guide</source>
        <translation>Anleitung öffnen</translation>
    </message>
</context>
<context>
    <name>InputDialog</name>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>Caffe (0..255 minus mean)</source>
        <translation>Caffe (0..255 minus Mittelwert)</translation>
    </message>
    <message>
        <source>Choose a file with one name a line</source>
        <translation>Datei mit einem Namen je Zeile wählen</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Class names</source>
        <translation>Klassennamen</translation>
    </message>
    <message>
        <source>Color order</source>
        <translation>Farbreihenfolge</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <source>Give numbers with commas between them, one for each channel.</source>
        <translation>Zahlen mit Kommas dazwischen angeben, eine je Kanal.</translation>
    </message>
    <message>
        <source>Preprocessing for this network. Your choices are stored beside its file.</source>
        <translation>So werden Bilder für dieses Netz vorbereitet. Die Angaben werden neben der Datei gespeichert.</translation>
    </message>
    <message>
        <source>ImageNet (mean and std)</source>
        <translation>ImageNet (Mittelwert und Std.)</translation>
    </message>
    <message>
        <source>Input tensor</source>
        <translation>Eingabetensor</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>Pixelbereich</translation>
    </message>
    <message>
        <source>Pixel range before mean and std</source>
        <translation>Pixelbereich vor Mittelwert und Std.</translation>
    </message>
    <message>
        <source>Preprocessing of {0}</source>
        <translation>Vorverarbeitung von {0}</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>Std.</translation>
    </message>
    <message>
        <source>The file does not show which of these it is: {0}. Choose one; the choice is kept beside the file.</source>
        <translation>Die Datei zeigt nicht, welches davon es ist: {0}. Bitte eines wählen; die Wahl wird neben der Datei gespeichert.</translation>
    </message>
    <message>
        <source>The file does not state {0}. The values below are assumed; change what you know better. They are kept beside the file.</source>
        <translation>Aus der Datei geht nicht hervor: {0}. Die Werte unten sind Annahmen; ändern, was besser bekannt ist. Die Angaben werden neben der Datei gespeichert.</translation>
    </message>
    <message>
        <source>its input size</source>
        <translation>seine Eingabegröße</translation>
    </message>
    <message>
        <source>its pixel range</source>
        <translation>sein Pixelbereich</translation>
    </message>
    <message>
        <source>its task</source>
        <translation>seine Aufgabe</translation>
    </message>
    <message>
        <source>Gray</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Names of the classes</source>
        <translation>Namen der Klassen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>Standardabweichung</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Text (*.txt *.names);;All files (*)</source>
        <translation>Text (*.txt *.names);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
</context>
<context>
    <name>InputPanel</name>
    <message numerus="yes">
        <source>%n regions</source>
        <translation>
            <numerusform>%n Bereich</numerusform>
            <numerusform>%n Bereiche</numerusform>
        </translation>
    </message>
    <message>
        <source>Each pixel is the mean of {0} by {0}.</source>
        <translation>Jedes Pixel ist das Mittel aus {0} mal {0}.</translation>
    </message>
    <message>
        <source>In memory: {0}</source>
        <translation>Im Speicher: {0}</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>Kein Netz betrachtet das Bild.</translation>
    </message>
    <message>
        <source>Shown with range, mean and deviation undone.</source>
        <translation>Gezeigt ohne Wertebereich, Mittelwert und Abweichung.</translation>
    </message>
    <message>
        <source>The network has not processed a frame yet.</source>
        <translation>Das Netz hat noch kein Bild betrachtet.</translation>
    </message>
    <message>
        <source>Not shown while Anonymize is on: the network gets the frame before anything is hidden.</source>
        <translation>Nicht gezeigt, solange „Unkenntlich machen“ an ist: Das Netz bekommt das Bild, bevor etwas verborgen wird.</translation>
    </message>
</context>
<context>
    <name>InterpolationCard</name>
    <message>
        <source>Have a network make frames between those of the source, for smoother motion</source>
        <translation>Ein Netz Bilder zwischen denen der Quelle machen lassen, für flüssigere Bewegung</translation>
    </message>
    <message>
        <source>Interpolate frames</source>
        <translation>Bilder interpolieren</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Show how frames are interpolated</source>
        <translation>Zeigen, wie Bilder interpoliert werden</translation>
    </message>
</context>
<context>
    <name>ItemsList</name>
    <message>
        <source>Boxes</source>
        <translation>Rahmen</translation>
    </message>
    <message>
        <source>Class of the whole image</source>
        <translation>Klasse des ganzen Bildes</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>Ganzes Bild</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>KeyFrameEditor</name>
    <message>
        <source>Add a key frame at the position of the video</source>
        <translation>Einen Keyframe an der Position des Videos hinzufügen</translation>
    </message>
    <message>
        <source>Remove the key frame</source>
        <translation>Den Keyframe entfernen</translation>
    </message>
</context>
<context>
    <name>KeyFramePlot</name>
    <message numerus="yes">
        <source>%n key frames</source>
        <translation>
            <numerusform>%n Keyframe</numerusform>
            <numerusform>%n Keyframes</numerusform>
        </translation>
    </message>
    <message>
        <source>Add key frames at scene cuts</source>
        <translation>Keyframes an den Schnitten hinzufügen</translation>
    </message>
    <message>
        <source>Double-click to add a key frame; drag it, or right-click for its menu; the wheel zooms, with Shift it scrolls</source>
        <translation>Doppelklick fügt einen Keyframe hinzu; ihn ziehen, oder Rechtsklick für sein Menü; das Mausrad zoomt, mit Umschalt rollt es</translation>
    </message>
    <message>
        <source>Key frames</source>
        <translation>Keyframes</translation>
    </message>
    <message>
        <source>No scene cuts: find them in Playback &gt; Scene cuts</source>
        <translation>Keine Schnitte: unter Wiedergabe &gt; Schnitte suchen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Show all of the time</source>
        <translation>Die ganze Zeit zeigen</translation>
    </message>
    <message>
        <source>chosen: {0} at {1} s</source>
        <translation>gewählt: {0} bei {1} s</translation>
    </message>
    <message>
        <source>shown: {0} to {1} s</source>
        <translation>gezeigt: {0} bis {1} s</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} bis {1}</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>On the video: wheel zooms, drag moves, double click changes between fit and 1:1. On a parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down move, Delete removes.</source>
        <translation>Auf dem Bild: Das Rad zoomt, Ziehen verschiebt, ein Doppelklick wechselt zwischen eingepasst und 1:1. Auf einem Parameter: Ein Doppelklick setzt zurück. Auf einer Karte: Eingabe öffnet, X schaltet, Alt+Auf und Alt+Ab verschieben, Entf entfernt.</translation>
    </message>
</context>
<context>
    <name>LabelCanvas</name>
    <message numerus="yes">
        <source>%n boxes</source>
        <translation>
            <numerusform>%n Rahmen</numerusform>
            <numerusform>%n Rahmen</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening {0}</source>
        <translation>{0} wird geöffnet</translation>
    </message>
    <message>
        <source>Image to be labeled</source>
        <translation>Zu beschriftendes Bild</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>Ganzes Bild</translation>
    </message>
    <message>
        <source>{0} is selected</source>
        <translation>{0} ist ausgewählt</translation>
    </message>
</context>
<context>
    <name>LabelWindow</name>
    <message>
        <source>Arrows move the box, with Ctrl they resize it; 1 to 9 change its class</source>
        <translation>Pfeile bewegen den Rahmen, mit Strg ändern sie die Größe; 1 bis 9 ändern die Klasse</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Drag a box of the class {0}; Esc leaves it</source>
        <translation>Rahmen der Klasse {0} aufziehen; Esc bricht ab</translation>
    </message>
    <message>
        <source>How far the network is</source>
        <translation>Wie weit das Netz ist</translation>
    </message>
    <message>
        <source>Number of confirmed images</source>
        <translation>Wie viele Bilder bestätigt sind</translation>
    </message>
    <message>
        <source>J selects a box, N draws one, Enter confirms the image</source>
        <translation>J wählt einen Rahmen, N zeichnet einen, Enter bestätigt das Bild</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Beschriftungen</translation>
    </message>
    <message>
        <source>N draws a box, P has the network propose, Enter confirms</source>
        <translation>N zeichnet einen Rahmen, P lässt das Netz vorschlagen, Enter bestätigt</translation>
    </message>
    <message>
        <source>On the image: wheel zooms, drag moves the image or a box, Shift and drag draws one. Arrows move the selected box by a pixel, with Shift by ten; with Ctrl they resize it. Esc selects none.</source>
        <translation>Auf dem Bild: Das Rad zoomt, Ziehen bewegt das Bild oder einen Rahmen, Umschalt und Ziehen zeichnet einen. Pfeile bewegen den gewählten Rahmen um ein Pixel, mit Umschalt um zehn; mit Strg ändern sie seine Größe. Esc wählt keinen.</translation>
    </message>
    <message>
        <source>The network has seen {0} of {1}</source>
        <translation>Das Netz hat {0} von {1} gesehen</translation>
    </message>
    <message>
        <source>The window closes when the labels are exported. Close it again to cancel the export.</source>
        <translation>Das Fenster schließt, sobald die Labels exportiert sind. Noch einmal schließen bricht den Export ab.</translation>
    </message>
    <message>
        <source>These changes are not saved. Close the window again to discard them.</source>
        <translation>Diese Änderungen sind nicht gespeichert. Noch einmal schließen verwirft sie.</translation>
    </message>
    <message numerus="yes">
        <source>{0} of %n images confirmed</source>
        <translation>
            <numerusform>{0} von %n Bild bestätigt</numerusform>
            <numerusform>{0} von %n Bildern bestätigt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Labeling</name>
    <message>
        <source>Add a class</source>
        <translation>Klasse hinzufügen</translation>
    </message>
    <message>
        <source>All images are confirmed.</source>
        <translation>Alle Bilder sind bestätigt.</translation>
    </message>
    <message>
        <source>Change the class</source>
        <translation>Klasse ändern</translation>
    </message>
    <message>
        <source>Classify the image</source>
        <translation>Bild klassifizieren</translation>
    </message>
    <message>
        <source>Confirm a box</source>
        <translation>Rahmen bestätigen</translation>
    </message>
    <message>
        <source>Confirm the image</source>
        <translation>Bild bestätigen</translation>
    </message>
    <message>
        <source>Delete a box</source>
        <translation>Rahmen löschen</translation>
    </message>
    <message>
        <source>Draw a box</source>
        <translation>Rahmen zeichnen</translation>
    </message>
    <message>
        <source>Import labels</source>
        <translation>Beschriftungen importieren</translation>
    </message>
    <message>
        <source>Move a box</source>
        <translation>Rahmen bewegen</translation>
    </message>
    <message>
        <source>Open the image again</source>
        <translation>Bild wieder öffnen</translation>
    </message>
    <message>
        <source>Propose labels</source>
        <translation>Beschriftungen vorschlagen</translation>
    </message>
    <message>
        <source>Rename a class</source>
        <translation>Klasse umbenennen</translation>
    </message>
    <message>
        <source>Resize a box</source>
        <translation>Rahmengröße ändern</translation>
    </message>
    <message>
        <source>thing</source>
        <translation>Ding</translation>
    </message>
</context>
<context>
    <name>LastSession</name>
    <message>
        <source>Bring it back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Something of the last session is missing. Its file is kept as {0}.</source>
        <translation>Von der letzten Sitzung fehlt etwas. Ihre Datei bleibt als {0} erhalten.</translation>
    </message>
    <message>
        <source>The chain and the network of the last session can be brought back.</source>
        <translation>Die Kette und das Netz der letzten Sitzung lassen sich zurückholen.</translation>
    </message>
    <message>
        <source>The last session can be brought back: {0}.</source>
        <translation>Die letzte Sitzung lässt sich zurückholen: {0}.</translation>
    </message>
    <message>
        <source>The last session had {0}, which is opened only when you say so.</source>
        <translation>Die letzte Sitzung hatte {0}; geöffnet wird das nur auf Wunsch.</translation>
    </message>
    <message>
        <source>The record of what was open in the last session is damaged; open your source again.</source>
        <translation>Die Aufzeichnung dessen, was in der letzten Sitzung offen war, ist beschädigt; die Quelle neu öffnen.</translation>
    </message>
    <message>
        <source>The record of what was open in the last session is damaged; open your source again. A copy of it is {0}.</source>
        <translation>Die Aufzeichnung dessen, was in der letzten Sitzung offen war, ist beschädigt; die Quelle neu öffnen. Eine Kopie davon ist {0}.</translation>
    </message>
    <message>
        <source>The session cannot be saved: {0}</source>
        <translation>Die Sitzung kann nicht gespeichert werden: {0}</translation>
    </message>
    <message>
        <source>{0}, which was open in the last session, does not exist any more; everything else is back.</source>
        <translation>{0}, in der letzten Sitzung geöffnet, gibt es nicht mehr; alles andere ist wieder da.</translation>
    </message>
    <message>
        <source>{0}; free some disk space, or check the permissions of {1}.</source>
        <translation>{0}; Speicherplatz freigeben oder die Rechte von {1} prüfen.</translation>
    </message>
    <message>
        <source>The last session had {0}, whose password is not kept: open the address again.</source>
        <translation>Die letzte Sitzung hatte {0}; das Passwort dafür wird nicht gespeichert: die Adresse neu öffnen.</translation>
    </message>
</context>
<context>
    <name>LayerEdits</name>
    <message>
        <source>Add the layer {0}</source>
        <translation>Ebene {0} hinzufügen</translation>
    </message>
    <message>
        <source>Change the layer {0}</source>
        <translation>Ebene {0} ändern</translation>
    </message>
    <message>
        <source>Fill the frame with the main image</source>
        <translation>Bildfläche mit dem Hauptbild füllen</translation>
    </message>
    <message>
        <source>Hide the layer {0}</source>
        <translation>Ebene {0} ausblenden</translation>
    </message>
    <message>
        <source>Move the layer {0}</source>
        <translation>Ebene {0} verschieben</translation>
    </message>
    <message>
        <source>Place the main image</source>
        <translation>Hauptbild platzieren</translation>
    </message>
    <message>
        <source>Remove the layer {0}</source>
        <translation>Ebene {0} entfernen</translation>
    </message>
    <message>
        <source>Show the layer {0}</source>
        <translation>Ebene {0} einblenden</translation>
    </message>
    <message>
        <source>The copied masks and automations were left out; they refer to the main image.</source>
        <translation>Die kopierten Masken und Automationen wurden weggelassen; sie beziehen sich auf das Hauptbild.</translation>
    </message>
</context>
<context>
    <name>LayerEffects</name>
    <message>
        <source>Add an effect</source>
        <translation>Effekt hinzufügen</translation>
    </message>
    <message>
        <source>No effects of its own.</source>
        <translation>Keine eigenen Effekte.</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Paste the copied effects</source>
        <translation>Kopierte Effekte einfügen</translation>
    </message>
</context>
<context>
    <name>LayersPanel</name>
    <message>
        <source>A video or an image beside the main one</source>
        <translation>Ein Video oder Bild neben dem Hauptbild</translation>
    </message>
    <message>
        <source>A video or an image over the main one</source>
        <translation>Ein Video oder Bild über dem Hauptbild</translation>
    </message>
    <message>
        <source>A video or an image under the main one</source>
        <translation>Ein Video oder Bild unter dem Hauptbild</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a layer on top of the others</source>
        <translation>Eine Ebene über den anderen hinzufügen</translation>
    </message>
    <message>
        <source>Add a video, an image or a text, which is drawn over the main image or under it.</source>
        <translation>Ein Video, ein Bild oder einen Text hinzufügen, über oder unter dem Hauptbild gezeichnet.</translation>
    </message>
    <message>
        <source>An image over the main one</source>
        <translation>Ein Bild über dem Hauptbild</translation>
    </message>
    <message>
        <source>Background...</source>
        <translation>Hintergrund...</translation>
    </message>
    <message>
        <source>Counter</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Image...</source>
        <translation>Bild...</translation>
    </message>
    <message>
        <source>Main image</source>
        <translation>Hauptbild</translation>
    </message>
    <message>
        <source>Move the layer down (Alt+Down)</source>
        <translation>Ebene nach unten (Alt+Ab)</translation>
    </message>
    <message>
        <source>Move the layer up (Alt+Up)</source>
        <translation>Ebene nach oben (Alt+Auf)</translation>
    </message>
    <message>
        <source>Picture in picture...</source>
        <translation>Bild im Bild...</translation>
    </message>
    <message>
        <source>Remove the layer (Delete)</source>
        <translation>Ebene entfernen (Entf)</translation>
    </message>
    <message>
        <source>Side by side...</source>
        <translation>Nebeneinander...</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The text tells what a network finds, and there is none: choose one in the library.</source>
        <translation>Der Text sagt, was ein Netz findet, und es gibt keines: in der Bibliothek eines wählen.</translation>
    </message>
    <message>
        <source>There are as many layers as there can be.</source>
        <translation>Es gibt so viele Ebenen, wie es geben kann.</translation>
    </message>
    <message>
        <source>There is room for {n} beside the main image; left out: {names}</source>
        <translation>Neben dem Hauptbild ist Platz für {n}; weggelassen: {names}</translation>
    </message>
    <message>
        <source>Time code</source>
        <translation>Timecode</translation>
    </message>
    <message>
        <source>Two by two...</source>
        <translation>Zwei mal zwei...</translation>
    </message>
    <message>
        <source>Up to three videos or images beside the main one</source>
        <translation>Bis zu drei Videos oder Bilder neben dem Hauptbild</translation>
    </message>
    <message>
        <source>Your text</source>
        <translation>Text hier</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>zu Ende</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>wird geöffnet</translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message>
        <source>Add as another effect</source>
        <translation>Als weiteren Effekt hinzufügen</translation>
    </message>
    <message>
        <source>Add to favorites</source>
        <translation>Zu den Favoriten hinzufügen</translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation>Zur Kette hinzufügen</translation>
    </message>
    <message>
        <source>All effects</source>
        <translation>Alle Effekte</translation>
    </message>
    <message>
        <source>All networks</source>
        <translation>Alle Netze</translation>
    </message>
    <message>
        <source>Available to download</source>
        <translation>Zum Herunterladen</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>Unschärfe</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>Mitgeliefert</translation>
    </message>
    <message>
        <source>Cancel the download</source>
        <translation>Herunterladen abbrechen</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Delete the download...</source>
        <translation>Heruntergeladene Datei löschen...</translation>
    </message>
    <message>
        <source>Delete what has arrived</source>
        <translation>Bisher Empfangenes löschen</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>Löschen...</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Detail</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>Kanten</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>Effekte</translation>
    </message>
    <message>
        <source>Favorites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>Wird gesucht...</translation>
    </message>
    <message>
        <source>Looks, effects and networks</source>
        <translation>Looks, Effekte und Netze</translation>
    </message>
    <message>
        <source>Networks: more</source>
        <translation>Netze: mehr</translation>
    </message>
    <message>
        <source>No favorites yet. Click the star of a network.</source>
        <translation>Noch keine Favoriten. Auf den Stern eines Netzes klicken.</translation>
    </message>
    <message>
        <source>No favorites yet. Click the star of an effect.</source>
        <translation>Noch keine Favoriten. Auf den Stern eines Effekts klicken.</translation>
    </message>
    <message>
        <source>No networks yet. Drop an .onnx or .tflite on the window, or open one.</source>
        <translation>Noch keine Netze. Eine .onnx- oder .tflite-Datei auf das Fenster ziehen oder eine öffnen.</translation>
    </message>
    <message>
        <source>Nothing is called “{0}”. Try another word.</source>
        <translation>Nichts heißt „{0}“. Ein anderes Wort versuchen.</translation>
    </message>
    <message>
        <source>Rename...</source>
        <translation>Umbenennen...</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Verify the checksum</source>
        <translation>Prüfsumme prüfen</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0}/s</source>
        <translation>{0}/s</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>Geometrie</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Freistellen</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>Objektiv</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Looks</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Netze</translation>
    </message>
    <message>
        <source>Offline: nothing is downloaded.</source>
        <translation>Offline: Es wird nichts heruntergeladen.</translation>
    </message>
    <message>
        <source>Open its web page</source>
        <translation>Webseite öffnen</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Pages of the library</source>
        <translation>Seiten der Bibliothek</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>Herunterladen anhalten</translation>
    </message>
    <message>
        <source>Preprocessing...</source>
        <translation>Vorverarbeitung...</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Remove from the chain</source>
        <translation>Aus der Kette entfernen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Resume the download</source>
        <translation>Herunterladen fortsetzen</translation>
    </message>
    <message>
        <source>Search looks, effects and networks</source>
        <translation>Looks, Effekte und Netze suchen</translation>
    </message>
    <message>
        <source>Search the library</source>
        <translation>Bibliothek durchsuchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Stylize</source>
        <translation>Stilisieren</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tone</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Remove from favorites</source>
        <translation>Aus den Favoriten entfernen</translation>
    </message>
</context>
<context>
    <name>LicenceDialog</name>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Install {0}</source>
        <translation>{0} installieren</translation>
    </message>
    <message>
        <source>Licence of {0}</source>
        <translation>Lizenz von {0}</translation>
    </message>
    <message>
        <source>The package has no text of its licence.</source>
        <translation>Das Paket enthält keinen Lizenztext.</translation>
    </message>
    <message>
        <source>{0} {1} is a program by others under the {2}, which is why no installer of Lightloom carries it. It is put into {3}, for you alone.</source>
        <translation>{0} {1} ist ein Programm anderer unter der {2}; deshalb enthält es kein Installationsprogramm von Lightloom. Es kommt in den Ordner {3}, nur für dieses Benutzerkonto.</translation>
    </message>
</context>
<context>
    <name>LiveOutputs</name>
    <message>
        <source>Lightloom is set to work offline; switch that off in the preferences first.</source>
        <translation>Lightloom ist auf Offline-Betrieb eingestellt; das zuerst in den Einstellungen ausschalten.</translation>
    </message>
    <message>
        <source>There is nothing to give out yet; open a source first.</source>
        <translation>Es gibt noch nichts auszugeben; zuerst eine Quelle öffnen.</translation>
    </message>
    <message>
        <source>{0} {1} is installed in {2}.</source>
        <translation>{0} {1} ist in {2} installiert.</translation>
    </message>
</context>
<context>
    <name>MagnifierView</name>
    <message>
        <source>0 to 1</source>
        <translation>0 bis 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 bis 255</translation>
    </message>
    <message>
        <source>Hexadecimal</source>
        <translation>Hexadezimal</translation>
    </message>
    <message>
        <source>Magnified pixels</source>
        <translation>Vergrößerte Pixel</translation>
    </message>
    <message>
        <source>Notation of the values</source>
        <translation>Schreibweise der Werte</translation>
    </message>
    <message>
        <source>Pixel {0}, {1} of {2} × {3}</source>
        <translation>Pixel {0}, {1} von {2} × {3}</translation>
    </message>
    <message>
        <source>Pixels that are magnified</source>
        <translation>Pixel, die vergrößert werden</translation>
    </message>
    <message>
        <source>RGBA {0}</source>
        <translation>RGBA {0}</translation>
    </message>
    <message>
        <source>Values of the pixel</source>
        <translation>Werte des Pixels</translation>
    </message>
    <message>
        <source>{0} × {0} pixels</source>
        <translation>{0} × {0} Pixel</translation>
    </message>
</context>
<context>
    <name>Masks</name>
    <message>
        <source>A brush has {n} points at most; erase a stroke with Backspace or add another brush.</source>
        <translation>Ein Pinsel hat höchstens {n} Punkte; einen Strich mit der Rücktaste entfernen oder einen weiteren Pinsel hinzufügen.</translation>
    </message>
    <message>
        <source>A mask has {n} parts at most; remove one first.</source>
        <translation>Eine Maske hat höchstens {n} Teile; erst eines entfernen.</translation>
    </message>
    <message>
        <source>Add {0} to the mask</source>
        <translation>{0} zur Maske hinzufügen</translation>
    </message>
    <message>
        <source>Attach {0} to an object</source>
        <translation>{0} an ein Ding heften</translation>
    </message>
    <message>
        <source>Detach {0}</source>
        <translation>{0} lösen</translation>
    </message>
    <message>
        <source>Move {0} in the mask</source>
        <translation>{0} in der Maske verschieben</translation>
    </message>
    <message>
        <source>Remove {0} from the mask</source>
        <translation>{0} aus der Maske entfernen</translation>
    </message>
    <message>
        <source>There is no tracked object here</source>
        <translation>Hier ist kein verfolgtes Ding</translation>
    </message>
    <message>
        <source>{0} of the mask</source>
        <translation>{0} der Maske</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Language: {0}</source>
        <translation>Sprache: {0}</translation>
    </message>
    <message>
        <source>Look: {0}</source>
        <translation>Look: {0}</translation>
    </message>
    <message>
        <source>Theme: {0}</source>
        <translation>Design: {0}</translation>
    </message>
</context>
<context>
    <name>Metrics</name>
    <message>
        <source>Metrics are at http://{0}/metrics</source>
        <translation>Die Messwerte stehen unter http://{0}/metrics</translation>
    </message>
</context>
<context>
    <name>MixingSection</name>
    <message>
        <source>Add to mask</source>
        <translation>Maske ergänzen</translation>
    </message>
    <message>
        <source>Color what the mask covers</source>
        <translation>Einfärben, was die Maske abdeckt</translation>
    </message>
    <message>
        <source>Mask and blend</source>
        <translation>Maske und Mischung</translation>
    </message>
    <message>
        <source>Mask: {0}</source>
        <translation>Maske: {0}</translation>
    </message>
    <message>
        <source>Show mask</source>
        <translation>Maske zeigen</translation>
    </message>
</context>
<context>
    <name>ModelEditor</name>
    <message>
        <source>Choose a file...</source>
        <translation>Datei wählen...</translation>
    </message>
    <message>
        <source>Choose a folder of Stable Diffusion</source>
        <translation>Ordner von Stable Diffusion wählen</translation>
    </message>
    <message>
        <source>Choose a folder...</source>
        <translation>Ordner wählen...</translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation>Netz wählen</translation>
    </message>
    <message>
        <source>No network</source>
        <translation>Kein Netz</translation>
    </message>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>Netze (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
</context>
<context>
    <name>NetworkCard</name>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Rechenweg</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel loading the network</source>
        <translation>Laden des Netzes abbrechen</translation>
    </message>
    <message>
        <source>Color order</source>
        <translation>Farbreihenfolge</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>Interpolation</translation>
    </message>
    <message>
        <source>Preprocessing...</source>
        <translation>Vorverarbeitung...</translation>
    </message>
    <message>
        <source>Run every N frames</source>
        <translation>Jedes N-te Bild</translation>
    </message>
    <message>
        <source>Run on the filtered frame</source>
        <translation>Auf das gefilterte Bild anwenden</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>Pixelbereich</translation>
    </message>
    <message>
        <source>Of one inference, even if it spans several frames.</source>
        <translation>Einer ganzen Inferenz, auch wenn sie sich über mehrere Bilder erstreckt.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>Anpassen</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Show the network&apos;s settings</source>
        <translation>Einstellungen des Netzes zeigen</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Task, precision, how often it runs, and preprocessing</source>
        <translation>Aufgabe, Genauigkeit, wie oft es läuft und wie Bilder vorbereitet werden</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>bicubic</source>
        <translation>bikubisch</translation>
    </message>
    <message>
        <source>bilinear</source>
        <translation>bilinear</translation>
    </message>
    <message>
        <source>crop</source>
        <translation>beschneiden</translation>
    </message>
    <message>
        <source>letterbox</source>
        <translation>mit Rand</translation>
    </message>
    <message>
        <source>nearest</source>
        <translation>nächster</translation>
    </message>
    <message>
        <source>no new results</source>
        <translation>keine neuen Ergebnisse</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>strecken</translation>
    </message>
    <message>
        <source>stretched crop</source>
        <translation>gestreckter Ausschnitt</translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation>{0} Ergebnisse je Sekunde</translation>
    </message>
    <message>
        <source>Compare backends...</source>
        <translation>Rechenwege vergleichen...</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>{0} ms of each are copies to the device and back</source>
        <translation>{0} ms davon sind jeweils Kopien zum Gerät und zurück</translation>
    </message>
</context>
<context>
    <name>NetworkDialogs</name>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>Netze (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
    <message>
        <source>Open a folder of Stable Diffusion</source>
        <translation>Ordner von Stable Diffusion öffnen</translation>
    </message>
    <message>
        <source>Open a network</source>
        <translation>Netz öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {0}?</source>
        <translation>{0} entfernen?</translation>
    </message>
    <message>
        <source>{0} and what is written beside it are deleted from {1}. It can be downloaded again.</source>
        <translation>{0} und das, was daneben geschrieben wurde, werden aus {1} gelöscht. Es kann wieder heruntergeladen werden.</translation>
    </message>
</context>
<context>
    <name>NetworkList</name>
    <message>
        <source>The checksum of {0} is right</source>
        <translation>Die Prüfsumme von {0} stimmt</translation>
    </message>
    <message>
        <source>{0} was downloaded</source>
        <translation>{0} wurde heruntergeladen</translation>
    </message>
</context>
<context>
    <name>Networks</name>
    <message>
        <source>Network {0}</source>
        <translation>Netz {0}</translation>
    </message>
    <message>
        <source>Remove the network</source>
        <translation>Netz entfernen</translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation>{0} ausschalten</translation>
    </message>
    <message>
        <source>Switch {0} on</source>
        <translation>{0} einschalten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{0} has no network; {1} was removed.</source>
        <translation>{0} hat kein Netz; {1} wurde entfernt.</translation>
    </message>
    <message>
        <source>{0} replaced the network {1}.</source>
        <translation>{0} ersetzt das Netz {1}.</translation>
    </message>
</context>
<context>
    <name>NoAdapterWindow</name>
    <message>
        <source>A graphics card needs its maker&apos;s Vulkan driver. Without a card, this package lets the CPU do its work:</source>
        <translation>Eine Grafikkarte braucht den Vulkan-Treiber ihres Herstellers. Ohne Karte lässt dieses Paket die CPU ihre Arbeit tun:</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>Dieser Rechner wird untersucht...</translation>
    </message>
    <message>
        <source>Looking for an adapter...</source>
        <translation>Ein Adapter wird gesucht...</translation>
    </message>
    <message>
        <source>No graphics adapter can be opened yet.</source>
        <translation>Noch lässt sich kein Grafikadapter öffnen.</translation>
    </message>
    <message>
        <source>No graphics adapter can be used</source>
        <translation>Kein Grafikadapter ist verwendbar</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Starting...</source>
        <translation>Wird gestartet...</translation>
    </message>
    <message>
        <source>The diagnostics are in the clipboard.</source>
        <translation>Die Diagnose ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>NoticeQueue</name>
    <message>
        <source>Notices</source>
        <translation>Meldungen</translation>
    </message>
</context>
<context>
    <name>ObjectRow</name>
    <message>
        <source>A network that finds objects is needed</source>
        <translation>Nötig ist ein Netz, das Dinge findet</translation>
    </message>
    <message>
        <source>Attach to an object</source>
        <translation>An ein Ding heften</translation>
    </message>
    <message>
        <source>Choose in the video</source>
        <translation>Im Video wählen</translation>
    </message>
    <message>
        <source>Click an object in the video</source>
        <translation>Ein Ding im Video anklicken</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Moves with object {0}</source>
        <translation>Bewegt sich mit Ding {0}</translation>
    </message>
    <message>
        <source>Objects are not tracked</source>
        <translation>Dinge werden nicht verfolgt</translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>Dinge verfolgen</translation>
    </message>
</context>
<context>
    <name>OpenOutside</name>
    <message>
        <source>No program can open {0}; its address was copied to the clipboard.</source>
        <translation>Kein Programm öffnet {0}; die Adresse ist in der Zwischenablage.</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Anonymize stays on, with its network: {0} says nothing of it, and its own network is not used.</source>
        <translation>„Unkenntlich machen“ bleibt an, mit seinem Netz: {0} sagt nichts davon, und dessen eigenes Netz wird nicht benutzt.</translation>
    </message>
    <message>
        <source>Anonymize stays on: {0} says nothing of it.</source>
        <translation>„Unkenntlich machen“ bleibt an: {0} sagt nichts davon.</translation>
    </message>
    <message>
        <source>Look saved as {0}</source>
        <translation>Look gespeichert als {0}</translation>
    </message>
    <message>
        <source>Look {0}</source>
        <translation>Look {0}</translation>
    </message>
</context>
<context>
    <name>OutputCard</name>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n ausgelassen</numerusform>
            <numerusform>%n ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Switch this output on or off</source>
        <translation>Das gezeigte Bild an diese Ausgabe geben, oder nicht</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Download what this output needs, and ask before it is installed</source>
        <translation>Herunterladen, was diese Ausgabe braucht, und vor dem Installieren fragen</translation>
    </message>
    <message>
        <source>Install...</source>
        <translation>Installieren...</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>Wird geöffnet...</translation>
    </message>
    <message>
        <source>Settings of the output: {0}</source>
        <translation>Einstellungen der Ausgabe: {0}</translation>
    </message>
    <message>
        <source>There is no image yet; open a source first.</source>
        <translation>Es gibt noch kein Bild; zuerst eine Quelle öffnen.</translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
    </message>
    <message>
        <source>{0} Mbit/s</source>
        <translation>{0} Mbit/s</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} ms</translation>
    </message>
</context>
<context>
    <name>Outputs</name>
    <message>
        <source>An export or a recording that has not ended uses {0}; choose another name.</source>
        <translation>Ein Export oder eine Aufnahme, die noch läuft oder wartet, verwendet {0}; einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>{0} is there already. Replace it?</source>
        <translation>{0} gibt es schon. Ersetzen?</translation>
    </message>
</context>
<context>
    <name>OverlayPresenter</name>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>FPS</source>
        <translation>FPS</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Opening {0}</source>
        <translation>{0} wird geöffnet</translation>
    </message>
    <message>
        <source>Preview: {0}</source>
        <translation>Vorschau: {0}</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>latency p50 / p95 / p99</source>
        <translation>Latenz p50 / p95 / p99</translation>
    </message>
</context>
<context>
    <name>OwnLooks</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete the look {0}?</source>
        <translation>Den Look {0} löschen?</translation>
    </message>
    <message>
        <source>Its file is deleted from {0}.</source>
        <translation>Seine Datei wird aus {0} gelöscht.</translation>
    </message>
    <message>
        <source>The look {0} was deleted.</source>
        <translation>Der Look {0} wurde gelöscht.</translation>
    </message>
    <message>
        <source>{0} is called {1} now.</source>
        <translation>{0} heißt jetzt {1}.</translation>
    </message>
</context>
<context>
    <name>ParamRows</name>
    <message>
        <source>Fewer parameters</source>
        <translation>Weniger Parameter</translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation>Netzeinstellungen</translation>
    </message>
    <message>
        <source>This effect has no parameters.</source>
        <translation>Dieser Effekt hat keine Parameter.</translation>
    </message>
    <message>
        <source>Where the network runs, what was inferred from its file, and settings</source>
        <translation>Wo das Netz läuft, was aus seiner Datei geschlossen wurde, und Einstellungen</translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation>{0} weitere</translation>
    </message>
</context>
<context>
    <name>PartRow</name>
    <message>
        <source>Draw in the video</source>
        <translation>Im Video zeichnen</translation>
    </message>
    <message>
        <source>Invert part</source>
        <translation>Teil umkehren</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>{0}, inverted</source>
        <translation>{0}, umgekehrt</translation>
    </message>
    <message>
        <source>{0}: joined by</source>
        <translation>{0}: verknüpft durch</translation>
    </message>
    <message>
        <source>{0}: more</source>
        <translation>{0}: mehr</translation>
    </message>
    <message>
        <source>{0}: settings</source>
        <translation>{0}: Einstellungen</translation>
    </message>
</context>
<context>
    <name>PathEditor</name>
    <message>
        <source>Choose: {0}</source>
        <translation>Auswählen: {0}</translation>
    </message>
</context>
<context>
    <name>PictureEditor</name>
    <message>
        <source>Choose an image</source>
        <translation>Bild wählen</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Images ({0})</source>
        <translation>Bilder ({0})</translation>
    </message>
    <message>
        <source>Use no image</source>
        <translation>Kein Bild verwenden</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message numerus="yes">
        <source>; %n frames dropped because encoding was behind</source>
        <translation>
            <numerusform>; %n Bild ausgelassen, weil die Kodierung nicht nachkam</numerusform>
            <numerusform>; %n Bilder ausgelassen, weil die Kodierung nicht nachkam</numerusform>
        </translation>
    </message>
    <message>
        <source>Image copied</source>
        <translation>Bild kopiert</translation>
    </message>
    <message>
        <source>Recording saved as {0}</source>
        <translation>Aufnahme gespeichert als {0}</translation>
    </message>
    <message>
        <source>Snapshot saved as {0}</source>
        <translation>Schnappschuss gespeichert als {0}</translation>
    </message>
    <message>
        <source>Snapshots of HDR are in standard range; export with &apos;Keep HDR as it is&apos; to keep it.</source>
        <translation>Schnappschüsse von HDR haben Standardumfang; mit „HDR lassen, wie es ist“ exportieren, um es zu behalten.</translation>
    </message>
    <message>
        <source>There is nothing to record yet; open a source first.</source>
        <translation>Es gibt noch nichts aufzunehmen; zuerst eine Quelle öffnen.</translation>
    </message>
    <message>
        <source>Cut-out copied</source>
        <translation>Ausschnitt kopiert</translation>
    </message>
    <message>
        <source>Cut-out saved as {0}</source>
        <translation>Ausschnitt gespeichert als {0}</translation>
    </message>
    <message>
        <source>There is no mask to cut out</source>
        <translation>Es gibt keine Maske zum Ausschneiden</translation>
    </message>
</context>
<context>
    <name>PicturesList</name>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
</context>
<context>
    <name>Playback</name>
    <message>
        <source>A at {0}</source>
        <translation>A bei {0}</translation>
    </message>
    <message>
        <source>A-B loop off</source>
        <translation>A-B-Schleife aus</translation>
    </message>
    <message>
        <source>Deinterlacing off</source>
        <translation>Zeilensprung bleibt</translation>
    </message>
    <message>
        <source>Deinterlacing on</source>
        <translation>Zeilensprung wird entfernt</translation>
    </message>
    <message>
        <source>Loop {0} to {1}</source>
        <translation>Schleife von {0} bis {1}</translation>
    </message>
    <message>
        <source>Speed {0}×</source>
        <translation>Geschwindigkeit {0}×</translation>
    </message>
    <message>
        <source>No audio</source>
        <translation>Kein Ton</translation>
    </message>
    <message>
        <source>Audio off</source>
        <translation>Ton aus</translation>
    </message>
    <message>
        <source>Audio on</source>
        <translation>Ton an</translation>
    </message>
    <message>
        <source>Volume {0} %</source>
        <translation>Lautstärke {0} %</translation>
    </message>
    <message>
        <source>The source has no audio</source>
        <translation>Was läuft, hat keinen Ton</translation>
    </message>
</context>
<context>
    <name>Playlist</name>
    <message>
        <source>In order</source>
        <translation>In Reihenfolge</translation>
    </message>
    <message>
        <source>Loop over each entry</source>
        <translation>Jeder Eintrag wiederholt sich</translation>
    </message>
    <message>
        <source>Loop over the playlist</source>
        <translation>Die Playlist wiederholt sich</translation>
    </message>
    <message>
        <source>No loop</source>
        <translation>Keine Wiederholung</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>In zufälliger Reihenfolge</translation>
    </message>
    <message>
        <source>The playlist begins here</source>
        <translation>Hier beginnt die Playlist</translation>
    </message>
    <message>
        <source>The playlist ends here</source>
        <translation>Hier endet die Playlist</translation>
    </message>
</context>
<context>
    <name>PlaylistPanel</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n Eintrag</numerusform>
            <numerusform>%n Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>Add files to the playlist...</source>
        <translation>Dateien zur Playlist hinzufügen...</translation>
    </message>
    <message>
        <source>Add to the playlist</source>
        <translation>Zur Playlist hinzufügen</translation>
    </message>
    <message>
        <source>Drop several files on the window, or add them with +: they play one after the other. A folder of images is one entry.</source>
        <translation>Mehrere Dateien auf das Fenster ziehen oder mit + hinzufügen: sie spielen eine nach der anderen. Ein Ordner mit Bildern ist ein Eintrag.</translation>
    </message>
    <message>
        <source>How long an image of the playlist is shown</source>
        <translation>Wie lange ein Bild der Playlist gezeigt wird</translation>
    </message>
    <message>
        <source>How long an image of the playlist is shown; applies from the next one that is opened</source>
        <translation>Wie lange ein Bild der Playlist gezeigt wird; vom nächsten an, das geöffnet wird</translation>
    </message>
    <message>
        <source>More of the playlist</source>
        <translation>Mehr zur Playlist</translation>
    </message>
    <message>
        <source>Open a playlist</source>
        <translation>Playlist öffnen</translation>
    </message>
    <message>
        <source>Open a playlist...</source>
        <translation>Playlist öffnen...</translation>
    </message>
    <message>
        <source>Images stay</source>
        <translation>Bilder bleiben</translation>
    </message>
    <message>
        <source>Place in the playlist</source>
        <translation>Platz in der Playlist</translation>
    </message>
    <message>
        <source>Playlists (*.m3u8 *.m3u)</source>
        <translation>Playlists (*.m3u8 *.m3u)</translation>
    </message>
    <message>
        <source>Save the playlist</source>
        <translation>Playlist speichern</translation>
    </message>
    <message>
        <source>Take out what is selected (Delete)</source>
        <translation>Ausgewähltes herausnehmen (Entf)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>PlaylistPlayer</name>
    <message>
        <source>Playlist saved as {0}</source>
        <translation>Playlist gespeichert als {0}</translation>
    </message>
</context>
<context>
    <name>PlaylistStrip</name>
    <message>
        <source>Playlist</source>
        <translation>Playlist</translation>
    </message>
</context>
<context>
    <name>PluginNotices</name>
    <message>
        <source>Leave it out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Use it from the next start on</source>
        <translation>Ab dem nächsten Start benutzen</translation>
    </message>
</context>
<context>
    <name>PointsEditor</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n Punkt</numerusform>
            <numerusform>%n Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n strokes</source>
        <translation>
            <numerusform>%n Strich</numerusform>
            <numerusform>%n Striche</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear {0}</source>
        <translation>{0} leeren</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Favorites and the lists of what was used lately are emptied. Files stay where they are.</source>
        <translation>Favoriten und die Listen des zuletzt Benutzten werden geleert. Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>No setting is called “{0}”. Try another word.</source>
        <translation>Keine Einstellung heißt „{0}“. Ein anderes Wort versuchen.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings to their defaults?</source>
        <translation>Alle Einstellungen auf die Standardwerte zurücksetzen?</translation>
    </message>
    <message>
        <source>Reset all...</source>
        <translation>Alles zurücksetzen...</translation>
    </message>
    <message>
        <source>Search the preferences</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
</context>
<context>
    <name>Proposals</name>
    <message numerus="yes">
        <source>%n images were left out</source>
        <translation>
            <numerusform>%n Bild wurde ausgelassen</numerusform>
            <numerusform>%n Bilder wurden ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>All images have labels already.</source>
        <translation>Alle Bilder haben schon Beschriftungen.</translation>
    </message>
    <message>
        <source>There is no network to propose labels; choose one in the main window, under Networks.</source>
        <translation>Es gibt kein Netz, das Beschriftungen vorschlagen könnte; im Hauptfenster unter „Netze“ eines wählen.</translation>
    </message>
</context>
<context>
    <name>PublishDialog</name>
    <message>
        <source>A folder with the effect, a README, a test and what pip needs is written.</source>
        <translation>Geschrieben wird ein Ordner mit dem Effekt, einer README, einem Test und dem, was pip braucht.</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder of the package</source>
        <translation>Ordner des Pakets</translation>
    </message>
    <message>
        <source>License</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Name of the package</source>
        <translation>Name des Pakets</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>Paket</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>Veröffentlichen</translation>
    </message>
    <message>
        <source>Publish as plug-in</source>
        <translation>Als Plug-in veröffentlichen</translation>
    </message>
    <message>
        <source>Your name, as users of the package see it</source>
        <translation>Der Name, den Nutzer des Pakets sehen</translation>
    </message>
</context>
<context>
    <name>QualitySlider</name>
    <message>
        <source>Best</source>
        <translation>Beste</translation>
    </message>
    <message>
        <source>Smaller file</source>
        <translation>Kleinere Datei</translation>
    </message>
    <message>
        <source>{0} on the codec&apos;s scale: 0 is best, {1} smallest</source>
        <translation>{0} auf der Skala des Codecs: 0 ist am besten, {1} am kleinsten</translation>
    </message>
</context>
<context>
    <name>RecordDialog</name>
    <message>
        <source>Record to a file</source>
        <translation>In eine Datei aufnehmen</translation>
    </message>
    <message>
        <source>Record...</source>
        <translation>Aufnehmen...</translation>
    </message>
</context>
<context>
    <name>RegionPicker</name>
    <message>
        <source>Draw a region</source>
        <translation>Bereich aufziehen</translation>
    </message>
    <message>
        <source>Region of the monitor</source>
        <translation>Bereich des Bildschirms</translation>
    </message>
    <message>
        <source>{0} × {1} pixels. Drag, or use the arrows (Shift: size). Enter takes it, Escape goes back.</source>
        <translation>{0} × {1} Pixel. Ziehen oder Pfeiltasten (Umschalt: Größe). Enter übernimmt, Escape geht zurück.</translation>
    </message>
</context>
<context>
    <name>RememberedEditor</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n Eintrag</numerusform>
            <numerusform>%n Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>As it comes</source>
        <translation>Wie am Anfang</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Noch nie</translation>
    </message>
</context>
<context>
    <name>RemoteControl</name>
    <message>
        <source>Remote control is on at {0}</source>
        <translation>Fernsteuerung ist an unter {0}</translation>
    </message>
</context>
<context>
    <name>RemoteControlDialog</name>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Disconnects all that use the old one</source>
        <translation>Trennt alle, die den alten verwenden</translation>
    </message>
    <message>
        <source>Everyone in the network who has the code can control Lightloom, and nothing is encrypted. Use it in networks that you trust only.</source>
        <translation>Jeder im Netzwerk, der den Code hat, kann Lightloom steuern, und nichts ist verschlüsselt. Nur in vertrauenswürdigen Netzwerken verwenden.</translation>
    </message>
    <message>
        <source>New code</source>
        <translation>Neuer Code</translation>
    </message>
    <message>
        <source>None while remote control is off.</source>
        <translation>Keine, solange die Fernsteuerung aus ist.</translation>
    </message>
    <message>
        <source>Remote control</source>
        <translation>Fernsteuerung</translation>
    </message>
    <message>
        <source>Remote control is on for this run by --control. The settings above count once &apos;Allow remote control&apos; is changed.</source>
        <translation>Die Fernsteuerung ist durch --control für diesen Lauf eingeschaltet. Die Einstellungen oben gelten, sobald „Fernsteuerung zulassen“ geändert wird.</translation>
    </message>
</context>
<context>
    <name>RemoteDialog</name>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Address of the network</source>
        <translation>Adresse des Netzes</translation>
    </message>
    <message>
        <source>Hosts that may receive images</source>
        <translation>Rechner, die Bilder bekommen dürfen</translation>
    </message>
    <message>
        <source>Only if it asks for one; kept in the system&apos;s key ring</source>
        <translation>Nur wenn er eines verlangt; liegt im Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>Open a network on a server</source>
        <translation>Netz auf einem Server öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The server computes the network, so it receives the images. It must support the Open Inference Protocol.</source>
        <translation>Der Server berechnet das Netz, bekommt also die Bilder. Er muss das Open Inference Protocol sprechen.</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Token of the server</source>
        <translation>Token des Servers</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
</context>
<context>
    <name>RenameLookDialog</name>
    <message>
        <source>A bundled look has this name; choose another one.</source>
        <translation>Ein mitgelieferter Look heißt so; einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>Name of the look</source>
        <translation>Name des Looks</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename look</source>
        <translation>Look umbenennen</translation>
    </message>
    <message>
        <source>There is a look of this name; choose another one.</source>
        <translation>Es gibt einen Look mit diesem Namen; einen anderen wählen.</translation>
    </message>
</context>
<context>
    <name>ResultsDialog</name>
    <message>
        <source>Export results</source>
        <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren...</translation>
    </message>
    <message>
        <source>Track objects from frame to frame</source>
        <translation>Dinge von Bild zu Bild verfolgen</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Another source was opened meanwhile; close this dialog, and export again.</source>
        <translation>Inzwischen wurde eine andere Quelle geöffnet; diesen Dialog schließen und neu exportieren.</translation>
    </message>
    <message>
        <source>Identities</source>
        <translation>Identitäten</translation>
    </message>
    <message>
        <source>The network processes every frame of {0} once more, and its results are written.</source>
        <translation>Das Netz sieht sich jedes Bild von {0} noch einmal an, und was es sieht, wird geschrieben.</translation>
    </message>
    <message>
        <source>results</source>
        <translation>ergebnisse</translation>
    </message>
</context>
<context>
    <name>ResultsExport</name>
    <message>
        <source>Export stopped; nothing was written</source>
        <translation>Export beendet; es wurde nichts geschrieben</translation>
    </message>
    <message>
        <source>Results saved as {0}</source>
        <translation>Ergebnisse gespeichert als {0}</translation>
    </message>
    <message>
        <source>Nothing is detected in the frame</source>
        <translation>Im Bild ist nichts zu sehen</translation>
    </message>
</context>
<context>
    <name>ResultsPanel</name>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>End the export; nothing is written</source>
        <translation>Den Export beenden; es wird nichts geschrieben</translation>
    </message>
    <message>
        <source>Exporting to {0}:</source>
        <translation>Export nach {0}:</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>Wie weit der Export ist</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identität</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>Kein Netz sieht sich das Bild an.</translation>
    </message>
    <message>
        <source>Nothing is detected in this image.</source>
        <translation>In diesem Bild wird nichts gesehen.</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>What the network sees</source>
        <translation>Was das Netz sieht</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
</context>
<context>
    <name>SaveLookDialog</name>
    <message>
        <source>A bundled look has this name; choose another one.</source>
        <translation>Ein mitgelieferter Look heißt so; einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the look</source>
        <translation>Name des Looks</translation>
    </message>
    <message>
        <source>Other folder...</source>
        <translation>Anderer Ordner...</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Purpose of the look</source>
        <translation>Zweck des Looks</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>Look speichern</translation>
    </message>
    <message>
        <source>The look has the effects, their values, the network and its settings.</source>
        <translation>Der Look enthält die Effekte mit ihren Werten, das Netz und dessen Einstellungen.</translation>
    </message>
    <message>
        <source>There is a look of this name, which is replaced.</source>
        <translation>Es gibt einen Look dieses Namens; er wird ersetzt.</translation>
    </message>
    <message>
        <source>What it is for, in a sentence</source>
        <translation>Wofür er ist, in einem Satz</translation>
    </message>
</context>
<context>
    <name>Scenes</name>
    <message>
        <source>There is no scene {0}: save a look first</source>
        <translation>Es gibt keine Szene {0}: erst einen Look speichern</translation>
    </message>
</context>
<context>
    <name>Scopes</name>
    <message>
        <source>Copied: {0}</source>
        <translation>Kopiert: {0}</translation>
    </message>
    <message>
        <source>Point at the video; a click copies the color, Esc ends</source>
        <translation>Auf das Video zeigen; ein Klick kopiert die Farbe, Esc beendet</translation>
    </message>
    <message>
        <source>Point at the video; arrow keys move by a pixel, Esc ends</source>
        <translation>Auf das Video zeigen; Pfeiltasten gehen um ein Pixel weiter, Esc beendet</translation>
    </message>
</context>
<context>
    <name>ScopesPanel</name>
    <message>
        <source>After {0}: {1}</source>
        <translation>Nach {0}: {1}</translation>
    </message>
    <message>
        <source>At 0: R {0} %, G {1} %, B {2} %</source>
        <translation>Bei 0: R {0} %, G {1} %, B {2} %</translation>
    </message>
    <message>
        <source>At 255: R {0} %, G {1} %, B {2} %</source>
        <translation>Bei 255: R {0} %, G {1} %, B {2} %</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Image that the scopes show</source>
        <translation>Bild, das die Scopes zeigen</translation>
    </message>
    <message>
        <source>Magnify pixels</source>
        <translation>Pixel vergrößern</translation>
    </message>
    <message>
        <source>Mean: R {0}, G {1}, B {2}, luma {3}</source>
        <translation>Mittel: R {0}, G {1}, B {2}, Luma {3}</translation>
    </message>
    <message>
        <source>No scope is selected.</source>
        <translation>Kein Scope ist gewählt.</translation>
    </message>
    <message>
        <source>One row in {0} is counted.</source>
        <translation>Jede {0}. Zeile wird gezählt.</translation>
    </message>
    <message>
        <source>Open a video to see its levels and colors.</source>
        <translation>Ein Video öffnen, um seine Pegel und Farben zu sehen.</translation>
    </message>
    <message>
        <source>Pick a color</source>
        <translation>Farbe aufnehmen</translation>
    </message>
    <message>
        <source>RGB parade</source>
        <translation>RGB-Parade</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Summary of the scopes</source>
        <translation>Zusammenfassung der Scopes</translation>
    </message>
    <message>
        <source>Vectorscope</source>
        <translation>Vektorskop</translation>
    </message>
    <message>
        <source>Waveform</source>
        <translation>Wellenform</translation>
    </message>
</context>
<context>
    <name>ScreenDialog</name>
    <message>
        <source> FPS</source>
        <translation> FPS</translation>
    </message>
    <message>
        <source>Draw...</source>
        <translation>Ziehen...</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>Looking for monitors and windows...</source>
        <translation>Bildschirme und Fenster werden gesucht...</translation>
    </message>
    <message>
        <source>Monitor {0}</source>
        <translation>Bildschirm {0}</translation>
    </message>
    <message>
        <source>Monitors and windows</source>
        <translation>Bildschirme und Fenster</translation>
    </message>
    <message>
        <source>No monitor and no window was found.</source>
        <translation>Kein Bildschirm und kein Fenster gefunden.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open the screen</source>
        <translation>Bildschirm öffnen</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder je Sekunde</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>With the mouse&apos;s arrow</source>
        <translation>Mit dem Mauszeiger</translation>
    </message>
    <message>
        <source>Region of the monitor</source>
        <translation>Bereich des Bildschirms</translation>
    </message>
    <message>
        <source>The window is followed where it goes.</source>
        <translation>Dem Fenster wird gefolgt, wohin es auch geht.</translation>
    </message>
    <message>
        <source>Where this window is on the monitor, it shows itself in itself.</source>
        <translation>Wo dieses Fenster auf dem Bildschirm liegt, zeigt es sich in sich selbst.</translation>
    </message>
    <message>
        <source>Write a region as four numbers: left, top, width, height.</source>
        <translation>Einen Bereich als vier Zahlen schreiben: links, oben, Breite, Höhe.</translation>
    </message>
    <message>
        <source>all, or left, top, width, height in pixels</source>
        <translation>alles, oder links, oben, Breite, Höhe in Pixeln</translation>
    </message>
    <message>
        <source>minimized</source>
        <translation>minimiert</translation>
    </message>
</context>
<context>
    <name>SecondaryNetworkRows</name>
    <message>
        <source>A network that processes the crop of each object that this one detects</source>
        <translation>Ein Netz, das jedes Ding genauer ansieht, das dieses findet</translation>
    </message>
    <message>
        <source>By how much the crop is larger than the object&apos;s box</source>
        <translation>Um wie viel das, was es sieht, größer ist als der Rahmen des Dings</translation>
    </message>
    <message>
        <source>Choose a file...</source>
        <translation>Datei wählen...</translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation>Netz wählen</translation>
    </message>
    <message>
        <source>Enlarged</source>
        <translation>Vergrößert</translation>
    </message>
    <message>
        <source>Objects per frame, the most certain first</source>
        <translation>Wie viele Dinge eines Bildes es ansieht, die sichersten zuerst</translation>
    </message>
    <message>
        <source>Secondary network</source>
        <translation>Zweiter Blick</translation>
    </message>
    <message>
        <source>Second network</source>
        <translation>Zweites Netz</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Angesehene Dinge</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keins</translation>
    </message>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>Netze (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
</context>
<context>
    <name>SetList</name>
    <message>
        <source>The set list is at its beginning</source>
        <translation>Die Setliste ist am Anfang</translation>
    </message>
    <message>
        <source>The set list is at its end</source>
        <translation>Die Setliste ist am Ende</translation>
    </message>
    <message>
        <source>The set list is empty</source>
        <translation>Die Setliste ist leer</translation>
    </message>
</context>
<context>
    <name>SetListPanel</name>
    <message>
        <source>Add the look of the chain to the set list</source>
        <translation>Den Look der Kette in die Setliste aufnehmen</translation>
    </message>
    <message>
        <source>Apply a look and add it with +. Page Up and Page Down with Ctrl go from one look of the list to the next, and so do MIDI, OSC and remote control.</source>
        <translation>Einen Look anwenden und mit + aufnehmen. Bild auf und Bild ab mit Strg führen von einem Look der Liste zum nächsten, ebenso MIDI, OSC und die Fernsteuerung.</translation>
    </message>
    <message>
        <source>Cross-fade to the selected look</source>
        <translation>Überblendung zum ausgewählten Look</translation>
    </message>
    <message>
        <source>Remove from the set list (Delete)</source>
        <translation>Aus der Setliste entfernen (Entf)</translation>
    </message>
    <message>
        <source>Set list</source>
        <translation>Setliste</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Counts at the next start.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Reset: {0}</source>
        <translation>Zurücksetzen: {0}</translation>
    </message>
</context>
<context>
    <name>ShaderEditorPanel</name>
    <message>
        <source>Add to the chain</source>
        <translation>Zur Kette hinzufügen</translation>
    </message>
    <message>
        <source>Another program has changed the file.</source>
        <translation>Ein anderes Programm hat die Datei geändert.</translation>
    </message>
    <message>
        <source>Compiling...</source>
        <translation>Wird kompiliert...</translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Find in the shader</source>
        <translation>Im Shader suchen</translation>
    </message>
    <message>
        <source>Go back to the text in the file</source>
        <translation>Zum Text in der Datei zurückkehren</translation>
    </message>
    <message>
        <source>It works, and the video shows it.</source>
        <translation>Er funktioniert, und das Video zeigt ihn.</translation>
    </message>
    <message>
        <source>Keep this text</source>
        <translation>Diesen Text behalten</translation>
    </message>
    <message>
        <source>Line {0}: {1}</source>
        <translation>Zeile {0}: {1}</translation>
    </message>
    <message>
        <source>Load the file</source>
        <translation>Datei laden</translation>
    </message>
    <message>
        <source>New effect</source>
        <translation>Neuer Effekt</translation>
    </message>
    <message>
        <source>No shader is open. Choose “Edit the shader” in the menu of an effect&apos;s card, or begin a new effect.</source>
        <translation>Kein Shader ist geöffnet. Im Menü der Karte eines Effekts „Shader bearbeiten“ wählen oder einen neuen Effekt beginnen.</translation>
    </message>
    <message>
        <source>Open a video to see what it does.</source>
        <translation>Ein Video öffnen, um zu sehen, was er tut.</translation>
    </message>
    <message>
        <source>Problems of the shader</source>
        <translation>Fehler des Shaders</translation>
    </message>
    <message>
        <source>Publish...</source>
        <translation>Veröffentlichen...</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the shader ({0})</source>
        <translation>Shader speichern ({0})</translation>
    </message>
    <message>
        <source>The effect is not in the chain, so it is not tried.</source>
        <translation>Der Effekt ist nicht in der Kette und wird daher nicht versucht.</translation>
    </message>
    <message>
        <source>The last version that works is shown. {0}: next problem</source>
        <translation>Gezeigt wird die letzte Fassung, die funktioniert. {0}: nächster Fehler</translation>
    </message>
    <message>
        <source>These changes were not saved last time.</source>
        <translation>Diese Änderungen wurden beim letzten Mal nicht gespeichert.</translation>
    </message>
    <message>
        <source>Write the effect as a plug-in that others can install</source>
        <translation>Den Effekt als Plug-in schreiben, das andere installieren können</translation>
    </message>
    <message>
        <source>{0} (not saved)</source>
        <translation>{0} (nicht gespeichert)</translation>
    </message>
</context>
<context>
    <name>ShaderEdits</name>
    <message>
        <source>Edit a copy of {0}</source>
        <translation>Kopie von {0} bearbeiten</translation>
    </message>
    <message>
        <source>My effect</source>
        <translation>Mein Effekt</translation>
    </message>
    <message>
        <source>{0} (copy)</source>
        <translation>{0} (Kopie)</translation>
    </message>
</context>
<context>
    <name>SourceMenu</name>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
</context>
<context>
    <name>SourcesPanel</name>
    <message>
        <source>Address (rtsp://, http://, udp://, ...)</source>
        <translation>Adresse (rtsp://, http://, udp://, ...)</translation>
    </message>
    <message>
        <source>Look for cameras</source>
        <translation>Nach Kameras suchen</translation>
    </message>
    <message>
        <source>Look for network cameras (ONVIF)</source>
        <translation>Nach Netzwerkkameras suchen (ONVIF)</translation>
    </message>
    <message>
        <source>Looking for network cameras...</source>
        <translation>Netzwerkkameras werden gesucht...</translation>
    </message>
    <message>
        <source>Network cameras</source>
        <translation>Netzwerkkameras</translation>
    </message>
    <message>
        <source>No camera is connected.</source>
        <translation>Keine Kamera ist angeschlossen.</translation>
    </message>
    <message>
        <source>No network camera answers.</source>
        <translation>Keine Netzwerkkamera antwortet.</translation>
    </message>
    <message>
        <source>No network camera answers. Check that ONVIF and discovery are on in its settings and that it is in this network, or enter the address of its stream.</source>
        <translation>Keine Netzwerkkamera antwortet. Prüfen, ob in ihren Einstellungen ONVIF und Discovery an sind und ob sie in diesem Netz ist, oder die Adresse ihres Streams eingeben.</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>Nichts ist geöffnet</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open a folder of images</source>
        <translation>Ordner mit Bildern öffnen</translation>
    </message>
    <message>
        <source>Open a folder of images...</source>
        <translation>Ordner mit Bildern öffnen...</translation>
    </message>
    <message>
        <source>Open a network stream...</source>
        <translation>Netzwerkstrom öffnen...</translation>
    </message>
    <message>
        <source>Open a stream</source>
        <translation>Strom öffnen</translation>
    </message>
    <message>
        <source>Open the screen or a window...</source>
        <translation>Bildschirm oder Fenster öffnen...</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>animation</source>
        <translation>Animation</translation>
    </message>
    <message>
        <source>asking for permission</source>
        <translation>fragt um Erlaubnis</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>coded size</source>
        <translation>kodierte Größe</translation>
    </message>
    <message>
        <source>color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>color profile</source>
        <translation>Farbprofil</translation>
    </message>
    <message>
        <source>container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>zu Ende</translation>
    </message>
    <message>
        <source>format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht angeschlossen</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>wird geöffnet</translation>
    </message>
    <message>
        <source>orientation</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>{0} FPS (assumed)</source>
        <translation>{0} FPS (angenommen)</translation>
    </message>
    <message>
        <source>{0} was not found</source>
        <translation>{0} wurde nicht gefunden</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>pixel aspect</source>
        <translation>Pixelseitenverhältnis</translation>
    </message>
    <message>
        <source>pixel format</source>
        <translation>Pixelformat</translation>
    </message>
    <message>
        <source>playing</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation>verbindet neu</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>software</source>
        <translation>Software</translation>
    </message>
    <message>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
    </message>
    <message>
        <source>Open a video or an image...</source>
        <translation>Video oder Bild öffnen...</translation>
    </message>
</context>
<context>
    <name>SpanChoice</name>
    <message>
        <source>All of it</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>From A to B</source>
        <translation>Von A bis B</translation>
    </message>
    <message>
        <source>Mark A and B in the transport first</source>
        <translation>Zuerst A und B in der Wiedergabeleiste setzen</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
</context>
<context>
    <name>Stabilization</name>
    <message>
        <source>Stabilization off</source>
        <translation>Stabilisierung aus</translation>
    </message>
    <message>
        <source>Stabilization on: frames are shown {0} frames later</source>
        <translation>Stabilisierung an: Bilder erscheinen {0} Bilder später</translation>
    </message>
</context>
<context>
    <name>StageCard</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Drag to reorder (Alt+Up, Alt+Down)</source>
        <translation>Zum Umordnen ziehen (Alt+Auf, Alt+Ab)</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Show parameters (Shift: keep others open)</source>
        <translation>Parameter zeigen (Umschalt: andere offen lassen)</translation>
    </message>
    <message>
        <source>Open the shader file</source>
        <translation>Shader-Datei öffnen</translation>
    </message>
    <message>
        <source>A copy is used: {0} is not there, or is older.</source>
        <translation>Eine Kopie wird benutzt: {0} ist nicht vorhanden oder älter.</translation>
    </message>
    <message>
        <source>Edit a copy of the shader</source>
        <translation>Kopie des Shaders bearbeiten</translation>
    </message>
    <message>
        <source>Edit the shader</source>
        <translation>Shader bearbeiten</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>No network detects objects, so the effect reads none</source>
        <translation>Kein Netz erkennt Objekte, daher liest der Effekt keine</translation>
    </message>
    <message>
        <source>Paste after this</source>
        <translation>Dahinter einfügen</translation>
    </message>
    <message>
        <source>The mask is loading</source>
        <translation>Die Maske wird geladen</translation>
    </message>
    <message>
        <source>The mask is {0} ms late</source>
        <translation>Die Maske kommt {0} ms zu spät</translation>
    </message>
    <message>
        <source>The objects are {0} ms late</source>
        <translation>Die Objekte sind {0} ms verspätet</translation>
    </message>
    <message>
        <source>There is no mask for this frame</source>
        <translation>Für dieses Einzelbild gibt es keine Maske</translation>
    </message>
    <message>
        <source>This effect has no parameters.</source>
        <translation>Dieser Effekt hat keine Parameter.</translation>
    </message>
    <message>
        <source>Without audio, the effect reads silence</source>
        <translation>Ohne Audio liest der Effekt Stille</translation>
    </message>
    <message>
        <source>compiling...</source>
        <translation>wird übersetzt...</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>in step: {0} frames per second, {1} ms behind</source>
        <translation>im Gleichschritt: {0} Bilder pro Sekunde, {1} ms zurück</translation>
    </message>
    <message>
        <source>no new results</source>
        <translation>keine neuen Ergebnisse</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>waiting for its first result</source>
        <translation>wartet auf sein erstes Ergebnis</translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation>{0} Ergebnisse je Sekunde</translation>
    </message>
    <message>
        <source>{0} results a second, {1} ms behind</source>
        <translation>{0} Ergebnisse je Sekunde, {1} ms zurück</translation>
    </message>
</context>
<context>
    <name>StageEditor</name>
    <message>
        <source>No earlier effect</source>
        <translation>Kein früherer Effekt</translation>
    </message>
</context>
<context>
    <name>StageTable</name>
    <message>
        <source>Milliseconds of the last frame</source>
        <translation>Millisekunden des letzten Bilds</translation>
    </message>
    <message>
        <source>Milliseconds that 95 % of the last frames stay below</source>
        <translation>Millisekunden, unter denen 95 % der letzten Bilder bleiben</translation>
    </message>
    <message>
        <source>Milliseconds that 99 % of the last frames stay below</source>
        <translation>Millisekunden, unter denen 99 % der letzten Bilder bleiben</translation>
    </message>
    <message>
        <source>Milliseconds that half of the last frames stay below</source>
        <translation>Millisekunden, unter denen die Hälfte der letzten Bilder bleibt</translation>
    </message>
    <message>
        <source>Percent of the sum of all stages&apos; mean times</source>
        <translation>Prozent der Summe der mittleren Zeiten aller Stufen</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Time of each stage</source>
        <translation>Zeit jeder Stufe</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
</context>
<context>
    <name>StatsPanel</name>
    <message>
        <source>Begin all counters and graphs anew</source>
        <translation>Alle Zähler und Verläufe neu beginnen</translation>
    </message>
    <message>
        <source>CPU per frame</source>
        <translation>CPU je Bild</translation>
    </message>
    <message>
        <source>CSV...</source>
        <translation>CSV...</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the table as tab-separated text</source>
        <translation>Die Tabelle als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Decoded</source>
        <translation>Dekodiert</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Verworfen</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Network of {0}</source>
        <translation>Netz von {0}</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Readback per frame</source>
        <translation>Zurückgelesen je Bild</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Save the table as CSV</source>
        <translation>Die Tabelle als CSV speichern</translation>
    </message>
    <message>
        <source>Skipped, GPU busy</source>
        <translation>Übersprungen, GPU belegt</translation>
    </message>
    <message>
        <source>Table copied</source>
        <translation>Tabelle kopiert</translation>
    </message>
    <message>
        <source>Table saved as {0}</source>
        <translation>Tabelle gespeichert als {0}</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>Hochladen</translation>
    </message>
    <message>
        <source>Upload per frame</source>
        <translation>Hochgeladen je Bild</translation>
    </message>
    <message>
        <source>frame interpolation: {0}</source>
        <translation>Bildinterpolation: {0}</translation>
    </message>
    <message>
        <source>times: {0}</source>
        <translation>Zeiten: {0}</translation>
    </message>
    <message>
        <source>{0}: {1} FPS, latency {2} ms</source>
        <translation>{0}: {1} FPS, Latenz {2} ms</translation>
    </message>
</context>
<context>
    <name>Subtitles</name>
    <message>
        <source>No subtitles</source>
        <translation>Keine Untertitel</translation>
    </message>
    <message>
        <source>Subtitles off</source>
        <translation>Untertitel aus</translation>
    </message>
    <message>
        <source>Subtitles: {0}</source>
        <translation>Untertitel: {0}</translation>
    </message>
    <message>
        <source>The subtitles of this file cannot be shown</source>
        <translation>Die Untertitel dieser Datei können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>There are no subtitles here; drop a .srt file on the window</source>
        <translation>Hier gibt es keine Untertitel; eine .srt-Datei auf das Fenster ziehen</translation>
    </message>
    <message>
        <source>What plays can have no subtitles</source>
        <translation>Was läuft, kann keine Untertitel haben</translation>
    </message>
    <message>
        <source>{0} (cannot be shown)</source>
        <translation>{0} (kann nicht gezeigt werden)</translation>
    </message>
    <message>
        <source>{0} has subtitles; open the video first that they are for.</source>
        <translation>{0} enthält Untertitel; zuerst das Video öffnen, zu dem sie gehören.</translation>
    </message>
</context>
<context>
    <name>TableEditor</name>
    <message>
        <source>Choose a table</source>
        <translation>Tabelle wählen</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Color tables (*.cube)</source>
        <translation>Farbtabellen (*.cube)</translation>
    </message>
    <message>
        <source>Use no table</source>
        <translation>Keine Tabelle verwenden</translation>
    </message>
</context>
<context>
    <name>TextEditor</name>
    <message>
        <source>Clear the text</source>
        <translation>Den Text löschen</translation>
    </message>
</context>
<context>
    <name>TimeLine</name>
    <message>
        <source>Time line</source>
        <translation>Zeitleiste</translation>
    </message>
</context>
<context>
    <name>TrackCard</name>
    <message numerus="yes">
        <source>%n followed</source>
        <translation>
            <numerusform>%n verfolgt</numerusform>
            <numerusform>%n verfolgt</numerusform>
        </translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>Dinge verfolgen</translation>
    </message>
    <message>
        <source>Give each object a number that it keeps from frame to frame, and draw its trail</source>
        <translation>Gibt jedem Ding eine Nummer, die es von Bild zu Bild behält, und zeichnet seinen Weg</translation>
    </message>
    <message>
        <source>Show tracking settings</source>
        <translation>Zeigen, wie Dinge verfolgt werden</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>Camera format</source>
        <translation>Kameraformat</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>The camera&apos;s resolution, rate and pixel format</source>
        <translation>Auflösung, Bildrate und Pixelformat der Kamera</translation>
    </message>
    <message>
        <source>The system does not tell this camera&apos;s formats</source>
        <translation>Das System nennt die Formate dieser Kamera nicht</translation>
    </message>
    <message>
        <source>Speed ({0} and {1})</source>
        <translation>Geschwindigkeit ({0} und {1})</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Get it from {site}.</source>
        <translation>Zu bekommen unter {site}.</translation>
    </message>
    <message>
        <source>Get the new .deb from {site} and install it with &apos;sudo apt install ./FILE&apos;.</source>
        <translation>Das neue .deb von {site} holen und mit „sudo apt install ./DATEI“ installieren.</translation>
    </message>
    <message>
        <source>Get the new AppImage from {site}.</source>
        <translation>Das neue AppImage gibt es unter {site}.</translation>
    </message>
    <message>
        <source>Lightloom {newest} is out; this is {own}. {advice}</source>
        <translation>Lightloom {newest} ist erschienen; dies ist {own}. {advice}</translation>
    </message>
    <message>
        <source>May Lightloom check for a new version once a week? It asks {site} for a number. Nothing about you is sent, and nothing is downloaded or installed.</source>
        <translation>Darf Lightloom einmal in der Woche nachsehen, ob es eine neue Version gibt? Es fragt {site} nach einer Zahl. Nichts Persönliches wird gesendet, und nichts wird heruntergeladen oder installiert.</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>This is the newest Lightloom, {own}.</source>
        <translation>Dies ist das neueste Lightloom, {own}.</translation>
    </message>
    <message>
        <source>Update it in your software center, or with &apos;flatpak update org.lightloom.Lightloom&apos;.</source>
        <translation>Im Softwarecenter oder mit „flatpak update org.lightloom.Lightloom“ aktualisieren.</translation>
    </message>
    <message>
        <source>Update it with &apos;brew upgrade --cask lightloom&apos;.</source>
        <translation>Mit „brew upgrade --cask lightloom“ aktualisieren.</translation>
    </message>
    <message>
        <source>Update it with &apos;winget upgrade Lightloom.Lightloom&apos;.</source>
        <translation>Mit „winget upgrade Lightloom.Lightloom“ aktualisieren.</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
</context>
<context>
    <name>Viewport</name>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
</context>
<context>
    <name>VolumeSlider</name>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Volume ({0} and {1})</source>
        <translation>Lautstärke ({0} und {1})</translation>
    </message>
</context>
<context>
    <name>WayBox</name>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>{0}: backend</source>
        <translation>{0}: Rechenweg</translation>
    </message>
    <message>
        <source>{0}: precision</source>
        <translation>{0}: Genauigkeit</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Close this window and start Lightloom as usual</source>
        <translation>Dieses Fenster schließen und Lightloom wie gewohnt starten</translation>
    </message>
    <message>
        <source>Safe mode</source>
        <translation>Abgesicherter Modus</translation>
    </message>
    <message>
        <source>The graphics device was restarted</source>
        <translation>Das Grafikgerät wurde neu gestartet</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>Abgesicherten Modus verlassen</translation>
    </message>
    <message>
        <source>Choose an adapter...</source>
        <translation>Adapter wählen...</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Safe mode: your own shaders and networks are left out. There is no software adapter here, so {0} computes.</source>
        <translation>Abgesicherter Modus: Eigene Shader und Netze bleiben weg. Hier gibt es keinen Software-Adapter, daher rechnet {0}.</translation>
    </message>
    <message>
        <source>Safe mode: your own shaders, networks and the graphics card are left out.</source>
        <translation>Abgesicherter Modus: Eigene Shader, Netze und die Grafikkarte bleiben weg.</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>WindowDialogs</name>
    <message>
        <source>Add {0}</source>
        <translation>{0} hinzufügen</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Effekt</translation>
    </message>
    <message>
        <source>Open a look</source>
        <translation>Look öffnen</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
    </message>
    <message>
        <source>Look: {0}</source>
        <translation>Look: {0}</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Download the network {0}</source>
        <translation>Das Netz {0} herunterladen</translation>
    </message>
    <message>
        <source>Export look as one file</source>
        <translation>Look als eine Datei exportieren</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Look</translation>
    </message>
    <message>
        <source>Looks (*.toml *.lightloom)</source>
        <translation>Looks (*.toml *.lightloom)</translation>
    </message>
    <message>
        <source>Looks (*.toml)</source>
        <translation>Looks (*.toml)</translation>
    </message>
    <message>
        <source>Looks in one file (*.lightloom)</source>
        <translation>Looks in einer Datei (*.lightloom)</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Recent file</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>There is no network that runs yet; wait until it is loaded, or choose another one.</source>
        <translation>Noch läuft kein Netz; warte, bis es geladen ist, oder wähle ein anderes.</translation>
    </message>
    <message>
        <source>Use the network {0}</source>
        <translation>Das Netz {0} verwenden</translation>
    </message>
    <message>
        <source>Open a subtitle file</source>
        <translation>Untertiteldatei öffnen</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>Look speichern</translation>
    </message>
    <message>
        <source>Subtitles (*.srt *.vtt *.ass *.ssa)</source>
        <translation>Untertitel (*.srt *.vtt *.ass *.ssa)</translation>
    </message>
</context>
<context>
    <name>WordEditor</name>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
</context>
<context>
    <name>ZoneEditor</name>
    <message>
        <source>All zones</source>
        <translation>Alle Zonen</translation>
    </message>
</context>
<context>
    <name>Zones</name>
    <message>
        <source>A line needs two points.</source>
        <translation>Eine Linie braucht zwei Punkte.</translation>
    </message>
    <message>
        <source>A zone has {n} corners at most; Enter closes it.</source>
        <translation>Eine Zone hat höchstens {n} Ecken; die Eingabetaste schließt sie.</translation>
    </message>
    <message>
        <source>A zone needs three corners, not on one line.</source>
        <translation>Eine Zone braucht drei Ecken, die nicht auf einer Geraden liegen.</translation>
    </message>
    <message>
        <source>Add an event to {0}</source>
        <translation>Ereignis zu {0} hinzufügen</translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation>{0} hinzufügen</translation>
    </message>
    <message>
        <source>Change {0}</source>
        <translation>{0} ändern</translation>
    </message>
    <message>
        <source>Counts begin anew</source>
        <translation>Die Zähler beginnen von vorn</translation>
    </message>
    <message>
        <source>Event {n}</source>
        <translation>Ereignis {n}</translation>
    </message>
    <message>
        <source>Heat map off</source>
        <translation>Wärmekarte aus</translation>
    </message>
    <message>
        <source>Heat map on</source>
        <translation>Wärmekarte an</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>Move a corner of {0}</source>
        <translation>Ecke von {0} verschieben</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
    <message>
        <source>There can be {n} events at most; remove one first.</source>
        <translation>Es kann höchstens {n} Ereignisse geben; zuerst eines entfernen.</translation>
    </message>
    <message>
        <source>There can be {n} zones at most; remove one first.</source>
        <translation>Es kann höchstens {n} Zonen geben; zuerst eine entfernen.</translation>
    </message>
    <message>
        <source>There is an event {0} already</source>
        <translation>Ein Ereignis {0} gibt es schon</translation>
    </message>
    <message>
        <source>Tracking is turned on: without it a zone counts who is inside, but not who enters, leaves or crosses.</source>
        <translation>Dinge werden ab jetzt verfolgt: Ohne das weiß eine Zone, wer darin ist, aber nicht, wer sie betritt, verlässt oder überquert.</translation>
    </message>
    <message>
        <source>Turn {0} around</source>
        <translation>{0} umdrehen</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
</context>
<context>
    <name>ZonesPanel</name>
    <message>
        <source>A line</source>
        <translation>Eine Linie</translation>
    </message>
    <message>
        <source>A zone</source>
        <translation>Eine Zone</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add one in the middle of the frame, to be moved by keys</source>
        <translation>In der Mitte des Bildes hinzufügen, um sie mit Tasten zu verschieben</translation>
    </message>
    <message>
        <source>Click the corners; a double click or Enter closes the zone, Backspace takes one back, Esc draws nothing.</source>
        <translation>Die Ecken anklicken; ein Doppelklick oder Enter schließt die Zone, die Rücktaste nimmt eine zurück, Esc zeichnet nichts.</translation>
    </message>
    <message>
        <source>Click where the line begins and where it ends; Esc draws nothing.</source>
        <translation>Dorthin klicken, wo die Linie beginnt und wo sie endet; Esc zeichnet nichts.</translation>
    </message>
    <message>
        <source>Draw a zone or a line on the video: it counts the objects that a network detects.</source>
        <translation>Eine Zone oder eine Linie auf das Bild zeichnen: Sie zählt die Dinge, die ein Netz findet.</translation>
    </message>
    <message>
        <source>Nothing is counted: there is no network that detects objects.</source>
        <translation>Es wird nichts gezählt: Es gibt kein Netz, das Dinge findet.</translation>
    </message>
    <message>
        <source>Zones</source>
        <translation>Zonen</translation>
    </message>
    <message>
        <source>{forward} forward, {backward} backward</source>
        <translation>{forward} vorwärts, {backward} rückwärts</translation>
    </message>
    <message>
        <source>{inside} inside, {entered} entered, {left} left</source>
        <translation>{inside} darin, {entered} gekommen, {left} gegangen</translation>
    </message>
</context>
<context>
    <name>_ActionForm</name>
    <message>
        <source>Nothing is done before this is filled in: {0}</source>
        <translation>Nichts wird getan, bevor dies ausgefüllt ist: {0}</translation>
    </message>
    <message>
        <source>Remove: {0}</source>
        <translation>Entfernen: {0}</translation>
    </message>
</context>
<context>
    <name>_Details</name>
    <message>
        <source>Add an event</source>
        <translation>Ereignis hinzufügen</translation>
    </message>
    <message>
        <source>Another file</source>
        <translation>Andere Datei</translation>
    </message>
    <message>
        <source>Another file...</source>
        <translation>Andere Datei...</translation>
    </message>
    <message>
        <source>Change {0}</source>
        <translation>{0} ändern</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Classes that count</source>
        <translation>Klassen, die zählen</translation>
    </message>
    <message>
        <source>Corner</source>
        <translation>Ecke</translation>
    </message>
    <message>
        <source>Corner from the left</source>
        <translation>Ecke, von links</translation>
    </message>
    <message>
        <source>Corner from the top</source>
        <translation>Ecke, von oben</translation>
    </message>
    <message>
        <source>Counts by</source>
        <translation>Zählt nach</translation>
    </message>
    <message>
        <source>Name of the zone</source>
        <translation>Name der Zone</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all</source>
        <translation>Namen von Klassen mit Kommas dazwischen; leer für alle</translation>
    </message>
    <message>
        <source>Number of the corner</source>
        <translation>Nummer der Ecke</translation>
    </message>
    <message>
        <source>Remove the zone</source>
        <translation>Zone entfernen</translation>
    </message>
    <message>
        <source>Rename {0}</source>
        <translation>{0} umbenennen</translation>
    </message>
    <message>
        <source>Time spent: {mean} on average, {longest} by who is longest inside</source>
        <translation>Verweildauer: {mean} im Mittel, {longest} am längsten von denen, die darin sind</translation>
    </message>
    <message>
        <source>Turn its direction around</source>
        <translation>Richtung umdrehen</translation>
    </message>
    <message>
        <source>Point of an object that counts: the middle of the lower edge of its box, where feet are, or the center</source>
        <translation>Wo ein Ding ist: in der Mitte der Unterkante seines Rahmens, wo Füße sind, oder in der Mitte</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>center</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>lies at</source>
        <translation>liegt bei</translation>
    </message>
    <message>
        <source>lower edge</source>
        <translation>Unterkante</translation>
    </message>
    <message>
        <source>{name}: {forward} forward, {backward} backward</source>
        <translation>{name}: {forward} vorwärts, {backward} rückwärts</translation>
    </message>
    <message>
        <source>{name}: {inside} inside, {entered} entered, {left} left, {mean} each</source>
        <translation>{name}: {inside} darin, {entered} gekommen, {left} gegangen, je {mean}</translation>
    </message>
</context>
<context>
    <name>_LayerTree</name>
    <message>
        <source>Layers, the uppermost first</source>
        <translation>Ebenen, die oberste zuerst</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Automate...</source>
        <translation>Automatisieren...</translation>
    </message>
    <message>
        <source>Automated by: {0}</source>
        <translation>Automatisiert durch: {0}</translation>
    </message>
    <message>
        <source>Click to switch it off.</source>
        <translation>Ein Klick schaltet sie aus.</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Dismiss all</source>
        <translation>Alle schließen</translation>
    </message>
    <message>
        <source>Edit the automation...</source>
        <translation>Automatisierung bearbeiten...</translation>
    </message>
    <message>
        <source>It is off.</source>
        <translation>Sie ist aus.</translation>
    </message>
    <message>
        <source>Next notice</source>
        <translation>Nächste Meldung</translation>
    </message>
    <message>
        <source>Record key frames</source>
        <translation>Keyframes aufzeichnen</translation>
    </message>
    <message>
        <source>Remove the automation</source>
        <translation>Automatisierung entfernen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show the folder of {0}</source>
        <translation>Ordner von {0} zeigen</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufzeichnung beenden</translation>
    </message>
    <message>
        <source>Switch the automation off</source>
        <translation>Automatisierung ausschalten</translation>
    </message>
    <message>
        <source>Switch the automation on</source>
        <translation>Automatisierung einschalten</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>_Text</name>
    <message>
        <source>Text of the notice</source>
        <translation>Text der Meldung</translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message>
        <source> ({count} passes, textures up to {width} x {height})</source>
        <translation> ({count} Durchgänge, Texturen bis {width} x {height})</translation>
    </message>
    <message>
        <source> ({origin} has {names} for {outputs} and was left out)</source>
        <translation> ({origin} hat {names} für {outputs} und wurde ausgelassen)</translation>
    </message>
    <message>
        <source>% of height</source>
        <translation>% der Höhe</translation>
    </message>
    <message>
        <source>% of width</source>
        <translation>% der Breite</translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gaps</source>
        <translation>
            <numerusform>%n Lücke</numerusform>
            <numerusform>%n Lücken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more candidates</source>
        <translation>
            <numerusform>%n weiterer Kandidat</numerusform>
            <numerusform>%n weitere Kandidaten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n names</source>
        <translation>
            <numerusform>%n Name</numerusform>
            <numerusform>%n Namen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n networks</source>
        <translation>
            <numerusform>%n Netz</numerusform>
            <numerusform>%n Netze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outputs</source>
        <translation>
            <numerusform>%n Ausgabe</numerusform>
            <numerusform>%n Ausgaben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsupported nodes</source>
        <translation>
            <numerusform>%n nicht unterstützter Knoten</numerusform>
            <numerusform>%n nicht unterstützte Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Interpolate frames</source>
        <translation>Bilder &amp;interpolieren</translation>
    </message>
    <message>
        <source>&apos;addresses&apos; must name at least one</source>
        <translation>&apos;addresses&apos; muss mindestens eine nennen</translation>
    </message>
    <message>
        <source>&apos;bytes&apos; must be from 1 to 33554432 (32 MiB)</source>
        <translation>&apos;bytes&apos; muss von 1 bis 33554432 (32 MiB) sein</translation>
    </message>
    <message>
        <source>&apos;colors&apos; must be one of {choices}</source>
        <translation>&apos;colors&apos; muss eines von {choices} sein</translation>
    </message>
    <message>
        <source>&apos;enabled&apos; of the filter &apos;{spec_id}&apos; is neither true nor false and was left out.</source>
        <translation>&apos;enabled&apos; des Filters &apos;{spec_id}&apos; ist weder true noch false und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>&apos;filter&apos; is not written as [[filter]] and was left out.</source>
        <translation>&apos;filter&apos; ist nicht als [[filter]] geschrieben und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>&apos;interpolation&apos; has no model and was left out.</source>
        <translation>„interpolation“ hat kein Netz und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;scale&apos; must be above 0 and at most 2</source>
        <translation>&apos;scale&apos; muss über 0 und höchstens 2 sein</translation>
    </message>
    <message>
        <source>&apos;step&apos; is below zero</source>
        <translation>&apos;step&apos; ist kleiner als null</translation>
    </message>
    <message>
        <source>&apos;tasks&apos; belongs to a model, and is a list of some of {tasks}</source>
        <translation>&apos;tasks&apos; gehört zu einem Modell und ist eine Liste aus {tasks}</translation>
    </message>
    <message>
        <source>&apos;type&apos; is not a WGSL type such as array&lt;atomic&lt;u32&gt;, 256&gt;</source>
        <translation>&apos;type&apos; ist kein WGSL-Typ wie array&lt;atomic&lt;u32&gt;, 256&gt;</translation>
    </message>
    <message>
        <source>&apos;use&apos; names more than {max_used} files</source>
        <translation>&apos;use&apos; nennt mehr als {max_used} Dateien</translation>
    </message>
    <message>
        <source>&apos;when&apos; of &apos;{param_name}&apos;: &apos;{other}&apos; takes {expects}</source>
        <translation>&apos;when&apos; von &apos;{param_name}&apos;: &apos;{other}&apos; nimmt {expects}</translation>
    </message>
    <message>
        <source>&apos;{entry_id}&apos; is the name of a device on Windows</source>
        <translation>&apos;{entry_id}&apos; ist unter Windows der Name eines Geräts</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has control characters</source>
        <translation>&apos;{key}&apos; enthält Steuerzeichen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has the wrong type</source>
        <translation>&apos;{key}&apos; hat den falschen Typ</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is missing</source>
        <translation>&apos;{key}&apos; fehlt</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a number that can be used</source>
        <translation>&apos;{key}&apos; ist keine brauchbare Zahl</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known</source>
        <translation>&apos;{key}&apos; ist nicht bekannt</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known and was left out.</source>
        <translation>&apos;{key}&apos; ist nicht bekannt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known here</source>
        <translation>&apos;{key}&apos; ist hier nicht bekannt</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a list of texts</source>
        <translation>&apos;{key}&apos; muss eine Liste von Texten sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a table [{key}]</source>
        <translation>&apos;{key}&apos; muss eine Tabelle [{key}] sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a text</source>
        <translation>&apos;{key}&apos; muss ein Text sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a whole number from {low} to {high}</source>
        <translation>&apos;{key}&apos; muss eine ganze Zahl von {low} bis {high} sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be one of {allowed}</source>
        <translation>&apos;{key}&apos; muss eines von {allowed} sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be two whole numbers from 1 to {limit}</source>
        <translation>&apos;{key}&apos; muss aus zwei ganzen Zahlen von 1 bis {limit} bestehen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be written as [[{key}]]</source>
        <translation>&apos;{key}&apos; muss als [[{key}]] geschrieben sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be {what}</source>
        <translation>&apos;{key}&apos; muss {what} sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must name a parameter of type {kind}</source>
        <translation>&apos;{key}&apos; muss einen Parameter vom Typ {kind} nennen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must name a parameter of type {kind} with the choices {choices}</source>
        <translation>&apos;{key}&apos; muss einen Parameter vom Typ {kind} mit den Auswahlen {choices} nennen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the filter &apos;{entry}&apos; is not known and was left out.</source>
        <translation>&apos;{key}&apos; des Filters &apos;{entry}&apos; ist nicht bekannt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the network is not known and was left out.</source>
        <translation>&apos;{key}&apos; des Netzes ist nicht bekannt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has the element type {dtype}, which the wgpu engine does not hold; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; hat den Elementtyp {dtype}, den der Rechenweg wgpu nicht kennt; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; holds an integer beyond 32 bits, which WebGPU&apos;s shaders do not have; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; enthält eine ganze Zahl über 32 Bit, die WebGPUs Shader nicht haben; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; holds integers where only floats are supported; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; enthält ganze Zahlen, wo nur Gleitkommazahlen möglich sind; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is computed twice</source>
        <translation>&apos;{name}&apos; wird zweimal berechnet</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not the name of a shared shader file; see shaders/common.</source>
        <translation>&apos;{name}&apos; ist kein Name einer gemeinsamen Shaderdatei; siehe shaders/common.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; must be a table of texts, numbers and lists of numbers</source>
        <translation>&apos;{name}&apos; muss eine Tabelle aus Texten, Zahlen und Listen von Zahlen sein</translation>
    </message>
    <message>
        <source>&apos;{unknown}&apos; in [network.preprocess] is not known</source>
        <translation>&apos;{unknown}&apos; in [network.preprocess] ist nicht bekannt</translation>
    </message>
    <message>
        <source>&apos;{value}&apos; is not a value for &apos;{name}&apos;; it takes {expects}.</source>
        <translation>&apos;{value}&apos; ist kein Wert für &apos;{name}&apos;; möglich ist: {expects}.</translation>
    </message>
    <message>
        <source>0 is a gray relief, 1 the picture with the relief on it.</source>
        <translation>0 ist ein graues Relief, 1 das Bild mit dem Relief darauf.</translation>
    </message>
    <message>
        <source>1 takes only light and dark from the network, and the colors from the picture.</source>
        <translation>1 übernimmt vom Netz nur hell und dunkel und die Farben vom Bild.</translation>
    </message>
    <message>
        <source>1001 outputs are TensorFlow&apos;s ImageNet with background first, so RGB in -1..1.</source>
        <translation>1001 Ausgänge sind TensorFlows ImageNet mit dem Hintergrund zuerst, also RGB in -1..1.</translation>
    </message>
    <message>
        <source>3-clause BSD (OpenMMLab header)</source>
        <translation>3-Klausel-BSD (OpenMMLab-Kopf)</translation>
    </message>
    <message>
        <source>3D LUT</source>
        <translation>3D-LUT</translation>
    </message>
    <message>
        <source>3x3</source>
        <translation>3x3</translation>
    </message>
    <message>
        <source>5x5</source>
        <translation>5x5</translation>
    </message>
    <message>
        <source>; what has arrived is kept</source>
        <translation>; was angekommen ist, bleibt erhalten</translation>
    </message>
    <message>
        <source>A .cube file.</source>
        <translation>Eine .cube-Datei.</translation>
    </message>
    <message>
        <source>A broken signal: displaced blocks, separated colors, dark lines; the same for the same frame number and seed.</source>
        <translation>Ein gestörtes Signal: verschobene Blöcke, getrennte Farben, dunkle Zeilen; bei gleicher Bildnummer und gleichem Startwert gleich.</translation>
    </message>
    <message>
        <source>A camera that films its own screen: the frame before comes back enlarged, turned and in another hue, again and again.</source>
        <translation>Eine Kamera, die ihren eigenen Bildschirm filmt: Das vorige Bild kehrt vergrößert, gedreht und in anderem Farbton wieder, immer und immer wieder.</translation>
    </message>
    <message>
        <source>A chain holds at most {max_stages} filters; remove one first.</source>
        <translation>Eine Kette hat höchstens {max_stages} Filter; zuerst einen entfernen.</translation>
    </message>
    <message>
        <source>A first network of a tutorial: ten kinds of things in tiny pictures.</source>
        <translation>Das erste Netz eines Lehrgangs: zehn Arten von Dingen in winzigen Bildern.</translation>
    </message>
    <message>
        <source>A flip shows everything; a half is repeated on the other side.</source>
        <translation>Eine Spiegelung zeigt alles; eine Hälfte wird auf der anderen Seite wiederholt.</translation>
    </message>
    <message>
        <source>A loop&apos;s end must come after its start; set them the other way round.</source>
        <translation>Das Ende einer Schleife muss nach ihrem Anfang liegen; beide vertauschen.</translation>
    </message>
    <message>
        <source>A mask of 21 kinds of things; people are kind 15.</source>
        <translation>Eine Maske von 21 Arten von Dingen; Menschen sind Art 15.</translation>
    </message>
    <message>
        <source>An image cannot be shown for {seconds:g} s: give 0.04 to 3600.</source>
        <translation>Ein Bild kann nicht {seconds:g} s lang gezeigt werden: 0.04 bis 3600 angeben.</translation>
    </message>
    <message>
        <source>An image is uint8 of shape (height, width, 3), not {dtype}{shape}.</source>
        <translation>Ein Bild ist uint8 der Form (height, width, 3), nicht {dtype}{shape}.</translation>
    </message>
    <message>
        <source>A frame was lost with the GPU that held it; try again.</source>
        <translation>Ein Bild ging mit der GPU verloren, die es hielt; noch einmal versuchen.</translation>
    </message>
    <message>
        <source>A point that the band in focus runs through.</source>
        <translation>Ein Punkt, durch den das scharfe Band läuft.</translation>
    </message>
    <message>
        <source>A style in the box, or an .onnx file that gives a picture.</source>
        <translation>Ein mitgelieferter Stil oder eine .onnx-Datei, die ein Bild ergibt.</translation>
    </message>
    <message>
        <source>A tube monitor: curved glass, scan lines, a mask of red, green and blue stripes and darker corners, in linear light.</source>
        <translation>Ein Röhrenmonitor: gewölbtes Glas, Zeilen, eine Maske aus roten, grünen und blauen Streifen und dunklere Ecken, in linearem Licht.</translation>
    </message>
    <message>
        <source>ASCII</source>
        <translation>ASCII</translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them.</source>
        <translation>Über 1 hebt die Mitteltöne an, unter 1 dunkelt sie ab.</translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them; black and white stay.</source>
        <translation>Über 1 hebt die Mitteltöne an, unter 1 dunkelt sie ab; Schwarz und Weiß bleiben.</translation>
    </message>
    <message>
        <source>Adapts the picture from the light it was taken in to daylight of 6500 K (Bradford transform in linear light).</source>
        <translation>Passt das Bild vom Licht der Aufnahme an Tageslicht von 6500 K an (Bradford-Transformation in linearem Licht).</translation>
    </message>
    <message>
        <source>Added to every channel; 1 is the step from black to white.</source>
        <translation>Wird zu jedem Kanal addiert; 1 ist der Schritt von Schwarz zu Weiß.</translation>
    </message>
    <message>
        <source>Addresses that begin with {scheme}:// can&apos;t be opened: use one of {known}.</source>
        <translation>Adressen, die mit {scheme}:// beginnen, können nicht geöffnet werden: eine von {known} verwenden.</translation>
    </message>
    <message>
        <source>Adds grain that changes with every frame and is the same whenever the same frame is shown.</source>
        <translation>Fügt Korn hinzu, das mit jedem Bild wechselt und beim selben Bild immer gleich ist.</translation>
    </message>
    <message>
        <source>Adds or removes the barrel and pincushion distortion of a lens (radial terms of the Brown-Conrady model).</source>
        <translation>Fügt die tonnen- oder kissenförmige Verzeichnung eines Objektivs hinzu oder entfernt sie (radiale Glieder des Brown-Conrady-Modells).</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Amplitude</source>
        <translation>Amplitude</translation>
    </message>
    <message>
        <source>An .onnx file that gives a depth map.</source>
        <translation>Eine .onnx-Datei, die eine Tiefenkarte ergibt.</translation>
    </message>
    <message>
        <source>An attribute is not a number; use the onnxruntime backend.</source>
        <translation>Ein Attribut ist keine Zahl; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Angle of the screen; cyan and magenta are turned by 30° against black and yellow by 45°.</source>
        <translation>Winkel des Rasters; Cyan und Magenta sind um 30° gegen Schwarz gedreht, Gelb um 45°.</translation>
    </message>
    <message>
        <source>Angle of the turn; 0 changes nothing.</source>
        <translation>Winkel der Drehung; 0 ändert nichts.</translation>
    </message>
    <message>
        <source>Another number gives another grain.</source>
        <translation>Eine andere Zahl gibt ein anderes Korn.</translation>
    </message>
    <message>
        <source>Another number gives another sequence.</source>
        <translation>Eine andere Zahl gibt eine andere Folge.</translation>
    </message>
    <message>
        <source>Apache-2.0</source>
        <translation>Apache-2.0</translation>
    </message>
    <message>
        <source>Apache-2.0 (its repository&apos;s)</source>
        <translation>Apache-2.0 (die ihres Repositorys)</translation>
    </message>
    <message>
        <source>Applies a look-up table in the .cube format; drop the file on the window.</source>
        <translation>Wendet eine Farbtabelle im .cube-Format an; die Datei auf das Fenster ziehen.</translation>
    </message>
    <message>
        <source>At 1 the horizon&apos;s circle fills the frame&apos;s height.</source>
        <translation>Bei 1 füllt der Kreis des Horizonts die Bildhöhe.</translation>
    </message>
    <message>
        <source>Averages each pixel over time where nothing moves, and lets go where something does.</source>
        <translation>Mittelt jeden Pixel über die Zeit, wo sich nichts bewegt, und lässt los, wo sich etwas bewegt.</translation>
    </message>
    <message>
        <source>Avoid</source>
        <translation>Vermeiden</translation>
    </message>
    <message>
        <source>BGR</source>
        <translation>BGR</translation>
    </message>
    <message>
        <source>BSD-3-Clause</source>
        <translation>BSD-3-Clause</translation>
    </message>
    <message>
        <source>Backdrop</source>
        <translation>Kulisse</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Rechenweg</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>Bends the picture around a ball and looks at it from above (stereographic); made for 360° panoramas, fun with any picture.</source>
        <translation>Biegt das Bild um eine Kugel und blickt von oben darauf (stereografisch); gemacht für 360°-Panoramen, vergnüglich mit jedem Bild.</translation>
    </message>
    <message>
        <source>Bends the tones of all channels along a smooth curve through five points.</source>
        <translation>Biegt die Töne aller Kanäle entlang einer glatten Kurve durch fünf Punkte.</translation>
    </message>
    <message>
        <source>Bilateral smoothing</source>
        <translation>Bilaterale Glättung</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Black and white</source>
        <translation>Schwarzweiß</translation>
    </message>
    <message>
        <source>Blacks</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Blend</source>
        <translation>Mischung</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Bloom</source>
        <translation>Leuchten</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>Unschärfe</translation>
    </message>
    <message>
        <source>Boost</source>
        <translation>Anhebung</translation>
    </message>
    <message>
        <source>Borders</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things.</source>
        <translation>Rahmen um 80 Arten von Dingen.</translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things; very small.</source>
        <translation>Rahmen um 80 Arten von Dingen; sehr klein.</translation>
    </message>
    <message>
        <source>Boxes around faces, of any size of picture.</source>
        <translation>Rahmen um Gesichter, bei jeder Bildgröße.</translation>
    </message>
    <message>
        <source>Boxes around faces.</source>
        <translation>Rahmen um Gesichter.</translation>
    </message>
    <message>
        <source>Brightens dark areas and darkens bright ones; what is dark or bright is decided by the surroundings, so that detail stays.</source>
        <translation>Hellt dunkle Bereiche auf und dunkelt helle ab; was dunkel oder hell ist, bestimmt die Umgebung, sodass Details bleiben.</translation>
    </message>
    <message>
        <source>Brightens dark pictures.</source>
        <translation>Hellt dunkle Bilder auf.</translation>
    </message>
    <message>
        <source>Brightens dark pictures; the smallest network here.</source>
        <translation>Hellt dunkle Bilder auf; das kleinste Netz hier.</translation>
    </message>
    <message>
        <source>Brightens or darkens as a camera&apos;s exposure does, in linear light.</source>
        <translation>Hellt auf oder dunkelt ab wie die Belichtung einer Kamera, in linearem Licht.</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>Brightness and contrast</source>
        <translation>Helligkeit und Kontrast</translation>
    </message>
    <message>
        <source>Brightness of the edges; at 1 a step from black to white is white.</source>
        <translation>Helligkeit der Kanten; bei 1 ist ein Schritt von Schwarz zu Weiß weiß.</translation>
    </message>
    <message>
        <source>Brightness of the picture behind.</source>
        <translation>Helligkeit des Bildes dahinter.</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>CIFAR-10 tutorial</source>
        <translation>CIFAR-10-Lehrgang</translation>
    </message>
    <message>
        <source>COCO, 80 kinds of things</source>
        <translation>COCO, 80 Arten von Dingen</translation>
    </message>
    <message>
        <source>CRT</source>
        <translation>Röhrenmonitor</translation>
    </message>
    <message>
        <source>Candy</source>
        <translation>Candy</translation>
    </message>
    <message>
        <source>Canny edges</source>
        <translation>Canny-Kanten</translation>
    </message>
    <message>
        <source>Cartoon</source>
        <translation>Zeichentrick</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>Center</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>Change of the 3 x 3 mean (root of the squared sum over R&apos;, G&apos;, B&apos;) that counts as motion.</source>
        <translation>Änderung des 3-x-3-Mittels (Wurzel der Quadratsumme über R&apos;, G&apos;, B&apos;), die als Bewegung gilt.</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Characters in the picture&apos;s colors, or in one.</source>
        <translation>Zeichen in den Farben des Bildes oder in einer.</translation>
    </message>
    <message>
        <source>Chroma key</source>
        <translation>Chroma-Key</translation>
    </message>
    <message>
        <source>Chromatic aberration</source>
        <translation>Chromatische Aberration</translation>
    </message>
    <message>
        <source>Cinema</source>
        <translation>Kino</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation>Klassifikator</translation>
    </message>
    <message>
        <source>Clean webcam</source>
        <translation>Saubere Webcam</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Clockwise turn at the center.</source>
        <translation>Drehung im Uhrzeigersinn in der Mitte.</translation>
    </message>
    <message>
        <source>Clockwise turn from frame to frame.</source>
        <translation>Drehung im Uhrzeigersinn von Bild zu Bild.</translation>
    </message>
    <message>
        <source>Clockwise.</source>
        <translation>Im Uhrzeigersinn.</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Color grain</source>
        <translation>Farbkorn</translation>
    </message>
    <message>
        <source>Color range</source>
        <translation>Farbabstand</translation>
    </message>
    <message>
        <source>Color behind the characters.</source>
        <translation>Farbe hinter den Zeichen.</translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n Klasse</numerusform>
            <numerusform>%n Klassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n convolutions and products</source>
        <translation>
            <numerusform>%n Faltung oder Produkt</numerusform>
            <numerusform>%n Faltungen und Produkten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cuts</source>
        <translation>
            <numerusform>%n Schnitt</numerusform>
            <numerusform>%n Schnitte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the last playlist are missing because they cannot be stored: cameras, the sample, addresses with a password, or unusual file names; add them again.</source>
        <translation>
            <numerusform>%n Eintrag der letzten Wiedergabeliste fehlt, weil er nicht gespeichert werden kann: eine Kamera, das Beispiel, eine Adresse mit Passwort oder ein ungewöhnlicher Dateiname; wieder hinzufügen.</numerusform>
            <numerusform>%n Einträge der letzten Wiedergabeliste fehlen, weil sie nicht gespeichert werden können: Kameras, das Beispiel, Adressen mit Passwort oder ungewöhnliche Dateinamen; wieder hinzufügen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n faults</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inputs</source>
        <translation>
            <numerusform>%n Eingang</numerusform>
            <numerusform>%n Eingänge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes are too long to show.</source>
        <translation>
            <numerusform>%n Hinweis ist zu lang für die Anzeige.</numerusform>
            <numerusform>%n Hinweise sind zu lang für die Anzeige.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued events</source>
        <translation>
            <numerusform>%n wartendes Ereignis</numerusform>
            <numerusform>%n wartende Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n Quelle</numerusform>
            <numerusform>%n Quellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n times</source>
        <translation>
            <numerusform>%n Mal</numerusform>
            <numerusform>%n Mal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n Video</numerusform>
            <numerusform>%n Videos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n whole images</source>
        <translation>
            <numerusform>%n ganzes Bild</numerusform>
            <numerusform>%n ganze Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Sources</source>
        <translation>&amp;Quellen</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; is no option of an address; the only one is the frame rate, as in #fps=10.</source>
        <translation>&apos;#{name}&apos; ist keine Option einer Adresse; die einzige ist die Bildrate, wie in #fps=10.</translation>
    </message>
    <message>
        <source>&apos;?{name}&apos; is no option of {scheme} addresses; did you mean &apos;{near}&apos;?</source>
        <translation>&apos;?{name}&apos; ist keine Option von {scheme}-Adressen; war &apos;{near}&apos; gemeint?</translation>
    </message>
    <message>
        <source>&apos;?{name}&apos; is no option of {scheme} addresses; leave it out, or choose one of {known}.</source>
        <translation>&apos;?{name}&apos; ist keine Option von {scheme}-Adressen; weglassen, oder eine von {known} wählen.</translation>
    </message>
    <message>
        <source>&apos;automation&apos; of &apos;{filter}&apos; is not written as [[filter.automation]].</source>
        <translation>„automation“ von „{filter}“ ist nicht als [[filter.automation]] geschrieben.</translation>
    </message>
    <message>
        <source>&apos;inverted&apos; of the mask &apos;{kind}&apos; is neither true nor false; give one of them.</source>
        <translation>„inverted“ der Maske „{kind}“ ist weder true noch false; eines davon angeben.</translation>
    </message>
    <message>
        <source>&apos;join&apos; of the mask &apos;{kind}&apos; is {value}; give one of {joins}.</source>
        <translation>„join“ der Maske „{kind}“ ist {value}; eines von {joins} angeben.</translation>
    </message>
    <message>
        <source>&apos;mask&apos; is not a table; write it as [filter.mask].</source>
        <translation>„mask“ ist keine Tabelle; als [filter.mask] schreiben.</translation>
    </message>
    <message>
        <source>&apos;mask.part&apos; is not a list; write each part as [[filter.mask.part]].</source>
        <translation>„mask.part“ ist keine Liste; jeden Teil als [[filter.mask.part]] schreiben.</translation>
    </message>
    <message>
        <source>&apos;source&apos; must be one of {sources}</source>
        <translation>&apos;source&apos; muss eines von {sources} sein</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is no address of an ONVIF camera; give one such as http://192.168.1.20/onvif/device_service.</source>
        <translation>&apos;{address}&apos; ist keine Adresse einer ONVIF-Kamera; eine angeben wie http://192.168.1.20/onvif/device_service.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; behind the @ of the filter {text} is not known; there are: {keys}.</source>
        <translation>„{key}“ hinter dem @ des Filters {text} ist unbekannt; es gibt: {keys}.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has more than {most} entries; the others were left out.</source>
        <translation>„{key}“ hat mehr als {most} Einträge; die anderen wurden weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a list of tables and was left out; begin each with a line in double brackets.</source>
        <translation>„{key}“ ist keine Liste von Tabellen und wurde weggelassen; jede mit einer Zeile in doppelten Klammern beginnen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not one line of at most {most} characters and was left out.</source>
        <translation>&apos;{key}&apos; ist keine Zeile von höchstens {most} Zeichen und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be true or false</source>
        <translation>&apos;{key}&apos; muss true oder false sein</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; can&apos;t be {value} and was left out; give {expects}.</source>
        <translation>„{key}“ von „{name}“ kann nicht {value} sein und wurde weggelassen; möglich: {expects}.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is for &apos;{when}&apos; only and was left out.</source>
        <translation>„{key}“ von „{name}“ gilt nur für „{when}“ und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is not known and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>„{key}“ von „{name}“ ist unbekannt und wurde weggelassen; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of an automation is &apos;{text}&apos;; give a number.</source>
        <translation>„{key}“ einer Automation ist „{text}“; eine Zahl angeben.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the filter &apos;{filter}&apos; has no effect without a mask; add mask=, or leave &apos;{key}&apos; out.</source>
        <translation>„{key}“ des Filters „{filter}“ hat ohne Maske keine Wirkung; mask= hinzufügen oder „{key}“ weglassen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of the automation &apos;{source}&apos;; there are: {names}.</source>
        <translation>„{name}“ ist keine Einstellung der Automatisierung „{source}“; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of {owner}; did you mean &apos;{near}&apos;?</source>
        <translation>„{name}“ ist keine Einstellung von {owner}; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows the audio of a video file, and there is none; remove that automation.</source>
        <translation>„{name}“ von „{filter}“ folgt dem Ton einer Videodatei, und es gibt keine; diese Automation entfernen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>„{name}“ von „{filter}“ folgt dem, was ein Analysenetz findet, und es gibt keins; eins wählen (--model).</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows {source}, which only the window receives; remove that automation, or give it key frames.</source>
        <translation>„{name}“ von „{filter}“ folgt {source}, was nur das Fenster empfängt; diese Automation entfernen oder ihr Keyframes geben.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the automation of &apos;{target}&apos; is {value}; give a number from {min:g} to {max:g}.</source>
        <translation>„{name}“ der Automation von „{target}“ ist {value}; eine Zahl von {min:g} bis {max:g} angeben.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the filter &apos;{filter}&apos; is no number that can be automated; there are: {names}.</source>
        <translation>„{name}“ des Filters „{filter}“ ist keine Zahl, die automatisiert werden kann; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;when&apos; is {value}, and &apos;{zone}&apos; is a {kind}; give {known}.</source>
        <translation>„{name}“ wurde weggelassen: „when“ ist {value}, und „{zone}“ ist vom Typ {kind}; möglich: {known}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is missing; give {known}.</source>
        <translation>„{name}“ wurde weggelassen: „{key}“ fehlt; möglich: {known}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is {value}; did you mean &apos;{near}&apos;?</source>
        <translation>„{name}“ wurde weggelassen: „{key}“ ist {value}; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is {value}; give {known}.</source>
        <translation>„{name}“ wurde weggelassen: „{key}“ ist {value}; möglich: {known}.</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;, nor other settings; leave it out.</source>
        <translation>„{of}“ hat weder „{name}“ noch andere Einstellungen; weglassen.</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;; did you mean &apos;{near}&apos;?</source>
        <translation>„{of}“ hat kein „{name}“; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;; it has: {names}.</source>
        <translation>„{of}“ hat kein „{name}“; es hat: {names}.</translation>
    </message>
    <message>
        <source>&apos;{owner}&apos; names the class &apos;{name}&apos;, which the network does not have; choose one such as {known}.</source>
        <translation>„{owner}“ nennt die Klasse „{name}“, die das Netz nicht hat; eine wählen wie {known}.</translation>
    </message>
    <message>
        <source>&apos;{owner}&apos; names the class &apos;{name}&apos;, which the network does not have; did you mean &apos;{near}&apos;?</source>
        <translation>„{owner}“ nennt die Klasse „{name}“, die das Netz nicht hat; ist „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{prefix}&apos; is no discovery prefix; give the one of Home Assistant, by default homeassistant</source>
        <translation>&apos;{prefix}&apos; ist kein Discovery-Präfix; das von Home Assistant angeben, üblich ist homeassistant</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; of {folder} has elements of type {dtype}, where a pipeline has floating-point numbers in planes; choose the backend onnxruntime.</source>
        <translation>„{tensor}“ von {folder} hat Elemente der Art {dtype}, wo eine Pipeline Gleitkommazahlen in Ebenen hat; den Rechenweg onnxruntime wählen.</translation>
    </message>
    <message>
        <source>&apos;{term}&apos; in the mask of the filter {text} is not a kind, with values in parentheses such as ellipse(width=30).</source>
        <translation>„{term}“ in der Maske des Filters {text} ist keine Art mit Werten in Klammern wie ellipse(width=30).</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no OSC address; give one that begins with a slash.</source>
        <translation>&apos;{text}&apos; ist keine OSC-Adresse; eine angeben, die mit einem Schrägstrich beginnt.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no frame rate; write one of 0.1 to 1000 frames per second, as in #fps=10.</source>
        <translation>„{text}“ ist keine Bildrate; eine von 0.1 bis 1000 Bildern pro Sekunde schreiben, wie in #fps=10.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no length of a segment; write a time such as 10m, or a size such as 500MB.</source>
        <translation>„{text}“ ist keine Länge eines Abschnitts; eine Dauer wie 10m oder eine Größe wie 500MB schreiben.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no length of time; write one such as 90s, 10m, 1h30m or 7d.</source>
        <translation>„{text}“ ist keine Dauer; eine wie 90s, 10m, 1h30m oder 7d schreiben.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no port for OSC; give a number such as 9000, or HOST:PORT.</source>
        <translation>„{text}“ ist kein Port für OSC; eine Zahl wie 9000 oder HOST:PORT angeben.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no size; write one such as 500MB or 50GB.</source>
        <translation>„{text}“ ist keine Größe; eine wie 500MB oder 50GB schreiben.</translation>
    </message>
    <message>
        <source>-1 to 1 over the input</source>
        <translation>-1 bis 1 über die Eingabe</translation>
    </message>
    <message>
        <source>66 maps with their offsets, or 66 points</source>
        <translation>66 Karten mit ihren Versätzen oder 66 Punkte</translation>
    </message>
    <message>
        <source>A brown print from the attic: soft, grainy, darker towards the corners.</source>
        <translation>Ein brauner Abzug vom Dachboden: weich, körnig, zu den Ecken hin dunkler.</translation>
    </message>
    <message>
        <source>A chain has at most {most} automations; leave some out.</source>
        <translation>Eine Kette hat höchstens {most} Automationen; einige weglassen.</translation>
    </message>
    <message>
        <source>A closed outline of straight lines. Draw it in the video.</source>
        <translation>Ein geschlossener Umriss aus geraden Linien. Im Video zu zeichnen.</translation>
    </message>
    <message>
        <source>A note gives its velocity while it is held.</source>
        <translation>Eine Note gibt ihre Anschlagstärke, solange sie gehalten wird.</translation>
    </message>
    <message>
        <source>A part of the mask has no kind; give one, such as person.</source>
        <translation>Ein Teil der Maske hat keine Art; eine angeben, etwa person.</translation>
    </message>
    <message>
        <source>A poster in blue and coral, printed from two stencils.</source>
        <translation>Ein Plakat in Blau und Koralle, mit zwei Schablonen gedruckt.</translation>
    </message>
    <message>
        <source>A rectangle, with round corners if you like.</source>
        <translation>Ein Rechteck, auf Wunsch mit runden Ecken.</translation>
    </message>
    <message>
        <source>A tape that was copied too often: bleeding colors, noise and torn lines.</source>
        <translation>Ein zu oft kopiertes Band: verlaufende Farben, Rauschen und zerrissene Zeilen.</translation>
    </message>
    <message>
        <source>A trial image gives {low:.3g} to {high:.3g}, so logits; a sigmoid makes the mask of them.</source>
        <translation>Ein Probebild ergibt {low:.3g} bis {high:.3g}, also Logits; ein Sigmoid macht die Maske daraus.</translation>
    </message>
    <message>
        <source>A trial image gives {low:.3g} to {high:.3g}, so probabilities, which are the mask.</source>
        <translation>Ein Probebild ergibt {low:.3g} bis {high:.3g}, also Wahrscheinlichkeiten, und diese sind die Maske.</translation>
    </message>
    <message>
        <source>A trial run shows that its outputs are those of {title}.</source>
        <translation>Ein Probelauf zeigt, dass die Ausgänge die von {title} sind.</translation>
    </message>
    <message>
        <source>A trial run shows that the boxes are {units}.</source>
        <translation>Ein Probelauf zeigt, dass die Rahmen {units} sind.</translation>
    </message>
    <message>
        <source>A tube screen with scan lines, color fringes and curved glass.</source>
        <translation>Ein Röhrenbildschirm mit Zeilen, Farbsäumen und gewölbtem Glas.</translation>
    </message>
    <message>
        <source>A zone that objects are counted in.</source>
        <translation>Eine Zone, in der Dinge gezählt werden.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add light</source>
        <translation>Licht addieren</translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation>Zur Kette hinzufügen</translation>
    </message>
    <message>
        <source>Add to the playlist</source>
        <translation>Zur Playlist hinzufügen</translation>
    </message>
    <message>
        <source>After a playlist&apos;s last entry</source>
        <translation>Nach dem letzten Eintrag einer Playlist</translation>
    </message>
    <message>
        <source>An automation has no &apos;of&apos;; name a number of the effect there.</source>
        <translation>Eine Automation hat kein &apos;of&apos;; dort eine Zahl des Effekts nennen.</translation>
    </message>
    <message>
        <source>An automation of &apos;{filter}&apos; of a layer follows the main video; give it key frames, or lfo.</source>
        <translation>Eine Automation von &apos;{filter}&apos; einer Ebene folgt dem Hauptvideo; ihr Keyframes oder lfo geben.</translation>
    </message>
    <message>
        <source>An ellipse.</source>
        <translation>Eine Ellipse.</translation>
    </message>
    <message>
        <source>An image entity for each event, with the frame in which it happened.</source>
        <translation>Eine Bild-Entität für jedes Ereignis, mit dem Bild, in dem es eintrat.</translation>
    </message>
    <message>
        <source>An image, with its transparency.</source>
        <translation>Ein Bild, mit seiner Transparenz.</translation>
    </message>
    <message>
        <source>Another effect</source>
        <translation>Anderer Effekt</translation>
    </message>
    <message>
        <source>Another program records to {path} at the moment; stop it, or choose another name.</source>
        <translation>Ein anderes Programm nimmt gerade nach {path} auf; es beenden oder einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>Apply this look</source>
        <translation>Diesen Look anwenden</translation>
    </message>
    <message>
        <source>As a share of the image&apos;s height; 0 keeps the proportions.</source>
        <translation>Als Anteil der Bildhöhe; 0 behält die Proportionen.</translation>
    </message>
    <message>
        <source>As a share of the image&apos;s width; 0 keeps the proportions.</source>
        <translation>Als Anteil der Bildbreite; 0 behält die Proportionen.</translation>
    </message>
    <message>
        <source>At its end</source>
        <translation>Am Ende</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Audio spectrum</source>
        <translation>Audiospektrum</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>Begin a new file</source>
        <translation>Neue Datei beginnen</translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation>Von vorn beginnen</translation>
    </message>
    <message>
        <source>Behind the text; transparent by default.</source>
        <translation>Hinter dem Text; sonst transparent.</translation>
    </message>
    <message>
        <source>Black and white as through a red glass: dark skies, bright skin, deep shadows.</source>
        <translation>Schwarzweiß wie durch ein rotes Glas: dunkler Himmel, helle Haut, tiefe Schatten.</translation>
    </message>
    <message>
        <source>Black dots on gray paper, as a newspaper prints photographs.</source>
        <translation>Schwarze Punkte auf grauem Papier, wie eine Zeitung Fotos druckt.</translation>
    </message>
    <message>
        <source>Blend mode</source>
        <translation>Mischmodus</translation>
    </message>
    <message>
        <source>Blueprint</source>
        <translation>Blaupause</translation>
    </message>
    <message>
        <source>Blurs what is behind you, with a network.</source>
        <translation>Macht unscharf, was hinter dir ist, mit einem Netz.</translation>
    </message>
    <message>
        <source>Brightness range</source>
        <translation>Helligkeitsbereich</translation>
    </message>
    <message>
        <source>Brings out detail in haze, in shadows and in flat light.</source>
        <translation>Holt Einzelheiten aus Dunst, Schatten und flachem Licht.</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>Brush lines and diluted ink on paper, with a network.</source>
        <translation>Pinselstriche und verdünnte Tusche auf Papier, mit einem Netz.</translation>
    </message>
    <message>
        <source>By how much it is turned, clockwise.</source>
        <translation>Um wie viel es im Uhrzeigersinn gedreht ist.</translation>
    </message>
    <message>
        <source>By other programs, and by a page for browsers; each needs the code.</source>
        <translation>Durch andere Programme und durch eine Seite für Browser; jedes braucht den Code.</translation>
    </message>
    <message>
        <source>C&amp;lear the effects</source>
        <translation>Effekte &amp;leeren</translation>
    </message>
    <message>
        <source>COCO&apos;s categories, by their numbers from 1 to 90</source>
        <translation>Kategorien von COCO mit ihren Nummern von 1 bis 90</translation>
    </message>
    <message>
        <source>COCO&apos;s categories, by their numbers less 1</source>
        <translation>Kategorien von COCO mit ihren Nummern weniger 1</translation>
    </message>
    <message>
        <source>Cameras, the sample, addresses with a password, and unusual file names.</source>
        <translation>Kameras, das Beispiel, Adressen mit Passwort und ungewöhnliche Dateinamen.</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>Zentriert</translation>
    </message>
    <message>
        <source>Clear view</source>
        <translation>Klare Sicht</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Color behind the picture.</source>
        <translation>Farbe hinter dem Bild.</translation>
    </message>
    <message>
        <source>Color burn</source>
        <translation>Farbig nachbelichten</translation>
    </message>
    <message>
        <source>Color class 0</source>
        <translation>Klasse 0</translation>
    </message>
    <message>
        <source>Color difference that counts as an edge and is kept; smaller ones are smoothed away.</source>
        <translation>Farbunterschied, der als Kante gilt und bleibt; kleinere werden geglättet.</translation>
    </message>
    <message>
        <source>Color dodge</source>
        <translation>Farbig abwedeln</translation>
    </message>
    <message>
        <source>Color fringes that grow towards the corners, as a lens leaves them when it enlarges red and blue differently.</source>
        <translation>Farbsäume, die zu den Ecken hin wachsen, wie sie ein Objektiv hinterlässt, das Rot und Blau verschieden vergrößert.</translation>
    </message>
    <message>
        <source>Color of black.</source>
        <translation>Farbe von Schwarz.</translation>
    </message>
    <message>
        <source>Color of the bars.</source>
        <translation>Farbe der Balken.</translation>
    </message>
    <message>
        <source>Color of the characters.</source>
        <translation>Farbe der Zeichen.</translation>
    </message>
    <message>
        <source>Color of the glow.</source>
        <translation>Farbe des Leuchtens.</translation>
    </message>
    <message>
        <source>Color of the ink.</source>
        <translation>Farbe der Tinte.</translation>
    </message>
    <message>
        <source>Color of the lines.</source>
        <translation>Farbe der Linien.</translation>
    </message>
    <message>
        <source>Color of the paper.</source>
        <translation>Farbe des Papiers.</translation>
    </message>
    <message>
        <source>Color of the screen.</source>
        <translation>Farbe der Leinwand.</translation>
    </message>
    <message>
        <source>Color of white.</source>
        <translation>Farbe von Weiß.</translation>
    </message>
    <message>
        <source>Color temperature of the light in the scene; a higher one makes the picture warmer.</source>
        <translation>Farbtemperatur des Lichts in der Szene; eine höhere macht das Bild wärmer.</translation>
    </message>
    <message>
        <source>Color the first class too, which is the background of most networks.</source>
        <translation>Auch die erste Klasse färben, die bei den meisten Netzen der Hintergrund ist.</translation>
    </message>
    <message>
        <source>Colors from far to near.</source>
        <translation>Farben von fern nach nah.</translation>
    </message>
    <message>
        <source>Colors of the window. The text size is that of the desktop.</source>
        <translation>Farben des Fensters. Die Textgröße ist die der Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>Comic</source>
        <translation>Comic</translation>
    </message>
    <message>
        <source>Commands used lately</source>
        <translation>Zuletzt benutzte Befehle</translation>
    </message>
    <message>
        <source>Compare with {network}</source>
        <translation>Vergleichen mit {network}</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Connecting...</source>
        <translation>Verbindet...</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Contrast about middle gray, then brightness, then gamma, on the displayed values.</source>
        <translation>Kontrast um Mittelgrau, dann Helligkeit, dann Gamma, auf den gezeigten Werten.</translation>
    </message>
    <message>
        <source>Contrast of luma around the middle; 1 keeps it.</source>
        <translation>Kontrast der Luma um die Mitte; 1 behält ihn.</translation>
    </message>
    <message>
        <source>Contrast-limited adaptive histogram equalization of luma: brings out detail in dark and bright parts alike.</source>
        <translation>Kontrastbegrenzte adaptive Histogrammangleichung der Luma: bringt Details in dunklen wie hellen Teilen hervor.</translation>
    </message>
    <message>
        <source>Controller for the next look</source>
        <translation>Regler für den nächsten Look</translation>
    </message>
    <message>
        <source>Controller for the previous look</source>
        <translation>Regler für den vorigen Look</translation>
    </message>
    <message>
        <source>Cool shadows and warm skin, the grade of action cinema.</source>
        <translation>Kühle Schatten und warme Haut, die Farben des Actionkinos.</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>Koordinaten</translation>
    </message>
    <message>
        <source>Corners</source>
        <translation>Ecken</translation>
    </message>
    <message>
        <source>Counted from 0.</source>
        <translation>Von 0 an gezählt.</translation>
    </message>
    <message>
        <source>Counts from the next video on.</source>
        <translation>Gilt ab dem nächsten Video.</translation>
    </message>
    <message>
        <source>Crests that pass in a second; rings run outwards.</source>
        <translation>Wellenberge je Sekunde; Ringe laufen nach außen.</translation>
    </message>
    <message>
        <source>Crop and zoom</source>
        <translation>Zuschnitt und Zoom</translation>
    </message>
    <message>
        <source>Cross-fade of looks</source>
        <translation>Überblendung von Looks</translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation>Wölbung</translation>
    </message>
    <message>
        <source>Cut off at the bottom.</source>
        <translation>Unten abgeschnitten.</translation>
    </message>
    <message>
        <source>Cut off at the left.</source>
        <translation>Links abgeschnitten.</translation>
    </message>
    <message>
        <source>Cut off at the right.</source>
        <translation>Rechts abgeschnitten.</translation>
    </message>
    <message>
        <source>Cut off at the top.</source>
        <translation>Oben abgeschnitten.</translation>
    </message>
    <message>
        <source>Cut out</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Cuts off the edges, zooms and pans, and scales what is left to the frame.</source>
        <translation>Schneidet die Ränder ab, zoomt, schwenkt und bringt den Rest auf Bildgröße.</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark characters on light paper: dense where the picture is dark.</source>
        <translation>Dunkle Zeichen auf hellem Papier: dicht, wo das Bild dunkel ist.</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Darken</source>
        <translation>Abdunkeln</translation>
    </message>
    <message>
        <source>Darkens all but a soft oval in the middle.</source>
        <translation>Dunkelt alles außer einem weichen Oval in der Mitte ab.</translation>
    </message>
    <message>
        <source>Darkens the frame around the objects that the network detects, with a soft ellipse of light on each.</source>
        <translation>Dunkelt das Bild um die Objekte ab, die das Netz erkennt, mit einer weichen Lichtellipse auf jedem.</translation>
    </message>
    <message>
        <source>Darkens the picture towards its corners, as a lens does, in linear light.</source>
        <translation>Dunkelt das Bild zu den Ecken hin ab wie ein Objektiv, in linearem Licht.</translation>
    </message>
    <message>
        <source>Darkness of every other pair of lines.</source>
        <translation>Dunkelheit jedes zweiten Zeilenpaars.</translation>
    </message>
    <message>
        <source>Darkness of the lines.</source>
        <translation>Dunkelheit der Linien.</translation>
    </message>
    <message>
        <source>Dawn, chosen for {model}, finds no adapter called &apos;{name}&apos; (it finds: {names}); set LIGHTLOOM_WEBGPU=wgpu to look with wgpu-native.</source>
        <translation>Dawn, für {model} gewählt, findet keinen Adapter namens „{name}“ (gefunden: {names}); mit LIGHTLOOM_WEBGPU=wgpu sucht wgpu-native.</translation>
    </message>
    <message>
        <source>Daydream</source>
        <translation>Tagtraum</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>Abklingen</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <source>Decoding of videos</source>
        <translation>Dekodieren von Videos</translation>
    </message>
    <message>
        <source>DeepLab v3, MobileNetV2</source>
        <translation>DeepLab v3, MobileNetV2</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Depth of field</source>
        <translation>Schärfentiefe</translation>
    </message>
    <message>
        <source>Depth of the dark gaps between scan lines.</source>
        <translation>Tiefe der dunklen Lücken zwischen den Zeilen.</translation>
    </message>
    <message>
        <source>Depth of the stripes of the three primaries, each one pixel wide.</source>
        <translation>Tiefe der Streifen der drei Grundfarben, jeder einen Pixel breit.</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Detail</translation>
    </message>
    <message>
        <source>Detected objects</source>
        <translation>Erkannte Dinge</translation>
    </message>
    <message>
        <source>Detections</source>
        <translation>Erkennungen</translation>
    </message>
    <message>
        <source>Devices in the local network</source>
        <translation>Geräte im lokalen Netzwerk</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Differences in luma below this stay as they are, so that noise is not sharpened.</source>
        <translation>Luma-Unterschiede darunter bleiben, wie sie sind, damit Rauschen nicht geschärft wird.</translation>
    </message>
    <message>
        <source>Diffusion has no network; choose the folder of a Stable Diffusion pipeline, such as SD-Turbo or an LCM, or the .onnx file of a denoiser (docs/live-diffusion.md).</source>
        <translation>Diffusion hat kein Netz; den Ordner einer Stable-Diffusion-Pipeline wählen, etwa SD-Turbo oder ein LCM, oder die .onnx-Datei eines Entrauschers (docs/live-diffusion.md).</translation>
    </message>
    <message>
        <source>Dim</source>
        <translation>Abdunkeln</translation>
    </message>
    <message>
        <source>Discovery prefix</source>
        <translation>Discovery-Präfix</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Distance between grains.</source>
        <translation>Abstand der Körner.</translation>
    </message>
    <message>
        <source>Distance from crest to crest.</source>
        <translation>Abstand von Wellenberg zu Wellenberg.</translation>
    </message>
    <message>
        <source>Distance from dot to dot.</source>
        <translation>Abstand von Punkt zu Punkt.</translation>
    </message>
    <message>
        <source>Distance from the band to the full blur.</source>
        <translation>Abstand vom Band bis zur vollen Unschärfe.</translation>
    </message>
    <message>
        <source>Distance in Cb and Cr (each reaches from -0.5 to 0.5) up to which a pixel is screen.</source>
        <translation>Abstand in Cb und Cr (beide reichen von -0,5 bis 0,5), bis zu dem ein Pixel Leinwand ist.</translation>
    </message>
    <message>
        <source>Distortion</source>
        <translation>Verzeichnung</translation>
    </message>
    <message>
        <source>Dither</source>
        <translation>Dithering</translation>
    </message>
    <message>
        <source>Draws every edge as a glowing tube in its own color, on black.</source>
        <translation>Zeichnet jede Kante als leuchtende Röhre in ihrer Farbe auf Schwarz.</translation>
    </message>
    <message>
        <source>Draws glowing lines along the edges over a darkened picture, as neon tubes.</source>
        <translation>Zeichnet leuchtende Linien entlang der Kanten über ein abgedunkeltes Bild, wie Neonröhren.</translation>
    </message>
    <message>
        <source>Draws the spectrum of the video&apos;s audio as bars over the frame.</source>
        <translation>Zeichnet das Spektrum des Tons als Balken über das Bild.</translation>
    </message>
    <message>
        <source>Duotone</source>
        <translation>Duplex</translation>
    </message>
    <message>
        <source>Dusk sky</source>
        <translation>Abendhimmel</translation>
    </message>
    <message>
        <source>E&amp;vents</source>
        <translation>Er&amp;eignisse</translation>
    </message>
    <message>
        <source>E&amp;xport look as one file...</source>
        <translation>Look als eine Datei e&amp;xportieren...</translation>
    </message>
    <message>
        <source>EV</source>
        <translation>EV</translation>
    </message>
    <message>
        <source>Each entry again and again</source>
        <translation>Jeder Eintrag immer wieder</translation>
    </message>
    <message>
        <source>Each entry is played once before any comes again.</source>
        <translation>Jeder Eintrag kommt einmal dran, bevor einer wiederkommt.</translation>
    </message>
    <message>
        <source>Edge contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Edge glow</source>
        <translation>Kantenglühen</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>Kanten</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Effekt</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>Effekte</translation>
    </message>
    <message>
        <source>Ellipse</source>
        <translation>Ellipse</translation>
    </message>
    <message>
        <source>Emboss</source>
        <translation>Prägung</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>End at scene cuts</source>
        <translation>An Schnitten enden</translation>
    </message>
    <message>
        <source>Enlarge the mask, or shrink it; in percent of the frame&apos;s height.</source>
        <translation>Die Maske vergrößern oder verkleinern; in Prozent der Bildhöhe.</translation>
    </message>
    <message>
        <source>Enlargement from frame to frame.</source>
        <translation>Vergrößerung von Bild zu Bild.</translation>
    </message>
    <message>
        <source>Enlarges on top of that.</source>
        <translation>Vergrößert zusätzlich.</translation>
    </message>
    <message>
        <source>Enlarges the change.</source>
        <translation>Vergrößert die Änderung.</translation>
    </message>
    <message>
        <source>Enlarges what the edges leave.</source>
        <translation>Vergrößert, was die Ränder übrig lassen.</translation>
    </message>
    <message>
        <source>Enlarges what the slices show.</source>
        <translation>Vergrößert, was die Segmente zeigen.</translation>
    </message>
    <message>
        <source>Enlarges, to hide empty corners.</source>
        <translation>Vergrößert, um leere Ecken zu verbergen.</translation>
    </message>
    <message>
        <source>Entries of the playlist that are not stored</source>
        <translation>Nicht gespeicherte Einträge der Wiedergabeliste</translation>
    </message>
    <message>
        <source>Entry of the playlist that is in turn</source>
        <translation>Eintrag der Playlist, der an der Reihe ist</translation>
    </message>
    <message>
        <source>Equalize</source>
        <translation>Angleichen</translation>
    </message>
    <message>
        <source>Estimates how near things are with a neural network, and shows it in colors or blurs what is out of focus.</source>
        <translation>Schätzt mit einem neuronalen Netz, wie nah Dinge sind, und zeigt es in Farben oder zeichnet weich, was außerhalb der Schärfe liegt.</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Every 10 minutes</source>
        <translation>Alle 10 Minuten</translation>
    </message>
    <message>
        <source>Every 30 minutes</source>
        <translation>Alle 30 Minuten</translation>
    </message>
    <message>
        <source>Every hour</source>
        <translation>Jede Stunde</translation>
    </message>
    <message>
        <source>Every minute</source>
        <translation>Jede Minute</translation>
    </message>
    <message>
        <source>Exclusion</source>
        <translation>Ausschluss</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>Belichtung</translation>
    </message>
    <message>
        <source>Exposure of bright areas.</source>
        <translation>Belichtung heller Bereiche.</translation>
    </message>
    <message>
        <source>Exposure of dark areas.</source>
        <translation>Belichtung dunkler Bereiche.</translation>
    </message>
    <message>
        <source>Extra saturation that fades to none for colors that are already saturated.</source>
        <translation>Zusätzliche Sättigung, die bei schon gesättigten Farben ausläuft.</translation>
    </message>
    <message>
        <source>Face points</source>
        <translation>Gesichtspunkte</translation>
    </message>
    <message>
        <source>Face points: jaw, brows, nose, eyes and mouth</source>
        <translation>Gesichtspunkte: Kiefer, Brauen, Nase, Augen und Mund</translation>
    </message>
    <message>
        <source>Factor about middle gray (0.5); 0 leaves a flat gray.</source>
        <translation>Faktor um Mittelgrau (0,5); 0 ergibt flaches Grau.</translation>
    </message>
    <message>
        <source>Factor for all colors; 0 is black and white.</source>
        <translation>Faktor für alle Farben; 0 ist Schwarzweiß.</translation>
    </message>
    <message>
        <source>Factor of the difference that is added; 0 changes nothing.</source>
        <translation>Faktor des Unterschieds, der addiert wird; 0 ändert nichts.</translation>
    </message>
    <message>
        <source>Factor on the light, against the loss in lines and mask.</source>
        <translation>Faktor für das Licht, gegen den Verlust in Zeilen und Maske.</translation>
    </message>
    <message>
        <source>Faded summer</source>
        <translation>Verblasster Sommer</translation>
    </message>
    <message>
        <source>Falloff</source>
        <translation>Abfall</translation>
    </message>
    <message>
        <source>False colors from cold to hot, by brightness.</source>
        <translation>Falschfarben von kalt bis heiß, nach der Helligkeit.</translation>
    </message>
    <message>
        <source>Far</source>
        <translation>Fern</translation>
    </message>
    <message>
        <source>FastestDet</source>
        <translation>FastestDet</translation>
    </message>
    <message>
        <source>Favorite looks</source>
        <translation>Lieblings-Looks</translation>
    </message>
    <message>
        <source>Feather</source>
        <translation>Weiche Kante</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>Rückkopplung</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>Füllung</translation>
    </message>
    <message>
        <source>Fill, and cut off</source>
        <translation>Füllen und beschneiden</translation>
    </message>
    <message>
        <source>Film grain</source>
        <translation>Filmkorn</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassung</translation>
    </message>
    <message>
        <source>Fit it into the frame, cover the frame, stretch to it, or leave it where it was.</source>
        <translation>Ins Bild einpassen, das Bild füllen, darauf strecken oder lassen, wo es war.</translation>
    </message>
    <message>
        <source>Fitting: the object&apos;s own mask if the network gives one, an ellipse around a face, else its box.</source>
        <translation>Passend: die Maske des Dings selbst, wenn das Netz eine ergibt, eine Ellipse um ein Gesicht, sonst sein Rahmen.</translation>
    </message>
    <message>
        <source>Flat tones, dark outlines and printed dots, as in a comic book.</source>
        <translation>Flächige Töne, dunkle Umrisse und Druckpunkte, wie in einem Comicheft.</translation>
    </message>
    <message>
        <source>Flat, loud colors with black outlines and coarse dots, as a screen print has them.</source>
        <translation>Flächige, grelle Farben mit schwarzen Umrissen und groben Punkten, wie im Siebdruck.</translation>
    </message>
    <message>
        <source>Flattens the picture into brush-like patches with firm edges (Kuwahara filter).</source>
        <translation>Flacht das Bild zu pinselartigen Flächen mit festen Kanten ab (Kuwahara-Filter).</translation>
    </message>
    <message>
        <source>Flips the picture, or mirrors one half onto the other.</source>
        <translation>Spiegelt das Bild oder eine Hälfte auf die andere.</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>Schärfe</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Follow edges</source>
        <translation>Kanten folgen</translation>
    </message>
    <message>
        <source>Follows a knob, fader or key of a MIDI device.</source>
        <translation>Folgt einem Drehknopf, Schieber oder einer Taste eines MIDI-Geräts.</translation>
    </message>
    <message>
        <source>Follows a value that another program sends by Open Sound Control.</source>
        <translation>Folgt einem Wert, den ein anderes Programm über Open Sound Control sendet.</translation>
    </message>
    <message>
        <source>Follows what the analysis network finds.</source>
        <translation>Folgt dem, was das Analysenetz findet.</translation>
    </message>
    <message>
        <source>Four process inks, or one ink on paper.</source>
        <translation>Vier Druckfarben oder eine Farbe auf Papier.</translation>
    </message>
    <message>
        <source>Frame difference</source>
        <translation>Bilddifferenz</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From the third start on it may ask about new versions.</source>
        <translation>Ab dem dritten Start darf es nach neuen Versionen fragen.</translation>
    </message>
    <message>
        <source>Full on one side of the frame, falling to nothing on the other.</source>
        <translation>Voll auf einer Seite des Bildes, auf der anderen bis auf nichts abnehmend.</translation>
    </message>
    <message>
        <source>Further distance over which it becomes opaque.</source>
        <translation>Weiterer Abstand, über den es deckend wird.</translation>
    </message>
    <message>
        <source>GPL-3.0 (its repository&apos;s)</source>
        <translation>GPL-3.0 (die ihres Repositorys)</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Gaussian blur</source>
        <translation>Gaußscher Weichzeichner</translation>
    </message>
    <message>
        <source>Gentle contrast, a soft glow and fine grain, as in a movie theater.</source>
        <translation>Sanfter Kontrast, weiches Leuchten und feines Korn, wie im Kino.</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>Geometrie</translation>
    </message>
    <message>
        <source>Gives bright parts at the top, such as a sky, the colors of dusk.</source>
        <translation>Gibt hellen Teilen oben, etwa dem Himmel, die Farben der Dämmerung.</translation>
    </message>
    <message>
        <source>Gives each channel the median of its neighborhood: removes specks and keeps edges.</source>
        <translation>Gibt jedem Kanal den Median seiner Umgebung: entfernt Flecken und behält Kanten.</translation>
    </message>
    <message>
        <source>Glitch</source>
        <translation>Bildstörung</translation>
    </message>
    <message>
        <source>Global shortcut: next look</source>
        <translation>Globale Taste: nächster Look</translation>
    </message>
    <message>
        <source>Global shortcut: play or pause</source>
        <translation>Globale Taste: Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Global shortcut: previous look</source>
        <translation>Globale Taste: voriger Look</translation>
    </message>
    <message>
        <source>Global shortcut: recording</source>
        <translation>Globale Taste: Aufnahme</translation>
    </message>
    <message>
        <source>Global shortcut: snapshot</source>
        <translation>Globale Taste: Schnappschüsse</translation>
    </message>
    <message>
        <source>Global shortcut: undo</source>
        <translation>Globale Taste: Rückgängig</translation>
    </message>
    <message>
        <source>Global shortcuts</source>
        <translation>Globale Tasten</translation>
    </message>
    <message>
        <source>Glow</source>
        <translation>Leuchten</translation>
    </message>
    <message>
        <source>Glowing outlines over a bluish night.</source>
        <translation>Leuchtende Umrisse über einer bläulichen Nacht.</translation>
    </message>
    <message>
        <source>Goes to and fro by itself.</source>
        <translation>Geht von selbst hin und her.</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Gradient of luma (Sobel, a hard edge from black to white is 1) below which there is no line.</source>
        <translation>Luma-Gradient (Sobel; eine harte Kante von Schwarz zu Weiß ist 1), unter dem keine Linie ist.</translation>
    </message>
    <message>
        <source>Greatest number</source>
        <translation>Größte Anzahl</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Green (below 0) or magenta (above 0) correction; one step is 1/3000 in CIE 1960 uv across the Planckian locus.</source>
        <translation>Korrektur zu Grün (unter 0) oder Magenta (über 0); ein Schritt ist 1/3000 in CIE 1960 uv quer zum Planckschen Kurvenzug.</translation>
    </message>
    <message>
        <source>Green characters on a dark tube, for text screens of the eighties.</source>
        <translation>Grüne Zeichen auf dunkler Röhre, wie Textbildschirme der Achtziger.</translation>
    </message>
    <message>
        <source>Grow</source>
        <translation>Erweitern</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Führung</translation>
    </message>
    <message>
        <source>Guided smoothing</source>
        <translation>Geführte Glättung</translation>
    </message>
    <message>
        <source>Half the range of probability over which the mask fades.</source>
        <translation>Der halbe Bereich der Wahrscheinlichkeit, über den die Maske ausläuft.</translation>
    </message>
    <message>
        <source>Half width of the square window.</source>
        <translation>Halbe Breite des quadratischen Fensters.</translation>
    </message>
    <message>
        <source>Halftone</source>
        <translation>Druckraster</translation>
    </message>
    <message>
        <source>Hard light</source>
        <translation>Hartes Licht</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>Härte</translation>
    </message>
    <message>
        <source>Have the effect where the mask is not.</source>
        <translation>Den Effekt dort haben, wo die Maske nicht ist.</translation>
    </message>
    <message>
        <source>Heat camera</source>
        <translation>Wärmebildkamera</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Height of a line, as a share of the image&apos;s height.</source>
        <translation>Höhe einer Zeile, als Anteil der Bildhöhe.</translation>
    </message>
    <message>
        <source>Height of a row of blocks; a block is four to sixteen times as wide.</source>
        <translation>Höhe einer Blockreihe; ein Block ist vier- bis sechzehnmal so breit.</translation>
    </message>
    <message>
        <source>Height of a scan line.</source>
        <translation>Höhe einer Zeile.</translation>
    </message>
    <message>
        <source>Height of the loudest bar.</source>
        <translation>Höhe des lautesten Balkens.</translation>
    </message>
    <message>
        <source>Height of the relief.</source>
        <translation>Höhe des Reliefs.</translation>
    </message>
    <message>
        <source>Hide it</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Hide the events</source>
        <translation>Ereignisse ausblenden</translation>
    </message>
    <message>
        <source>Hide the layers</source>
        <translation>Ebenen ausblenden</translation>
    </message>
    <message>
        <source>Hide the scopes</source>
        <translation>Scopes ausblenden</translation>
    </message>
    <message>
        <source>Hide the set list</source>
        <translation>Setliste ausblenden</translation>
    </message>
    <message>
        <source>Hide the shader editor</source>
        <translation>Shader-Editor ausblenden</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>Quellen ausblenden</translation>
    </message>
    <message>
        <source>Hide the zones</source>
        <translation>Zonen ausblenden</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>High dynamic range ({name}) is kept as it is coded.</source>
        <translation>Der hohe Dynamikumfang ({name}) bleibt, wie er codiert ist.</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); keep HDR, with the codec {codec}, to leave it as it is (--hdr keep --codec {codec}).</source>
        <translation>Hoher Dynamikumfang wird zu Standardumfang (BT.709); mit „HDR beibehalten“ und dem Codec {codec} bleibt er, wie er ist (--hdr keep --codec {codec}).</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); keep HDR to leave it as it is (--hdr keep).</source>
        <translation>Hoher Dynamikumfang wird zu Standardumfang (BT.709); mit „HDR beibehalten“ bleibt er, wie er ist (--hdr keep).</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); leave out slow motion and frame interpolation to keep it.</source>
        <translation>Aus hohem Dynamikumfang wird der übliche (BT.709); Zeitlupe und Zwischenbilder weglassen, um ihn zu behalten.</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); write one of {kinds} and keep HDR to leave it as it is (--hdr keep).</source>
        <translation>Hoher Dynamikumfang wird zu Standardumfang (BT.709); als {kinds} und mit „HDR beibehalten“ bleibt er, wie er ist (--hdr keep).</translation>
    </message>
    <message>
        <source>Highlights</source>
        <translation>Lichter</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Halten</translation>
    </message>
    <message>
        <source>Hold until the next one</source>
        <translation>Bis zum nächsten halten</translation>
    </message>
    <message>
        <source>How abruptly one step changes to the next.</source>
        <translation>Wie abrupt ein Schritt in den nächsten übergeht.</translation>
    </message>
    <message>
        <source>How edges are drawn.</source>
        <translation>Wie Kanten gezeichnet werden.</translation>
    </message>
    <message>
        <source>How edges are drawn; &apos;direction&apos; gives each direction of the slope a hue, &apos;over_picture&apos; adds the edges to the picture.</source>
        <translation>Wie Kanten gezeichnet werden; „Richtung“ gibt jeder Richtung der Steigung einen Farbton, „über dem Bild“ legt die Kanten auf das Bild.</translation>
    </message>
    <message>
        <source>How far a character&apos;s color is raised to full brightness, since its shape alone gives the tone.</source>
        <translation>Wie weit die Farbe eines Zeichens auf volle Helligkeit angehoben wird, da schon seine Form den Ton gibt.</translation>
    </message>
    <message>
        <source>How far a hue may be from it on either side.</source>
        <translation>Wie weit ein Farbton zu beiden Seiten davon abweichen darf.</translation>
    </message>
    <message>
        <source>How far apart the two points are whose luma is compared.</source>
        <translation>Wie weit die beiden Punkte auseinander liegen, deren Luma verglichen wird.</translation>
    </message>
    <message>
        <source>How far around the focus things are sharp.</source>
        <translation>Wie weit um den Schärfepunkt herum Dinge scharf sind.</translation>
    </message>
    <message>
        <source>How far away things are, steady over time.</source>
        <translation>Wie fern Dinge sind, ruhig über die Zeit.</translation>
    </message>
    <message>
        <source>How far the border is drawn to the picture&apos;s own edges: half width of the window in blocks of 4 pixels; 0 leaves the mask as it is.</source>
        <translation>Wie weit der Rand an die Kanten des Bildes gezogen wird: halbe Fensterbreite in Blöcken zu 4 Pixeln; 0 lässt die Maske, wie sie ist.</translation>
    </message>
    <message>
        <source>How far the glass bulges.</source>
        <translation>Wie weit sich das Glas wölbt.</translation>
    </message>
    <message>
        <source>How far the lines take on the picture&apos;s colors.</source>
        <translation>Wie weit die Linien die Farben des Bildes annehmen.</translation>
    </message>
    <message>
        <source>How far the picture&apos;s blocks shine through behind the characters.</source>
        <translation>Wie weit die Blöcke des Bildes hinter den Zeichen durchscheinen.</translation>
    </message>
    <message>
        <source>How far the twist reaches.</source>
        <translation>Wie weit die Verdrehung reicht.</translation>
    </message>
    <message>
        <source>How it goes from the least value to the greatest and back.</source>
        <translation>Wie es vom kleinsten Wert zum größten und zurück geht.</translation>
    </message>
    <message>
        <source>How long a disturbance stands still.</source>
        <translation>Wie lange eine Störung stehen bleibt.</translation>
    </message>
    <message>
        <source>How long an image is shown, of a playlist or of a folder in it.</source>
        <translation>Wie lange ein Bild gezeigt wird, einer Playlist oder eines Ordners darin.</translation>
    </message>
    <message>
        <source>How long one look takes to become the next. 0 for a cut.</source>
        <translation>Wie lange ein Look braucht, um zum nächsten zu werden. 0 für einen Schnitt.</translation>
    </message>
    <message>
        <source>How long one prompt takes to become the next.</source>
        <translation>Wie lange ein Prompt braucht, um zum nächsten zu werden.</translation>
    </message>
    <message>
        <source>How many for each of the source&apos;s; screen: as many as the screen shows.</source>
        <translation>Wie viele für jedes der Quelle; Bildschirm: so viele, wie der Bildschirm zeigt.</translation>
    </message>
    <message>
        <source>How much darker the corners are.</source>
        <translation>Wie viel dunkler die Ecken sind.</translation>
    </message>
    <message>
        <source>How much more the prompt counts; up to 1 what is not to be seen is not looked at, which takes half of the time. 0 is what is usual for the folder.</source>
        <translation>Wie viel mehr der Prompt zählt; bis 1 wird der negative Prompt nicht betrachtet, was die halbe Zeit braucht. 0 ist, was für den Ordner üblich ist.</translation>
    </message>
    <message>
        <source>How much of the scattered light is added.</source>
        <translation>Wie viel vom Streulicht hinzukommt.</translation>
    </message>
    <message>
        <source>How much the colors cover the picture.</source>
        <translation>Wie stark die Farben das Bild bedecken.</translation>
    </message>
    <message>
        <source>How soon a gradient gives a line of full brightness.</source>
        <translation>Wie bald ein Gradient eine Linie in voller Helligkeit ergibt.</translation>
    </message>
    <message>
        <source>How strongly the calmest window wins; low values blend them.</source>
        <translation>Wie stark das ruhigste Fenster gewinnt; niedrige Werte mischen sie.</translation>
    </message>
    <message>
        <source>How the effect&apos;s result is combined with the image before it.</source>
        <translation>Wie das Ergebnis des Effekts mit dem Bild davor verbunden wird.</translation>
    </message>
    <message>
        <source>How the layer is combined with what lies under it.</source>
        <translation>Wie die Ebene mit dem verbunden wird, was unter ihr liegt.</translation>
    </message>
    <message>
        <source>How the network&apos;s outputs are read, where the file does not tell it rightly.</source>
        <translation>Wie die Ausgänge des Netzes gelesen werden, wo die Datei es nicht richtig angibt.</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>Farbton</translation>
    </message>
    <message>
        <source>Hue range</source>
        <translation>Farbtonbereich</translation>
    </message>
    <message>
        <source>Hz</source>
        <translation>Hz</translation>
    </message>
    <message>
        <source>ICtCp is read as the default matrix</source>
        <translation>ICtCp wird als die übliche Matrix gelesen</translation>
    </message>
    <message>
        <source>IPT-C2 is read as the default matrix</source>
        <translation>IPT-C2 wird als die übliche Matrix gelesen</translation>
    </message>
    <message>
        <source>If the mask is missing</source>
        <translation>Wenn die Maske fehlt</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>ImageNet</source>
        <translation>ImageNet</translation>
    </message>
    <message>
        <source>ImageNet with background first</source>
        <translation>ImageNet mit Hintergrund an erster Stelle</translation>
    </message>
    <message>
        <source>ImageNet, 1,000 kinds of things</source>
        <translation>ImageNet, 1000 Arten von Dingen</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Images of the current frame with each effect, or one row for each.</source>
        <translation>Bilder des aktuellen Einzelbilds mit jedem Effekt, oder je eine Zeile.</translation>
    </message>
    <message>
        <source>In a temporary folder, until Lightloom ends; save the ones that matter.</source>
        <translation>In einem temporären Ordner, bis Lightloom endet; die wichtigen speichern.</translation>
    </message>
    <message>
        <source>In braces: time, timecode, frame, file, date, clock, fps, count, count:CLASS, class, score, zone:NAME. \n begins a new line.</source>
        <translation>In geschweiften Klammern: time, timecode, frame, file, date, clock, fps, count, count:CLASS, class, score, zone:NAME. \n beginnt eine neue Zeile.</translation>
    </message>
    <message>
        <source>In clips that the list of events plays and saves.</source>
        <translation>In Clips, die die Liste der Ereignisse abspielt und speichert.</translation>
    </message>
    <message>
        <source>Ink</source>
        <translation>Tinte</translation>
    </message>
    <message>
        <source>Ink and wash</source>
        <translation>Lavierte Tusche</translation>
    </message>
    <message>
        <source>Input &apos;{name}&apos; of {name2} takes {dtype}{shape}, not {dtype2}{shape2}.</source>
        <translation>Der Eingang &apos;{name}&apos; von {name2} nimmt {dtype}{shape}, nicht {dtype2}{shape2}.</translation>
    </message>
    <message>
        <source>Input &apos;{node_name}&apos; of {name} has the shape {shape}, not {given}; give it a shape that fits.</source>
        <translation>Der Eingang &apos;{node_name}&apos; von {name} hat die Form {shape}, nicht {given}; eine passende Form angeben.</translation>
    </message>
    <message>
        <source>Input black</source>
        <translation>Schwarz ein</translation>
    </message>
    <message>
        <source>Input colors</source>
        <translation>Farben ein</translation>
    </message>
    <message>
        <source>Input range</source>
        <translation>Bereich ein</translation>
    </message>
    <message>
        <source>Input value that becomes output black.</source>
        <translation>Eingangswert, der zu Schwarz am Ausgang wird.</translation>
    </message>
    <message>
        <source>Input value that becomes output white.</source>
        <translation>Eingangswert, der zu Weiß am Ausgang wird.</translation>
    </message>
    <message>
        <source>Input white</source>
        <translation>Weiß ein</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Ein- oder Ausgabefehler</translation>
    </message>
    <message>
        <source>Install the newest driver of the graphics card&apos;s maker (NVIDIA, AMD, Intel), and Windows&apos; updates.</source>
        <translation>Den neuesten Treiber des Herstellers der Grafikkarte (NVIDIA, AMD, Intel) und die Updates von Windows installieren.</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>Intensität</translation>
    </message>
    <message>
        <source>Intersect</source>
        <translation>Schneiden</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>Umkehren</translation>
    </message>
    <message>
        <source>Invert part</source>
        <translation>Teil umkehren</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Es ist ein Ordner</translation>
    </message>
    <message>
        <source>It begins with no ISF header (JSON in a comment) and has no mainImage() of Shadertoy; add one of them.</source>
        <translation>Am Anfang steht kein ISF-Kopf (JSON in einem Kommentar), und ein mainImage() von Shadertoy fehlt; eines von beiden ergänzen.</translation>
    </message>
    <message>
        <source>It has no function main(); add it.</source>
        <translation>Die Funktion main() fehlt; ergänzen.</translation>
    </message>
    <message>
        <source>It has no function {wanted}; write it so.</source>
        <translation>Die Funktion {wanted} fehlt; so schreiben.</translation>
    </message>
    <message>
        <source>It has {count} declarations, which are more than {max_declarations}; use fewer.</source>
        <translation>Er hat {count} Deklarationen, mehr als {max_declarations}; weniger verwenden.</translation>
    </message>
    <message>
        <source>It has {functions} functions, which are more than {max_functions}; use fewer.</source>
        <translation>Er hat {functions} Funktionen, mehr als {max_functions}; weniger verwenden.</translation>
    </message>
    <message>
        <source>It imports the image &apos;{path}&apos;, which is not in its folder; put it there.</source>
        <translation>Das eingebundene Bild &apos;{path}&apos; liegt nicht im Ordner der Datei; dort ablegen.</translation>
    </message>
    <message>
        <source>It is a transition between two sources (&apos;{name}&apos;), and a filter has one; use another file.</source>
        <translation>Es ist ein Übergang zwischen zwei Quellen (&apos;{name}&apos;), ein Filter hat aber eine; eine andere Datei verwenden.</translation>
    </message>
    <message>
        <source>It is taken for {title}: {reason}.</source>
        <translation>Es gilt als {title}: {reason}.</translation>
    </message>
    <message>
        <source>It is taken to be for {task}: {reason}.</source>
        <translation>Es gilt als Netz für {task}: {reason}.</translation>
    </message>
    <message>
        <source>It is visible where the main image is transparent, or does not reach.</source>
        <translation>Sichtbar, wo das Hauptbild transparent ist oder nicht hinreicht.</translation>
    </message>
    <message>
        <source>It processes each frame {count} times: whole, and in overlapping tiles.</source>
        <translation>Es verarbeitet jedes Bild {count}-mal: ganz und in überlappenden Kacheln.</translation>
    </message>
    <message>
        <source>It reads the varying &apos;{name}&apos;, which no vertex shader {path} beside it sets; add the file.</source>
        <translation>Es liest die Variable &apos;{name}&apos;, die kein Vertex-Shader {path} daneben setzt; die Datei ergänzen.</translation>
    </message>
    <message>
        <source>It runs on wgpu up to {last}; the node behind it, {decider}, runs on the CPU, because its shape follows from what the network computes (it is cut at {tensors}).</source>
        <translation>Es läuft auf wgpu bis {last}; der Knoten dahinter, {decider}, läuft auf der CPU, weil seine Form aus dem folgt, was das Netz berechnet (getrennt wird bei {tensors}).</translation>
    </message>
    <message>
        <source>It runs on wgpu up to {last}; the {nodes} behind it, from {decider} on, run on the CPU, because their shapes follow from what the network computes (it is cut at {tensors}).</source>
        <translation>Es läuft auf wgpu bis {last}; {nodes} dahinter, ab {decider}, laufen auf der CPU, weil ihre Formen aus dem folgen, was das Netz berechnet (getrennt wird bei {tensors}).</translation>
    </message>
    <message>
        <source>Its center.</source>
        <translation>Ihre Mitte.</translation>
    </message>
    <message>
        <source>Its corners in fractions of the frame, such as 0.25/0.25 0.75/0.25 0.5/0.75; a ; begins another polygon.</source>
        <translation>Seine Ecken in Bruchteilen des Bildes, etwa 0.25/0.25 0.75/0.25 0.5/0.75; ein ; beginnt ein weiteres Polygon.</translation>
    </message>
    <message>
        <source>Its height, in percent of the frame&apos;s.</source>
        <translation>Ihre Höhe in Prozent der Bildhöhe.</translation>
    </message>
    <message>
        <source>Its input turns with the frames: {long}x{short}, and {short}x{long} for frames higher than wide.</source>
        <translation>Der Eingang dreht sich mit den Bildern: {long}x{short}, und {short}x{long} für Bilder, die höher als breit sind.</translation>
    </message>
    <message>
        <source>Its time at the beginning of the main video; negative, it begins later.</source>
        <translation>Seine Zeit am Anfang des Hauptvideos; negativ beginnt es später.</translation>
    </message>
    <message>
        <source>Its width, in percent of the frame&apos;s.</source>
        <translation>Ihre Breite in Prozent der Bildbreite.</translation>
    </message>
    <message>
        <source>Its {buffers} buffers take {count} textures, two for a persistent one, and {most} is most; use fewer.</source>
        <translation>Die {buffers} Puffer brauchen {count} Texturen, ein bleibender zwei, und höchstens {most} sind möglich; weniger verwenden.</translation>
    </message>
    <message>
        <source>Keep clips of the events of live sources</source>
        <translation>Clips der Ereignisse von Live-Quellen aufbewahren</translation>
    </message>
    <message>
        <source>Keep the last image</source>
        <translation>Letztes Bild behalten</translation>
    </message>
    <message>
        <source>Key frames</source>
        <translation>Keyframes</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Kind of file of the last export</source>
        <translation>Dateiart des letzten Exports</translation>
    </message>
    <message>
        <source>La&amp;yers and text</source>
        <translation>&amp;Ebenen und Text</translation>
    </message>
    <message>
        <source>Large dots in few colors, as an early home computer showed them.</source>
        <translation>Große Punkte in wenigen Farben, wie auf einem frühen Heimcomputer.</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>Layers are SDR, so HDR cannot be kept with them or a moved main image; leave them out, or let HDR become SDR (--hdr tonemap).</source>
        <translation>Ebenen sind SDR, deshalb kann HDR mit ihnen oder einem verschobenen Hauptbild nicht erhalten bleiben; sie weglassen oder HDR zu SDR machen (--hdr tonemap).</translation>
    </message>
    <message>
        <source>Leaves people in color and turns all else gray.</source>
        <translation>Lässt Personen farbig und macht alles andere grau.</translation>
    </message>
    <message>
        <source>Left edge, as a share of the image&apos;s width.</source>
        <translation>Linke Kante, als Anteil der Bildbreite.</translation>
    </message>
    <message>
        <source>Less noise, livelier colors and sharper edges for a cheap camera.</source>
        <translation>Weniger Rauschen, lebhaftere Farben und schärfere Kanten für eine billige Kamera.</translation>
    </message>
    <message>
        <source>Light that is left around the objects.</source>
        <translation>Licht, das um die Objekte bleibt.</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light trails</source>
        <translation>Lichtspuren</translation>
    </message>
    <message>
        <source>Lighten</source>
        <translation>Aufhellen</translation>
    </message>
    <message>
        <source>Line width</source>
        <translation>Zeilenbreite</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Longer lines are broken, as a share of the image&apos;s width; 0 is all of it.</source>
        <translation>Längere Zeilen werden umbrochen, als Anteil der Bildbreite; 0 ist die ganze.</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Looks</translation>
    </message>
    <message>
        <source>Looks used lately</source>
        <translation>Zuletzt verwendete Looks</translation>
    </message>
    <message>
        <source>Loudness is in decibels, from -60 to 0. Onsets and beats are short pulses.</source>
        <translation>Die Lautstärke ist in Dezibel, von -60 bis 0. Einsätze und Taktschläge sind kurze Impulse.</translation>
    </message>
    <message>
        <source>Luma of R&apos;G&apos;B&apos; (BT.709), or alpha.</source>
        <translation>Luma von R&apos;G&apos;B&apos; (BT.709) oder Alpha.</translation>
    </message>
    <message>
        <source>Luminosity</source>
        <translation>Luminanz</translation>
    </message>
    <message>
        <source>MIDI</source>
        <translation>MIDI</translation>
    </message>
    <message>
        <source>MIDI cannot be used here ({reason}); check the system&apos;s MIDI service.</source>
        <translation>MIDI ist hier nicht nutzbar ({reason}); den MIDI-Dienst des Systems prüfen.</translation>
    </message>
    <message>
        <source>MIDI devices</source>
        <translation>MIDI-Geräte</translation>
    </message>
    <message>
        <source>MIDI needs the packages mido and python-rtmidi, which are not installed: {command}.</source>
        <translation>MIDI braucht die Pakete mido und python-rtmidi, die nicht installiert sind: {command}.</translation>
    </message>
    <message>
        <source>Magnif&amp;y pixels</source>
        <translation>Pi&amp;xel vergrößern</translation>
    </message>
    <message>
        <source>Makes a street or a landscape seen from above look like a model.</source>
        <translation>Lässt eine Straße oder Landschaft von oben wie ein Modell aussehen.</translation>
    </message>
    <message>
        <source>Makes the frame transparent: with a mask, what it covers is cut out.</source>
        <translation>Macht das Bild durchsichtig: Mit einer Maske wird ausgeschnitten, was sie abdeckt.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Miniature</source>
        <translation>Miniatur</translation>
    </message>
    <message>
        <source>Monochrome</source>
        <translation>Schwarzweiß</translation>
    </message>
    <message>
        <source>Moonlight</source>
        <translation>Mondlicht</translation>
    </message>
    <message>
        <source>Move the line to the &amp;left</source>
        <translation>Linie nach &amp;links schieben</translation>
    </message>
    <message>
        <source>Move the line to the &amp;right</source>
        <translation>Linie nach &amp;rechts schieben</translation>
    </message>
    <message>
        <source>Move the mask&apos;s edge to the nearest edges in the image, such as hair.</source>
        <translation>Den Rand der Maske auf die nächsten Kanten im Bild ziehen, etwa an Haaren.</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>Multiplizieren</translation>
    </message>
    <message>
        <source>Name of the device in Home Assistant, one for each camera; {{source}} stands for the source.</source>
        <translation>Name des Geräts in Home Assistant, einer für jede Kamera; {{source}} steht für die Quelle.</translation>
    </message>
    <message>
        <source>Name of the event of a zone; empty for any.</source>
        <translation>Name des Ereignisses einer Zone; leer für jedes.</translation>
    </message>
    <message>
        <source>Name of the zone that the objects are in; empty for the whole frame.</source>
        <translation>Name der Zone, in der die Objekte sind; leer für das ganze Bild.</translation>
    </message>
    <message>
        <source>Name of the zone; empty for all.</source>
        <translation>Name der Zone; leer für alle.</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all</source>
        <translation>Namen von Klassen mit Kommas dazwischen; leer für alle</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all.</source>
        <translation>Namen von Klassen mit Kommas dazwischen; leer für alle.</translation>
    </message>
    <message>
        <source>Names of files end in the time at which each begins. GIF and WebP remain one file.</source>
        <translation>Die Namen der Dateien enden mit der Zeit, zu der jede beginnt. GIF und WebP bleiben eine Datei.</translation>
    </message>
    <message>
        <source>Near</source>
        <translation>Nah</translation>
    </message>
    <message>
        <source>Neon lines</source>
        <translation>Neonlinien</translation>
    </message>
    <message>
        <source>Networks are trained on SDR, so HDR cannot be kept with one; switch it off, or let HDR become SDR (--hdr tonemap).</source>
        <translation>Netze sind auf SDR trainiert, deshalb kann HDR mit einem Netz nicht erhalten bleiben; es ausschalten oder HDR zu SDR machen (--hdr tonemap).</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Newspaper</source>
        <translation>Zeitung</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next look of the set list</source>
        <translation>Nächster Look der Setliste</translation>
    </message>
    <message>
        <source>Night vision</source>
        <translation>Nachtsicht</translation>
    </message>
    <message>
        <source>No ONVIF camera answers; check that ONVIF and discovery are on in its settings and that it is in this network, or give its address to --streams.</source>
        <translation>Keine ONVIF-Kamera antwortet; prüfen, ob in ihren Einstellungen ONVIF und Discovery an sind und ob sie in diesem Netz ist, oder ihre Adresse bei --streams angeben.</translation>
    </message>
    <message>
        <source>No audio input can be used, so effects do not follow it; connect one, or allow Lightloom to use it.</source>
        <translation>Kein Toneingang ist benutzbar, daher folgen ihm keine Effekte; einen anschließen oder Lightloom die Benutzung erlauben.</translation>
    </message>
    <message>
        <source>No connection; trying again</source>
        <translation>Keine Verbindung; neuer Versuch läuft</translation>
    </message>
    <message>
        <source>No encoder for {suffix} files with 10 bits a color works here; choose 8, or a file that has one: {kinds}.</source>
        <translation>Für {suffix}-Dateien mit 10 Bit je Farbe funktioniert hier kein Encoder; 8 wählen oder eine Datei, für die es einen gibt: {kinds}.</translation>
    </message>
    <message>
        <source>No network is chosen; choose an .onnx or .tflite file, or get a network on the Networks page.</source>
        <translation>Kein Netz ist gewählt; eine .onnx- oder .tflite-Datei wählen oder ein Netz auf der Seite Netze holen.</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Nothing is received yet; name a device or port in the preferences.</source>
        <translation>Noch wird nichts empfangen; in den Einstellungen ein Gerät oder einen Port angeben.</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Number of bars, from 40 to 12000 Hz.</source>
        <translation>Anzahl der Balken, von 40 bis 12000 Hz.</translation>
    </message>
    <message>
        <source>Number of starts</source>
        <translation>Anzahl der Starts</translation>
    </message>
    <message>
        <source>Number of the controller or the note.</source>
        <translation>Nummer des Reglers oder der Note.</translation>
    </message>
    <message>
        <source>Number of the effect in the chain; it must stand before this one.</source>
        <translation>Nummer des Effekts in der Kette; er muss vor diesem stehen.</translation>
    </message>
    <message>
        <source>OSC</source>
        <translation>OSC</translation>
    </message>
    <message>
        <source>OSC cannot be received at {text}: {reason}; choose another port.</source>
        <translation>OSC kann an {text} nicht empfangen werden: {reason}; einen anderen Port wählen.</translation>
    </message>
    <message>
        <source>OSC cannot be sent to {text}: {reason}; check the address.</source>
        <translation>OSC lässt sich nicht an {text} senden: {reason}; die Adresse prüfen.</translation>
    </message>
    <message>
        <source>OSC needs the package python-osc, which is not installed: {command}.</source>
        <translation>OSC braucht das Paket python-osc, das nicht installiert ist: {command}.</translation>
    </message>
    <message>
        <source>OSC port</source>
        <translation>OSC-Port</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Dinge</translation>
    </message>
    <message>
        <source>Objects that are less certain are left out.</source>
        <translation>Dinge, die weniger sicher sind, werden ausgelassen.</translation>
    </message>
    <message>
        <source>Objects with a lower score get no light.</source>
        <translation>Objekte mit geringerer Sicherheit bekommen kein Licht.</translation>
    </message>
    <message>
        <source>Of the letters.</source>
        <translation>Der Buchstaben.</translation>
    </message>
    <message>
        <source>Of the set list: midi/1/note/36, midi/1/control/64 or osc/next.</source>
        <translation>Der Setliste: midi/1/note/36, midi/1/control/64 oder osc/next.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Oil painting</source>
        <translation>Ölgemälde</translation>
    </message>
    <message>
        <source>Old photograph</source>
        <translation>Altes Foto</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>One object by its number, wherever it moves. Click it in the video to choose it.</source>
        <translation>Ein Ding nach seiner Nummer, wohin es sich auch bewegt. Zum Wählen im Video anklicken.</translation>
    </message>
    <message>
        <source>Open a loo&amp;k...</source>
        <translation>Loo&amp;k öffnen...</translation>
    </message>
    <message>
        <source>OpenEXR, a file for each frame</source>
        <translation>OpenEXR, eine Datei für jedes Bild</translation>
    </message>
    <message>
        <source>Oscillator</source>
        <translation>Oszillator</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>PNG, JPEG, WebP, AVIF, TIFF or BMP.</source>
        <translation>PNG, JPEG, WebP, AVIF, TIFF oder BMP.</translation>
    </message>
    <message>
        <source>PNG, a file for each frame</source>
        <translation>PNG, eine Datei für jedes Bild</translation>
    </message>
    <message>
        <source>Page of the library</source>
        <translation>Seite der Bibliothek</translation>
    </message>
    <message>
        <source>Panels appear at once, and the images of the library stand still.</source>
        <translation>Bereiche erscheinen sofort, und die Bilder der Bibliothek stehen still.</translation>
    </message>
    <message>
        <source>Part of a device&apos;s name, or &apos;all&apos;; what automations follow.</source>
        <translation>Teil eines Gerätenamens oder „all“; dem folgen Automationen.</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Pencil on paper: outlines, a little shading and no color.</source>
        <translation>Bleistift auf Papier: Umrisse, etwas Schraffur und keine Farbe.</translation>
    </message>
    <message>
        <source>Pencil sketch</source>
        <translation>Bleistiftskizze</translation>
    </message>
    <message>
        <source>People, or another class, found by a segmentation network.</source>
        <translation>Menschen oder eine andere Klasse, gefunden von einem Segmentierungsnetz.</translation>
    </message>
    <message>
        <source>Person in color</source>
        <translation>Person in Farbe</translation>
    </message>
    <message>
        <source>Person or class</source>
        <translation>Person oder Klasse</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Pic&amp;k a color</source>
        <translation>Far&amp;be aufnehmen</translation>
    </message>
    <message>
        <source>Pixel game</source>
        <translation>Pixelspiel</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Points of the strokes in fractions of the frame, such as 0.2/0.2 0.4/0.3; a ; begins another stroke.</source>
        <translation>Punkte der Striche in Bruchteilen des Bildes, etwa 0.2/0.2 0.4/0.3; ein ; beginnt einen weiteren Strich.</translation>
    </message>
    <message>
        <source>Polygon</source>
        <translation>Polygon</translation>
    </message>
    <message>
        <source>Pop art</source>
        <translation>Pop-Art</translation>
    </message>
    <message>
        <source>Port of remote control</source>
        <translation>Port der Fernsteuerung</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Positions and sizes are shares of the frame, of the object with the number or else of the largest one.</source>
        <translation>Positionen und Größen sind Anteile des Bildes, vom Objekt mit der Nummer oder sonst vom größten.</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Previous look of the set list</source>
        <translation>Voriger Look der Setliste</translation>
    </message>
    <message>
        <source>Programs on this computer</source>
        <translation>Programme auf diesem Computer</translation>
    </message>
    <message>
        <source>Publish to Home Assistant</source>
        <translation>An Home Assistant melden</translation>
    </message>
    <message>
        <source>Quality of the last export</source>
        <translation>Qualität des letzten Exports</translation>
    </message>
    <message>
        <source>Radius of the corners, in percent of half of the shorter side.</source>
        <translation>Radius der Ecken in Prozent der halben kürzeren Seite.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation>Rechteck</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Bewegung verringern</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Abklingen</translation>
    </message>
    <message>
        <source>Remote co&amp;ntrol...</source>
        <translation>Fer&amp;nsteuerung...</translation>
    </message>
    <message>
        <source>Remote control</source>
        <translation>Fernsteuerung</translation>
    </message>
    <message>
        <source>Remote control cannot use port {port}: {reason}; choose another one.</source>
        <translation>Die Fernsteuerung kann Port {port} nicht verwenden: {reason}; einen anderen wählen.</translation>
    </message>
    <message>
        <source>S&amp;hader editor</source>
        <translation>S&amp;hader-Editor</translation>
    </message>
    <message>
        <source>Sa&amp;ve look...</source>
        <translation>Look &amp;speichern...</translation>
    </message>
    <message>
        <source>Same as source</source>
        <translation>Wie die Quelle</translation>
    </message>
    <message>
        <source>Sc&amp;enes</source>
        <translation>Sz&amp;enen</translation>
    </message>
    <message>
        <source>Scene &amp;cuts</source>
        <translation>S&amp;chnitte</translation>
    </message>
    <message>
        <source>Scene &amp;{number}</source>
        <translation>Szene &amp;{number}</translation>
    </message>
    <message>
        <source>Sco&amp;pes</source>
        <translation>Sco&amp;pes</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>Scopes</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>Seconds after an event</source>
        <translation>Sekunden nach einem Ereignis</translation>
    </message>
    <message>
        <source>Seconds before an event</source>
        <translation>Sekunden vor einem Ereignis</translation>
    </message>
    <message>
        <source>Send OSC to</source>
        <translation>OSC senden an</translation>
    </message>
    <message>
        <source>Set l&amp;ist</source>
        <translation>Setl&amp;iste</translation>
    </message>
    <message>
        <source>Set list</source>
        <translation>Setliste</translation>
    </message>
    <message>
        <source>Shader</source>
        <translation>Shader</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>Share of a bar&apos;s width that is left free.</source>
        <translation>Anteil der Balkenbreite, der frei bleibt.</translation>
    </message>
    <message>
        <source>Share of the effect&apos;s result; the rest is the image before it.</source>
        <translation>Anteil des Ergebnisses des Effekts; der Rest ist das Bild davor.</translation>
    </message>
    <message>
        <source>Share of the layer; the rest is what lies under it.</source>
        <translation>Anteil der Ebene; der Rest ist, was unter ihr liegt.</translation>
    </message>
    <message>
        <source>Show all of it</source>
        <translation>Ganz zeigen</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>Ähnlichkeit</translation>
    </message>
    <message>
        <source>Size of the ellipses, relative to the objects.</source>
        <translation>Größe der Ellipsen, relativ zu den Objekten.</translation>
    </message>
    <message>
        <source>Size of the last export</source>
        <translation>Größe des letzten Exports</translation>
    </message>
    <message>
        <source>Small objects are looked for in N x N overlapping tiles as well as in the whole frame; 2 takes five times as long.</source>
        <translation>Kleine Objekte werden außer im ganzen Bild auch in N x N überlappenden Kacheln gesucht; 2 dauert fünfmal so lange.</translation>
    </message>
    <message>
        <source>Smaller file</source>
        <translation>Kleinere Datei</translation>
    </message>
    <message>
        <source>Smallest file</source>
        <translation>Kleinste Datei</translation>
    </message>
    <message>
        <source>Smoothly to the next one</source>
        <translation>Sanft zum nächsten</translation>
    </message>
    <message>
        <source>Smooths skin, keeps eyes and hair sharp, and lights a face softly.</source>
        <translation>Glättet Haut, lässt Augen und Haare scharf und beleuchtet ein Gesicht weich.</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Schnappschuss</translation>
    </message>
    <message>
        <source>Soft light</source>
        <translation>Weiches Licht</translation>
    </message>
    <message>
        <source>Soft light that spreads from everything bright.</source>
        <translation>Weiches Licht, das sich von allem Hellen ausbreitet.</translation>
    </message>
    <message>
        <source>Soft portrait</source>
        <translation>Weiches Porträt</translation>
    </message>
    <message>
        <source>Softness of the mask&apos;s edge; in percent of the frame&apos;s height.</source>
        <translation>Weichheit des Randes der Maske; in Prozent der Bildhöhe.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Stabili&amp;ze live sources</source>
        <translation>Live-Quellen sta&amp;bilisieren</translation>
    </message>
    <message>
        <source>Stabilize live sources</source>
        <translation>Live-Quellen stabilisieren</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Stats</source>
        <translation>Stats</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme beenden</translation>
    </message>
    <message>
        <source>Straight to the next one</source>
        <translation>Gerade zum nächsten</translation>
    </message>
    <message>
        <source>Stretch</source>
        <translation>Strecken</translation>
    </message>
    <message>
        <source>Strokes</source>
        <translation>Striche</translation>
    </message>
    <message>
        <source>Subtract</source>
        <translation>Abziehen</translation>
    </message>
    <message>
        <source>Such as Ctrl+Alt+P; also while another program has the focus.</source>
        <translation>Wie Ctrl+Alt+P; auch während ein anderes Programm den Fokus hat.</translation>
    </message>
    <message>
        <source>Take what is outside of this part.</source>
        <translation>Das nehmen, was außerhalb dieses Teils ist.</translation>
    </message>
    <message>
        <source>Takes the shaking out of cameras and streams: frames are enlarged by a tenth, and shown ten frames later.</source>
        <translation>Nimmt Kameras und Streams das Verwackeln: Bilder werden um ein Zehntel vergrößert und zehn Bilder später gezeigt.</translation>
    </message>
    <message>
        <source>Teal and orange</source>
        <translation>Petrol und Orange</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>Terminal</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The ISF header is wrong: {what}; correct it.</source>
        <translation>Der ISF-Kopf ist falsch: {what}; berichtigen.</translation>
    </message>
    <message>
        <source>The Python library cannot draw text layers; remove it, or use `lightloom process`.</source>
        <translation>Die Python-Bibliothek kann keine Textebenen zeichnen; die Ebene entfernen oder `lightloom process` verwenden.</translation>
    </message>
    <message>
        <source>The access log {path} cannot be written: {reason}; choose another file.</source>
        <translation>Das Zugriffsprotokoll {path} kann nicht geschrieben werden: {reason}; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>The address of the network seems to have a user name and a password, since there is an @ behind the host; remove them, and store the token in the system&apos;s key ring. If the @ belongs to the network&apos;s name, write the host as an IP address or with its domain.</source>
        <translation>Die Adresse des Netzes scheint Benutzernamen und Passwort zu enthalten, da hinter dem Host ein @ steht; beide entfernen und das Token im Schlüsselbund des Systems speichern. Gehört das @ zum Namen des Netzes, den Host als IP-Adresse oder mit Domäne schreiben.</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded and is left out; set another audio codec in the camera or sender.</source>
        <translation>Der Ton von {name} lässt sich nicht dekodieren und wird weggelassen; in der Kamera oder beim Sender einen anderen Audio-Codec einstellen.</translation>
    </message>
    <message>
        <source>The host or the port of the address {scheme}://{host} is not valid: a host has no spaces, and a port is a number from 1 to 65535; correct it.</source>
        <translation>Host oder Port der Adresse {scheme}://{host} ist nicht gültig: Ein Host hat keine Leerzeichen, und ein Port ist eine Zahl von 1 bis 65535; Adresse korrigieren.</translation>
    </message>
    <message>
        <source>The attachment of a mask is invalid; give an identity from 1 on, and the extents of a box in the frame.</source>
        <translation>„attachment“ einer Maske ist ungültig; eine Nummer ab 1 und die Grenzen eines Rechtecks im Bild angeben.</translation>
    </message>
    <message>
        <source>The audio input is open while an effect follows it.</source>
        <translation>Der Toneingang ist geöffnet, solange ein Effekt ihm folgt.</translation>
    </message>
    <message>
        <source>The audio input was disconnected, so effects do not follow it; choose another one.</source>
        <translation>Der Toneingang wurde getrennt, daher folgen ihm keine Effekte; einen anderen wählen.</translation>
    </message>
    <message>
        <source>The audio input {name} cannot be used, so effects do not follow it; connect it, or choose another one.</source>
        <translation>Der Toneingang {name} ist nicht benutzbar, daher folgen ihm keine Effekte; ihn anschließen oder einen anderen wählen.</translation>
    </message>
    <message>
        <source>The author is missing or too long; give a name of up to {most} letters.</source>
        <translation>Der Autor fehlt oder ist zu lang; einen Namen mit bis zu {most} Buchstaben angeben.</translation>
    </message>
    <message>
        <source>The blend mode &apos;{blend}&apos; of &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; choose &apos;normal&apos;, or let HDR become SDR (--hdr tonemap).</source>
        <translation>Die Mischmethode &apos;{blend}&apos; von &apos;{filter}&apos; setzt SDR voraus, deshalb kann HDR mit ihr nicht erhalten bleiben; &apos;normal&apos; wählen oder HDR zu SDR machen (--hdr tonemap).</translation>
    </message>
    <message>
        <source>The buffer &apos;{name}&apos; is neither of fixed size nor a scaled frame, as a filter&apos;s are; change its WIDTH and HEIGHT.</source>
        <translation>Der Puffer &apos;{name}&apos; hat weder eine feste Größe noch die skalierte des Bildes, wie die eines Filters; WIDTH und HEIGHT ändern.</translation>
    </message>
    <message>
        <source>The camera {host} does not answer ({reason}); check that it is on and in this network, and its user and password.</source>
        <translation>Die Kamera {host} antwortet nicht ({reason}); prüfen, ob sie an und in diesem Netz ist, und Benutzer und Passwort.</translation>
    </message>
    <message>
        <source>The camera {host} gives an answer that is not ONVIF; check its address.</source>
        <translation>Die Kamera {host} gibt eine Antwort, die kein ONVIF ist; ihre Adresse prüfen.</translation>
    </message>
    <message>
        <source>The camera {host} offers no stream; set up a profile on its page.</source>
        <translation>Die Kamera {host} bietet keinen Stream an; auf ihrer Seite ein Profil einrichten.</translation>
    </message>
    <message>
        <source>The camera {host} refuses ({reason}); check user and password, and that ONVIF is on.</source>
        <translation>Die Kamera {host} lehnt ab ({reason}); Benutzer und Passwort prüfen, und ob ONVIF an ist.</translation>
    </message>
    <message>
        <source>The chain has no effects; choose a look below.</source>
        <translation>Die Kette hat keine Effekte; unten einen Look wählen.</translation>
    </message>
    <message>
        <source>The chosen decoder is {title}.</source>
        <translation>Angegeben ist {title}.</translation>
    </message>
    <message>
        <source>Its outputs are those of {title}.</source>
        <translation>Die Ausgaben sind die von {title}.</translation>
    </message>
    <message>
        <source>Its outputs are those of {title}: {reason}.</source>
        <translation>Die Ausgänge sind die von {title}: {reason}.</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>Kaleidoscope</source>
        <translation>Kaleidoskop</translation>
    </message>
    <message>
        <source>Keep colors</source>
        <translation>Farbtreue</translation>
    </message>
    <message>
        <source>Keep the brighter of the two, or mix them.</source>
        <translation>Das Hellere von beiden behalten oder sie mischen.</translation>
    </message>
    <message>
        <source>Keep the scale, enlarge until no corner is empty, or shrink until everything is in the frame.</source>
        <translation>Den Maßstab behalten, vergrößern, bis keine Ecke leer ist, oder verkleinern, bis alles im Bild ist.</translation>
    </message>
    <message>
        <source>Keeps a band in focus and blurs the rest, which makes a scene look like a miniature.</source>
        <translation>Hält ein Band scharf und zeichnet den Rest weich, wodurch eine Szene wie ein Modell aussieht.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Freistellen</translation>
    </message>
    <message>
        <source>Knee</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>Labels: {origin}.</source>
        <translation>Namen der Klassen: {origin}.</translation>
    </message>
    <message>
        <source>Largest change of a channel that still counts as still.</source>
        <translation>Größte Änderung eines Kanals, die noch als Ruhe gilt.</translation>
    </message>
    <message>
        <source>Largest displacement.</source>
        <translation>Größte Verschiebung.</translation>
    </message>
    <message>
        <source>Largest distance between red and blue.</source>
        <translation>Größter Abstand zwischen Rot und Blau.</translation>
    </message>
    <message>
        <source>Leaves a fading trail behind everything that moves.</source>
        <translation>Hinterlässt eine verblassende Spur hinter allem, was sich bewegt.</translation>
    </message>
    <message>
        <source>Leaves a few evenly spaced values of each channel.</source>
        <translation>Lässt von jedem Kanal wenige Werte in gleichen Abständen übrig.</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Length of a streak as a share of the distance from the center.</source>
        <translation>Länge eines Streifens als Anteil des Abstands von der Mitte.</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>Objektiv</translation>
    </message>
    <message>
        <source>Lens distortion</source>
        <translation>Optische Verzeichnung</translation>
    </message>
    <message>
        <source>Lets bright parts glow, as light scattered in a lens does; computed in linear light on a pyramid of smaller pictures.</source>
        <translation>Lässt helle Teile leuchten wie Streulicht im Objektiv; in linearem Licht auf einer Pyramide kleinerer Bilder berechnet.</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Light lost outside of the soft edge; below 0 the corners get brighter.</source>
        <translation>Licht, das außerhalb der weichen Kante verloren geht; unter 0 werden die Ecken heller.</translation>
    </message>
    <message>
        <source>Lightloom computes on {used} now.</source>
        <translation>Lightloom rechnet jetzt auf {used}.</translation>
    </message>
    <message>
        <source>Lightloom needs Metal, which macOS 11 and later have; install macOS&apos; updates.</source>
        <translation>Lightloom braucht Metal, das es ab macOS 11 gibt; die Updates von macOS installieren.</translation>
    </message>
    <message>
        <source>Lights</source>
        <translation>Helle Töne</translation>
    </message>
    <message>
        <source>Lights the picture from one side as if its luma were a relief.</source>
        <translation>Beleuchtet das Bild von einer Seite, als wäre seine Luma ein Relief.</translation>
    </message>
    <message>
        <source>Line {line}: the name &apos;{word}&apos; begins with &apos;lightloom_&apos;, which is reserved; choose another.</source>
        <translation>Zeile {line}: Der Name &apos;{word}&apos; beginnt mit &apos;lightloom_&apos;, was vorbehalten ist; einen anderen wählen.</translation>
    </message>
    <message>
        <source>Line {line}: {what}.</source>
        <translation>Zeile {line}: {what}.</translation>
    </message>
    <message>
        <source>Linear light above which a pixel glows; 1 is white.</source>
        <translation>Lineares Licht, über dem ein Pixel leuchtet; 1 ist Weiß.</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model} wird geladen</translation>
    </message>
    <message>
        <source>Local contrast (CLAHE)</source>
        <translation>Lokaler Kontrast (CLAHE)</translation>
    </message>
    <message>
        <source>Longer side of what the network sees, where it takes any size: larger is finer and slower.</source>
        <translation>Längere Seite dessen, was das Netz sieht, wo es jede Größe nimmt: größer ist feiner und langsamer.</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <source>Luma that gets the coldest color.</source>
        <translation>Luma, die die kälteste Farbe bekommt.</translation>
    </message>
    <message>
        <source>Luma that gets the hottest color.</source>
        <translation>Luma, die die heißeste Farbe bekommt.</translation>
    </message>
    <message>
        <source>MIT</source>
        <translation>MIT</translation>
    </message>
    <message>
        <source>MIT (its repository&apos;s)</source>
        <translation>MIT (die ihres Repositorys)</translation>
    </message>
    <message>
        <source>MNIST digits</source>
        <translation>MNIST-Ziffern</translation>
    </message>
    <message>
        <source>Maps a range of input values to a range of output values with a gamma between; values outside are clipped.</source>
        <translation>Bildet einen Bereich von Eingangswerten auf einen von Ausgangswerten ab, mit einem Gamma dazwischen; Werte außerhalb werden abgeschnitten.</translation>
    </message>
    <message>
        <source>Maps luma from one color in the shadows to another in the lights.</source>
        <translation>Bildet die Luma von einer Farbe in den Tiefen auf eine andere in den Lichtern ab.</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Maske</translation>
    </message>
    <message>
        <source>Mean and deviation are from the metadata.</source>
        <translation>Mittelwert und Standardabweichung stammen aus den Metadaten.</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Metrics need the package prometheus-client, which is not installed: {command}.</source>
        <translation>Messwerte brauchen das Paket prometheus-client, das nicht installiert ist: {command}.</translation>
    </message>
    <message>
        <source>Middle of the bright area.</source>
        <translation>Mitte des hellen Bereichs.</translation>
    </message>
    <message>
        <source>Midtones</source>
        <translation>Mitteltöne</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegel</translation>
    </message>
    <message>
        <source>Mirrored pairs of slices around the point.</source>
        <translation>Gespiegelte Segmentpaare um den Punkt.</translation>
    </message>
    <message>
        <source>Mix of the picture and the equalized one; 0 changes nothing.</source>
        <translation>Mischung aus dem Bild und dem angeglichenen; 0 ändert nichts.</translation>
    </message>
    <message>
        <source>Mix of the picture and the map.</source>
        <translation>Mischung aus dem Bild und der Karte.</translation>
    </message>
    <message>
        <source>Mixes red, green and blue to one gray, as color filters before a black-and-white film do.</source>
        <translation>Mischt Rot, Grün und Blau zu einem Grau wie Farbfilter vor einem Schwarzweißfilm.</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Mosaic, small</source>
        <translation>Mosaik, klein</translation>
    </message>
    <message>
        <source>Most that a value may occur, as a multiple of an even histogram; a higher limit gives more contrast and more noise.</source>
        <translation>Höchste Häufigkeit eines Wertes als Vielfaches eines gleichmäßigen Histogramms; eine höhere Grenze gibt mehr Kontrast und mehr Rauschen.</translation>
    </message>
    <message>
        <source>Motion trails</source>
        <translation>Bewegungsspuren</translation>
    </message>
    <message>
        <source>Moving waves, as of water: straight ones that shear the picture, or rings around a point.</source>
        <translation>Bewegte Wellen wie im Wasser: gerade, die das Bild scheren, oder Ringe um einen Punkt.</translation>
    </message>
    <message>
        <source>Names 1,000 kinds of things; small and quick, computed in half precision.</source>
        <translation>Benennt 1000 Arten von Dingen; klein und schnell, in halber Genauigkeit berechnet.</translation>
    </message>
    <message>
        <source>Names what it sees: the 1,000 classes of ImageNet.</source>
        <translation>Benennt, was es sieht: die 1000 Klassen von ImageNet.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Netze</translation>
    </message>
    <message>
        <source>Networks by gRPC need the package tritonclient, which is not installed: {command}; or use http://.</source>
        <translation>Netze über gRPC brauchen das Paket tritonclient, das nicht installiert ist: {command}; oder http:// verwenden.</translation>
    </message>
    <message>
        <source>Night city</source>
        <translation>Nächtliche Stadt</translation>
    </message>
    <message>
        <source>No GPU adapter can be used; their drivers could not create what is needed ({each}); update them, or install another one.</source>
        <translation>Kein GPU-Adapter ist verwendbar; ihre Treiber konnten nicht erzeugen, was gebraucht wird ({each}); sie aktualisieren oder einen anderen installieren.</translation>
    </message>
    <message>
        <source>No GPU adapter is called &apos;{name}&apos;; this machine has: {names}.</source>
        <translation>Kein Grafikadapter heißt &apos;{name}&apos;; dieser Rechner hat: {names}.</translation>
    </message>
    <message>
        <source>No GPU adapter was found; install a Vulkan driver (on Debian and Ubuntu: apt install mesa-vulkan-drivers) and start Lightloom again.</source>
        <translation>Kein Grafikadapter wurde gefunden; einen Vulkan-Treiber installieren (unter Debian und Ubuntu: apt install mesa-vulkan-drivers) und Lightloom neu starten.</translation>
    </message>
    <message>
        <source>No camera is connected: plug one in.</source>
        <translation>Keine Kamera ist angeschlossen: eine anschließen.</translation>
    </message>
    <message>
        <source>No decoder here reads the image in {name}: convert it.</source>
        <translation>Kein Decoder liest hier das Bild in {name}: die Datei umwandeln.</translation>
    </message>
    <message>
        <source>No decoder here reads the video in {name}; convert it to H.264 first.</source>
        <translation>Kein Decoder liest hier das Video in {name}; es zuerst in H.264 umwandeln.</translation>
    </message>
    <message>
        <source>No display can be opened; start Lightloom from a desktop session, or use &apos;lightloom process&apos;, which needs none.</source>
        <translation>Es lässt sich keine Anzeige öffnen; Lightloom aus einer Desktop-Sitzung starten oder &apos;lightloom process&apos; verwenden, das keine braucht.</translation>
    </message>
    <message>
        <source>No face is shown: the image scores {score}, less than the minimum score.</source>
        <translation>Kein Gesicht wird gezeigt: Das Bild hat die Wertung {score}, weniger als die Mindestwertung.</translation>
    </message>
    <message>
        <source>No model states its crop; the customary center crop of {crop_fraction} is assumed.</source>
        <translation>Kein Modell nennt seinen Ausschnitt; der übliche mittige Ausschnitt von {crop_fraction} wird angenommen.</translation>
    </message>
    <message>
        <source>No frame in {name} can be decoded; try another copy of it.</source>
        <translation>Kein Bild in {name} lässt sich decodieren; es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Auf dem Datenträger ist kein Platz mehr</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>None of {pictures} in {name} opens: {first}</source>
        <translation>Von {pictures} in {name} lässt sich keines öffnen: {first}</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Es ist kein Ordner</translation>
    </message>
    <message>
        <source>Not supported: {what}; use the onnxruntime backend.</source>
        <translation>Nicht unterstützt: {what}; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Nothing in the file says the input&apos;s range</source>
        <translation>Nichts in der Datei nennt den Wertebereich der Eingabe</translation>
    </message>
    <message>
        <source>Nothing in the file says the input&apos;s range.</source>
        <translation>Nichts in der Datei nennt den Wertebereich der Eingabe.</translation>
    </message>
    <message>
        <source>Nothing says the color order; RGB is assumed.</source>
        <translation>Nichts nennt die Farbreihenfolge; RGB wird angenommen.</translation>
    </message>
    <message>
        <source>Nothing says the range of the gray values; 0..1 is assumed.</source>
        <translation>Nichts nennt den Wertebereich der Grauwerte; 0..1 wird angenommen.</translation>
    </message>
    <message>
        <source>Nothing says the range; ImageNet&apos;s mean and deviation are assumed.</source>
        <translation>Nichts nennt den Wertebereich; Mittelwert und Standardabweichung von ImageNet werden angenommen.</translation>
    </message>
    <message>
        <source>The file does not state the range; mean 0.5 and deviation 0.5 (small images) are assumed.</source>
        <translation>Nichts nennt den Wertebereich; Mittelwert 0.5 und Standardabweichung 0.5 (kleine Bilder) werden angenommen.</translation>
    </message>
    <message>
        <source>Nothing tells whether the boxes are pixels or shares of the input; pixels are assumed.</source>
        <translation>Nichts sagt, ob die Rahmen Pixel oder Anteile der Eingabe sind; Pixel werden angenommen.</translation>
    </message>
    <message>
        <source>Nothing was recorded: no frame came while the recording ran; record while the source plays.</source>
        <translation>Nichts wurde aufgenommen: Während der Aufnahme kam kein Bild; aufnehmen, während die Quelle läuft.</translation>
    </message>
    <message numerus="yes">
        <source>Of %n audio tracks only this one is copied: {name}.</source>
        <translation>
            <numerusform>Von %n Tonspur wird nur diese übernommen: {name}.</numerusform>
            <numerusform>Von %n Tonspuren wird nur diese übernommen: {name}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Of {count} outputs that cover the image, &apos;{output}&apos; is taken.</source>
        <translation>Von {count} Ausgängen, die das Bild bedecken, wird &apos;{output}&apos; genommen.</translation>
    </message>
    <message>
        <source>Oil paint</source>
        <translation>Ölgemälde</translation>
    </message>
    <message>
        <source>Oil strokes</source>
        <translation>Ölstriche</translation>
    </message>
    <message>
        <source>Old television</source>
        <translation>Altes Fernsehgerät</translation>
    </message>
    <message>
        <source>One EV doubles the light.</source>
        <translation>Ein EV verdoppelt das Licht.</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>Der Vorgang ist nicht erlaubt</translation>
    </message>
    <message>
        <source>Output black</source>
        <translation>Schwarz aus</translation>
    </message>
    <message>
        <source>Output range</source>
        <translation>Bereich aus</translation>
    </message>
    <message>
        <source>Output value of black (0).</source>
        <translation>Ausgangswert von Schwarz (0).</translation>
    </message>
    <message>
        <source>Output value of bright tones (0.75).</source>
        <translation>Ausgangswert heller Töne (0,75).</translation>
    </message>
    <message>
        <source>Output value of dark tones (0.25).</source>
        <translation>Ausgangswert dunkler Töne (0,25).</translation>
    </message>
    <message>
        <source>Output value of middle tones (0.5).</source>
        <translation>Ausgangswert mittlerer Töne (0,5).</translation>
    </message>
    <message>
        <source>Output value of white (1).</source>
        <translation>Ausgangswert von Weiß (1).</translation>
    </message>
    <message>
        <source>Output white</source>
        <translation>Weiß aus</translation>
    </message>
    <message>
        <source>Own color</source>
        <translation>Bildfarbe</translation>
    </message>
    <message>
        <source>PASCAL VOC, 20 kinds of things and background</source>
        <translation>PASCAL VOC, 20 Arten von Dingen und Hintergrund</translation>
    </message>
    <message>
        <source>PNDM does not take networks that predict the image (prediction_type sample); choose another scheduler.</source>
        <translation>PNDM nimmt keine Netze, die das Bild liefern (prediction_type sample); einen anderen Scheduler wählen.</translation>
    </message>
    <message>
        <source>PNDM&apos;s Runge-Kutta steps do not run here; set skip_prk_steps to true in scheduler_config.json or choose another scheduler.</source>
        <translation>PNDMs Runge-Kutta-Schritte laufen hier nicht; in scheduler_config.json skip_prk_steps auf true setzen oder einen anderen Scheduler wählen.</translation>
    </message>
    <message>
        <source>Paints the picture as a mosaic.</source>
        <translation>Malt das Bild als Mosaik.</translation>
    </message>
    <message>
        <source>Paints the picture in the style of sweets.</source>
        <translation>Malt das Bild im Stil von Süßigkeiten.</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Schwenk</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>Papier</translation>
    </message>
    <message>
        <source>Pen hatching over blue and brown washes on paper.</source>
        <translation>Federschraffur über blauen und braunen Lavierungen auf Papier.</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeilenhöhe</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Keine Berechtigung</translation>
    </message>
    <message>
        <source>Person mask</source>
        <translation>Personenmaske</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Images of a playlist stay</source>
        <translation>Bilder einer Playlist bleiben</translation>
    </message>
    <message>
        <source>&amp;Find scene cuts</source>
        <translation>Schnitte &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;New effect</source>
        <translation>&amp;Neuer Effekt</translation>
    </message>
    <message>
        <source>&amp;Next cut</source>
        <translation>&amp;Nächster Schnitt</translation>
    </message>
    <message>
        <source>&amp;Previous cut</source>
        <translation>&amp;Voriger Schnitt</translation>
    </message>
    <message>
        <source>&apos;#define&apos; names no macro; write a name after it</source>
        <translation>&apos;#define&apos; nennt kein Makro; einen Namen dahinter schreiben</translation>
    </message>
    <message>
        <source>&apos;#if&apos; has no condition; write one</source>
        <translation>&apos;#if&apos; hat keine Bedingung; eine angeben</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; cannot be translated; remove it</source>
        <translation>&apos;#{name}&apos; lässt sich nicht übersetzen; entfernen</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; has no &apos;#if&apos;; remove it</source>
        <translation>zu &apos;#{name}&apos; gibt es kein &apos;#if&apos;; entfernen</translation>
    </message>
    <message>
        <source>&apos;inputs&apos; takes {inputs}, each once</source>
        <translation>„inputs“ nimmt {inputs}, jedes einmal</translation>
    </message>
    <message>
        <source>&apos;layer&apos; is not written as [[layer]] and was left out.</source>
        <translation>&apos;layer&apos; ist nicht als [[layer]] geschrieben und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;low&apos; and &apos;high&apos; have no effect on &apos;{source}&apos;, which has values of the parameter itself; leave them out.</source>
        <translation>&apos;low&apos; und &apos;high&apos; haben keine Wirkung auf &apos;{source}&apos;, das Werte des Parameters selbst hat; sie weglassen.</translation>
    </message>
    <message>
        <source>&apos;switch&apos; takes an integer; convert the value by int()</source>
        <translation>&apos;switch&apos; erwartet eine ganze Zahl; den Wert mit int() umwandeln</translation>
    </message>
    <message>
        <source>&apos;values&apos; of a layer is no table, or &apos;enabled&apos; neither true nor false; correct that.</source>
        <translation>&apos;values&apos; einer Ebene ist keine Tabelle, oder &apos;enabled&apos; weder true noch false; das berichtigen.</translation>
    </message>
    <message>
        <source>&apos;values&apos; of an automation is no table, or &apos;enabled&apos; neither true nor false; correct that.</source>
        <translation>&apos;values&apos; einer Automation ist keine Tabelle, oder &apos;enabled&apos; weder true noch false; das berichtigen.</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; of a layer reads the audio or objects of the main video; put it into the main chain.</source>
        <translation>„{filter}“ einer Ebene liest Ton oder Objekte des Hauptvideos; den Filter in die Hauptkette setzen.</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; reads the audio of a video file, and there is none; remove that filter.</source>
        <translation>„{filter}“ liest das Audio einer Videodatei, und es gibt keines; diesen Filter entfernen.</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; reads what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>„{filter}“ liest, was ein Analysenetz findet, und es gibt keines; eines wählen (--model).</translation>
    </message>
    <message>
        <source>&apos;{item}&apos; in {text} is not of the form key=value.</source>
        <translation>&apos;{item}&apos; in {text} hat nicht die Form key=value.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has more than {most} entries</source>
        <translation>&apos;{key}&apos; hat mehr als {most} Einträge</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a list of tables</source>
        <translation>&apos;{key}&apos; ist keine Liste von Tabellen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of an input is not a number</source>
        <translation>&apos;{key}&apos; eines Eingangs ist keine Zahl</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the buffer &apos;{name}&apos; is not a number</source>
        <translation>&apos;{key}&apos; des Puffers &apos;{name}&apos; ist keine Zahl</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the layer {text} is not known; there are: {names}.</source>
        <translation>&apos;{key}&apos; der Ebene {text} ist nicht bekannt; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the place {text} is not known; there are: {names}.</source>
        <translation>&apos;{key}&apos; der Lage {text} ist nicht bekannt; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; stands twice in {text}; give it once.</source>
        <translation>&apos;{key}&apos; steht zweimal in {text}; es einmal angeben.</translation>
    </message>
    <message>
        <source>&apos;{license}&apos; is not a license that can be written; choose one of {licenses}.</source>
        <translation>„{license}“ ist keine Lizenz, die geschrieben werden kann; eine von {licenses} wählen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has a type that a variable cannot have; give it another</source>
        <translation>&apos;{name}&apos; hat einen Typ, den eine Variable nicht haben kann; einen anderen wählen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has another number of members; give a value for each</source>
        <translation>&apos;{name}&apos; hat eine andere Anzahl Felder; für jedes einen Wert angeben</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is an image; read it with a function</source>
        <translation>&apos;{name}&apos; ist ein Bild; mit einer Funktion lesen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is an input or a constant and is assigned; assign to a copy</source>
        <translation>&apos;{name}&apos; ist ein Eingang oder eine Konstante und wird zugewiesen; einer Kopie zuweisen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is declared nowhere; correct the name</source>
        <translation>&apos;{name}&apos; ist nirgends deklariert; den Namen berichtigen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is defined twice; rename one</source>
        <translation>&apos;{name}&apos; ist zweimal definiert; eines umbenennen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of {owner}; there are: {names}.</source>
        <translation>„{name}“ ist keine Einstellung für {owner}; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no variable of a text; there are: {names}. A brace itself is written twice.</source>
        <translation>&apos;{name}&apos; ist keine Variable eines Textes; es gibt: {names}. Eine Klammer selbst wird doppelt geschrieben.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a name</source>
        <translation>&apos;{name}&apos; ist kein Name</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a name for a package; use lower-case words with &apos;-&apos; between them, such as lightloom-glow.</source>
        <translation>„{name}“ ist kein Name für ein Paket; kleingeschriebene Wörter mit „-“ dazwischen verwenden, etwa lightloom-glow.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a type that is translated; use another</source>
        <translation>&apos;{name}&apos; ist kein Typ, der übersetzt wird; einen anderen verwenden</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a type; correct the name</source>
        <translation>&apos;{name}&apos; ist kein Typ; den Namen berichtigen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not how that variable of a text is written; there are: {names}.</source>
        <translation>&apos;{name}&apos; ist nicht die Schreibweise dieser Variablen; es gibt: {names}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not translated; leave it out</source>
        <translation>&apos;{name}&apos; wird nicht übersetzt; weglassen</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of {owner} is {value}; give {allowed}.</source>
        <translation>„{name}“ für {owner} ist {value}; erlaubt: {allowed}.</translation>
    </message>
    <message>
        <source>&apos;{op}&apos; between {left} and {right} is not translated; convert one of them</source>
        <translation>&apos;{op}&apos; zwischen {left} und {right} wird nicht übersetzt; eines von beiden umwandeln</translation>
    </message>
    <message>
        <source>&apos;{op}&apos; is before something other than a number; correct it</source>
        <translation>&apos;{op}&apos; steht vor etwas anderem als einer Zahl; berichtigen</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no controller; give one such as midi/1/note/36, midi/1/control/64 or osc/next.</source>
        <translation>&apos;{text}&apos; ist kein Regler; einen wie midi/1/note/36, midi/1/control/64 oder osc/next angeben.</translation>
    </message>
    <message>
        <source>&apos;{wanted}&apos; is missing before &apos;{found}&apos;; correct it</source>
        <translation>&apos;{wanted}&apos; fehlt vor &apos;{found}&apos;; berichtigen</translation>
    </message>
    <message>
        <source>&apos;~&apos; is for integers only; convert the value</source>
        <translation>&apos;~&apos; gilt nur für ganze Zahlen; den Wert umwandeln</translation>
    </message>
    <message>
        <source>A file or folder, &apos;sample:&apos;, &apos;camera:&apos; and its name, or an address.</source>
        <translation>Eine Datei, ein Ordner, &apos;sample:&apos;, &apos;camera:&apos; mit Namen oder eine Adresse.</translation>
    </message>
    <message>
        <source>A layer has no kind; give one, such as text.</source>
        <translation>Eine Ebene hat keine Art; eine angeben, etwa text.</translation>
    </message>
    <message>
        <source>A text, with variables such as {{timecode}} and {{count}}.</source>
        <translation>Ein Text, mit Variablen wie {{timecode}} und {{count}}.</translation>
    </message>
    <message>
        <source>A video, a camera, an address or a folder of images.</source>
        <translation>Ein Video, eine Kamera, eine Adresse oder ein Ordner mit Bildern.</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>Allow remote control</source>
        <translation>Fernsteuerung zulassen</translation>
    </message>
    <message>
        <source>Also says which edge of the text the position is of.</source>
        <translation>Legt auch fest, welche Kante des Textes die Position meint.</translation>
    </message>
    <message>
        <source>An .onnx file that tells classes of pixels apart, or the bundled person mask.</source>
        <translation>Eine .onnx-Datei, die Klassen von Pixeln unterscheidet, oder die mitgelieferte Personenmaske.</translation>
    </message>
    <message>
        <source>An effect follows the audio, which only a video file has; {title} is none. Choose an audio input for automations in the preferences.</source>
        <translation>Ein Effekt folgt dem Ton, den nur eine Videodatei hat; {title} ist keine. In den Einstellungen einen Toneingang für Automatisierungen wählen.</translation>
    </message>
    <message>
        <source>Another program has the global shortcut {key}; choose another one, or end that program.</source>
        <translation>Ein anderes Programm hat die globale Taste {key}; eine andere wählen oder das Programm beenden.</translation>
    </message>
    <message>
        <source>Audio input for automations</source>
        <translation>Toneingang für Automatisierungen</translation>
    </message>
    <message>
        <source>Finds people, to blur, dim or replace what is behind them.</source>
        <translation>Findet Menschen, um weichzuzeichnen, abzudunkeln oder zu ersetzen, was hinter ihnen ist.</translation>
    </message>
    <message>
        <source>Follows the audio of the video or of an audio input: how loud it is, a frequency band, onsets or beats.</source>
        <translation>Folgt dem Ton des Videos oder eines Toneingangs: der Lautstärke, einem Frequenzband, Einsätzen oder dem Takt.</translation>
    </message>
    <message>
        <source>Global shortcuts do not work in a Wayland session; have a shortcut of the desktop run curl with a request of remote control instead.</source>
        <translation>Globale Tasten wirken in einer Wayland-Sitzung nicht; stattdessen ein Tastenkürzel des Desktops curl mit einer Anfrage der Fernsteuerung ausführen lassen.</translation>
    </message>
    <message>
        <source>Global shortcuts need libxcb, which cannot be loaded; install the package libxcb1.</source>
        <translation>Globale Tasten brauchen libxcb, das nicht geladen werden kann; das Paket libxcb1 installieren.</translation>
    </message>
    <message>
        <source>It has more than {limit} tokens, macros expanded; shorten it.</source>
        <translation>Mit aufgelösten Makros sind es mehr als {limit} Token; kürzen.</translation>
    </message>
    <message>
        <source>It has {count} tokens; {max_tokens} is most.</source>
        <translation>Er hat {count} Token; {max_tokens} sind das Höchste.</translation>
    </message>
    <message>
        <source>Nothing reads the access log any more; start its reader again.</source>
        <translation>Das Zugriffsprotokoll wird nicht mehr gelesen; das lesende Programm neu starten.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Other users of this computer could read the code of remote control in {path}; make a new code if they must not have it.</source>
        <translation>Andere Benutzer dieses Computers konnten den Code der Fernsteuerung in {path} lesen; einen neuen Code erzeugen, wenn sie ihn nicht haben dürfen.</translation>
    </message>
    <message>
        <source>Pictures that are averaged; long streaks need more to be smooth.</source>
        <translation>Bilder, die gemittelt werden; lange Streifen brauchen mehr, um glatt zu sein.</translation>
    </message>
    <message>
        <source>Pixelate</source>
        <translation>Verpixeln</translation>
    </message>
    <message>
        <source>Playback speed {factor:g} is not possible: give a factor from {slowest} to {fastest:g}.</source>
        <translation>Die Wiedergabegeschwindigkeit {factor:g} ist nicht möglich: einen Faktor von {slowest} bis {fastest:g} angeben.</translation>
    </message>
    <message>
        <source>Posterize</source>
        <translation>Tontrennung</translation>
    </message>
    <message>
        <source>Preprocessing &apos;crop&apos; is {crop}; give a fraction from 0.01 to 1.</source>
        <translation>&apos;crop&apos; der Vorverarbeitung ist {crop}; einen Anteil von 0.01 bis 1 angeben.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;pad&apos; is {pad}; give a level from 0 to 1.</source>
        <translation>&apos;pad&apos; der Vorverarbeitung ist {pad}; einen Wert von 0 bis 1 angeben.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;std&apos; has a zero; give numbers other than 0.</source>
        <translation>&apos;std&apos; der Vorverarbeitung enthält eine Null; Zahlen außer 0 angeben.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; does not take {value}.</source>
        <translation>&apos;{name}&apos; der Vorverarbeitung nimmt {value} nicht an.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {list}; give {channels} finite numbers.</source>
        <translation>&apos;{name}&apos; der Vorverarbeitung ist {list}; {channels} endliche Zahlen angeben.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {value}; choose one of {allowed}.</source>
        <translation>&apos;{name}&apos; der Vorverarbeitung ist {value}; eines von {allowed} wählen.</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {value}; give 1 to {largest} pixels.</source>
        <translation>&apos;{name}&apos; der Vorverarbeitung ist {value}; 1 bis {largest} Pixel angeben.</translation>
    </message>
    <message>
        <source>Prints the picture as a screen of dots whose area gives the tone, in one ink or in cyan, magenta, yellow and black.</source>
        <translation>Druckt das Bild als Raster aus Punkten, deren Fläche den Ton gibt, in einer Farbe oder in Cyan, Magenta, Gelb und Schwarz.</translation>
    </message>
    <message>
        <source>Probability from which on a pixel belongs to the person.</source>
        <translation>Wahrscheinlichkeit, ab der ein Pixel zur Person gehört.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Prompts need the package tokenizers, which is not installed: {command}.</source>
        <translation>Prompts brauchen das Paket tokenizers, das nicht installiert ist: {command}.</translation>
    </message>
    <message>
        <source>Put a color behind, make it transparent, or show the matte.</source>
        <translation>Eine Farbe dahinter setzen, durchsichtig machen oder die Maske zeigen.</translation>
    </message>
    <message>
        <source>PyTorch is not installed: {command}.</source>
        <translation>PyTorch ist nicht installiert: {command}.</translation>
    </message>
    <message>
        <source>RGB</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>Radial coefficient, with the corner at radius 1: above zero bulges like a barrel, below zero pulls in like a pincushion.</source>
        <translation>Radialer Koeffizient, mit der Ecke bei Radius 1: über null wölbt es sich wie eine Tonne, unter null zieht es sich wie ein Kissen zusammen.</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>Ray is not installed ({reason}): {command}.</source>
        <translation>Ray ist nicht installiert ({reason}): {command}.</translation>
    </message>
    <message>
        <source>Reach of that light; its standard deviation is half of it.</source>
        <translation>Reichweite dieses Lichts; die Standardabweichung ist die Hälfte davon.</translation>
    </message>
    <message>
        <source>Reach of the blur where it is strongest; its standard deviation is half of it.</source>
        <translation>Reichweite der Unschärfe, wo sie am stärksten ist; die Standardabweichung ist die Hälfte davon.</translation>
    </message>
    <message>
        <source>Reach of the kernel; its standard deviation is half of it.</source>
        <translation>Reichweite des Kerns; die Standardabweichung ist die Hälfte davon.</translation>
    </message>
    <message>
        <source>Reach of the round window; 0 changes nothing.</source>
        <translation>Reichweite des runden Fensters; 0 ändert nichts.</translation>
    </message>
    <message>
        <source>Reach of the smoothing, which is done twice.</source>
        <translation>Reichweite der Glättung, die zweimal geschieht.</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Das Dateisystem ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Reads one handwritten digit, light on dark.</source>
        <translation>Liest eine handgeschriebene Ziffer, hell auf dunkel.</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>Reduces the picture to a few colors with an ordered 8 x 8 pattern, as old displays and printers did.</source>
        <translation>Verringert das Bild auf wenige Farben mit einem geordneten 8-x-8-Muster, wie alte Bildschirme und Drucker.</translation>
    </message>
    <message>
        <source>Repaints the picture out of noise in a few steps, with a network that takes noise out of pictures, or by a prompt with a folder of Stable Diffusion.</source>
        <translation>Malt das Bild in wenigen Schritten neu aus Rauschen, mit einem Netz, das Bildern Rauschen nimmt, oder nach einem Prompt mit einem Ordner von Stable Diffusion.</translation>
    </message>
    <message>
        <source>Repaints the picture with a neural network: a style, or any network that turns a picture into a picture.</source>
        <translation>Malt das Bild mit einem neuronalen Netz neu: ein Stil oder jedes Netz, das aus einem Bild ein Bild macht.</translation>
    </message>
    <message>
        <source>Repeats one slice of the picture around a point, every other one mirrored.</source>
        <translation>Wiederholt ein Segment des Bildes um einen Punkt, jedes zweite gespiegelt.</translation>
    </message>
    <message>
        <source>Replaces every block by its mean color.</source>
        <translation>Ersetzt jeden Block durch seine mittlere Farbe.</translation>
    </message>
    <message>
        <source>Restore the last session</source>
        <translation>Die letzte Sitzung wiederherstellen</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Rings around the center, or straight waves.</source>
        <translation>Ringe um die Mitte oder gerade Wellen.</translation>
    </message>
    <message>
        <source>Ripple</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>Drehen</translation>
    </message>
    <message>
        <source>SCI</source>
        <translation>SCI</translation>
    </message>
    <message>
        <source>SMPTE ST 2085 is read as the default matrix</source>
        <translation>SMPTE ST 2085 wird als die übliche Matrix gelesen</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Abtastungen</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Scales the distance of each color from the gray of its luma; vibrance does so most where there is little color.</source>
        <translation>Skaliert den Abstand jeder Farbe vom Grau ihrer Luma; die Dynamik tut das am meisten, wo wenig Farbe ist.</translation>
    </message>
    <message>
        <source>Second coefficient (fourth power of the radius), which acts on the corners.</source>
        <translation>Zweiter Koeffizient (vierte Potenz des Radius), der auf die Ecken wirkt.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Segmentation</source>
        <translation>Segmentierung</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>Selfie segmentation</source>
        <translation>Selfie-Segmentierung</translation>
    </message>
    <message>
        <source>Separate grain for red, green and blue.</source>
        <translation>Getrenntes Korn für Rot, Grün und Blau.</translation>
    </message>
    <message>
        <source>Sepia</source>
        <translation>Sepia</translation>
    </message>
    <message>
        <source>Set by {origin}: {names}.</source>
        <translation>Durch {origin} festgelegt: {names}.</translation>
    </message>
    <message>
        <source>Shadows</source>
        <translation>Tiefen</translation>
    </message>
    <message>
        <source>Shadows and highlights</source>
        <translation>Tiefen und Lichter</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Shape of a dot.</source>
        <translation>Form eines Punktes.</translation>
    </message>
    <message>
        <source>Share of blue in the gray.</source>
        <translation>Anteil von Blau am Grau.</translation>
    </message>
    <message>
        <source>Share of green in the gray.</source>
        <translation>Anteil von Grün am Grau.</translation>
    </message>
    <message>
        <source>Share of red in the gray.</source>
        <translation>Anteil von Rot am Grau.</translation>
    </message>
    <message>
        <source>Share of the frame before that comes back; 0 switches it off.</source>
        <translation>Anteil des vorigen Bildes, der wiederkehrt; 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Share of the gray in a color that is printed in black ink instead of cyan, magenta and yellow.</source>
        <translation>Anteil des Graus in einer Farbe, der mit schwarzer Tinte statt mit Cyan, Magenta und Gelb gedruckt wird.</translation>
    </message>
    <message>
        <source>Share of the light that goes on to the next wider level.</source>
        <translation>Anteil des Lichts, der in die nächste, weitere Stufe geht.</translation>
    </message>
    <message>
        <source>Share of the past in a still pixel; 0 switches it off, 0.9 averages about 19 frames.</source>
        <translation>Anteil der Vergangenheit in einem ruhenden Pixel; 0 schaltet es aus, 0,9 mittelt etwa 19 Bilder.</translation>
    </message>
    <message>
        <source>Share of the rows of blocks that are displaced; 0 leaves them in place.</source>
        <translation>Anteil der Blockreihen, die verschoben werden; 0 lässt sie an ihrem Platz.</translation>
    </message>
    <message>
        <source>Share of the screen&apos;s hue that is taken from what stays.</source>
        <translation>Anteil des Farbtons der Leinwand, der dem Verbleibenden entzogen wird.</translation>
    </message>
    <message>
        <source>Share of the trail that is left after one frame.</source>
        <translation>Anteil der Spur, der nach einem Bild übrig ist.</translation>
    </message>
    <message>
        <source>Sharpen</source>
        <translation>Schärfen</translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation>Schärfe</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Shift of hue from frame to frame.</source>
        <translation>Verschiebung des Farbtons von Bild zu Bild.</translation>
    </message>
    <message>
        <source>Shift of red outwards and of blue inwards in the corners; it is in proportion to the distance from the center.</source>
        <translation>Verschiebung von Rot nach außen und von Blau nach innen in den Ecken; sie wächst mit dem Abstand von der Mitte.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show as subtitles</source>
        <translation>Als Untertitel zeigen</translation>
    </message>
    <message>
        <source>Show the map in colors, or blur what is out of focus.</source>
        <translation>Die Karte in Farben zeigen oder weichzeichnen, was außerhalb der Schärfe liegt.</translation>
    </message>
    <message>
        <source>Shows how steeply luma changes (3 x 3 Sobel operator).</source>
        <translation>Zeigt, wie steil sich die Luma ändert (3-x-3-Sobel-Operator).</translation>
    </message>
    <message>
        <source>Shows luma in the false colors of a thermal camera.</source>
        <translation>Zeigt die Luma in den Falschfarben einer Wärmebildkamera.</translation>
    </message>
    <message>
        <source>Shows the classes that a neural network finds in the picture, each in a color of its own.</source>
        <translation>Zeigt die Klassen, die ein neuronales Netz im Bild findet, jede in einer eigenen Farbe.</translation>
    </message>
    <message>
        <source>Shows what changed since the frame before.</source>
        <translation>Zeigt, was sich seit dem vorigen Bild geändert hat.</translation>
    </message>
    <message>
        <source>Shuffle playlists</source>
        <translation>Playlists mischen</translation>
    </message>
    <message>
        <source>Side of a block.</source>
        <translation>Seite eines Blocks.</translation>
    </message>
    <message>
        <source>Side of a character&apos;s dots; a character is 6 dots wide and 8 high.</source>
        <translation>Seite der Punkte eines Zeichens; ein Zeichen ist 6 Punkte breit und 8 hoch.</translation>
    </message>
    <message>
        <source>Side of a dot; the picture is reduced to dots of this size.</source>
        <translation>Seite eines Punktes; das Bild wird auf Punkte dieser Größe verringert.</translation>
    </message>
    <message>
        <source>Side of the four windows around a pixel, less one.</source>
        <translation>Seite der vier Fenster um einen Pixel, weniger eins.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of the change, change around gray, white where it passes the threshold, or the picture dimmed where nothing moves.</source>
        <translation>Größe der Änderung, Änderung um Grau, Weiß, wo sie die Schwelle überschreitet, oder das Bild abgedunkelt, wo sich nichts bewegt.</translation>
    </message>
    <message>
        <source>Size of the neighborhood in pixels.</source>
        <translation>Größe der Umgebung in Pixeln.</translation>
    </message>
    <message>
        <source>Skeleton</source>
        <translation>Skelett</translation>
    </message>
    <message>
        <source>Skip similar</source>
        <translation>Ähnliche auslassen</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Smoothness</source>
        <translation>Glätte</translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges with a guided filter; its cost does not grow with the radius.</source>
        <translation>Glättet Flächen und behält Kanten mit einem geführten Filter; sein Aufwand wächst nicht mit dem Radius.</translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges: a mean of near pixels of like color.</source>
        <translation>Glättet Flächen und behält Kanten: ein Mittel naher Pixel ähnlicher Farbe.</translation>
    </message>
    <message>
        <source>Smooths surfaces while keeping edges, reduces the tones to a few steps and draws dark lines along the edges.</source>
        <translation>Glättet Flächen und behält Kanten, verringert die Töne auf wenige Stufen und zeichnet dunkle Linien entlang der Kanten.</translation>
    </message>
    <message>
        <source>Smooths with a Gaussian kernel, rows first, then columns.</source>
        <translation>Glättet mit einem Gaußkern, erst Zeilen, dann Spalten.</translation>
    </message>
    <message>
        <source>Sobel edges</source>
        <translation>Sobel-Kanten</translation>
    </message>
    <message>
        <source>Softness</source>
        <translation>Weichheit</translation>
    </message>
    <message>
        <source>Softness of the border: half the range of probability over which the person fades.</source>
        <translation>Weichheit des Rands: halber Wahrscheinlichkeitsbereich, über den die Person ausläuft.</translation>
    </message>
    <message>
        <source>Softness of the threshold, as a share of it.</source>
        <translation>Weichheit der Schwelle, als Anteil von ihr.</translation>
    </message>
    <message>
        <source>Something went wrong inside Lightloom ({error}); the log file has the details.</source>
        <translation>In Lightloom ist etwas schiefgegangen ({error}); Näheres steht in der Protokolldatei.</translation>
    </message>
    <message>
        <source>Source, chain, network and zones come back when Lightloom is started without a file. After a crash it asks first.</source>
        <translation>Quelle, Kette, Netz und Zonen kommen wieder, wenn Lightloom ohne Datei gestartet wird. Nach einem Absturz fragt es zuerst.</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Spill</source>
        <translation>Farbstich</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Trennung</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Spreads the luma of the whole picture evenly from black to white (histogram equalization).</source>
        <translation>Verteilt die Luma des ganzen Bildes gleichmäßig von Schwarz bis Weiß (Histogrammangleichung).</translation>
    </message>
    <message>
        <source>SqueezeNet</source>
        <translation>SqueezeNet</translation>
    </message>
    <message>
        <source>Standard deviation of the blur before the search; more finds fewer, larger outlines.</source>
        <translation>Standardabweichung der Unschärfe vor der Suche; mehr findet weniger, größere Umrisse.</translation>
    </message>
    <message>
        <source>Standard deviation of the blur that tells surroundings from detail.</source>
        <translation>Standardabweichung der Unschärfe, die Umgebung und Detail trennt.</translation>
    </message>
    <message>
        <source>Standard deviation of the blur.</source>
        <translation>Standardabweichung der Unschärfe.</translation>
    </message>
    <message>
        <source>Standard deviation of the blurred copy: the size of the detail that is sharpened.</source>
        <translation>Standardabweichung der unscharfen Kopie: die Größe der Details, die geschärft werden.</translation>
    </message>
    <message>
        <source>Standard deviation of the grain in middle gray; dark and bright parts get less.</source>
        <translation>Standardabweichung des Korns in Mittelgrau; dunkle und helle Teile bekommen weniger.</translation>
    </message>
    <message>
        <source>Standard deviation of the weight for color, over the sum of the differences of the three channels.</source>
        <translation>Standardabweichung des Gewichts für Farbe, über die Summe der Unterschiede der drei Kanäle.</translation>
    </message>
    <message>
        <source>Standard deviation of the weight for distance.</source>
        <translation>Standardabweichung des Gewichts für Abstand.</translation>
    </message>
    <message>
        <source>Standard deviation within the window that still counts as texture and is smoothed; more is an edge and stays.</source>
        <translation>Standardabweichung innerhalb des Fensters, die noch als Textur gilt und geglättet wird; mehr ist eine Kante und bleibt.</translation>
    </message>
    <message>
        <source>Steepness that begins an edge, in the same measure; below the low threshold it counts as that.</source>
        <translation>Steilheit, mit der eine Kante beginnt, im selben Maß; unter der niedrigen Schwelle gilt diese.</translation>
    </message>
    <message>
        <source>Steepness that continues an edge: length of the 3 x 3 Sobel gradient of luma from 0 to 255.</source>
        <translation>Steilheit, mit der eine Kante weiterläuft: Länge des 3-x-3-Sobel-Gradienten der Luma von 0 bis 255.</translation>
    </message>
    <message>
        <source>Steps of each channel.</source>
        <translation>Stufen jedes Kanals.</translation>
    </message>
    <message>
        <source>Steps of each primary, of luma, or from one color to another.</source>
        <translation>Stufen jeder Grundfarbe, der Luma oder von einer Farbe zur anderen.</translation>
    </message>
    <message>
        <source>Steps of luma.</source>
        <translation>Stufen der Luma.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>Blenden</translation>
    </message>
    <message>
        <source>Streaks towards a point, as from zooming during the exposure.</source>
        <translation>Streifen zu einem Punkt hin, wie vom Zoomen während der Belichtung.</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Strength of the colors; 1 keeps them.</source>
        <translation>Stärke der Farben; 1 behält sie.</translation>
    </message>
    <message>
        <source>Strength of the light around the lines.</source>
        <translation>Stärke des Lichts um die Linien.</translation>
    </message>
    <message>
        <source>Strength of the lines between classes.</source>
        <translation>Stärke der Linien zwischen den Klassen.</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>Stil</translation>
    </message>
    <message>
        <source>Stylize</source>
        <translation>Stilisieren</translation>
    </message>
    <message>
        <source>Swirl</source>
        <translation>Strudel</translation>
    </message>
    <message>
        <source>TCMonoDepth, small</source>
        <translation>TCMonoDepth, klein</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Take large values for far.</source>
        <translation>Große Werte gelten als fern.</translation>
    </message>
    <message>
        <source>Takes out a green or blue screen by its distance in chroma, and its cast from what stays.</source>
        <translation>Entfernt eine grüne oder blaue Leinwand nach ihrem Farbabstand und ihren Farbstich aus dem, was bleibt.</translation>
    </message>
    <message>
        <source>Tells the person before the camera from the background.</source>
        <translation>Trennt die Person vor der Kamera vom Hintergrund.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Temporal denoise</source>
        <translation>Zeitliche Entrauschung</translation>
    </message>
    <message>
        <source>TensorFlow Lite&apos;s operator for detections at its end</source>
        <translation>der Operator von TensorFlow Lite für Erkennungen am Ende</translation>
    </message>
    <message>
        <source>The GPU has not answered for {wait_seconds:.0f} s; it or its driver has stopped.</source>
        <translation>Die GPU hat seit {wait_seconds:.0f} s nicht geantwortet; sie oder ihr Treiber ist stehen geblieben.</translation>
    </message>
    <message>
        <source>The GPU has not enough memory for a frame of {width} x {height} pixels; choose a smaller one.</source>
        <translation>Die GPU hat nicht genug Speicher für ein Bild von {width} x {height} Pixeln; ein kleineres wählen.</translation>
    </message>
    <message>
        <source>The GPU refused to draw the frame: {reason}.</source>
        <translation>Die GPU hat sich geweigert, das Bild zu zeichnen: {reason}.</translation>
    </message>
    <message>
        <source>The GPU was lost {max_losses} times within {loss_seconds:.0f} s; switch off the filter or network that overloads it, or update its driver, and start Lightloom again.</source>
        <translation>Die GPU ging {max_losses}-mal innerhalb von {loss_seconds:.0f} s verloren; den Filter oder das Netz ausschalten, das sie überlastet, oder ihren Treiber aktualisieren, und Lightloom neu starten.</translation>
    </message>
    <message>
        <source>The GPU {name} stopped working; its driver was reset or it was unplugged.</source>
        <translation>Die GPU {name} arbeitet nicht mehr; ihr Treiber wurde zurückgesetzt oder sie wurde abgezogen.</translation>
    </message>
    <message>
        <source>The X display cannot be opened for global shortcuts; start Lightloom from a desktop.</source>
        <translation>Das X-Display lässt sich für globale Tasten nicht öffnen; Lightloom von einem Desktop aus starten.</translation>
    </message>
    <message>
        <source>The X display has ended the global shortcuts; start Lightloom again to use them.</source>
        <translation>Das X-Display hat die globalen Tasten beendet; Lightloom neu starten, um sie zu verwenden.</translation>
    </message>
    <message numerus="yes">
        <source>The actions of its %n events are switched off; switch them on once you have checked these actions.</source>
        <translation>
            <numerusform>Die Aktionen seines %n Ereignisses sind ausgeschaltet; einschalten, sobald diese Aktionen geprüft sind.</numerusform>
            <numerusform>Die Aktionen seiner %n Ereignisse sind ausgeschaltet; einschalten, sobald diese Aktionen geprüft sind.</numerusform>
        </translation>
    </message>
    <message>
        <source>The address {public_address} names no host: write it as {scheme}://host/path.</source>
        <translation>Die Adresse {public_address} nennt keinen Rechner: sie als {scheme}://host/path schreiben.</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded, so the slow motion has none; convert the file to keep it.</source>
        <translation>Der Ton von {name} lässt sich nicht dekodieren, daher hat die Zeitlupe keinen; die Datei umwandeln, um ihn zu behalten.</translation>
    </message>
    <message>
        <source>The automation &apos;{text}&apos; is not of the form 1.radius=lfo(period=2); write it like that.</source>
        <translation>Die Automation &apos;{text}&apos; hat nicht die Form 1.radius=lfo(period=2); so schreiben.</translation>
    </message>
    <message>
        <source>The automation &apos;{text}&apos; is of the effect {number}, and the chain has {count}; give another number.</source>
        <translation>Die Automation &apos;{text}&apos; gilt dem Effekt {number}, und die Kette hat {count}; eine andere Nummer angeben.</translation>
    </message>
    <message>
        <source>The automation of &apos;{name}&apos; has no source; give one, such as lfo.</source>
        <translation>Die Automation von &apos;{name}&apos; hat keine Quelle; eine angeben, etwa lfo.</translation>
    </message>
    <message>
        <source>The backend wgpu was chosen, but there is no GPU device; choose onnxruntime.</source>
        <translation>Der Rechenweg wgpu wurde gewählt, aber es gibt kein GPU-Gerät; onnxruntime wählen.</translation>
    </message>
    <message>
        <source>The backend {backend} does not compute in {precision}; choose the precision &apos;auto&apos; or another backend.</source>
        <translation>Das Backend {backend} rechnet nicht in {precision}; die Genauigkeit „auto“ oder ein anderes Backend wählen.</translation>
    </message>
    <message>
        <source>The bundled person mask, or an .onnx file that gives a mask or classes of pixels.</source>
        <translation>Die mitgelieferte Personenmaske oder eine .onnx-Datei, die eine Maske oder Klassen von Pixeln ergibt.</translation>
    </message>
    <message>
        <source>The bundled person mask, or an .onnx file that gives a mask.</source>
        <translation>Die mitgelieferte Personenmaske oder eine .onnx-Datei, die eine Maske ergibt.</translation>
    </message>
    <message>
        <source>The class &apos;{name}&apos; has an apostrophe before it in the file, so that a spreadsheet does not take it for a formula.</source>
        <translation>Vor der Klasse „{name}“ steht in der Datei ein Apostroph, damit eine Tabellenkalkulation sie nicht für eine Formel hält.</translation>
    </message>
    <message>
        <source>The code is in the window of Lightloom: Edit, Remote control. It is kept until this tab is closed.</source>
        <translation>Der Code steht im Fenster von Lightloom: Bearbeiten, Fernsteuerung. Er bleibt, bis dieser Tab geschlossen wird.</translation>
    </message>
    <message>
        <source>The code of remote control cannot be read from {path}: {reason}; delete the file, then a new code is made.</source>
        <translation>Der Code der Fernsteuerung lässt sich nicht aus {path} lesen: {reason}; die Datei löschen, dann wird ein neuer Code erzeugt.</translation>
    </message>
    <message>
        <source>The code of remote control cannot be stored in {path}: {reason}; make the folder writable.</source>
        <translation>Der Code der Fernsteuerung lässt sich nicht in {path} speichern: {reason}; den Ordner beschreibbar machen.</translation>
    </message>
    <message>
        <source>The code of remote control in {path} was damaged, and there is a new one; give it to all clients.</source>
        <translation>Der Code der Fernsteuerung in {path} war beschädigt, und es gibt einen neuen; ihn allen Clients geben.</translation>
    </message>
    <message>
        <source>The default of &apos;{param}&apos; is a file, which the package would not have; make it empty.</source>
        <translation>Der Standardwert von „{param}“ ist eine Datei, die das Paket nicht hätte; ihn leer lassen.</translation>
    </message>
    <message>
        <source>The driver of {info} could not create {what} ({reason}); update it, or choose another adapter (--adapter): {others}.</source>
        <translation>Der Treiber von {info} konnte {what} nicht erzeugen ({reason}); ihn aktualisieren oder einen anderen Adapter wählen (--adapter): {others}.</translation>
    </message>
    <message>
        <source>The driver of {info}, the only adapter here, could not create {what} ({reason}); update it, or install another driver.</source>
        <translation>Der Treiber von {info}, dem einzigen Adapter hier, konnte {what} nicht erzeugen ({reason}); ihn aktualisieren oder einen anderen Treiber installieren.</translation>
    </message>
    <message>
        <source>The driver of {refused} could not create {what} ({reason}), so {used} is used instead; update that driver, or choose an adapter.</source>
        <translation>Der Treiber von {refused} konnte {what} nicht erzeugen ({reason}), deshalb wird {used} verwendet; jenen Treiber aktualisieren oder einen Adapter wählen.</translation>
    </message>
    <message>
        <source>The effect is not there any more; add another one.</source>
        <translation>Den Effekt gibt es nicht mehr; einen anderen hinzufügen.</translation>
    </message>
    <message>
        <source>The file of {name} does not tell how its outputs are read, and a trial run took more than {seconds} seconds; choose the decoder and the units of the boxes (--decoder, --units).</source>
        <translation>Die Datei von {name} sagt nicht, wie ihre Ausgaben gelesen werden, und ein Probelauf brauchte mehr als {seconds} Sekunden; Decoder und Einheit der Rahmen wählen (--decoder, --units).</translation>
    </message>
    <message>
        <source>The filter of a layer {text} does not begin with the layer&apos;s number, as in 1=sepia; write it like that.</source>
        <translation>Der Filter einer Ebene {text} beginnt nicht mit der Nummer der Ebene wie in 1=sepia; ihn so schreiben.</translation>
    </message>
    <message>
        <source>The filter {text} is of the layer {number}, and there are {count}; give another number.</source>
        <translation>Der Filter {text} gehört zur Ebene {number}, und es gibt {count}; eine andere Nummer angeben.</translation>
    </message>
    <message>
        <source>The green image of a light amplifier, which brightens dark places.</source>
        <translation>Das grüne Bild eines Restlichtverstärkers, das Dunkles aufhellt.</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is unknown and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>Der Schlüssel „{name}“ in {file} ist unbekannt und wurde weggelassen; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>The layer &apos;{name}&apos; is not drawn. {message}</source>
        <translation>Die Ebene &apos;{name}&apos; wird nicht gezeichnet. {message}</translation>
    </message>
    <message>
        <source>The layer was switched off, because the GPU refused it: {reason}; choose a smaller source.</source>
        <translation>Die Ebene wurde ausgeschaltet, weil die GPU sie ablehnte: {reason}; eine kleinere Quelle wählen.</translation>
    </message>
    <message>
        <source>The layer {number} has no file; give one.</source>
        <translation>Die Ebene {number} hat keine Datei; eine angeben.</translation>
    </message>
    <message>
        <source>The layer {text} has no file; write {name}= and its name.</source>
        <translation>Die Ebene {text} hat keine Datei; {name}= und ihren Namen schreiben.</translation>
    </message>
    <message>
        <source>The layer&apos;s source has no frame; choose another file.</source>
        <translation>Die Quelle der Ebene hat kein Bild; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>The list of cuts can&apos;t be written to {path}: its ending names no format; choose one of {suffixes}.</source>
        <translation>Die Schnittliste lässt sich nicht nach {path} schreiben: Die Endung nennt kein Format; bitte eines von {suffixes} wählen.</translation>
    </message>
    <message>
        <source>The list of cuts can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>Die Schnittliste lässt sich nicht nach {path} schreiben: {reason}; bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The list of exports cannot be saved in {folder}: {reason}. Exports continue, but those that are not done when Lightloom closes are lost; free disk space, or make the folder writable.</source>
        <translation>Die Exportliste kann nicht in {folder} gespeichert werden: {reason}. Exporte laufen weiter, doch die beim Schließen von Lightloom unfertigen gehen verloren; Speicherplatz freigeben oder den Ordner beschreibbar machen.</translation>
    </message>
    <message>
        <source>The list of exports is damaged or was written by a newer version, so that some exports are missing; add them again.</source>
        <translation>Die Exportliste ist beschädigt oder von einer neueren Version geschrieben, sodass einige Exporte fehlen; neu hinzufügen.</translation>
    </message>
    <message>
        <source>The list of exports is damaged or was written by a newer version, so that some exports are missing; add them again. A copy of the list is {kept}.</source>
        <translation>Die Exportliste ist beschädigt oder von einer neueren Version geschrieben, sodass einige Exporte fehlen; neu hinzufügen. Eine Kopie der Liste ist {kept}.</translation>
    </message>
    <message>
        <source>The look has a layer with the video {path}, which does not go into one file; save it as .toml, which names the video.</source>
        <translation>Der Look hat eine Ebene mit dem Video {path}, das nicht in die eine Datei kommt; ihn als .toml speichern, die das Video nennt.</translation>
    </message>
    <message>
        <source>The look has layers, and the page cannot do that; remove them from it first.</source>
        <translation>Der Look hat Ebenen, und das kann die Seite nicht; sie erst daraus entfernen.</translation>
    </message>
    <message>
        <source>The look, counts, classes and events, to a port such as 9001, or HOST:PORT.</source>
        <translation>Look, Anzahlen, Klassen und Ereignisse, an einen Port wie 9001 oder HOST:PORT.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a range of brightness from {low} to {high}; exchange them.</source>
        <translation>Die Maske von &apos;{filter}&apos; hat einen Helligkeitsbereich von {low} bis {high}; die beiden vertauschen.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has no stroke; paint one.</source>
        <translation>Die Maske von &apos;{filter}&apos; hat keinen Strich; einen malen.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; of a layer uses what is found in the main image; choose another mask.</source>
        <translation>Die Maske von &apos;{filter}&apos; einer Ebene nutzt, was im Hauptbild gefunden wird; eine andere Maske wählen.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; reads an effect that does not stand before it; move one of them, or choose another.</source>
        <translation>Die Maske von &apos;{filter}&apos; liest einen Effekt, der nicht davor steht; einen von beiden verschieben oder einen anderen wählen.</translation>
    </message>
    <message>
        <source>The message&apos;s address; it begins with a slash.</source>
        <translation>Die Adresse der Nachricht; sie beginnt mit einem Schrägstrich.</translation>
    </message>
    <message>
        <source>The motion can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>Die Bewegung lässt sich nicht nach {path} schreiben: {reason}; bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The motion in {path} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>Die Bewegung in {path} lässt sich nicht lesen: {reason}; bitte Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>The motion of the frame at {seconds:.3f} s is not known: the motion is of another video, or of another part; read it again without a motion file.</source>
        <translation>Die Bewegung des Bilds bei {seconds:.3f} s ist nicht bekannt: Sie gehört zu einem anderen Video oder einem anderen Teil; bitte ohne Bewegungsdatei neu lesen.</translation>
    </message>
    <message>
        <source>The network returned NaN in {count} of {frames} frames, so objects may be missing; use fp32 (--precision fp32) or another network.</source>
        <translation>Das Netz gab in {count} von {frames} Bildern NaN aus, daher können Objekte fehlen; fp32 (--precision fp32) oder ein anderes Netz verwenden.</translation>
    </message>
    <message>
        <source>The network returned NaN, so objects may be missing; use fp32 (--precision fp32) or another network.</source>
        <translation>Das Netz gab NaN aus, daher können Objekte fehlen; fp32 (--precision fp32) oder ein anderes Netz verwenden.</translation>
    </message>
    <message>
        <source>The package {package} {version} offers the plug-in &apos;{name}&apos;, which is code and is not used so far.</source>
        <translation>Das Paket {package} {version} bietet das Plug-in „{name}“ an; es ist Code und wird bisher nicht benutzt.</translation>
    </message>
    <message>
        <source>The image cannot be converted ({reason}); convert it to yuv420p.</source>
        <translation>Das Bild lässt sich nicht umwandeln ({reason}); es in yuv420p umwandeln.</translation>
    </message>
    <message>
        <source>The plug-in &apos;{name}&apos; is left out: {why}</source>
        <translation>Das Plug-in „{name}“ wird weggelassen: {why}</translation>
    </message>
    <message>
        <source>The rate of frame interpolation can&apos;t be {value}; choose one of {rates}.</source>
        <translation>Die Rate der Bildinterpolation kann nicht {value} sein; eine von {rates} wählen.</translation>
    </message>
    <message>
        <source>The server does not state whether the scores are probabilities; those of a gray image sum to 1, so they are taken for such.</source>
        <translation>Der Server gibt nicht an, ob die Werte Wahrscheinlichkeiten sind; die eines grauen Bildes ergeben zusammen 1 und gelten deshalb als solche.</translation>
    </message>
    <message>
        <source>There is no backend {value}; choose one of {choices}.</source>
        <translation>Es gibt kein Backend {value}; eines von {choices} wählen.</translation>
    </message>
    <message>
        <source>This build of Lightloom has no update site, so it cannot check for a newer version; look where you got it from.</source>
        <translation>Dieser Build von Lightloom hat keine Update-Seite und kann deshalb nicht nach einer neueren Version suchen; dort nachsehen, woher er stammt.</translation>
    </message>
    <message>
        <source>What computes the network.</source>
        <translation>Was das Netz berechnet.</translation>
    </message>
    <message>
        <source>Writing {path} failed partway: its encoder or its format refused a frame or a packet of audio ({reason}); choose another codec or another file format.</source>
        <translation>Das Schreiben von {path} brach ab: Encoder oder Format lehnten ein Bild oder ein Stück Ton ab ({reason}); einen anderen Codec oder eine andere Dateiart wählen.</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>a name would lead to another folder of the address; rename the zone or event</source>
        <translation>ein Name würde in einen anderen Ordner der Adresse führen; die Zone oder das Ereignis umbenennen</translation>
    </message>
    <message>
        <source>a render pipeline</source>
        <translation>eine Render-Pipeline</translation>
    </message>
    <message>
        <source>interlaced frames are shown as they are</source>
        <translation>Bilder im Zeilensprung werden gezeigt, wie sie sind</translation>
    </message>
    <message>
        <source>loading the network</source>
        <translation>das Netz wird geladen</translation>
    </message>
    <message>
        <source>outputs with the names and shapes of this family</source>
        <translation>Ausgänge mit den Namen und Formen dieser Familie</translation>
    </message>
    <message>
        <source>outputs with the names of this family</source>
        <translation>Ausgänge mit den Namen dieser Familie</translation>
    </message>
    <message>
        <source>screen</source>
        <translation>Bildschirm</translation>
    </message>
    <message>
        <source>sends frames that cannot be decoded</source>
        <translation>sendet Bilder, die nicht decodiert werden können</translation>
    </message>
    <message>
        <source>the network of the frame interpolation</source>
        <translation>das Netz der Bildinterpolation</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, with {behind} of {whole} behind it</source>
        <translation>die Form seines Ergebnisses folgt aus dem, was das Netz berechnet, und {behind} von {whole} liegen dahinter</translation>
    </message>
    <message>
        <source>the source has as many frames as the screen shows</source>
        <translation>die Quelle hat so viele Bilder, wie der Bildschirm zeigt</translation>
    </message>
    <message>
        <source>too slow: {ms:.0f} ms a frame where {there:.0f} ms are there; the source&apos;s own frames are shown</source>
        <translation>zu langsam: {ms:.0f} ms je Bild, wo {there:.0f} ms da sind; die Bilder der Quelle werden gezeigt</translation>
    </message>
    <message>
        <source>waits for the next frame</source>
        <translation>wartet auf das nächste Bild</translation>
    </message>
    <message>
        <source>{before} → {after} fps, {ms} ms a frame</source>
        <translation>{before} → {after} Bilder/s, {ms} ms je Bild</translation>
    </message>
    <message>
        <source>{before} → {after} fps, {ms} ms a frame, shown {later} ms later</source>
        <translation>{before} → {after} Bilder/s, {ms} ms je Bild, {later} ms später gezeigt</translation>
    </message>
    <message>
        <source>{name} ends after {reached:.2f} s, although its header states {stated:.2f} s: it was cut off, or is damaged; try another copy of it.</source>
        <translation>{name} endet nach {reached:.2f} s, obwohl sein Kopf {stated:.2f} s nennt: Es wurde abgeschnitten oder ist beschädigt; eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} gives boxes relative to anchors (&apos;{output}&apos;), and the file does not hold the anchors; export it with its postprocessing, so that it gives detection_boxes, detection_classes and detection_scores.</source>
        <translation>{name} gibt Rahmen relativ zu Ankern („{output}“), und die Datei enthält die Anker nicht; es mit seiner Nachverarbeitung exportieren, sodass es detection_boxes, detection_classes und detection_scores gibt.</translation>
    </message>
    <message numerus="yes">
        <source>{name} is damaged in %n places: frames are missing or wrong there; try another copy of it.</source>
        <translation>
            <numerusform>{name} ist an %n Stelle beschädigt: Dort fehlen Bilder oder sind falsch; eine andere Kopie versuchen.</numerusform>
            <numerusform>{name} ist an %n Stellen beschädigt: Dort fehlen Bilder oder sind falsch; eine andere Kopie versuchen.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} gives a result of {made} where images of {wanted} are needed, as large as its inputs; choose another export of it, which does not enlarge or pad them.</source>
        <translation>{name} macht ein Ergebnis von {made}, wo Bilder von {wanted} gebraucht werden, so groß wie die gegebenen; einen anderen Export wählen, der sie weder vergrößert noch auffüllt.</translation>
    </message>
    <message>
        <source>{name} takes only some sizes: in-between frames are scaled to {width} x {height} pixels and back.</source>
        <translation>{name} nimmt nur manche Größen: Die Bilder dazwischen werden auf {width} x {height} Pixel skaliert und zurück.</translation>
    </message>
    <message>
        <source>{path} was changed while the look was being written; save the look again.</source>
        <translation>{path} wurde geändert, während der Look geschrieben wurde; den Look noch einmal speichern.</translation>
    </message>
    <message>
        <source>{title} sends frames that cannot be decoded: check what it sends.</source>
        <translation>{title} sendet Bilder, die nicht decodiert werden können: prüfen, was es sendet.</translation>
    </message>
    <message>
        <source>{word} in the address is no placeholder; only {{zone}} and {{event}} are</source>
        <translation>{word} in der Adresse ist kein Platzhalter; nur {{zone}} und {{event}} sind welche</translation>
    </message>
    <message>
        <source>The camera {camera_name} does not take {chosen}: choose another format.</source>
        <translation>Die Kamera {camera_name} nimmt {chosen} nicht an: ein anderes Format wählen.</translation>
    </message>
    <message>
        <source>The camera {name} {happened}: {hint}.</source>
        <translation>Die Kamera {name} {happened}: {hint}.</translation>
    </message>
    <message>
        <source>The catalogue has no network &apos;{name}&apos;; &apos;lightloom models list&apos; shows what there is.</source>
        <translation>Der Katalog hat kein Netz &apos;{name}&apos;; &apos;lightloom models list&apos; zeigt, was es gibt.</translation>
    </message>
    <message>
        <source>The catalogue {name} has two networks &apos;{entry_id}&apos;; rename one of them.</source>
        <translation>Der Katalog {name} hat zwei Netze &apos;{entry_id}&apos;; eines davon umbenennen.</translation>
    </message>
    <message>
        <source>The catalogue {name} is not TOML: {error}; choose another.</source>
        <translation>Der Katalog {name} ist kein TOML: {error}; einen anderen wählen.</translation>
    </message>
    <message>
        <source>The catalogue {path} cannot be read: {reason}; choose another.</source>
        <translation>Der Katalog {path} kann nicht gelesen werden: {reason}; einen anderen wählen.</translation>
    </message>
    <message>
        <source>The catalogue {where} has no table [[network]]; choose another catalogue.</source>
        <translation>Der Katalog {where} hat keine Tabelle [[network]]; einen anderen Katalog wählen.</translation>
    </message>
    <message>
        <source>The catalogue {where}: {what}; docs/model-library.md lists the keys.</source>
        <translation>Der Katalog {where}: {what}; docs/model-library.md nennt die Schlüssel.</translation>
    </message>
    <message>
        <source>The center of the twist.</source>
        <translation>Die Mitte der Verdrehung.</translation>
    </message>
    <message>
        <source>The channel that is changed.</source>
        <translation>Der Kanal, der geändert wird.</translation>
    </message>
    <message>
        <source>The colors from cold to hot.</source>
        <translation>Die Farben von kalt bis heiß.</translation>
    </message>
    <message>
        <source>The detector has {anchors} anchors and {classes} classes; the GPU path takes {most_anchors} and {most_classes}, choose onnxruntime.</source>
        <translation>Der Detektor hat {anchors} Anker und {classes} Klassen; auf der GPU sind {most_anchors} und {most_classes} möglich, onnxruntime wählen.</translation>
    </message>
    <message>
        <source>The detector&apos;s outputs are {types}; the GPU path takes float32 or float16, choose onnxruntime.</source>
        <translation>Die Ausgänge des Detektors sind {types}; auf der GPU sind float32 und float16 möglich, onnxruntime wählen.</translation>
    </message>
    <message>
        <source>The file comes from Caffe</source>
        <translation>Die Datei stammt von Caffe</translation>
    </message>
    <message>
        <source>The file comes from TensorFlow, so RGB in -1..1.</source>
        <translation>Die Datei stammt von TensorFlow, also RGB in -1..1.</translation>
    </message>
    <message>
        <source>The file leaves the input&apos;s size free; its position embeddings are those of {size}x{size}.</source>
        <translation>Die Datei lässt die Größe der Eingabe offen; ihre Positionseinbettungen sind die von {size}x{size}.</translation>
    </message>
    <message>
        <source>The filter &apos;{id}&apos; has no parameter &apos;{name}&apos;; it has: {names}.</source>
        <translation>Der Filter &apos;{id}&apos; hat keinen Parameter &apos;{name}&apos;; er hat: {names}.</translation>
    </message>
    <message>
        <source>The filter file {name} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Die Filterdatei {name} kann nicht gelesen werden: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The filter file {name} is not text in UTF-8; save it as that.</source>
        <translation>Die Filterdatei {name} ist kein Text in UTF-8; sie als solchen speichern.</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean 0 and a deviation below 0.8, so -1..1.</source>
        <translation>Die erste Schicht normalisiert Eingaben mit Mittelwert 0 und einer Standardabweichung unter 0.8, also -1..1.</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean 0 and a deviation of some tens</source>
        <translation>Die erste Schicht normalisiert Eingaben mit Mittelwert 0 und einer Standardabweichung von einigen Zehnern</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean {mean:.0f}, so 0..255.</source>
        <translation>Die erste Schicht normalisiert Eingaben mit Mittelwert {mean:.0f}, also 0..255.</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean {mean:.2g}, so 0..1.</source>
        <translation>Die erste Schicht normalisiert Eingaben mit Mittelwert {mean:.2g}, also 0..1.</translation>
    </message>
    <message>
        <source>The first layer&apos;s weights are sized for raw values, so 0..255.</source>
        <translation>Die Gewichte der ersten Schicht sind für rohe Werte bemessen, also 0..255.</translation>
    </message>
    <message>
        <source>The first one again</source>
        <translation>Wieder der erste</translation>
    </message>
    <message>
        <source>The folder {name} can&apos;t be read ({reason}): check its permissions.</source>
        <translation>Der Ordner {name} kann nicht gelesen werden ({reason}): seine Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The folder {name} holds no images: choose one with images in it.</source>
        <translation>Der Ordner {name} enthält kein Bild: einen mit Bildern wählen.</translation>
    </message>
    <message>
        <source>The graph ends in values of {said}.</source>
        <translation>Der Graph endet mit Werten in {said}.</translation>
    </message>
    <message>
        <source>The graph itself normalizes values of 0..1.</source>
        <translation>Der Graph selbst normalisiert Werte von 0..1.</translation>
    </message>
    <message>
        <source>The graph itself scales raw values, so 0..255.</source>
        <translation>Der Graph selbst skaliert rohe Werte, also 0..255.</translation>
    </message>
    <message>
        <source>The graph shows that the boxes are {units}.</source>
        <translation>Der Graph zeigt, dass die Rahmen {units} sind.</translation>
    </message>
    <message>
        <source>The input &apos;{input}&apos; of {name} does not take the shape {shape}; give one that fits.</source>
        <translation>Der Eingang &apos;{input}&apos; von {name} nimmt die Form {shape} nicht an; eine passende angeben.</translation>
    </message>
    <message>
        <source>The input &apos;{input}&apos; of {name} takes {expected}, not {dtype}.</source>
        <translation>Der Eingang &apos;{input}&apos; von {name} nimmt {expected}, nicht {dtype}.</translation>
    </message>
    <message>
        <source>The input &apos;{name}&apos; takes {dtype} of shape {shape}, not {dtype2} of shape {array_shape}.</source>
        <translation>Der Eingang &apos;{name}&apos; nimmt {dtype} der Form {shape}, nicht {dtype2} der Form {array_shape}.</translation>
    </message>
    <message>
        <source>The input cannot be uploaded: {error}</source>
        <translation>Die Eingabe kann nicht übertragen werden: {error}</translation>
    </message>
    <message>
        <source>The input is small, so the whole center square is used instead of 0.875 of it.</source>
        <translation>Der Eingang ist klein, daher wird das ganze mittige Quadrat verwendet statt 0.875 davon.</translation>
    </message>
    <message>
        <source>The input takes bytes, so 0..255.</source>
        <translation>Die Eingabe nimmt Bytes, also 0..255.</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; {size}x{size} is assumed.</source>
        <translation>Die Größe des Eingangs ist frei; {size}x{size} wird angenommen.</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; {width}x{height} is assumed.</source>
        <translation>Die Größe des Eingangs ist frei; {width}x{height} wird angenommen.</translation>
    </message>
    <message>
        <source>The label file {name} is not UTF-8 text; save it as UTF-8.</source>
        <translation>Die Namensdatei {name} ist kein Text in UTF-8; sie als UTF-8 speichern.</translation>
    </message>
    <message>
        <source>The label file {path} cannot be read: {reason}; give a text with one name a line.</source>
        <translation>Die Namensdatei {path} kann nicht gelesen werden: {reason}; einen Text mit einem Namen je Zeile angeben.</translation>
    </message>
    <message>
        <source>The language changes when Lightloom is started again.</source>
        <translation>Die Sprache wechselt, wenn Lightloom neu gestartet wird.</translation>
    </message>
    <message>
        <source>The lens&apos;s axis, where nothing is shifted.</source>
        <translation>Die Achse des Objektivs, wo nichts verschoben ist.</translation>
    </message>
    <message>
        <source>The loop is shorter than one frame: set its end after its start.</source>
        <translation>Die Schleife ist kürzer als ein Bild: ihr Ende nach ihren Anfang setzen.</translation>
    </message>
    <message>
        <source>The metadata is Ultralytics&apos;, so RGB in 0..1.</source>
        <translation>Die Metadaten sind die von Ultralytics, also RGB in 0..1.</translation>
    </message>
    <message>
        <source>The metadata says BGR.</source>
        <translation>Die Metadaten nennen BGR.</translation>
    </message>
    <message>
        <source>The metadata says RGB.</source>
        <translation>Die Metadaten nennen RGB.</translation>
    </message>
    <message>
        <source>The metadata says the range is {scale}.</source>
        <translation>Die Metadaten nennen den Wertebereich {scale}.</translation>
    </message>
    <message>
        <source>The middle of the rings.</source>
        <translation>Die Mitte der Ringe.</translation>
    </message>
    <message>
        <source>The mirror &apos;{mirror}&apos; is not an http or https address; correct or clear it.</source>
        <translation>Der Spiegel &apos;{mirror}&apos; ist keine Adresse mit http oder https; sie berichtigen oder löschen.</translation>
    </message>
    <message>
        <source>The model cannot run on wgpu: {reasons}; use the onnxruntime backend.</source>
        <translation>Das Modell kann nicht auf wgpu laufen: {reasons}; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>The model needs a buffer of {size} bytes, more than {adapter} allows; choose a smaller one or another backend.</source>
        <translation>Das Modell braucht einen Puffer von {size} Byte, mehr als {adapter} erlaubt; ein kleineres oder ein anderes Backend wählen.</translation>
    </message>
    <message>
        <source>The model needs a tensor of {size:.0f} MiB, but this adapter binds at most {limit:.0f} MiB; use a smaller input or the onnxruntime backend.</source>
        <translation>Das Modell braucht einen Tensor von {size:.0f} MiB, aber dieser Adapter bindet höchstens {limit:.0f} MiB; eine kleinere Eingabe oder den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>The model {path} cannot be read: {reason}; check the path.</source>
        <translation>Das Modell {path} kann nicht gelesen werden: {reason}; den Pfad prüfen.</translation>
    </message>
    <message>
        <source>The network cannot be loaded ({reason}); try another one.</source>
        <translation>Das Netz kann nicht geladen werden ({reason}); ein anderes versuchen.</translation>
    </message>
    <message>
        <source>The network ends in logits; softmax makes probabilities of them.</source>
        <translation>Das Netz endet mit Logits; Softmax macht Wahrscheinlichkeiten daraus.</translation>
    </message>
    <message>
        <source>The network gave an output of {shape} instead of {expected}; choose another one.</source>
        <translation>Das Netz gab eine Ausgabe von {shape} statt {expected}; ein anderes wählen.</translation>
    </message>
    <message>
        <source>The network gave no answer within {timeout:.0f} s; choose a smaller one.</source>
        <translation>Das Netz hat innerhalb von {timeout:.0f} s nicht geantwortet; ein kleineres wählen.</translation>
    </message>
    <message>
        <source>The network takes one size only, so that the working size changes nothing.</source>
        <translation>Das Netz nimmt nur eine Größe, daher ändert die Arbeitsgröße nichts.</translation>
    </message>
    <message>
        <source>The network takes the inputs {inputs}, not {given}.</source>
        <translation>Das Netz nimmt die Eingänge {inputs}, nicht {given}.</translation>
    </message>
    <message>
        <source>The network was closed and its tensors are gone; load it again.</source>
        <translation>Das Netz wurde geschlossen und seine Tensoren sind weg; es neu laden.</translation>
    </message>
    <message>
        <source>The network {name} cannot be loaded ({reason}); choose another one.</source>
        <translation>Das Netz {name} kann nicht geladen werden ({reason}); ein anderes wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s input could not be read back from the GPU: {error}; load the network again.</source>
        <translation>Die Eingabe des Netzes konnte nicht von der GPU zurückgelesen werden: {error}; das Netz erneut laden.</translation>
    </message>
    <message>
        <source>The network&apos;s output has elements of type {dtype}, which are no pixels; choose another network.</source>
        <translation>Die Ausgabe des Netzes hat Elemente vom Typ {dtype}, die keine Pixel sind; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s output is {dtype}; the GPU path takes float32 and float16, choose onnxruntime.</source>
        <translation>Die Ausgabe des Netzes ist {dtype}; auf der GPU sind float32 und float16 möglich, onnxruntime wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s output of {size} MiB is more than {adapter} takes; choose a smaller working size.</source>
        <translation>Die Ausgabe des Netzes von {size} MiB ist mehr, als {adapter} nimmt; eine kleinere Arbeitsgröße wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s output of {width} x {height} pixels is larger than this GPU&apos;s textures of {most}; choose a smaller working size.</source>
        <translation>Die Ausgabe des Netzes von {width} x {height} Pixeln ist größer als die Texturen dieser GPU von {most}; eine kleinere Arbeitsgröße wählen.</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; binds more buffers than this adapter has a stage.</source>
        <translation>Der Knoten &apos;{node}&apos; bindet mehr Puffer, als dieser Adapter je Stufe hat.</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; needs {count} workgroups in a row, but this adapter takes {max_groups}; use a smaller input or the onnxruntime backend.</source>
        <translation>Der Knoten &apos;{node}&apos; braucht {count} Arbeitsgruppen hintereinander, aber dieser Adapter nimmt {max_groups}; eine kleinere Eingabe oder den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; needs {rounds} rounds of a loop in one thread, which this software adapter does not make; use a smaller input or the onnxruntime backend.</source>
        <translation>Der Knoten &apos;{node}&apos; braucht {rounds} Durchläufe einer Schleife in einem Thread, was dieser Software-Adapter nicht schafft; eine kleinere Eingabe oder den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>The one class that is colored; -1 colors all.</source>
        <translation>Die eine Klasse, die gefärbt wird; -1 färbt alle.</translation>
    </message>
    <message>
        <source>The output &apos;{name}&apos; must end in {suffixes} for {title}; choose another name.</source>
        <translation>Die Ausgabe &apos;{name}&apos; muss für {title} auf {suffixes} enden; wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>The page has no secondary network; take it out of the look, or export without it.</source>
        <translation>Die Seite hat kein zweites Netz, das genauer hinsieht; es aus dem Look nehmen oder ohne es exportieren.</translation>
    </message>
    <message>
        <source>The image {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Das Bild {path} kann nicht gelesen werden: {reason}; Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>The image {path} is of a kind that browsers do not show; save it as one of {kinds}.</source>
        <translation>Das Bild {path} ist von einer Art, die Browser nicht zeigen; es als eines von {kinds} speichern.</translation>
    </message>
    <message>
        <source>The look follows or counts what a network finds, and the page cannot do that; take [scene] out of it first.</source>
        <translation>Der Look verfolgt oder zählt, was ein Netz findet, und das kann die Seite nicht; zuerst [scene] herausnehmen.</translation>
    </message>
    <message>
        <source>The look hides what a network finds, and the page cannot do that; take [anonymize] out of it first.</source>
        <translation>Der Look verbirgt, was ein Netz findet, und das kann die Seite nicht; zuerst [anonymize] herausnehmen.</translation>
    </message>
    <message>
        <source>The results cannot be written to {name} ({reason}); make room, or choose another place.</source>
        <translation>Die Ergebnisse lassen sich nicht nach {name} schreiben ({reason}); schaffe Platz, oder wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>The site {folder} cannot be written: {reason}; check its name and permissions.</source>
        <translation>Die Seite {folder} kann nicht geschrieben werden: {reason}; Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>The zones in {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Die Zonen in {path} können nicht gelesen werden: {reason}; Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>There is neither a filter nor a network in it, so there is nothing to export.</source>
        <translation>Es ist weder ein Filter noch ein Netz darin, also gibt es nichts zu exportieren.</translation>
    </message>
    <message>
        <source>What becomes of the background; cut out makes it transparent, mask shows where the person is in white.</source>
        <translation>Was aus dem Hintergrund wird; Freistellen macht ihn durchsichtig, die Maske zeigt in Weiß, wo die Person ist.</translation>
    </message>
    <message>
        <source>What is faster here</source>
        <translation>Was hier schneller ist</translation>
    </message>
    <message>
        <source>the input &apos;{input}&apos; decides shapes</source>
        <translation>der Eingang &apos;{input}&apos; bestimmt Formen</translation>
    </message>
    <message>
        <source>the input &apos;{input}&apos; has a free width and height</source>
        <translation>der Eingang &apos;{input}&apos; hat freie Breite und Höhe</translation>
    </message>
    <message>
        <source>the name of a built-in network or the path of an .onnx or .tflite file</source>
        <translation>der Name eines eingebauten Netzes oder der Pfad einer .onnx- oder .tflite-Datei</translation>
    </message>
    <message>
        <source>the tensor &apos;{name}&apos; has scales or zero points that are none</source>
        <translation>der Tensor &apos;{name}&apos; hat Skalen oder Nullpunkte, die keine sind</translation>
    </message>
    <message>
        <source>the tensor &apos;{name}&apos; has {count} dimensions or more</source>
        <translation>der Tensor &apos;{name}&apos; hat {count} Dimensionen oder mehr</translation>
    </message>
    <message>
        <source>the tensor &apos;{tensor}&apos; is of a type that is not computed with</source>
        <translation>der Tensor &apos;{tensor}&apos; ist von einem Typ, mit dem nicht gerechnet wird</translation>
    </message>
    <message>
        <source>{backend} does not read {format} files</source>
        <translation>{backend} liest keine {format}-Dateien</translation>
    </message>
    <message>
        <source>{backend} on {device}, {precision}</source>
        <translation>{backend} auf {device}, {precision}</translation>
    </message>
    <message>
        <source>{container} with {codec} holds no transparency; choose a file that does ({kinds}), or do not keep it.</source>
        <translation>{container} mit {codec} enthält keine Transparenz; eine Datei wählen, die das kann ({kinds}), oder darauf verzichten.</translation>
    </message>
    <message>
        <source>{folder} has files in it that are not of an exported site; choose an empty folder or a new one.</source>
        <translation>In {folder} liegen Dateien, die nicht zu einer exportierten Seite gehören; einen leeren oder neuen Ordner wählen.</translation>
    </message>
    <message>
        <source>{folder} is a file; give the name of a folder for the site.</source>
        <translation>{folder} ist eine Datei; einen Ordner für die Seite nennen.</translation>
    </message>
    <message>
        <source>{name} cannot be exported, because a browser has no CPU backend for what the engine does not take: {reason}; choose another network.</source>
        <translation>{name} kann nicht exportiert werden, weil ein Browser kein CPU-Backend für das hat, was die Engine nicht annimmt: {reason}; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu: its inputs {inputs} decide shapes, so they need a value when it is loaded; choose another backend.</source>
        <translation>{name} kann nicht auf wgpu laufen: Seine Eingänge {inputs} bestimmen Formen und brauchen daher beim Laden einen Wert; ein anderes Backend wählen.</translation>
    </message>
    <message>
        <source>{name} does not run on {last}; choose another network ({reason}).</source>
        <translation>{name} läuft nicht auf {last}; ein anderes Netz wählen ({reason}).</translation>
    </message>
    <message>
        <source>{name} gives no points of a face: its outputs are {shapes}, where [1, 198, height, width] or [66, 3] is expected; choose another network.</source>
        <translation>{name} gibt keine Punkte eines Gesichts: die Ausgaben sind {shapes}, wo [1, 198, Höhe, Breite] oder [66, 3] erwartet wird; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} gives scores of type {dtype}, which the page does not read.</source>
        <translation>{name} gibt Werte vom Typ {dtype}, den die Seite nicht liest.</translation>
    </message>
    <message>
        <source>{name} is a network for {task}, and the page shows nothing of that kind; export a classifier, or a network that a filter of the chain uses.</source>
        <translation>{name} ist ein Netz für {task}, und dergleichen zeigt die Seite nicht; einen Klassifikator exportieren oder ein Netz, das ein Filter der Kette verwendet.</translation>
    </message>
    <message>
        <source>{name} is a {format} file, which {suited} does not read.</source>
        <translation>{name} ist eine {format}-Datei, die {suited} nicht liest.</translation>
    </message>
    <message>
        <source>{name} is not a valid TensorFlow Lite model: {what}; download or convert it again.</source>
        <translation>{name} ist kein gültiges TensorFlow-Lite-Modell: {what}; es neu herunterladen oder umwandeln.</translation>
    </message>
    <message>
        <source>{name} leaves width and height of its input &apos;{input}&apos; free ({shape}), and nothing states them; write a size beside it (docs/models.md) or into the look.</source>
        <translation>{name} lässt Breite und Höhe seines Eingangs &apos;{input}&apos; frei ({shape}), und nichts legt sie fest; eine Größe daneben (docs/models.md) oder in den Look schreiben.</translation>
    </message>
    <message>
        <source>{name} produces an image ({task}), so it belongs in the chain; drop it on the window, give it to a filter (--filter {filter}:model={path}), or choose another task for it.</source>
        <translation>{name} macht ein Bild ({task}) und gehört in die Kette; es auf das Fenster ziehen, es einem Filter geben (--filter {filter}:model={path}) oder eine andere Aufgabe dafür wählen.</translation>
    </message>
    <message>
        <source>{name} runs neither on {others} nor on {last}; choose another network ({reason}).</source>
        <translation>{name} läuft weder mit {others} noch mit {last}; ein anderes Netz wählen ({reason}).</translation>
    </message>
    <message>
        <source>The order of the network&apos;s channels, where what was inferred is wrong.</source>
        <translation>Die Reihenfolge der Kanäle des Netzes, wo das Geschlossene falsch ist.</translation>
    </message>
    <message numerus="yes">
        <source>%n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>%n Ereignis wurde nicht zugestellt; es steht im Protokoll.</numerusform>
            <numerusform>%n Ereignisse wurden nicht zugestellt; sie stehen im Protokoll.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more images are left out.</source>
        <translation>
            <numerusform>%n weiteres Bild ist ausgelassen.</numerusform>
            <numerusform>%n weitere Bilder sind ausgelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other settings in it were left out.</source>
        <translation>
            <numerusform>%n weitere Angabe darin wurde weggelassen.</numerusform>
            <numerusform>%n weitere Angaben darin wurden weggelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n Punkt</numerusform>
            <numerusform>%n Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n objects were not processed by the secondary network; raise the limit.</source>
        <translation>
            <numerusform>%n Ding wurde nicht genauer angesehen; die Anzahl erhöhen.</numerusform>
            <numerusform>%n Dinge wurden nicht genauer angesehen; die Anzahl erhöhen.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Count from nothing</source>
        <translation>Von vorn &amp;zählen</translation>
    </message>
    <message>
        <source>&amp;Deinterlace</source>
        <translation>&amp;Zeilensprung entfernen</translation>
    </message>
    <message>
        <source>&amp;Draw a zone</source>
        <translation>Zone &amp;zeichnen</translation>
    </message>
    <message>
        <source>&amp;Track objects</source>
        <translation>Dinge &amp;verfolgen</translation>
    </message>
    <message>
        <source>&amp;Heat map</source>
        <translation>&amp;Wärmekarte</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>E&amp;rgebnisse</translation>
    </message>
    <message>
        <source>&amp;Zones and events</source>
        <translation>&amp;Zonen und Ereignisse</translation>
    </message>
    <message>
        <source>&apos;Authorization&apos; has letters that no request can hold</source>
        <translation>&apos;Authorization&apos; enthält Zeichen, die keine Anfrage aufnehmen kann</translation>
    </message>
    <message>
        <source>&apos;live&apos; must name parameters of the types {types}</source>
        <translation>&apos;live&apos; muss Parameter der Typen {types} nennen</translation>
    </message>
    <message>
        <source>&apos;when&apos; of &apos;{param_name}&apos; must name another parameter, a bool, a choice or a model</source>
        <translation>&apos;when&apos; von &apos;{param_name}&apos; muss einen anderen Parameter nennen, der bool, choice oder model ist</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is neither true nor false and was left out.</source>
        <translation>„{key}“ ist weder true noch false und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a table and was left out.</source>
        <translation>&apos;{key}&apos; ist keine Tabelle und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is not known and was left out.</source>
        <translation>„{key}“ von „{name}“ ist nicht bekannt und wurde weggelassen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is one network</source>
        <translation>&apos;{name}&apos; ein einzelnes Netz ist</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is the folder of a pipeline (Stable Diffusion, say)</source>
        <translation>&apos;{name}&apos; der Ordner einer Pipeline ist (etwa von Stable Diffusion)</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the filter &apos;{filter}&apos; has no effect unless {wanted}; choose that, or leave &apos;{name}&apos; out.</source>
        <translation>&apos;{name}&apos; des Filters &apos;{filter}&apos; wirkt nur, wenn {wanted}; das wählen oder &apos;{name}&apos; weglassen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: {why}.</source>
        <translation>„{name}“ wurde weggelassen: {why}.</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; has elements of type {dtype}, where a denoiser has floating-point numbers; choose another network.</source>
        <translation>&apos;{tensor}&apos; hat Elemente vom Typ {dtype}, wo ein Entrauscher Gleitkommazahlen hat; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; is computed twice</source>
        <translation>&apos;{tensor}&apos; wird zweimal berechnet</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; names no screen: write it as screen:2, screen:100,50,640,480 (left, top, width, height) or screen:window=TITLE.</source>
        <translation>&apos;{text}&apos; nennt keinen Bildschirm: screen:2, screen:100,50,640,480 (links, oben, Breite, Höhe) oder screen:window=TITEL schreiben.</translation>
    </message>
    <message>
        <source>&apos;{topic}&apos; is no topic to publish to</source>
        <translation>„{topic}“ ist kein Thema, unter dem veröffentlicht werden kann</translation>
    </message>
    <message>
        <source>A MOTChallenge file is of one input; for several name a folder in the place of {name}.</source>
        <translation>Eine MOTChallenge-Datei gilt für eine Eingabe; gib für mehrere einen Ordner statt {name} an.</translation>
    </message>
    <message>
        <source>A Wayland desktop shows its screen to no program by itself: log in with X11, or share it by the virtual camera of OBS Studio and open that camera. Windows of X11 programs can be captured (screen:window=...).</source>
        <translation>Ein Wayland-Desktop zeigt seinen Bildschirm von sich aus keinem Programm: sich mit X11 anmelden, oder ihn mit der virtuellen Kamera von OBS Studio freigeben und diese Kamera öffnen. Fenster von X11-Programmen können aufgenommen werden (screen:window=...).</translation>
    </message>
    <message>
        <source>A file beside the network states the size of its input, so the working size has no effect.</source>
        <translation>Eine Datei neben dem Netz nennt die Größe seiner Eingabe, deshalb hat die Arbeitsgröße keine Wirkung.</translation>
    </message>
    <message>
        <source>A folder on a web server with the files of the list under their names.</source>
        <translation>Ein Ordner auf einem Webserver mit den Dateien der Liste unter ihren Namen.</translation>
    </message>
    <message>
        <source>A picture in which nothing has changed by this share keeps the last result; 0 repaints every picture.</source>
        <translation>Ein Bild, in dem sich nichts um diesen Anteil geändert hat, behält das letzte Ergebnis; 0 malt jedes Bild neu.</translation>
    </message>
    <message>
        <source>A point that is less certain is not shown, nor the lines to it.</source>
        <translation>Ein Punkt, der weniger sicher ist, wird nicht gezeigt, auch die Linien zu ihm nicht.</translation>
    </message>
    <message>
        <source>An object keeps its class: a car is never taken for the truck that it was called before.</source>
        <translation>Ein Ding behält seine Klasse: Ein Auto wird nie für den Lastwagen gehalten, als der es vorher galt.</translation>
    </message>
    <message>
        <source>A window</source>
        <translation>Ein Fenster</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Address of a mirror</source>
        <translation>Adresse eines Spiegelservers</translation>
    </message>
    <message>
        <source>All that was seen is in {name}.</source>
        <translation>Alles, was gesehen wurde, ist in {name}.</translation>
    </message>
    <message>
        <source>Also with streams that have no audio.</source>
        <translation>Auch bei Streams ohne Ton.</translation>
    </message>
    <message>
        <source>An .onnx file that takes a picture with noise, its sketch and the share of noise, and gives the picture; or a folder of Stable Diffusion, SD-Turbo or an LCM.</source>
        <translation>Eine .onnx-Datei, die ein Bild mit Rauschen, seine Skizze und den Anteil des Rauschens nimmt und das Bild gibt; oder ein Ordner von Stable Diffusion, SD-Turbo oder einem LCM.</translation>
    </message>
    <message>
        <source>An event&apos;s action &apos;{kind}&apos; is not done: its field &apos;{field}&apos; is empty.</source>
        <translation>Die Aktion „{kind}“ eines Ereignisses wird nicht ausgeführt: Ihr Feld „{field}“ ist leer.</translation>
    </message>
    <message>
        <source>An event&apos;s action &apos;{kind}&apos; is not known and is not done.</source>
        <translation>Die Aktion „{kind}“ eines Ereignisses ist nicht bekannt und wird nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Another number is other noise, and so another picture.</source>
        <translation>Eine andere Zahl ist anderes Rauschen und so ein anderes Bild.</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Audio device</source>
        <translation>Tongerät</translation>
    </message>
    <message>
        <source>Authorization</source>
        <translation>Authorization</translation>
    </message>
    <message>
        <source>Backlight compensation</source>
        <translation>Gegenlichtausgleich</translation>
    </message>
    <message>
        <source>Begin from score</source>
        <translation>Beginn ab Wertung</translation>
    </message>
    <message>
        <source>Begin with a network</source>
        <translation>Mit einem Netz beginnen</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Am besten</translation>
    </message>
    <message>
        <source>Blue balance</source>
        <translation>Blauabgleich</translation>
    </message>
    <message>
        <source>Boxes, masks, names and trails over the video in the window.</source>
        <translation>Rahmen, Masken, Namen und Spuren auf dem Bild des Fensters.</translation>
    </message>
    <message>
        <source>Broker</source>
        <translation>Broker</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>Call an address</source>
        <translation>Adresse aufrufen</translation>
    </message>
    <message>
        <source>Camera c&amp;ontrols</source>
        <translation>&amp;Kameraregler</translation>
    </message>
    <message>
        <source>Camera controls</source>
        <translation>Kameraregler</translation>
    </message>
    <message>
        <source>Classes of pixels</source>
        <translation>Klassen von Pixeln</translation>
    </message>
    <message>
        <source>Classes of pixels: colors with a legend, and how much each covers</source>
        <translation>Klassen von Pixeln: Farben mit Legende und wie viel jede bedeckt</translation>
    </message>
    <message>
        <source>Clean output</source>
        <translation>Reine Bildausgabe</translation>
    </message>
    <message>
        <source>Clean output in a second window</source>
        <translation>Reine Bildausgabe in einem zweiten Fenster</translation>
    </message>
    <message>
        <source>Codec of recordings</source>
        <translation>Codec der Aufnahmen</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Dawn found no GPU adapter that it can use; install a newer Vulkan driver (of Mesa 25.0 or later), or take wgpu (LIGHTLOOM_WEBGPU=wgpu).</source>
        <translation>Dawn hat keinen verwendbaren Grafikadapter gefunden; einen neueren Vulkan-Treiber installieren (von Mesa ab 25.0) oder wgpu nehmen (LIGHTLOOM_WEBGPU=wgpu).</translation>
    </message>
    <message>
        <source>Dawn is wished for ({variable}=dawn) and cannot be loaded ({reason}); install wgpudawn again, or take the wish away.</source>
        <translation>Dawn ist gewünscht ({variable}=dawn) und kann nicht geladen werden ({reason}); wgpudawn neu installieren oder den Wunsch zurücknehmen.</translation>
    </message>
    <message>
        <source>Dawn is wished for ({variable}=dawn), and this process has imported wgpu before Lightloom; import desktop first.</source>
        <translation>Dawn ist gewünscht ({variable}=dawn), und dieser Prozess hat wgpu vor Lightloom importiert; desktop zuerst importieren.</translation>
    </message>
    <message>
        <source>Deinterlace</source>
        <translation>Zeilensprung entfernen</translation>
    </message>
    <message>
        <source>Diffusion</source>
        <translation>Diffusion</translation>
    </message>
    <message>
        <source>Diffusion: an image repainted out of noise, in a few steps</source>
        <translation>Diffusion: ein Bild, in wenigen Schritten aus Rauschen neu gemalt</translation>
    </message>
    <message>
        <source>Downloads no network.</source>
        <translation>Lädt kein Netz herunter.</translation>
    </message>
    <message>
        <source>Draw a &amp;line</source>
        <translation>&amp;Linie zeichnen</translation>
    </message>
    <message>
        <source>Draws boxes, masks, names and trails there too.</source>
        <translation>Zeichnet Rahmen, Masken, Namen und Spuren auch dort.</translation>
    </message>
    <message>
        <source>Draws what a network sees into snapshots and recordings.</source>
        <translation>Zeichnet in Schnappschüsse und Aufnahmen, was ein Netz sieht.</translation>
    </message>
    <message>
        <source>Empty: the folder of all snapshots.</source>
        <translation>Leer: der Ordner aller Schnappschüsse.</translation>
    </message>
    <message>
        <source>Encode on the graphics card</source>
        <translation>Auf der Grafikkarte kodieren</translation>
    </message>
    <message>
        <source>Export results...</source>
        <translation>Ergebnisse exportieren...</translation>
    </message>
    <message>
        <source>Exposure may slow the rate</source>
        <translation>Belichtung darf Rate senken</translation>
    </message>
    <message>
        <source>Exposure time</source>
        <translation>Belichtungszeit</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Finds people, or another class, with a neural network, and blurs, replaces, dims or cuts out what is behind them.</source>
        <translation>Findet Menschen oder eine andere Klasse mit einem neuronalen Netz und zeichnet weich, ersetzt, dunkelt ab oder schneidet weg, was hinter ihnen ist.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder in which files were opened last</source>
        <translation>Ordner, in dem zuletzt Dateien geöffnet wurden</translation>
    </message>
    <message>
        <source>Folder of networks</source>
        <translation>Ordner der Netze</translation>
    </message>
    <message>
        <source>Folder of recordings</source>
        <translation>Ordner der Aufnahmen</translation>
    </message>
    <message>
        <source>Folder of snapshots</source>
        <translation>Ordner der Schnappschüsse</translation>
    </message>
    <message>
        <source>Format of snapshots</source>
        <translation>Format der Schnappschüsse</translation>
    </message>
    <message>
        <source>Frame interpolation has no value &apos;{name}&apos;.</source>
        <translation>Die Bildinterpolation hat keinen Wert „{name}“.</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Frames can&apos;t be interpolated ({reason}); choose another network.</source>
        <translation>Die Bilder können nicht interpoliert werden ({reason}); ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>GPU timestamps</source>
        <translation>GPU-Zeitstempel</translation>
    </message>
    <message>
        <source>Graphics adapter</source>
        <translation>Grafikadapter</translation>
    </message>
    <message>
        <source>Hear nothing</source>
        <translation>Nichts hören</translation>
    </message>
    <message>
        <source>A network&apos;s file is needed here, not the address of a network on a server; give its path.</source>
        <translation>Hier ist die Datei eines Netzes gefragt, nicht die Adresse eines Netzes auf einem Server; ihren Pfad angeben.</translation>
    </message>
    <message>
        <source>Hide the camera controls</source>
        <translation>Kameraregler ausblenden</translation>
    </message>
    <message>
        <source>Hide the results</source>
        <translation>Die Ergebnisse ausblenden</translation>
    </message>
    <message>
        <source>How long an object that is hidden or gone is still expected to return as the same one.</source>
        <translation>Wie lange von einem Ding, das verdeckt oder weg ist, noch erwartet wird, dass es als dasselbe wiederkommt.</translation>
    </message>
    <message>
        <source>How many objects are shown, the most certain first.</source>
        <translation>Wie viele Dinge gezeigt werden, die sichersten zuerst.</translation>
    </message>
    <message>
        <source>How much a box must overlap the expected position of its object; lower for objects that move fast.</source>
        <translation>Wie weit ein Rahmen dort liegen muss, wo sein Ding erwartet wird; weniger für Dinge, die sich schnell bewegen.</translation>
    </message>
    <message>
        <source>How much noise there is at first: 0 changes nothing, at 1 only a coarse sketch is left of the picture.</source>
        <translation>Wie viel Rauschen es zu Beginn gibt: 0 ändert nichts, bei 1 bleibt vom Bild nur eine grobe Skizze.</translation>
    </message>
    <message>
        <source>How often the network looks at it: more are finer and slower.</source>
        <translation>Wie oft das Netz hinsieht: mehr ist feiner und langsamer.</translation>
    </message>
    <message>
        <source>Minimum score for an object to get a number; one that has it may have a lower score.</source>
        <translation>Wie sicher das Netz sein muss, damit ein Ding eine Nummer bekommt; eines, das sie hat, darf weniger sicher sein.</translation>
    </message>
    <message>
        <source>If it can; of recordings and exports. It is quicker, and makes larger files.</source>
        <translation>Wenn sie es kann; bei Aufnahmen und Exporten. Das ist schneller und macht größere Dateien.</translation>
    </message>
    <message>
        <source>In how many consecutive results an object must be detected to get a number.</source>
        <translation>In wie vielen Ergebnissen hintereinander ein Ding gefunden werden muss, um eine Nummer zu bekommen.</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Instance masks</source>
        <translation>Instanzmasken</translation>
    </message>
    <message>
        <source>Instance masks: objects and their pixels</source>
        <translation>Instanzmasken: Dinge und ihre Pixel</translation>
    </message>
    <message>
        <source>It keeps states from frame to frame ({names}); they are zeros at first, and again after a cut or a seek.</source>
        <translation>Es behält Zustände von Bild zu Bild ({names}); sie sind am Anfang null, und wieder nach einem Schnitt oder Sprung.</translation>
    </message>
    <message>
        <source>Its result &apos;{name}&apos; is a sequence of tensors; have it join them, or give each as a result.</source>
        <translation>Sein Ergebnis „{name}“ ist eine Folge von Tensoren; sie darin verbinden oder jeden als eigenes Ergebnis ausgeben.</translation>
    </message>
    <message>
        <source>Key points</source>
        <translation>Schlüsselpunkte</translation>
    </message>
    <message>
        <source>Key points: the joints of bodies, hands, faces</source>
        <translation>Schlüsselpunkte: die Gelenke von Körpern, Händen, Gesichtern</translation>
    </message>
    <message>
        <source>Kind of file of recordings</source>
        <translation>Dateiart der Aufnahmen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Last look for a new version</source>
        <translation>Letzte Suche nach einer neuen Version</translation>
    </message>
    <message>
        <source>Least overlap</source>
        <translation>Geringste Überlappung</translation>
    </message>
    <message>
        <source>Lightloom ended</source>
        <translation>Lightloom wurde beendet</translation>
    </message>
    <message>
        <source>Line {line} of {name} is damaged; remove that line and all behind it, or leave --resume out.</source>
        <translation>Zeile {line} von {name} ist beschädigt; diese Zeile und alles dahinter entfernen oder --resume weglassen.</translation>
    </message>
    <message>
        <source>Lines are added at its end, one object each.</source>
        <translation>Zeilen werden am Ende angefügt, je ein Objekt.</translation>
    </message>
    <message>
        <source>Lines are added at its end; the first one has the columns&apos; names.</source>
        <translation>Zeilen werden am Ende angefügt; die erste hat die Namen der Spalten.</translation>
    </message>
    <message>
        <source>Look for a new version once a week</source>
        <translation>Einmal in der Woche nach einer neuen Version suchen</translation>
    </message>
    <message>
        <source>MOTChallenge files hold tracked objects; turn on tracking (--track).</source>
        <translation>MOTChallenge-Dateien enthalten, was von Bild zu Bild verfolgt wurde; lass Dinge verfolgen (--track).</translation>
    </message>
    <message>
        <source>Makes interlaced videos whole.</source>
        <translation>Macht Videos mit Zeilensprung wieder ganz.</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Minimum of a point</source>
        <translation>Mindestwert eines Punkts</translation>
    </message>
    <message>
        <source>Mirror it</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Mirror the clean output</source>
        <translation>Reine Bildausgabe spiegeln</translation>
    </message>
    <message>
        <source>Monitor {number}</source>
        <translation>Bildschirm {number}</translation>
    </message>
    <message>
        <source>Network at the start</source>
        <translation>Netz beim Start</translation>
    </message>
    <message>
        <source>Networks used lately</source>
        <translation>Zuletzt benutzte Netze</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>No results of {model} from {server}: {what}; see that the server runs, and begin again.</source>
        <translation>Keine Ergebnisse von {model} von {server}: {what}; dafür sorgen, dass der Server läuft, und neu beginnen.</translation>
    </message>
    <message>
        <source>None: everything is silent</source>
        <translation>Keines: alles ist stumm</translation>
    </message>
    <message>
        <source>Not saved in looks; the variable {variable} does as well.</source>
        <translation>Wird nicht in Looks gespeichert; die Variable {variable} geht auch.</translation>
    </message>
    <message>
        <source>Nothing about you is sent, and nothing is downloaded or installed.</source>
        <translation>Nichts Persönliches wird gesendet, nichts heruntergeladen oder installiert.</translation>
    </message>
    <message>
        <source>Of JPEG and WebP, from 1 to 100; 100 is WebP without loss.</source>
        <translation>Von JPEG und WebP, 1 bis 100; 100 ist WebP ohne Verlust.</translation>
    </message>
    <message>
        <source>Of how many seconds the way is drawn; 0 draws none.</source>
        <translation>Von wie vielen Sekunden der Weg gezeichnet wird; 0 zeichnet keinen.</translation>
    </message>
    <message>
        <source>On the sample; until a network is removed, and again once one is used.</source>
        <translation>Auf dem Beispiel; bis ein Netz entfernt wird, und wieder, sobald eines benutzt wird.</translation>
    </message>
    <message>
        <source>Only within a class</source>
        <translation>Nur innerhalb einer Klasse</translation>
    </message>
    <message>
        <source>Open a folder of Stable Di&amp;ffusion...</source>
        <translation>Ordner von Stable Di&amp;ffusion öffnen...</translation>
    </message>
    <message>
        <source>Open the screen or a &amp;window...</source>
        <translation>Bildschirm oder &amp;Fenster öffnen...</translation>
    </message>
    <message>
        <source>Oriented boxes</source>
        <translation>Gedrehte Rahmen</translation>
    </message>
    <message>
        <source>Oriented boxes: objects at any angle</source>
        <translation>Gedrehte Rahmen: Dinge in jedem Winkel</translation>
    </message>
    <message>
        <source>PNG keeps every pixel as it is.</source>
        <translation>PNG lässt jedes Pixel, wie es ist.</translation>
    </message>
    <message>
        <source>POST sends the event as JSON, GET adds its values to the address.</source>
        <translation>POST sendet das Ereignis als JSON, GET fügt seine Werte an die Adresse an.</translation>
    </message>
    <message>
        <source>Parquet files are written by pyarrow, which is not installed; choose CSV, or install it: {command}.</source>
        <translation>Parquet-Dateien schreibt pyarrow, das nicht installiert ist; CSV wählen oder es installieren: {command}.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Performance overlay</source>
        <translation>Leistungsanzeige</translation>
    </message>
    <message>
        <source>Place and size of the clean output</source>
        <translation>Ort und Größe der reinen Bildausgabe</translation>
    </message>
    <message>
        <source>Place and size of the window</source>
        <translation>Ort und Größe des Fensters</translation>
    </message>
    <message>
        <source>Places of the panels</source>
        <translation>Orte der Bereiche</translation>
    </message>
    <message>
        <source>Playback and audio</source>
        <translation>Wiedergabe und Ton</translation>
    </message>
    <message>
        <source>Points: {name}.</source>
        <translation>Punkte: {name}.</translation>
    </message>
    <message>
        <source>Power-line frequency</source>
        <translation>Netzfrequenz</translation>
    </message>
    <message>
        <source>Prefere&amp;nces...</source>
        <translation>Ei&amp;nstellungen...</translation>
    </message>
    <message>
        <source>Publish to MQTT</source>
        <translation>Über MQTT veröffentlichen</translation>
    </message>
    <message>
        <source>PyTorch 2.8 or an older one wrote it, which pickles weights</source>
        <translation>PyTorch 2.8 oder ein älteres hat sie geschrieben, das Gewichte als Pickle ablegt</translation>
    </message>
    <message>
        <source>Qt cannot open a window here ({reason}); start Lightloom as the user whose desktop session this is, install what is missing, or use &apos;lightloom process&apos;, which needs no display.</source>
        <translation>Qt kann hier kein Fenster öffnen ({reason}); Lightloom als der Benutzer starten, dem die Desktop-Sitzung gehört, das Fehlende installieren oder &apos;lightloom process&apos; verwenden, das keine Anzeige braucht.</translation>
    </message>
    <message>
        <source>Quality of recordings</source>
        <translation>Qualität der Aufnahmen</translation>
    </message>
    <message>
        <source>Quality of snapshots</source>
        <translation>Qualität der Schnappschüsse</translation>
    </message>
    <message>
        <source>Rate of recordings</source>
        <translation>Bildrate der Aufnahmen</translation>
    </message>
    <message>
        <source>Rate, latency and dropped frames, over the video.</source>
        <translation>Bildrate, Latenz und Verworfenes, auf dem Bild.</translation>
    </message>
    <message>
        <source>Record the microphone with a camera</source>
        <translation>Mit einer Kamera das Mikrofon aufnehmen</translation>
    </message>
    <message>
        <source>Record audio</source>
        <translation>Den Ton aufnehmen</translation>
    </message>
    <message>
        <source>Recordings and exports</source>
        <translation>Aufnahmen und Exporte</translation>
    </message>
    <message>
        <source>Red balance</source>
        <translation>Rotabgleich</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>Merken</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>Gemerktes</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Results in a row</source>
        <translation>Ergebnisse in Folge</translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation>Schnappschuss speichern</translation>
    </message>
    <message>
        <source>Save results &amp;with the image</source>
        <translation>&amp;Was gesehen wird, mit dem Bild speichern</translation>
    </message>
    <message>
        <source>Save results with the image</source>
        <translation>Mit dem Bild speichern, was gesehen wird</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>Bildschirm</translation>
    </message>
    <message>
        <source>Settings of the outputs</source>
        <translation>Einstellungen der Ausgaben</translation>
    </message>
    <message>
        <source>Show a notification</source>
        <translation>Benachrichtigung zeigen</translation>
    </message>
    <message>
        <source>Single windows can&apos;t be captured on this system: choose a monitor or a region.</source>
        <translation>Einzelne Fenster können auf diesem System nicht aufgenommen werden: einen Bildschirm oder einen Bereich wählen.</translation>
    </message>
    <message>
        <source>Size of recordings</source>
        <translation>Größe der Aufnahmen</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>Schnappschüsse</translation>
    </message>
    <message>
        <source>Sources opened lately</source>
        <translation>Zuletzt geöffnete Quellen</translation>
    </message>
    <message>
        <source>Steady noise</source>
        <translation>Stetiges Rauschen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>The address of a network names the server that computes it.</source>
        <translation>Die Adresse eines Netzes nennt den Server, der es berechnet.</translation>
    </message>
    <message>
        <source>The backend {backend} does not read {format} files; choose {others}.</source>
        <translation>Das Backend {backend} liest keine {format}-Dateien; {others} wählen.</translation>
    </message>
    <message>
        <source>The best</source>
        <translation>Der beste</translation>
    </message>
    <message>
        <source>The boxes are read as {units}, as chosen.</source>
        <translation>Die Rahmen werden wie gewählt als {units} gelesen.</translation>
    </message>
    <message>
        <source>The camera {camera} did not take {value} for {control}: try another value.</source>
        <translation>Die Kamera {camera} hat {value} für {control} nicht angenommen: einen anderen Wert versuchen.</translation>
    </message>
    <message>
        <source>The bundled classifier</source>
        <translation>Der mitgelieferte Klassifikator</translation>
    </message>
    <message>
        <source>The file leaves the channels free; the first layer takes {channels}.</source>
        <translation>Die Datei lässt die Kanäle frei; die erste Schicht nimmt {channels}.</translation>
    </message>
    <message>
        <source>The first hint was shown</source>
        <translation>Der erste Hinweis wurde gezeigt</translation>
    </message>
    <message>
        <source>The graph ends in probabilities, which are the mask.</source>
        <translation>Der Graph endet mit Wahrscheinlichkeiten, und diese sind die Maske.</translation>
    </message>
    <message>
        <source>The graph ends in scores; softmax makes probabilities of them.</source>
        <translation>Der Graph endet mit Wertungen; Softmax macht Wahrscheinlichkeiten daraus.</translation>
    </message>
    <message>
        <source>The header of this name, as in &apos;Bearer ...&apos;. It is not saved in looks.</source>
        <translation>Die Kopfzeile dieses Namens, etwa „Bearer ...“. Sie wird nicht in Looks gespeichert.</translation>
    </message>
    <message>
        <source>The input &apos;{name}&apos; is given {value:.4g}, as is usual for images of this size.</source>
        <translation>Der Eingang &apos;{name}&apos; bekommt {value:.4g}, wie es für Bilder dieser Größe üblich ist.</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; the metadata say {width}x{height}.</source>
        <translation>Die Größe des Eingangs ist frei; die Metadaten nennen {width}x{height}.</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is not for {task} and was left out.</source>
        <translation>Der Schlüssel &apos;{name}&apos; in {file} ist nicht für {task} und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is unknown and was left out.</source>
        <translation>Der Schlüssel &apos;{name}&apos; in {file} ist nicht bekannt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be read ({reason}) and is kept as {name}; hosts that were in it are asked about anew.</source>
        <translation>Die Liste erlaubter Rechner {path} ist nicht lesbar ({reason}) und bleibt als {name} erhalten; nach Rechnern, die darin standen, wird neu gefragt.</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be read ({reason}), so no host receives images; repair it, or allow a host, which begins a new list.</source>
        <translation>Die Liste erlaubter Rechner {path} ist nicht lesbar ({reason}), darum bekommt keiner Bilder; die Datei in Ordnung bringen oder einen Rechner erlauben, womit eine neue Liste beginnt.</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, assumed to be the person because nothing names the {count}; where all is taken for background, choose another Class.</source>
        <translation>Die Maske ist von Klasse {channel}, die als die Person angenommen wird, weil nichts die {count} benennt; wo alles für Hintergrund gehalten wird, eine andere Klasse wählen.</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, because nothing says which of the {channels} classes is a person; choose another Class.</source>
        <translation>Die Maske ist von Klasse {channel}, weil nichts sagt, welche der {channels} Klassen eine Person ist; eine andere Klasse wählen.</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, which the network&apos;s labels call a person.</source>
        <translation>Die Maske ist von Klasse {channel}, die die Klassennamen des Netzes eine Person nennen.</translation>
    </message>
    <message>
        <source>The mirror must be an http or https address.</source>
        <translation>Der Spiegelserver muss eine http- oder https-Adresse sein.</translation>
    </message>
    <message>
        <source>The network</source>
        <translation>Das Netz</translation>
    </message>
    <message>
        <source>The network gives {count} points of an object, more than the GPU path takes; choose onnxruntime.</source>
        <translation>Das Netz gibt {count} Punkte eines Dings, mehr als auf der GPU möglich sind; onnxruntime wählen.</translation>
    </message>
    <message>
        <source>The network was switched off, because the GPU refused it: {reason}; choose another network or backend.</source>
        <translation>Das Netz wurde abgeschaltet, weil die GPU es zurückwies: {reason}; ein anderes Netz oder Backend wählen.</translation>
    </message>
    <message>
        <source>The network {name} cannot be read ({reason}); check that the file exists and may be read.</source>
        <translation>Das Netz {name} kann nicht gelesen werden ({reason}); prüfen, ob es die Datei gibt und sie gelesen werden darf.</translation>
    </message>
    <message>
        <source>The network&apos;s input of {size} MiB is more than {adapter} takes; choose a smaller working size.</source>
        <translation>Die Eingabe des Netzes von {size} MiB ist mehr, als {adapter} annimmt; eine kleinere Arbeitsgröße wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s masks of {width} x {height} texels are too large to be kept; choose another network.</source>
        <translation>Die Masken des Netzes von {width} x {height} Texeln sind zu groß, um sie zu behalten; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>The network&apos;s outputs ({text}) are not those of {title}; choose another decoder or none.</source>
        <translation>Die Ausgänge des Netzes ({text}) sind nicht die von {title}; einen anderen Decoder oder keinen wählen.</translation>
    </message>
    <message>
        <source>The output &apos;{after}&apos;, which becomes the input &apos;{before}&apos; of the next frame, has another shape or type; choose another network.</source>
        <translation>Der Ausgang &apos;{after}&apos;, der beim nächsten Bild der Eingang &apos;{before}&apos; ist, hat eine andere Form oder einen anderen Typ; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>The output &apos;{input}&apos; of {name} has the shape {shape}, which is no map over its input of {width} x {height}; choose a network that gives one.</source>
        <translation>Der Ausgang &apos;{input}&apos; von {name} hat die Form {shape}, was keine Karte über der Eingabe von {width} x {height} ist; ein Netz wählen, das eine liefert.</translation>
    </message>
    <message>
        <source>The output &apos;{name}&apos; must end in {suffixes}; for {others} say so with --format.</source>
        <translation>Die Ausgabe &apos;{name}&apos; muss auf {suffixes} enden; sage für {others} --format dazu.</translation>
    </message>
    <message>
        <source>The outputs of {name} ({text}) are not those of {title}; choose another decoder or none.</source>
        <translation>Die Ausgänge von {name} ({text}) sind nicht die von {title}; einen anderen Decoder oder keinen wählen.</translation>
    </message>
    <message>
        <source>The page has no network that enlarges the image, compares it with the one before or removes noise from it in steps ({name}); take its filter out of the look.</source>
        <translation>Die Seite hat kein Netz, das das Bild vergrößert, mit dem vorigen vergleicht oder in Schritten Rauschen aus ihm nimmt ({name}); den Filter aus dem Look nehmen.</translation>
    </message>
    <message>
        <source>The frame fills {filled} of it; its edge is repeated around it.</source>
        <translation>Das Bild füllt {filled} davon; sein Rand wird darum herum wiederholt.</translation>
    </message>
    <message>
        <source>The frame has no size; the file is damaged, try another copy.</source>
        <translation>Das Bild hat keine Größe; die Datei ist beschädigt, es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>The image has {width}x{height} pixels; this GPU takes {most} a side.</source>
        <translation>Das Bild hat {width}x{height} Pixel; diese GPU nimmt {most} je Seite.</translation>
    </message>
    <message>
        <source>The image of {width} x {height} pixels could not be encoded as {suffix}; choose another format.</source>
        <translation>Das Bild von {width} x {height} Pixeln konnte nicht als {suffix} codiert werden; ein anderes Format wählen.</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than any video codec&apos;s levels allow; the file is damaged or must be scaled down.</source>
        <translation>Das Bild von {width} x {height} Pixeln ist größer, als die Stufen aller Videocodecs erlauben; die Datei ist beschädigt oder muss verkleinert werden.</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than the {limit} x {limit} that can be shown; scale it down first.</source>
        <translation>Das Bild von {width} x {height} Pixeln ist größer als {limit} x {limit}, was sich anzeigen lässt; es zuerst verkleinern.</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than this GPU&apos;s limit of {limit} a side; scale it down first.</source>
        <translation>Das Bild von {width} x {height} Pixeln ist größer als die Grenze dieser GPU von {limit} je Seite; es zuerst verkleinern.</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels with three channels does not fit this GPU&apos;s limit of {limit} a side; scale it down first.</source>
        <translation>Das Bild von {width} x {height} Pixeln mit drei Kanälen passt nicht in die Grenze dieser GPU von {limit} je Seite; es zuerst verkleinern.</translation>
    </message>
    <message>
        <source>The pixel format {name} cannot be read; convert the video to yuv420p first.</source>
        <translation>Das Pixelformat {name} kann nicht gelesen werden; das Video zuerst in yuv420p umwandeln.</translation>
    </message>
    <message>
        <source>The point that stays where it is; cover and fit are reckoned for the middle.</source>
        <translation>Der Punkt, der bleibt, wo er ist; Füllen und Einpassen sind für die Mitte berechnet.</translation>
    </message>
    <message>
        <source>The point that the slices meet at.</source>
        <translation>Der Punkt, an dem die Segmente zusammentreffen.</translation>
    </message>
    <message>
        <source>The point that the streaks run to.</source>
        <translation>Der Punkt, zu dem die Streifen laufen.</translation>
    </message>
    <message>
        <source>The point that the tunnel leads to.</source>
        <translation>Der Punkt, zu dem der Tunnel führt.</translation>
    </message>
    <message>
        <source>The preprocessing field &apos;{name}&apos; is unknown and was left out.</source>
        <translation>Das Feld &apos;{name}&apos; der Vorverarbeitung ist nicht bekannt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network takes {value}; set the preprocessing to the network&apos;s input.</source>
        <translation>Die Vorverarbeitung erzeugt {dtype}{shape}, aber das Netz nimmt {value}; die Vorverarbeitung auf den Eingang des Netzes einstellen.</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network&apos;s input &apos;{input}&apos; takes {input_dtype}{input_shape}.</source>
        <translation>Die Vorverarbeitung erzeugt {dtype}{shape}, aber der Eingang &apos;{input}&apos; des Netzes nimmt {input_dtype}{input_shape}.</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network&apos;s input is {dtype2}{shape2}; set the preprocessing to the network&apos;s input.</source>
        <translation>Die Vorverarbeitung erzeugt {dtype}{shape}, aber der Eingang des Netzes ist {dtype2}{shape2}; die Vorverarbeitung auf den Eingang des Netzes einstellen.</translation>
    </message>
    <message>
        <source>The look needs the folder {path}, which does not go into one file; save it as .toml, which names the folder.</source>
        <translation>Der Look braucht den Ordner {path}, der nicht in eine Datei passt; ihn als .toml speichern, die den Ordner nennt.</translation>
    </message>
    <message>
        <source>The look needs {path}, which cannot be read: {reason}; check its name and permissions.</source>
        <translation>Der Look braucht {path}, was nicht gelesen werden kann: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The look needs {path}, whose name is not UTF-8; rename that file.</source>
        <translation>Der Look braucht {path}, aber der Name dieser Datei ist nicht UTF-8; die Datei umbenennen.</translation>
    </message>
    <message>
        <source>The look {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Der Look {path} kann nicht gelesen werden: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The look {path} cannot be unpacked into {folder}: {reason}; check that this folder can be written to.</source>
        <translation>Der Look {path} kann nicht nach {folder} entpackt werden: {reason}; prüfen, ob in diesen Ordner geschrieben werden kann.</translation>
    </message>
    <message>
        <source>The prompt has bytes that are no text in UTF-8; write it in UTF-8.</source>
        <translation>Der Prompt enthält Bytes, die kein Text in UTF-8 sind; in UTF-8 schreiben.</translation>
    </message>
    <message>
        <source>The quantized input holds {low:.4g} to {high:.4g}</source>
        <translation>Die quantisierte Eingabe fasst {low:.4g} bis {high:.4g}</translation>
    </message>
    <message>
        <source>The range of the network&apos;s input, where what was inferred is wrong; ImageNet is 0..1 less its mean, over its deviation.</source>
        <translation>Der Eingangsbereich des Netzes, wo das Geschlossene falsch ist; ImageNet ist 0..1 abzüglich seines Mittelwerts, durch seine Abweichung.</translation>
    </message>
    <message>
        <source>The range of the picture that comes out, where what was inferred is wrong.</source>
        <translation>Der Bereich des Bildes, das herauskommt, wo das Geschlossene falsch ist.</translation>
    </message>
    <message>
        <source>The recording {name} stopped ({error}).</source>
        <translation>Die Aufnahme {name} brach ab ({error}).</translation>
    </message>
    <message>
        <source>The region does not lie on monitor {number}, which has {width}x{height} pixels: choose another one.</source>
        <translation>Der Bereich liegt nicht auf Bildschirm {number}, der {width}x{height} Pixel hat: einen anderen wählen.</translation>
    </message>
    <message>
        <source>The region does not lie on the screen, which has {width}x{height} pixels: choose another one.</source>
        <translation>Der Bereich liegt nicht auf dem Bildschirm, der {width}x{height} Pixel hat: einen anderen wählen.</translation>
    </message>
    <message>
        <source>The region has no pixels: give it a width and a height.</source>
        <translation>Der Bereich hat keine Pixel: ihm eine Breite und eine Höhe geben.</translation>
    </message>
    <message>
        <source>The report {name} cannot be written ({reason}); choose another folder.</source>
        <translation>Der Bericht {name} kann nicht geschrieben werden ({reason}); einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The run that {name} is of was another one ({what}); give the same inputs and options, or leave --resume out.</source>
        <translation>{name} gehört zu einem anderen Lauf ({what}); gib dieselben Eingaben und Optionen an, oder lass --resume weg.</translation>
    </message>
    <message>
        <source>The same noise for every picture, so that what stands still looks still; off, it boils.</source>
        <translation>Dasselbe Rauschen für jedes Bild, damit still aussieht, was still steht; sonst brodelt es.</translation>
    </message>
    <message>
        <source>The sample can&apos;t be {width}x{height}: give even sides from 64 to {largest} pixels.</source>
        <translation>Das Beispielbild kann nicht {width}x{height} groß sein: gerade Seiten von 64 bis {largest} Pixel angeben.</translation>
    </message>
    <message>
        <source>The sample can&apos;t run at {rate} frames a second: give a rate from 1 to 240.</source>
        <translation>Das Beispiel kann nicht mit {rate} Bildern je Sekunde laufen: eine Rate von 1 bis 240 angeben.</translation>
    </message>
    <message>
        <source>The screen can&apos;t be captured {rate} times a second: give a rate from 1 to {fastest}.</source>
        <translation>Der Bildschirm kann nicht {rate}-mal je Sekunde aufgenommen werden: eine Rate von 1 bis {fastest} angeben.</translation>
    </message>
    <message>
        <source>The screen {name} can&apos;t be read: check that its X server runs, lets you in, and that libxcb is installed.</source>
        <translation>Der Bildschirm {name} ist nicht zu lesen: prüfen, ob sein X-Server läuft und Zugang gewährt und ob libxcb installiert ist.</translation>
    </message>
    <message>
        <source>The second screen, or a window</source>
        <translation>Der zweite Bildschirm, sonst ein Fenster</translation>
    </message>
    <message>
        <source>The setting &apos;{name}&apos; is not for {task} and was left out.</source>
        <translation>Die Einstellung &apos;{name}&apos; ist nicht für {task} und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>The setting &apos;{name}&apos; is {value}; give {allowed}.</source>
        <translation>Die Einstellung „{name}“ ist {value}; erlaubt: {allowed}.</translation>
    </message>
    <message>
        <source>The settings in {folder} cannot be read or written, so changes last until the window is closed; give the folder to your user.</source>
        <translation>Die Einstellungen in {folder} können nicht gelesen oder geschrieben werden, daher gelten Änderungen nur, bis das Fenster geschlossen wird; dem eigenen Benutzer Zugriff auf den Ordner geben.</translation>
    </message>
    <message>
        <source>The settings were damaged and begin anew; the old file is kept as {kept}.</source>
        <translation>Die Einstellungen waren beschädigt und beginnen neu; die alte Datei bleibt als {kept} erhalten.</translation>
    </message>
    <message>
        <source>The settings {name} are not TOML: {error}; correct them in a text editor.</source>
        <translation>Die Einstellungen {name} sind kein TOML: {error}; sie in einem Texteditor berichtigen.</translation>
    </message>
    <message>
        <source>The settings {name} have no table [preprocess]; correct them in a text editor.</source>
        <translation>Die Einstellungen {name} haben keine Tabelle [preprocess]; sie in einem Texteditor berichtigen.</translation>
    </message>
    <message>
        <source>The settings {path} are damaged and cannot be moved away ({reason}); delete the file.</source>
        <translation>Die Einstellungen {path} sind beschädigt und lassen sich nicht wegschieben ({reason}); die Datei löschen.</translation>
    </message>
    <message>
        <source>The settings {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Die Einstellungen {path} können nicht gelesen werden: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The settings {where}: {what}; docs/models.md lists the keys.</source>
        <translation>Die Einstellungen {where}: {what}; docs/models.md nennt die Schlüssel.</translation>
    </message>
    <message>
        <source>The audio begins {seconds:.1f} s before the first frame; until then the video shows nothing.</source>
        <translation>Der Ton beginnt {seconds:.1f} s vor dem ersten Bild; bis dahin zeigt das Video nichts.</translation>
    </message>
    <message>
        <source>The audio of {name} {why}.</source>
        <translation>Der Ton von {name} {why}.</translation>
    </message>
    <message>
        <source>The source has transparency, and {codec} holds none: it becomes black; keep transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>Die Quelle hat Transparenz, und {codec} hat keine: Sie wird schwarz; in .webm, .mkv und .mov kann Transparenz beibehalten werden (--alpha).</translation>
    </message>
    <message>
        <source>The speed {factor:g} is not between {slowest:g} and {fastest:g}; choose one that is.</source>
        <translation>Die Geschwindigkeit {factor:g} liegt nicht zwischen {slowest:g} und {fastest:g}; eine passende wählen.</translation>
    </message>
    <message>
        <source>The table {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Die Tabelle {path} kann nicht gelesen werden: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>The tensor &apos;{name}&apos; does not exist in this network; look its name up in the model.</source>
        <translation>Den Tensor &apos;{name}&apos; gibt es in diesem Netz nicht; den Namen im Modell nachsehen.</translation>
    </message>
    <message>
        <source>The tensor &apos;{name}&apos; is fused away or shares its memory with later ones; load the network with keep=[&apos;{name}&apos;].</source>
        <translation>Der Tensor &apos;{name}&apos; ist in anderen aufgegangen oder teilt seinen Speicher mit späteren; das Netz mit keep=[&apos;{name}&apos;] laden.</translation>
    </message>
    <message>
        <source>The text encoder of {folder} did not read the prompt ({reason}); choose another prompt or folder.</source>
        <translation>Der Textencoder von {folder} hat den Prompt nicht gelesen ({reason}); einen anderen Prompt oder Ordner wählen.</translation>
    </message>
    <message>
        <source>The time {seconds} is not a number of seconds; give one from 0 on.</source>
        <translation>Die Zeit {seconds} ist keine Zahl von Sekunden; eine ab 0 angeben.</translation>
    </message>
    <message>
        <source>The tuning {file} cannot be written: {reason}; make room or set LIGHTLOOM_CACHE to another folder.</source>
        <translation>Die Abstimmung {file} kann nicht geschrieben werden: {reason}; Platz schaffen oder LIGHTLOOM_CACHE auf einen anderen Ordner setzen.</translation>
    </message>
    <message>
        <source>The tunings in {folder} cannot be deleted: {reason}; delete the folder.</source>
        <translation>Die Abstimmungen in {folder} können nicht gelöscht werden: {reason}; den Ordner löschen.</translation>
    </message>
    <message>
        <source>The whole of a screen, or a window.</source>
        <translation>Ein ganzer Bildschirm oder ein Fenster.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>There are labels in {folder} already; choose another folder, or move them away.</source>
        <translation>In {folder} sind schon Labels; wähle einen anderen Ordner, oder räume sie weg.</translation>
    </message>
    <message>
        <source>There are no units &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>Es gibt keine Einheit &apos;{wanted}&apos;; eine von {names} wählen.</translation>
    </message>
    <message>
        <source>There is no camera called {wanted}: plug it in or choose another.</source>
        <translation>Es gibt keine Kamera namens {wanted}: sie anschließen oder eine andere wählen.</translation>
    </message>
    <message>
        <source>There is no decoder &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>Es gibt keinen Decoder &apos;{wanted}&apos;; einen von {names} wählen.</translation>
    </message>
    <message>
        <source>There is no file {path}: check its name.</source>
        <translation>Es gibt keine Datei {path}: ihren Namen prüfen.</translation>
    </message>
    <message>
        <source>There is no filter called &apos;{filter_id}&apos;; &apos;lightloom filters&apos; lists them.</source>
        <translation>Es gibt keinen Filter namens &apos;{filter_id}&apos;; &apos;lightloom filters&apos; listet sie auf.</translation>
    </message>
    <message>
        <source>There is no folder {folder}: check its name.</source>
        <translation>Es gibt keinen Ordner {folder}: seinen Namen prüfen.</translation>
    </message>
    <message>
        <source>There is no memory for an image in {name}: scale it down.</source>
        <translation>Für ein Bild in {name} reicht der Speicher nicht: es verkleinern.</translation>
    </message>
    <message>
        <source>There is no memory for a sample of {width}x{height}: choose a smaller one.</source>
        <translation>Für ein Beispiel von {width}x{height} reicht der Speicher nicht: ein kleineres wählen.</translation>
    </message>
    <message>
        <source>There is no memory for {name}: scale it down.</source>
        <translation>Für {name} reicht der Speicher nicht: das Bild verkleinern.</translation>
    </message>
    <message>
        <source>There is no memory for {name}; scale it down.</source>
        <translation>Für {name} reicht der Speicher nicht; das Bild verkleinern.</translation>
    </message>
    <message>
        <source>There is no network &apos;{shown}&apos;: it is no file, and the built-in ones are {names}; choose another.</source>
        <translation>Es gibt kein Netz &apos;{shown}&apos;: Es ist keine Datei, und die eingebauten sind {names}; ein anderes wählen.</translation>
    </message>
    <message>
        <source>There is no video in {name}; choose a file with a video track.</source>
        <translation>In {name} ist kein Bild; eine Datei mit einer Videospur wählen.</translation>
    </message>
    <message>
        <source>There is no image to save yet; open a source first.</source>
        <translation>Es gibt noch kein Bild zu speichern; zuerst eine Quelle öffnen.</translation>
    </message>
    <message>
        <source>There is no look {name}; give the path of a .toml or .lightloom file, or one of {names}.</source>
        <translation>Einen Look {name} gibt es nicht; den Pfad einer .toml- oder .lightloom-Datei angeben oder einen von {names}.</translation>
    </message>
    <message>
        <source>There is no run to go on with: {name} is not there; leave --resume out.</source>
        <translation>Es gibt keinen Lauf, der weitergehen könnte: {name} ist nicht da; lass --resume weg.</translation>
    </message>
    <message>
        <source>There is no sample &apos;{text}&apos;: write it as sample:640x360@30.</source>
        <translation>Es gibt kein Beispiel „{text}“: als sample:640x360@30 schreiben.</translation>
    </message>
    <message>
        <source>There is no screen to capture (DISPLAY is not set): start Lightloom on a desktop.</source>
        <translation>Es gibt keinen Bildschirm zum Aufnehmen (DISPLAY ist nicht gesetzt): Lightloom auf einem Desktop starten.</translation>
    </message>
    <message>
        <source>There is no shared shader file called &apos;{name}&apos;; see shaders/common.</source>
        <translation>Es gibt keine gemeinsame Shaderdatei namens &apos;{name}&apos;; siehe shaders/common.</translation>
    </message>
    <message>
        <source>There is no skeleton &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>Es gibt kein Skelett &apos;{wanted}&apos;; eines von {names} wählen.</translation>
    </message>
    <message>
        <source>There is no task &apos;{task}&apos;; choose one of {names}.</source>
        <translation>Es gibt keine Aufgabe „{task}“; eine von diesen wählen: {names}.</translation>
    </message>
    <message>
        <source>There is no window called {wanted}: open it or choose another.</source>
        <translation>Es gibt kein Fenster namens {wanted}: es öffnen oder ein anderes wählen.</translation>
    </message>
    <message>
        <source>The input has no frame, so nothing was written; choose another file or range.</source>
        <translation>Die Eingabe hat kein Einzelbild, deshalb wurde nichts geschrieben; eine andere Datei oder einen anderen Bereich wählen.</translation>
    </message>
    <message>
        <source>A GIF has no half-transparent pixels, so those of {name} became opaque or transparent; keep them in .webp, or transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>Ein GIF hat keine halb durchsichtigen Pixel, daher wurden die von {name} deckend oder durchsichtig; in .webp bleiben sie, ebenso mit Transparenz in .webm, .mkv und .mov (--alpha).</translation>
    </message>
    <message>
        <source>The label file {name} has a line of more than {longest} characters; give one name a line.</source>
        <translation>Die Datei mit Klassennamen {name} hat eine Zeile mit mehr als {longest} Zeichen; je Zeile einen Namen angeben.</translation>
    </message>
    <message>
        <source>Thermal</source>
        <translation>Wärmebild</translation>
    </message>
    <message>
        <source>Thick bristle strokes that follow the picture&apos;s forms.</source>
        <translation>Dicke Borstenstriche, die den Formen des Bildes folgen.</translation>
    </message>
    <message>
        <source>Thin, connected outlines: blur, gradient, non-maximum suppression, two thresholds, hysteresis.</source>
        <translation>Dünne, verbundene Umrisse: Unschärfe, Gradient, Nicht-Maxima-Unterdrückung, zwei Schwellen, Hysterese.</translation>
    </message>
    <message>
        <source>Objects processed per frame, at most: {most}.</source>
        <translation>In einem Bild angesehene Dinge, höchstens: {most}.</translation>
    </message>
    <message>
        <source>This build of FFmpeg has no encoder for {suffix} files; choose another format.</source>
        <translation>Dieses FFmpeg hat keinen Encoder für {suffix}-Dateien; ein anderes Format wählen.</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Kacheln</translation>
    </message>
    <message>
        <source>Tiles across and down that each get a curve of their own; 1 equalizes the picture as a whole.</source>
        <translation>Kacheln quer und längs, die jede eine eigene Kurve bekommen; 1 gleicht das Bild als Ganzes an.</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>Tilt-shift</source>
        <translation>Tilt-Shift</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time over which the nearest and the farthest value are averaged, against flicker.</source>
        <translation>Zeit, über die der nächste und der fernste Wert gegen Flackern gemittelt werden.</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeitverhalten</translation>
    </message>
    <message>
        <source>Tint</source>
        <translation>Tönung</translation>
    </message>
    <message>
        <source>Tiny planet</source>
        <translation>Kleiner Planet</translation>
    </message>
    <message>
        <source>Title and chapters are left out: {container} holds none.</source>
        <translation>Titel und Kapitel entfallen: {container} nimmt keine auf.</translation>
    </message>
    <message>
        <source>Tokens are kept by the package keyring, which is not installed: {command}.</source>
        <translation>Tokens bewahrt das Paket keyring auf, das nicht installiert ist: {command}.</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>Tone curve</source>
        <translation>Tonkurve</translation>
    </message>
    <message>
        <source>Tones the picture brown like an old print.</source>
        <translation>Tönt das Bild braun wie einen alten Abzug.</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>Trail</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>Transparency as a &amp;checkerboard</source>
        <translation>Transparenz als Schachb&amp;rett</translation>
    </message>
    <message>
        <source>Treat the person instead of the background.</source>
        <translation>Die Person statt des Hintergrunds behandeln.</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Drehung</translation>
    </message>
    <message>
        <source>Turns all hues by an angle in the Cb/Cr plane of BT.709, so that the luma of every pixel stays as it is.</source>
        <translation>Dreht alle Farbtöne um einen Winkel in der Cb/Cr-Ebene von BT.709, sodass die Luma jedes Pixels bleibt.</translation>
    </message>
    <message>
        <source>Turns the ball.</source>
        <translation>Dreht die Kugel.</translation>
    </message>
    <message>
        <source>Turns the band clockwise; at 0 it is level.</source>
        <translation>Dreht das Band im Uhrzeigersinn; bei 0 ist es waagerecht.</translation>
    </message>
    <message>
        <source>Turns the picture by any angle, with bilinear sampling.</source>
        <translation>Dreht das Bild um einen beliebigen Winkel, mit bilinearer Abtastung.</translation>
    </message>
    <message>
        <source>Turns the picture into its negative.</source>
        <translation>Verwandelt das Bild in sein Negativ.</translation>
    </message>
    <message>
        <source>Turns the whole figure.</source>
        <translation>Dreht die ganze Figur.</translation>
    </message>
    <message>
        <source>Twists the picture around a point, most in the middle and not at all at the rim.</source>
        <translation>Verdreht das Bild um einen Punkt, am meisten in der Mitte und am Rand gar nicht.</translation>
    </message>
    <message>
        <source>UltraFace RFB 320</source>
        <translation>UltraFace RFB 320</translation>
    </message>
    <message>
        <source>Ultralytics&apos; classifiers see the whole center square.</source>
        <translation>Klassifikatoren von Ultralytics sehen das ganze mittlere Quadrat.</translation>
    </message>
    <message>
        <source>Ultralytics&apos; metadata</source>
        <translation>Metadaten von Ultralytics</translation>
    </message>
    <message>
        <source>Unsharp mask: adds the difference between the picture and a blurred copy.</source>
        <translation>Unscharfmaske: addiert den Unterschied zwischen dem Bild und einer unscharfen Kopie.</translation>
    </message>
    <message>
        <source>Until its chain is changed once.</source>
        <translation>Bis seine Kette einmal geändert wird.</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Value that black is given; above output white it inverts.</source>
        <translation>Wert, den Schwarz bekommt; über dem Weiß am Ausgang kehrt es um.</translation>
    </message>
    <message>
        <source>Value that white is given.</source>
        <translation>Wert, den Weiß bekommt.</translation>
    </message>
    <message>
        <source>Values that each channel may take.</source>
        <translation>Werte, die jeder Kanal annehmen kann.</translation>
    </message>
    <message>
        <source>Vibrance</source>
        <translation>Dynamik</translation>
    </message>
    <message>
        <source>Video call</source>
        <translation>Videoanruf</translation>
    </message>
    <message>
        <source>Videos begin with those that they carry, or that are beside them.</source>
        <translation>Videos beginnen mit denen, die sie enthalten oder die neben ihnen liegen.</translation>
    </message>
    <message>
        <source>Vignette</source>
        <translation>Vignette</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation>Wellenlänge</translation>
    </message>
    <message>
        <source>A trial image gives values in {said}.</source>
        <translation>Was aus einem Probebild herauskommt, liegt in {said}.</translation>
    </message>
    <message>
        <source>What is heard while the recording runs.</source>
        <translation>Was zu hören ist, während die Aufnahme läuft.</translation>
    </message>
    <message>
        <source>What is left of the background&apos;s light.</source>
        <translation>Was vom Licht des Hintergrunds übrig bleibt.</translation>
    </message>
    <message>
        <source>What is put in its place.</source>
        <translation>Was an seine Stelle kommt.</translation>
    </message>
    <message>
        <source>What is put in its place; it fills the frame, what stands over is cut off.</source>
        <translation>Was an seine Stelle kommt; es füllt das Bild, Überstehendes wird abgeschnitten.</translation>
    </message>
    <message>
        <source>What is sharp, from the farthest (0) to the nearest (1).</source>
        <translation>Was scharf ist, vom Fernsten (0) bis zum Nächsten (1).</translation>
    </message>
    <message>
        <source>What is shown where the picture does not reach.</source>
        <translation>Was gezeigt wird, wohin das Bild nicht reicht.</translation>
    </message>
    <message>
        <source>What the network sees in the clean output</source>
        <translation>Was das Netz sieht, in der reinen Bildausgabe</translation>
    </message>
    <message>
        <source>What the network&apos;s coordinates are in, where the file does not tell it rightly.</source>
        <translation>Worin die Koordinaten des Netzes sind, wo die Datei es nicht richtig angibt.</translation>
    </message>
    <message>
        <source>What the picture is not to show; it counts where the guidance is above 1.</source>
        <translation>Was das Bild nicht zeigen soll; zählt, wo die Führung über 1 ist.</translation>
    </message>
    <message>
        <source>What the picture is to show, in words; for a folder of Stable Diffusion.</source>
        <translation>Was das Bild zeigen soll, in Worten; für einen Ordner von Stable Diffusion.</translation>
    </message>
    <message>
        <source>What the points are, where the file does not tell it.</source>
        <translation>Was die Punkte sind, wo die Datei es nicht angibt.</translation>
    </message>
    <message>
        <source>What was recorded until then is in {file}.</source>
        <translation>Was bis dahin aufgenommen wurde, steht in {file}.</translation>
    </message>
    <message>
        <source>What was set on cameras</source>
        <translation>Was an Kameras eingestellt wurde</translation>
    </message>
    <message>
        <source>Where in the remaining picture the zoom looks; 0 and 1 are its edges.</source>
        <translation>Wohin im verbleibenden Bild der Zoom blickt; 0 und 1 sind seine Ränder.</translation>
    </message>
    <message>
        <source>Where one looks: -90 is down on the planet, 0 ahead, 90 up into a tunnel of sky.</source>
        <translation>Wohin man blickt: -90 ist hinab auf den Planeten, 0 geradeaus, 90 hinauf in einen Tunnel aus Himmel.</translation>
    </message>
    <message>
        <source>Where results come later than their pictures: the newest result with the newest picture, or each picture with its own result, later.</source>
        <translation>Wo Ergebnisse später kommen als ihre Bilder: das neueste Ergebnis mit dem neuesten Bild, oder jedes Bild mit seinem eigenen Ergebnis, später.</translation>
    </message>
    <message>
        <source>Where the clean output is</source>
        <translation>Wo die reine Bildausgabe ist</translation>
    </message>
    <message>
        <source>Where the darkening begins; 0 is the center, 1 the corner.</source>
        <translation>Wo die Abdunklung beginnt; 0 ist die Mitte, 1 die Ecke.</translation>
    </message>
    <message>
        <source>Where the kind of file takes it; the usual one elsewhere.</source>
        <translation>Wo die Dateiart ihn annimmt; sonst der übliche.</translation>
    </message>
    <message>
        <source>Where the light comes from: 0 is right, -90 is above.</source>
        <translation>Woher das Licht kommt: 0 ist rechts, -90 ist oben.</translation>
    </message>
    <message>
        <source>Where the network is computed; auto takes the GPU where there is one.</source>
        <translation>Wo das Netz gerechnet wird; auto nimmt die GPU, wo es eine gibt.</translation>
    </message>
    <message>
        <source>Where the playlist is was shown</source>
        <translation>Wo die Playlist ist, wurde gezeigt</translation>
    </message>
    <message>
        <source>Where the waves run to: 0 is right, 90 is down.</source>
        <translation>Wohin die Wellen laufen: 0 ist rechts, 90 ist unten.</translation>
    </message>
    <message>
        <source>Where they are downloaded to. Those that are in another folder stay there.</source>
        <translation>Wohin sie heruntergeladen werden. Die in einem anderen Ordner bleiben dort.</translation>
    </message>
    <message>
        <source>Which channel or class of the network is the mask; -1 takes the person&apos;s.</source>
        <translation>Welcher Kanal oder welche Klasse des Netzes die Maske ist; -1 nimmt die der Person.</translation>
    </message>
    <message>
        <source>Which direction of the picture the slices show.</source>
        <translation>Welche Richtung des Bildes die Segmente zeigen.</translation>
    </message>
    <message>
        <source>White balance</source>
        <translation>Weißabgleich</translation>
    </message>
    <message>
        <source>Whites</source>
        <translation>Weiß</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Width of the band that is sharp.</source>
        <translation>Breite des Bandes, das scharf ist.</translation>
    </message>
    <message>
        <source>Width of the lines.</source>
        <translation>Breite der Linien.</translation>
    </message>
    <message>
        <source>Width of the soft edge, in the same measure.</source>
        <translation>Breite der weichen Kante, im selben Maß.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>With what the network sees</source>
        <translation>Mit dem, was das Netz sieht</translation>
    </message>
    <message>
        <source>Work offline</source>
        <translation>Offline arbeiten</translation>
    </message>
    <message>
        <source>Working size</source>
        <translation>Arbeitsgröße</translation>
    </message>
    <message>
        <source>Write a line of CSV</source>
        <translation>Eine CSV-Zeile schreiben</translation>
    </message>
    <message>
        <source>Write a line of JSON</source>
        <translation>Eine JSON-Zeile schreiben</translation>
    </message>
    <message>
        <source>Writes the picture in characters that are as bright as what they replace.</source>
        <translation>Schreibt das Bild in Zeichen, die so hell sind wie das, was sie ersetzen.</translation>
    </message>
    <message>
        <source>YOLO names a label file like its image without the suffix, so {one} and {other} would have the same file {name}; rename one of them, or choose another format.</source>
        <translation>YOLO nennt Labels wie ihr Bild ohne Endung; {one} und {other} hätten also dieselbe Datei {name}; eines der beiden umbenennen oder ein anderes Format wählen.</translation>
    </message>
    <message>
        <source>YOLOX-Nano</source>
        <translation>YOLOX-Nano</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>YuNet</source>
        <translation>YuNet</translation>
    </message>
    <message>
        <source>Zero-DCE</source>
        <translation>Zero-DCE</translation>
    </message>
    <message>
        <source>Zones</source>
        <translation>Zonen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Zoom blur</source>
        <translation>Zoomunschärfe</translation>
    </message>
    <message>
        <source>a Caffe network</source>
        <translation>ein Netz von Caffe</translation>
    </message>
    <message>
        <source>a Core ML network</source>
        <translation>ein Netz von Core ML</translation>
    </message>
    <message>
        <source>a Darknet network</source>
        <translation>ein Netz von Darknet</translation>
    </message>
    <message>
        <source>a Keras or HDF5 file</source>
        <translation>eine Datei von Keras oder HDF5</translation>
    </message>
    <message>
        <source>a Paddle network</source>
        <translation>ein Netz von Paddle</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>ein Modell von TensorFlow Lite</translation>
    </message>
    <message>
        <source>a TensorFlow graph or SavedModel</source>
        <translation>ein Graph oder SavedModel von TensorFlow</translation>
    </message>
    <message>
        <source>a TensorFlow.js network</source>
        <translation>ein Netz von TensorFlow.js</translation>
    </message>
    <message>
        <source>a TensorRT engine, which is made for one kind of GPU</source>
        <translation>eine TensorRT-Engine, die für eine Art von GPU gemacht ist</translation>
    </message>
    <message>
        <source>a box and the classes&apos; scores for each cell</source>
        <translation>ein Rahmen und die Wertungen der Klassen für jede Zelle</translation>
    </message>
    <message>
        <source>a box with five points, two scores and an IoU for each of its priors</source>
        <translation>ein Rahmen mit fünf Punkten, zwei Wertungen und einer IoU für jeden seiner Priors</translation>
    </message>
    <message>
        <source>a color such as #00b140</source>
        <translation>eine Farbe wie #00b140</translation>
    </message>
    <message>
        <source>a column for each cell, with box and scores</source>
        <translation>eine Spalte für jede Zelle, mit Rahmen und Wertungen</translation>
    </message>
    <message>
        <source>a constant luminance matrix is read as the default one</source>
        <translation>eine Matrix mit konstanter Luminanz wird als die übliche gelesen</translation>
    </message>
    <message>
        <source>a file of weights alone</source>
        <translation>eine Datei, die nur Gewichte enthält</translation>
    </message>
    <message>
        <source>a file of weights alone (safetensors)</source>
        <translation>eine Datei, die nur Gewichte enthält (safetensors)</translation>
    </message>
    <message>
        <source>a file of weights for llama.cpp (GGUF)</source>
        <translation>eine Datei mit Gewichten für llama.cpp (GGUF)</translation>
    </message>
    <message>
        <source>a filter without a name was left out.</source>
        <translation>ein Filter ohne Namen wurde ausgelassen.</translation>
    </message>
    <message>
        <source>a gray image comes out, as one goes in</source>
        <translation>ein graues Bild kommt heraus, wie eines hineingeht</translation>
    </message>
    <message>
        <source>a line of text</source>
        <translation>eine Zeile Text</translation>
    </message>
    <message>
        <source>a list of boxes with scores, and one of labels</source>
        <translation>eine Liste von Rahmen mit Wertungen und eine von Klassen</translation>
    </message>
    <message>
        <source>a list of boxes, and the inputs of its family beside the image</source>
        <translation>eine Liste von Rahmen und die Eingänge seiner Familie neben dem Bild</translation>
    </message>
    <message>
        <source>a list of {count} boxes with score and class</source>
        <translation>eine Liste von {count} Rahmen mit Wertung und Klasse</translation>
    </message>
    <message>
        <source>a map for each of its grids, with three anchors a cell</source>
        <translation>eine Karte für jedes seiner Gitter, mit drei Ankern je Zelle</translation>
    </message>
    <message>
        <source>a mask&apos;s two sides</source>
        <translation>die zwei Seiten einer Maske</translation>
    </message>
    <message>
        <source>a matrix derived from the primaries is read as the default one</source>
        <translation>eine aus den Primärfarben abgeleitete Matrix wird als die übliche gelesen</translation>
    </message>
    <message>
        <source>a matte, and the colors of the foreground beside it</source>
        <translation>eine Maske und daneben die Farben des Vordergrunds</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>ein Name</translation>
    </message>
    <message>
        <source>a name in it is not UTF-8</source>
        <translation>ein Name darin ist kein UTF-8</translation>
    </message>
    <message>
        <source>a network compiled for one device</source>
        <translation>ein Netz, das für ein bestimmtes Gerät übersetzt ist</translation>
    </message>
    <message>
        <source>a number from {min:g} to {max:g}{unit}</source>
        <translation>eine Zahl von {min:g} bis {max:g}{unit}</translation>
    </message>
    <message>
        <source>a packed archive</source>
        <translation>ein gepacktes Archiv</translation>
    </message>
    <message>
        <source>an image comes out that is {factor} times as large</source>
        <translation>ein Bild kommt heraus, das {factor}-mal so groß ist</translation>
    </message>
    <message>
        <source>a frame of {width} x {height} pixels{work}</source>
        <translation>ein Bild von {width} x {height} Pixeln{work}</translation>
    </message>
    <message numerus="yes">
        <source>%n files of the playlist are on another machine: Lightloom leaves them out when it opens the saved list.</source>
        <translation>
            <numerusform>%n Datei der Wiedergabeliste liegt auf einem anderen Rechner: Lightloom lässt sie beim Öffnen der gespeicherten Liste aus.</numerusform>
            <numerusform>%n Dateien der Wiedergabeliste liegen auf einem anderen Rechner: Lightloom lässt sie beim Öffnen der gespeicherten Liste aus.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further notes are left out.</source>
        <translation>
            <numerusform>%n weiterer Hinweis ist weggelassen.</numerusform>
            <numerusform>%n weitere Hinweise sind weggelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n objects have an outline in several parts, of which the longest was read.</source>
        <translation>
            <numerusform>%n Objekt hat einen Umriss aus mehreren Teilen, von denen der längste gelesen wurde.</numerusform>
            <numerusform>%n Objekte haben einen Umriss aus mehreren Teilen, von denen der längste gelesen wurde.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regions of several objects (iscrowd) were left out.</source>
        <translation>
            <numerusform>%n Bereich mit mehreren Objekten (iscrowd) wurde weggelassen.</numerusform>
            <numerusform>%n Bereiche mit mehreren Objekten (iscrowd) wurden weggelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Copy all effects</source>
        <translation>Alle Effekte &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste effects</source>
        <translation>Effekte &amp;einfügen</translation>
    </message>
    <message>
        <source>&amp;Pick a look</source>
        <translation>Look &amp;wählen</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>„{key}“ ist unbekannt und wurde weggelassen; ist „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is outside &apos;scene&apos; and was left out; move it into &apos;scene&apos;.</source>
        <translation>„{key}“ steht neben „scene“ und wurde weggelassen; dort hineinsetzen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; counts in a zone, and there is none; load some (--zones).</source>
        <translation>„{name}“ von „{filter}“ zählt in einer Zone, und es gibt keine; Zonen laden (--zones).</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; counts in the zone &apos;{zone}&apos;, which does not exist; there are: {zones}.</source>
        <translation>„{name}“ von „{filter}“ zählt in der Zone „{zone}“, die es nicht gibt; es gibt: {zones}.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows a tracked object, and tracking is off; switch it on (--track).</source>
        <translation>„{name}“ von „{filter}“ folgt einem verfolgten Objekt, und die Verfolgung ist aus; einschalten (--track).</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows events, and there is none; load some with their zones (--zones).</source>
        <translation>„{name}“ von „{filter}“ folgt Ereignissen, und es gibt keine; mit ihren Zonen laden (--zones).</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows the event &apos;{event}&apos;, which does not exist; there are: {events}.</source>
        <translation>„{name}“ von „{filter}“ folgt dem Ereignis „{event}“, das es nicht gibt; es gibt: {events}.</translation>
    </message>
    <message>
        <source>&apos;{wanted}&apos; matches the names of {count} cameras; give the id of one: {ids}.</source>
        <translation>„{wanted}“ ist der Name von {count} Kameras oder ein Teil davon; die Kennung einer davon angeben: {ids}.</translation>
    </message>
    <message>
        <source>A copy of the list is {kept}.</source>
        <translation>Eine Kopie der Liste ist {kept}.</translation>
    </message>
    <message>
        <source>A woodblock print in Prussian blue and cream, after Hokusai.</source>
        <translation>Ein Holzschnitt in Preußischblau und Creme, nach Hokusai.</translation>
    </message>
    <message>
        <source>A woodblock print in blue and cream, with a network.</source>
        <translation>Ein Holzschnitt in Blau und Creme, mit einem Netz.</translation>
    </message>
    <message>
        <source>Begin with an effect on the sample</source>
        <translation>Mit einem Effekt auf dem Beispiel beginnen</translation>
    </message>
    <message>
        <source>Bright shapes and black lines, after Kandinsky.</source>
        <translation>Leuchtende Formen und schwarze Linien, nach Kandinsky.</translation>
    </message>
    <message>
        <source>Compare before and after</source>
        <translation>Vorher und nachher vergleichen</translation>
    </message>
    <message>
        <source>Composition</source>
        <translation>Komposition</translation>
    </message>
    <message>
        <source>Effe&amp;cts</source>
        <translation>&amp;Effekte</translation>
    </message>
    <message>
        <source>Effects used lately</source>
        <translation>Zuletzt verwendete Effekte</translation>
    </message>
    <message>
        <source>Favorite effects</source>
        <translation>Bevorzugte Effekte</translation>
    </message>
    <message>
        <source>Favorite networks</source>
        <translation>Lieblings-Netze</translation>
    </message>
    <message>
        <source>Great wave</source>
        <translation>Große Welle</translation>
    </message>
    <message>
        <source>Large values are taken for near; if near and far are exchanged, choose Invert, or write near = &quot;low&quot; under [output] into {name}.</source>
        <translation>Große Werte gelten als nah; sind nah und fern vertauscht: Umkehren wählen oder near = &quot;low&quot; unter [output] in {name} schreiben.</translation>
    </message>
    <message>
        <source>Lightloom cannot note in {folder} that the exports go on at the next start ({reason}); free disk space, or close it again and continue them in the panel Exports after the next start.</source>
        <translation>In {folder} lässt sich nicht vermerken, dass die Exporte beim nächsten Start weitergehen ({reason}); Speicherplatz freigeben, oder Lightloom noch einmal schließen und sie nach dem nächsten Start im Bereich Exporte fortsetzen.</translation>
    </message>
    <message>
        <source>Open the &amp;folder of my effects</source>
        <translation>&amp;Ordner meiner Effekte öffnen</translation>
    </message>
    <message>
        <source>Reading {title} stopped by a fault of Lightloom&apos;s own ({error}); report it with the log file.</source>
        <translation>Das Lesen von {title} endete durch einen Fehler von Lightloom selbst ({error}): ihn mit der Protokolldatei melden.</translation>
    </message>
    <message>
        <source>Show the library as a lis&amp;t</source>
        <translation>Bibliothek als Lis&amp;te zeigen</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>Scheinwerfer</translation>
    </message>
    <message>
        <source>Starry night</source>
        <translation>Sternennacht</translation>
    </message>
    <message>
        <source>Such as 9000 for programs here, or 0.0.0.0:9000 for all that reach this machine.</source>
        <translation>Etwa 9000 für Programme hier oder 0.0.0.0:9000 für alle, die diesen Rechner erreichen.</translation>
    </message>
    <message>
        <source>Swirling brush strokes in blue and yellow, with a network.</source>
        <translation>Wirbelnde Pinselstriche in Blau und Gelb, mit einem Netz.</translation>
    </message>
    <message>
        <source>Swirling strokes in blue and yellow, after van Gogh.</source>
        <translation>Wirbelnde Striche in Blau und Gelb, nach van Gogh.</translation>
    </message>
    <message>
        <source>The MIDI device {name} cannot be opened; end other programs that use it.</source>
        <translation>Das MIDI-Gerät {name} lässt sich nicht öffnen; andere Programme beenden, die es benutzen.</translation>
    </message>
    <message>
        <source>The MIDI device {name} is gone; it is used again once it is back.</source>
        <translation>Das MIDI-Gerät {name} ist weg; es wird wieder benutzt, sobald es zurück ist.</translation>
    </message>
    <message>
        <source>The Scream</source>
        <translation>Der Schrei</translation>
    </message>
    <message>
        <source>The access log cannot be written ({reason}); choose a file.</source>
        <translation>Das Zugriffsprotokoll kann nicht geschrieben werden ({reason}); eine Datei wählen.</translation>
    </message>
    <message>
        <source>The access log cannot be written ({reason}); {advice}.</source>
        <translation>Das Zugriffsprotokoll kann nicht geschrieben werden ({reason}); {advice}.</translation>
    </message>
    <message>
        <source>The access log takes lines too slowly, so that requests are missing in it; check its disk, or what reads it.</source>
        <translation>Das Zugriffsprotokoll nimmt Zeilen zu langsam an, sodass Anfragen darin fehlen; seinen Datenträger prüfen, oder das Programm, das es liest.</translation>
    </message>
    <message>
        <source>The access log {path} is a named pipe that nothing reads; start its reader first.</source>
        <translation>Das Zugriffsprotokoll {path} ist eine benannte Pipe, die nichts liest; zuerst das lesende Programm starten.</translation>
    </message>
    <message>
        <source>The audio could not be read ({error}); convert the file.</source>
        <translation>Der Ton konnte nicht gelesen werden ({error}); die Datei umwandeln.</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded; convert the file.</source>
        <translation>Der Ton von {name} lässt sich nicht dekodieren; die Datei umwandeln.</translation>
    </message>
    <message>
        <source>The audio was closed while it was read; open it again.</source>
        <translation>Der Ton wurde beim Lesen geschlossen; ihn noch einmal öffnen.</translation>
    </message>
    <message>
        <source>The channel of the device.</source>
        <translation>Der Kanal des Geräts.</translation>
    </message>
    <message>
        <source>The clip {path} cannot be written: {reason}; free some disk space or check the folder.</source>
        <translation>Der Clip {path} kann nicht geschrieben werden: {reason}; Speicherplatz freigeben oder den Ordner prüfen.</translation>
    </message>
    <message>
        <source>The color of the frames changes at {seconds:.2f} s, and a file holds one dynamic range; let HDR become SDR (--hdr tonemap), or write a part (--range).</source>
        <translation>Die Farbe der Bilder wechselt bei {seconds:.2f} s, und eine Datei hat einen Dynamikumfang; HDR zu SDR werden lassen (--hdr tonemap) oder einen Teil schreiben (--range).</translation>
    </message>
    <message>
        <source>The encrypted connection to {address} cannot be established: check the server&apos;s log for TLS and DTLS, or use its RTMP address.</source>
        <translation>Die verschlüsselte Verbindung zu {address} kommt nicht zustande: das Protokoll des Servers auf TLS und DTLS prüfen, oder seine RTMP-Adresse verwenden.</translation>
    </message>
    <message>
        <source>The events {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>Die Ereignisse {path} können nicht gelesen werden: {reason}; Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>The filter &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; leave it out, or let HDR become SDR (--hdr tonemap).</source>
        <translation>Der Filter &apos;{filter}&apos; setzt SDR voraus, deshalb kann HDR mit ihm nicht erhalten bleiben; ihn weglassen oder HDR zu SDR machen (--hdr tonemap).</translation>
    </message>
    <message>
        <source>The greatest brightness.</source>
        <translation>Die größte Helligkeit.</translation>
    </message>
    <message>
        <source>The hue: 0 is red, 60 yellow, 120 green, 180 cyan, 240 blue, 300 magenta (HSV).</source>
        <translation>Der Farbton: 0 ist Rot, 60 Gelb, 120 Grün, 180 Cyan, 240 Blau, 300 Magenta (HSV).</translation>
    </message>
    <message>
        <source>The index {path} of the segments is a symbolic link, which is not followed; delete the link, or choose another name.</source>
        <translation>Das Verzeichnis {path} der Abschnitte ist ein symbolischer Link, dem nicht gefolgt wird; den Link löschen oder einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>The input of {name} cannot be filled in tiles; set tiles to 1.</source>
        <translation>Der Eingang von {name} lässt sich nicht in Kacheln füllen; Kacheln auf 1 setzen.</translation>
    </message>
    <message>
        <source>The least brightness; luma of R&apos;G&apos;B&apos; (BT.709).</source>
        <translation>Die kleinste Helligkeit; Luma von R&apos;G&apos;B&apos; (BT.709).</translation>
    </message>
    <message>
        <source>The least saturation (HSV); grays have no hue.</source>
        <translation>Die kleinste Sättigung (HSV); Grau hat keinen Farbton.</translation>
    </message>
    <message>
        <source>The list of exports cannot be read ({reason}), so that exports of earlier starts are missing; add them again. The file is {kept}.</source>
        <translation>Die Exportliste kann nicht gelesen werden ({reason}), sodass Exporte früherer Starts fehlen; neu hinzufügen. Die Datei ist {kept}.</translation>
    </message>
    <message>
        <source>The look has automations, and the page cannot do that; remove them from it first.</source>
        <translation>Der Look hat Automationen, und die Seite kann das nicht; sie zuerst daraus entfernen.</translation>
    </message>
    <message>
        <source>The look needs {path}, and a .lightloom file cannot hold files of its kind; save that image as PNG, or the look as .toml.</source>
        <translation>Der Look braucht {path}, und Dateien dieser Art passen nicht in eine Datei; das Bild als PNG oder den Look als .toml speichern.</translation>
    </message>
    <message>
        <source>The look needs {path}, which has {size:.1f} MiB, more than the {limit} MiB that a file of its kind may have in a .lightloom file; make it smaller, or save the look as .toml.</source>
        <translation>Der Look braucht {path} mit {size:.1f} MiB, mehr als die {limit} MiB, die eine Datei dieser Art in einer .lightloom-Datei haben darf; verkleinern oder den Look als .toml speichern.</translation>
    </message>
    <message>
        <source>The look {path} cannot be deleted: {reason}; check that its folder can be written to.</source>
        <translation>Der Look {path} lässt sich nicht löschen: {reason}; prüfen, ob in seinen Ordner geschrieben werden kann.</translation>
    </message>
    <message>
        <source>The look {path} cannot be renamed: {reason}; check that its folder can be written to.</source>
        <translation>Der Look {path} lässt sich nicht umbenennen: {reason}; prüfen, ob in seinen Ordner geschrieben werden kann.</translation>
    </message>
    <message>
        <source>The look {path} cannot be written: {reason}; {advice}.</source>
        <translation>Der Look {path} kann nicht geschrieben werden: {reason}; {advice}.</translation>
    </message>
    <message>
        <source>The mask &apos;{kind}&apos; has no &apos;{name}&apos;; it has: {names}.</source>
        <translation>Die Maske „{kind}“ hat kein „{name}“; sie hat: {names}.</translation>
    </message>
    <message>
        <source>The mask &apos;{mask}&apos; of &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; choose a shape, or let HDR become SDR (--hdr tonemap).</source>
        <translation>Die Maske &apos;{mask}&apos; von &apos;{filter}&apos; setzt SDR voraus, deshalb kann HDR mit ihr nicht erhalten bleiben; eine Form wählen oder HDR zu SDR machen (--hdr tonemap).</translation>
    </message>
    <message>
        <source>The mask has {count} parts; give at most {most}.</source>
        <translation>Die Maske hat {count} Teile; höchstens {most} angeben.</translation>
    </message>
    <message>
        <source>The mask in the filter {text} begins with {sign}; put a kind before it.</source>
        <translation>Die Maske im Filter {text} beginnt mit {sign}; eine Art davorsetzen.</translation>
    </message>
    <message>
        <source>The mask in the filter {text} has no part; give a kind, such as person.</source>
        <translation>Die Maske im Filter {text} hat keinen Teil; eine Art angeben, etwa person.</translation>
    </message>
    <message>
        <source>The mask is of class {channel} ({name}), because none of the network&apos;s labels is a person; choose another Class.</source>
        <translation>Die Maske ist die der Klasse {channel} ({name}), weil keine der Klassen des Netzes eine Person ist; eine andere Klasse wählen.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; follows a tracked object, and tracking is off; switch it on (--track).</source>
        <translation>Die Maske von „{filter}“ folgt einem verfolgten Objekt, und die Verfolgung ist aus; sie einschalten (--track).</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a polygon with fewer than three points; give more.</source>
        <translation>Die Maske von &apos;{filter}&apos; hat ein Vieleck mit weniger als drei Punkten; mehr angeben.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a range of distances from {near} to {far}, and {near} is farther; exchange them.</source>
        <translation>Die Maske von „{filter}“ hat einen Entfernungsbereich von {near} bis {far}, und {near} ist weiter weg; vertauschen.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; is a zone, and there is none; draw one, or load zones (--zones).</source>
        <translation>Die Maske von „{filter}“ ist eine Zone, und es gibt keine; eine zeichnen oder Zonen laden (--zones).</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; is the zone &apos;{zone}&apos;, which does not exist; there are: {zones}.</source>
        <translation>Die Maske von „{filter}“ ist die Zone „{zone}“, die es nicht gibt; es gibt: {zones}.</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; uses what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>Die Maske von „{filter}“ verwendet, was ein Analysenetz findet, und es gibt keines; eines wählen (--model).</translation>
    </message>
    <message>
        <source>The mask of the filter &apos;{filter}&apos; reads the effect {number}, which does not stand before it.</source>
        <translation>Die Maske des Filters „{filter}“ liest den Effekt {number}, der nicht davor steht.</translation>
    </message>
    <message>
        <source>The mask of {title} is the result of an effect that does not stand before {title}; choose another one.</source>
        <translation>Die Maske von {title} ist das Ergebnis eines Effekts, der nicht vor {title} steht; einen anderen wählen.</translation>
    </message>
    <message>
        <source>The mask of {title} refers to objects that a network finds or to zones, and the page has neither; give {title} another mask or take it out of the look first.</source>
        <translation>Die Maske von {title} bezieht sich auf Objekte, die ein Netz findet, oder auf Zonen, und die Seite hat beides nicht; {title} zuerst eine andere Maske geben oder aus dem Look nehmen.</translation>
    </message>
    <message>
        <source>The mask reads the effect {number}, which is not there; give the position of another.</source>
        <translation>Die Maske liest den Effekt {number}, den es nicht gibt; die Stelle eines anderen angeben.</translation>
    </message>
    <message>
        <source>The names of the classes in {name} cannot be read; write each on a line of its own below &apos;names:&apos;, such as &apos;  0: person&apos;.</source>
        <translation>Die Namen der Klassen in {name} sind nicht lesbar; jeden in eine eigene Zeile unter &apos;names:&apos; schreiben, etwa &apos;  0: person&apos;.</translation>
    </message>
    <message>
        <source>The network cannot be searched for cameras: {reason}; check the connection and the firewall.</source>
        <translation>Das Netz kann nicht nach Kameras durchsucht werden: {reason}; Verbindung und Firewall prüfen.</translation>
    </message>
    <message>
        <source>The network compares with {most} images at most; left out: {names}</source>
        <translation>Das Netz vergleicht mit höchstens {most} Bildern; weggelassen: {names}</translation>
    </message>
    <message>
        <source>The number of objects that gives the greatest value.</source>
        <translation>Die Anzahl der Objekte, die den größten Wert ergibt.</translation>
    </message>
    <message>
        <source>The number that tracking has given the object.</source>
        <translation>Die Nummer, die das Ding beim Verfolgen bekommen hat.</translation>
    </message>
    <message>
        <source>The number that tracking has given the object; 0 for the largest object.</source>
        <translation>Die Nummer, die die Verfolgung dem Objekt gegeben hat; 0 für das größte Objekt.</translation>
    </message>
    <message>
        <source>The old segment {path} cannot be deleted: {reason}; check the permissions of its folder.</source>
        <translation>Der alte Abschnitt {path} kann nicht gelöscht werden: {reason}; die Rechte seines Ordners prüfen.</translation>
    </message>
    <message>
        <source>The one set in Home Assistant&apos;s MQTT integration, by default homeassistant.</source>
        <translation>Das in der MQTT-Integration von Home Assistant gesetzte, üblich ist homeassistant.</translation>
    </message>
    <message>
        <source>The parts of the image whose brightness is in a range.</source>
        <translation>Die Teile des Bildes, deren Helligkeit in einem Bereich liegt.</translation>
    </message>
    <message>
        <source>The parts of the image whose color is near a hue.</source>
        <translation>Die Teile des Bildes, deren Farbe nahe bei einem Farbton liegt.</translation>
    </message>
    <message>
        <source>The playlist cannot be kept for the next start: {reason}; free some disk space, or check the permissions of {folder}.</source>
        <translation>Die Wiedergabeliste kann nicht für den nächsten Start gespeichert werden: {reason}; Speicherplatz freigeben oder die Rechte von {folder} prüfen.</translation>
    </message>
    <message>
        <source>The plug-in is in {path}; &apos;pip install {path}&apos; installs it, and &apos;lightloom plugins&apos; lists it.</source>
        <translation>Das Plug-in ist in {path}; „pip install {path}“ installiert es, und „lightloom plugins“ führt es auf.</translation>
    </message>
    <message>
        <source>The quotation mark in {text} is not closed; put one behind the value.</source>
        <translation>Das Anführungszeichen in {text} wird nicht geschlossen; hinter den Wert eines setzen.</translation>
    </message>
    <message>
        <source>The received value that gives the greatest value.</source>
        <translation>Der empfangene Wert, der den größten Wert ergibt.</translation>
    </message>
    <message>
        <source>The received value that gives the least value.</source>
        <translation>Der empfangene Wert, der den kleinsten Wert ergibt.</translation>
    </message>
    <message>
        <source>The response is unreadable; reload the page.</source>
        <translation>Die Antwort ist nicht lesbar; die Seite neu laden.</translation>
    </message>
    <message>
        <source>The result of an earlier effect of the chain, as a mask: its brightness, or how opaque it is.</source>
        <translation>Das Ergebnis eines früheren Effekts der Kette als Maske: seine Helligkeit oder Deckung.</translation>
    </message>
    <message>
        <source>The results of {count} of {frames} frames are incomplete; in the worst of them: {hint}</source>
        <translation>Die Ergebnisse von {count} von {frames} Bildern sind unvollständig; im schlimmsten Fall: {hint}</translation>
    </message>
    <message>
        <source>The scopes that are shown</source>
        <translation>Die gezeigten Messanzeigen</translation>
    </message>
    <message>
        <source>The segment index {path} was damaged and no longer lists all segments. Segments that are not listed are not deleted automatically; delete them by hand.</source>
        <translation>Das Segmentverzeichnis {path} war beschädigt und führt nicht mehr alle Segmente auf. Nicht aufgeführte Segmente werden nicht automatisch gelöscht; von Hand löschen.</translation>
    </message>
    <message>
        <source>The set list</source>
        <translation>Die Setliste</translation>
    </message>
    <message>
        <source>The shader {path} cannot be copied: {reason}; rename it to {name}.</source>
        <translation>Der Shader {path} lässt sich nicht kopieren: {reason}; in {name} umbenennen.</translation>
    </message>
    <message>
        <source>The size of the buffer &apos;{name}&apos; depends on an input, and a filter&apos;s does not; change its WIDTH and HEIGHT.</source>
        <translation>Die Größe des Puffers &apos;{name}&apos; hängt von einem Eingang ab, die eines Filters nicht; WIDTH und HEIGHT ändern.</translation>
    </message>
    <message>
        <source>The stream to {address} ended by a fault of Lightloom&apos;s own ({error}); report it.</source>
        <translation>Der Stream an {address} endete durch einen Fehler von Lightloom selbst ({error}); ihn melden.</translation>
    </message>
    <message>
        <source>The text &apos;{text}&apos; tells what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>Der Text &apos;{text}&apos; sagt, was ein Analysenetz findet, und es gibt keines; eines wählen (--model).</translation>
    </message>
    <message>
        <source>The text of a layer has {count} letters; give at most {most}.</source>
        <translation>Der Text einer Ebene hat {count} Zeichen; höchstens {most} angeben.</translation>
    </message>
    <message>
        <source>The time code is left out: {container} holds none.</source>
        <translation>Der Timecode wird weggelassen: {container} kann keinen enthalten.</translation>
    </message>
    <message>
        <source>The values of the mask &apos;{kind}&apos; are not a table; give names and values.</source>
        <translation>Die Werte der Maske „{kind}“ sind keine Tabelle; Namen und Werte angeben.</translation>
    </message>
    <message>
        <source>The video has more than {most:,} frames, which are too many to stabilize at once; give a part of it.</source>
        <translation>Das Video hat mehr als {most:,} Bilder, zu viele, um sie auf einmal zu stabilisieren; bitte einen Teil davon angeben.</translation>
    </message>
    <message>
        <source>There are at most {most} layers; remove one first.</source>
        <translation>Es gibt höchstens {most} Ebenen; erst eine entfernen.</translation>
    </message>
    <message>
        <source>There are no {bits} bits a color; choose one of {depths}.</source>
        <translation>{bits} Bit je Farbe gibt es nicht; eine dieser Zahlen wählen: {depths}.</translation>
    </message>
    <message>
        <source>There is no MIDI device &apos;{name}&apos;; it is used once it is connected.</source>
        <translation>Es gibt kein MIDI-Gerät „{name}“; es wird benutzt, sobald es angeschlossen ist.</translation>
    </message>
    <message>
        <source>There is no MIDI device; one that is connected later is used.</source>
        <translation>Es gibt kein MIDI-Gerät; eines, das später angeschlossen wird, wird benutzt.</translation>
    </message>
    <message>
        <source>There is no automation called &apos;{name}&apos;; there are: {names}.</source>
        <translation>Es gibt keine Automatisierung namens „{name}“; es gibt: {names}.</translation>
    </message>
    <message>
        <source>There is no file of the name given, which looks like an address; begin an address with its scheme, a colon and two slashes, as in rtsp://host/path.</source>
        <translation>Es gibt keine Datei des angegebenen Namens, der wie eine Adresse aussieht; eine Adresse mit Schema, Doppelpunkt und zwei Schrägstrichen beginnen, wie rtsp://host/path.</translation>
    </message>
    <message>
        <source>There is no folder {folder}; choose another one.</source>
        <translation>Den Ordner {folder} gibt es nicht; einen anderen wählen.</translation>
    </message>
    <message>
        <source>There is no look {name}; did you mean &apos;{near}&apos;?</source>
        <translation>Es gibt keinen Look {name}; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>There is no mask called &apos;{kind}&apos;; there are: {kinds}.</source>
        <translation>Es gibt keine Maske namens &apos;{kind}&apos;; es gibt: {kinds}.</translation>
    </message>
    <message>
        <source>There is no screen for the window; connect one or sign in to the desktop, or use &apos;lightloom process&apos;, which needs none.</source>
        <translation>Es gibt keinen Bildschirm für das Fenster; einen anschließen oder am Desktop anmelden, oder &apos;lightloom process&apos; verwenden, das keinen braucht.</translation>
    </message>
    <message>
        <source>There is no use of HDR &apos;{name}&apos;; choose from {names}.</source>
        <translation>Die Verwendung von HDR &apos;{name}&apos; gibt es nicht; eine von {names} wählen.</translation>
    </message>
    <message>
        <source>There is not enough memory to load {name}; end other programs, or use a smaller network.</source>
        <translation>Der Speicher reicht nicht, um {name} zu laden; andere Programme beenden oder ein kleineres Netz nehmen.</translation>
    </message>
    <message>
        <source>Thick strokes with firm edges, lit from the side.</source>
        <translation>Dicke Striche mit festen Kanten, von der Seite beleuchtet.</translation>
    </message>
    <message>
        <source>This FFmpeg has no WHIP; use the server&apos;s RTMP address, such as rtmp://host/app.</source>
        <translation>Dieses FFmpeg hat kein WHIP; die RTMP-Adresse des Servers verwenden, etwa rtmp://host/app.</translation>
    </message>
    <message>
        <source>This code is not right; type the one in the window.</source>
        <translation>Dieser Code ist nicht richtig; den im Fenster eingeben.</translation>
    </message>
    <message>
        <source>Tiles are for the first network and were left out.</source>
        <translation>Kacheln sind für das erste Netz und wurden weggelassen.</translation>
    </message>
    <message>
        <source>Time in which it falls by half after a peak.</source>
        <translation>Zeit, in der es nach einer Spitze um die Hälfte fällt.</translation>
    </message>
    <message>
        <source>Time in which it falls by half after the event.</source>
        <translation>Zeit, in der es nach dem Ereignis um die Hälfte fällt.</translation>
    </message>
    <message>
        <source>Time of one round.</source>
        <translation>Dauer eines Durchgangs.</translation>
    </message>
    <message>
        <source>Time of the key frame in the video.</source>
        <translation>Zeit des Keyframes im Video.</translation>
    </message>
    <message>
        <source>Time over which the mask is averaged, against flicker; large changes are let through at once where the picture moves, and it takes ten times as long where nothing does.</source>
        <translation>Zeit, über die die Maske gegen Flackern gemittelt wird; wo sich das Bild bewegt, kommen starke Änderungen sofort durch, und wo sich nichts bewegt, dauert es zehnmal so lange.</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Tracked object</source>
        <translation>Verfolgtes Ding</translation>
    </message>
    <message>
        <source>Turns day into a blue night with glowing lights.</source>
        <translation>Macht den Tag zu einer blauen Nacht mit leuchtenden Lichtern.</translation>
    </message>
    <message>
        <source>Two inks</source>
        <translation>Zwei Druckfarben</translation>
    </message>
    <message>
        <source>Two passes or inputs have the name &apos;{name}&apos;; rename one.</source>
        <translation>Zwei Durchgänge oder Eingänge heißen &apos;{name}&apos;; einen umbenennen.</translation>
    </message>
    <message>
        <source>Under the main image</source>
        <translation>Unter dem Hauptbild</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Upper edge, as a share of the image&apos;s height.</source>
        <translation>Obere Kante, als Anteil der Bildhöhe.</translation>
    </message>
    <message>
        <source>Use as {parameter} of {filter}</source>
        <translation>Verwenden als {parameter} von {filter}</translation>
    </message>
    <message>
        <source>Use this network</source>
        <translation>Dieses Netz verwenden</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value of the parameter at this time.</source>
        <translation>Wert des Parameters zu dieser Zeit.</translation>
    </message>
    <message>
        <source>Value of the parameter where the automation is highest.</source>
        <translation>Wert des Parameters, wo die Automatisierung am höchsten ist.</translation>
    </message>
    <message>
        <source>Value of the parameter where the automation is lowest; it may be the greater one.</source>
        <translation>Wert des Parameters, wo die Automatisierung am niedrigsten ist; er darf der größere sein.</translation>
    </message>
    <message>
        <source>Values at times in seconds; :ease goes slowly in and out, :hold jumps.</source>
        <translation>Werte zu Zeiten in Sekunden; :ease beginnt und endet langsam, :hold springt.</translation>
    </message>
    <message>
        <source>Values at times of the file, with a straight way, a smooth way or none between them.</source>
        <translation>Werte zu Zeiten der Datei, dazwischen gerade, sanft oder sprunghaft.</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>Video tape</source>
        <translation>Videoband</translation>
    </message>
    <message>
        <source>View of the library</source>
        <translation>Ansicht der Bibliothek</translation>
    </message>
    <message>
        <source>WGSL</source>
        <translation>WGSL</translation>
    </message>
    <message>
        <source>Warm, pale colors of a holiday print that has hung in the sun.</source>
        <translation>Warme, blasse Farben eines Urlaubsfotos, das in der Sonne hing.</translation>
    </message>
    <message>
        <source>Wavy bands in orange and dark blue, after Munch.</source>
        <translation>Wellige Bänder in Orange und Dunkelblau, nach Munch.</translation>
    </message>
    <message>
        <source>What Twitch, YouTube and their like call so, and the bearer token of WHIP. It is neither saved nor shown; give it here and not in the address.</source>
        <translation>Was Twitch, YouTube und andere so nennen, und das Bearer-Token von WHIP. Er wird weder gespeichert noch gezeigt; ihn hier und nicht in der Adresse angeben.</translation>
    </message>
    <message>
        <source>What effects and networks compute on. The chain is kept.</source>
        <translation>Worauf Effekte und Netze rechnen. Die Kette bleibt erhalten.</translation>
    </message>
    <message>
        <source>What is done when the layer&apos;s video ends before the main one.</source>
        <translation>Was geschieht, wenn das Video der Ebene vor dem Hauptvideo endet.</translation>
    </message>
    <message>
        <source>What is done where width and height have other proportions than the layer.</source>
        <translation>Was geschieht, wenn Breite und Höhe andere Proportionen haben als die Ebene.</translation>
    </message>
    <message>
        <source>What is in a range of distances, found by a depth network.</source>
        <translation>Was in einem Bereich von Entfernungen liegt, gefunden von einem Tiefennetz.</translation>
    </message>
    <message>
        <source>What is shown while a network has no mask for a frame. To hide something, choose the effect everywhere or a black frame.</source>
        <translation>Was gezeigt wird, solange ein Netz für ein Einzelbild keine Maske hat. Um etwas zu verbergen, den Effekt überall oder ein schwarzes Bild wählen.</translation>
    </message>
    <message>
        <source>What is weaker than this is 0.</source>
        <translation>Was schwächer ist, ist 0.</translation>
    </message>
    <message>
        <source>What the analysis network finds in the frame: all of it, or some classes.</source>
        <translation>Was das Analysenetz im Bild findet: alles oder einige Klassen.</translation>
    </message>
    <message>
        <source>What you paint in the video.</source>
        <translation>Was im Video gemalt wird.</translation>
    </message>
    <message>
        <source>Whatever moves leaves a trail of light, as in a long exposure.</source>
        <translation>Was sich bewegt, hinterlässt eine Lichtspur, wie bei langer Belichtung.</translation>
    </message>
    <message>
        <source>Where another shot begins, objects get new numbers, also those at the same place; for edited videos.</source>
        <translation>Wo eine andere Einstellung beginnt, bekommen Objekte neue Nummern, auch solche an derselben Stelle; für geschnittene Videos.</translation>
    </message>
    <message>
        <source>Where in its round it begins; 180 is half a round.</source>
        <translation>Wo im Durchgang es beginnt; 180 ist ein halber Durchgang.</translation>
    </message>
    <message>
        <source>Where the mask begins to fall; before this it is full.</source>
        <translation>Wo die Maske abzunehmen beginnt; davor ist sie voll.</translation>
    </message>
    <message>
        <source>Where the mask ends.</source>
        <translation>Wo die Maske endet.</translation>
    </message>
    <message>
        <source>Where the range begins: 100 is what is nearest.</source>
        <translation>Wo der Bereich beginnt: 100 ist das Nächste.</translation>
    </message>
    <message>
        <source>Where the range ends: 0 is what is farthest.</source>
        <translation>Wo der Bereich endet: 0 ist das Fernste.</translation>
    </message>
    <message>
        <source>White lines on blue paper, as in an engineer&apos;s drawing.</source>
        <translation>Weiße Linien auf blauem Papier, wie in einer technischen Zeichnung.</translation>
    </message>
    <message>
        <source>Who may connect</source>
        <translation>Wer sich verbinden darf</translation>
    </message>
    <message>
        <source>Width of the black line around the letters, as a share of their size.</source>
        <translation>Breite der schwarzen Linie um die Buchstaben, als Anteil ihrer Größe.</translation>
    </message>
    <message>
        <source>Width of the ramps beyond the range, in which the mask fades.</source>
        <translation>Breite der Rampen jenseits des Bereichs, in denen die Maske ausläuft.</translation>
    </message>
    <message>
        <source>Width of the ramps outside the range, in which the mask fades.</source>
        <translation>Breite der Rampen außerhalb des Bereichs, in denen die Maske ausläuft.</translation>
    </message>
    <message>
        <source>Width of the soft edge, as a share of the ellipse.</source>
        <translation>Breite des weichen Rands, als Anteil der Ellipse.</translation>
    </message>
    <message>
        <source>Width of the strokes, in percent of the frame&apos;s height.</source>
        <translation>Breite der Striche in Prozent der Bildhöhe.</translation>
    </message>
    <message>
        <source>Windows did not take the global shortcut in time; set it again, or start Lightloom again.</source>
        <translation>Windows hat die globale Taste nicht rechtzeitig angenommen; sie erneut einstellen oder Lightloom neu starten.</translation>
    </message>
    <message>
        <source>Writing {path} failed partway: {reason}; {advice}.</source>
        <translation>Das Schreiben von {path} brach ab: {reason}; {advice}.</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
    <message>
        <source>a &apos;case&apos; runs into the next one; end it with &apos;break&apos;</source>
        <translation>ein &apos;case&apos; läuft in das nächste; mit &apos;break&apos; beenden</translation>
    </message>
    <message>
        <source>a block of declarations is not translated; use loose variables</source>
        <translation>ein Block von Deklarationen wird nicht übersetzt; einzelne Variablen verwenden</translation>
    </message>
    <message>
        <source>a corner of &apos;{name}&apos; is outside the frame, whose coordinates are 0 to 1, and was moved to its edge.</source>
        <translation>eine Ecke von „{name}“ liegt außerhalb des Bildes, dessen Koordinaten 0 bis 1 sind, und wurde an seinen Rand verschoben.</translation>
    </message>
    <message>
        <source>a function without a result returns a value; leave it out</source>
        <translation>eine Funktion ohne Ergebnis gibt einen Wert zurück; weglassen</translation>
    </message>
    <message>
        <source>a layer</source>
        <translation>einer Ebene</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a list in braces is translated only as the value of an array; use a constructor</source>
        <translation>eine Liste in Klammern wird nur als Wert eines Feldes übersetzt; einen Konstruktor verwenden</translation>
    </message>
    <message>
        <source>a list of names, such as [&quot;person&quot;]</source>
        <translation>eine Liste von Namen, etwa [&quot;person&quot;]</translation>
    </message>
    <message>
        <source>a list of tables</source>
        <translation>eine Liste von Tabellen</translation>
    </message>
    <message>
        <source>a name has more than {limit} characters; shorten it</source>
        <translation>ein Name hat mehr als {limit} Zeichen; kürzen</translation>
    </message>
    <message>
        <source>a name is missing before &apos;{found}&apos;; correct it</source>
        <translation>vor &apos;{found}&apos; fehlt ein Name; berichtigen</translation>
    </message>
    <message>
        <source>a network that enlarges the frame does not go with the input &apos;mask&apos;</source>
        <translation>ein Netz, das das Bild vergrößert, verträgt sich nicht mit der Eingabe „mask“</translation>
    </message>
    <message>
        <source>a number from {low} to {high}</source>
        <translation>eine Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>a parameter is void; give it a type</source>
        <translation>ein Parameter ist void; einen Typ angeben</translation>
    </message>
    <message>
        <source>a place</source>
        <translation>einer Lage</translation>
    </message>
    <message>
        <source>a pointer of Git LFS</source>
        <translation>ein Zeiger von Git LFS</translation>
    </message>
    <message>
        <source>a row for each cell of strides 8, 16 and 32, and an exponential of the sizes</source>
        <translation>eine Zeile für jede Zelle der Schrittweiten 8, 16 und 32 und eine Exponentialfunktion der Größen</translation>
    </message>
    <message>
        <source>a row for each cell of strides 8, 16 and 32, and no arithmetic behind the convolutions</source>
        <translation>eine Zeile für jede Zelle der Schrittweiten 8, 16 und 32 und keine Rechnung hinter den Faltungen</translation>
    </message>
    <message>
        <source>a row for each cell, with box and scores and no objectness</source>
        <translation>eine Zeile für jede Zelle, mit Rahmen und Wertungen und ohne Objectness</translation>
    </message>
    <message>
        <source>a row for each cell, with box, objectness and scores</source>
        <translation>eine Zeile für jede Zelle, mit Rahmen, Objectness und Wertungen</translation>
    </message>
    <message>
        <source>a row for each cell, with box, objectness and scores, decoded in the graph</source>
        <translation>eine Zeile für jede Zelle, mit Rahmen, Objectness und Wertungen, im Graphen decodiert</translation>
    </message>
    <message>
        <source>a row for each query, in a graph that samples its maps at free places (GridSample)</source>
        <translation>eine Zeile für jede Anfrage, in einem Graphen, der seine Karten an freien Stellen abtastet (GridSample)</translation>
    </message>
    <message>
        <source>a row of logits and a box for each of {count} queries</source>
        <translation>eine Zeile mit Logits und ein Rahmen für jede von {count} Anfragen</translation>
    </message>
    <message>
        <source>a row of logits and a box for each query</source>
        <translation>eine Zeile mit Logits und ein Rahmen für jede Anfrage</translation>
    </message>
    <message>
        <source>a row with box, objectness and scores for each cell of strides 8, 16 and 32</source>
        <translation>eine Zeile mit Rahmen, Objectness und Wertungen für jede Zelle der Schrittweiten 8, 16 und 32</translation>
    </message>
    <message>
        <source>a struct inside a function is not translated; put it outside</source>
        <translation>ein struct in einer Funktion wird nicht übersetzt; nach außen setzen</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>eine Tabelle</translation>
    </message>
    <message>
        <source>a table of boxes and one of scores</source>
        <translation>eine Tabelle mit Rahmen und eine mit Wertungen</translation>
    </message>
    <message>
        <source>a table of boxes with coefficients, and prototypes of masks</source>
        <translation>eine Tabelle mit Rahmen und Koeffizienten und Prototypen von Masken</translation>
    </message>
    <message>
        <source>a table with box, objectness and scores, {count} rows for each cell</source>
        <translation>eine Tabelle mit Rahmen, Objectness und Wertungen, {count} Zeilen für jede Zelle</translation>
    </message>
    <message>
        <source>a task bundle of MediaPipe&apos;s</source>
        <translation>ein Aufgabenpaket von MediaPipe</translation>
    </message>
    <message>
        <source>a text of at most {most} characters in one line</source>
        <translation>einen Text von höchstens {most} Zeichen in einer Zeile</translation>
    </message>
    <message>
        <source>a type has more than {limit} MiB; make its arrays smaller</source>
        <translation>ein Typ hat mehr als {limit} MiB; seine Arrays verkleinern</translation>
    </message>
    <message>
        <source>a value is missing before &apos;{found}&apos;; correct it</source>
        <translation>vor &apos;{found}&apos; fehlt ein Wert; berichtigen</translation>
    </message>
    <message>
        <source>a value of type {given} is where {wanted} is expected; convert it</source>
        <translation>ein Wert vom Typ {given} steht, wo {wanted} erwartet wird; umwandeln</translation>
    </message>
    <message>
        <source>a vector that is normalized, or comes from the pooling</source>
        <translation>ein Vektor, der normiert ist oder aus dem Pooling kommt</translation>
    </message>
    <message>
        <source>a web page</source>
        <translation>eine Webseite</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}</source>
        <translation>eine ganze Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>a whole number from {min:g} to {max:g}{unit}</source>
        <translation>eine ganze Zahl von {min:g} bis {max:g}{unit}</translation>
    </message>
    <message>
        <source>add yourself to the group &apos;video&apos; (sudo usermod -aG video $USER) and log in again</source>
        <translation>den eigenen Benutzer in die Gruppe &apos;video&apos; aufnehmen (sudo usermod -aG video $USER) und sich neu anmelden</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>allow it in Settings &gt; Privacy &amp; security &gt; Camera</source>
        <translation>sie unter Einstellungen &gt; Datenschutz &amp; Sicherheit &gt; Kamera erlauben</translation>
    </message>
    <message>
        <source>allow it in System Settings &gt; Privacy &amp; Security &gt; Camera and start Lightloom again</source>
        <translation>sie unter Systemeinstellungen &gt; Datenschutz &amp; Sicherheit &gt; Kamera erlauben und Lightloom neu starten</translation>
    </message>
    <message>
        <source>an OpenVINO network</source>
        <translation>ein Netz von OpenVINO</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is missing; give {known}.</source>
        <translation>eine Aktion von „{name}“ wurde weggelassen: ihr „do“ fehlt; {known} angeben.</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is {value}; give {known}.</source>
        <translation>eine Aktion von „{name}“ wurde weggelassen: ihr „do“ ist {value}; {known} angeben.</translation>
    </message>
    <message>
        <source>an archive with an ONNX network in it</source>
        <translation>ein Archiv mit einem ONNX-Netz darin</translation>
    </message>
    <message>
        <source>an array of these is not translated; use single ones</source>
        <translation>ein Feld davon wird nicht übersetzt; einzelne verwenden</translation>
    </message>
    <message>
        <source>an array of {count} has another number of values; give as many</source>
        <translation>ein Feld von {count} hat eine andere Anzahl Werte; ebenso viele angeben</translation>
    </message>
    <message>
        <source>an attribute or an input is of another kind than the operator takes</source>
        <translation>ein Attribut oder ein Eingang ist von anderer Art, als der Operator nimmt</translation>
    </message>
    <message>
        <source>an expression or a chain of &apos;else if&apos; is more than {max_depth} deep; split it</source>
        <translation>ein Ausdruck oder eine Kette von &apos;else if&apos; ist mehr als {max_depth} tief; sie aufteilen</translation>
    </message>
    <message>
        <source>an index follows something that has no elements; correct it</source>
        <translation>ein Index folgt auf etwas ohne Elemente; berichtigen</translation>
    </message>
    <message>
        <source>an index is not an integer; convert it by int()</source>
        <translation>ein Index ist keine ganze Zahl; mit int() umwandeln</translation>
    </message>
    <message>
        <source>an ncnn network</source>
        <translation>ein Netz von ncnn</translation>
    </message>
    <message>
        <source>an object with at most {most} values by name</source>
        <translation>ein Objekt mit höchstens {most} Werten nach Namen</translation>
    </message>
    <message>
        <source>an operator is of a kind that is not there</source>
        <translation>ein Operator ist von einer Art, die es nicht gibt</translation>
    </message>
    <message>
        <source>an operator names a tensor that is not there</source>
        <translation>ein Operator nennt einen Tensor, den es nicht gibt</translation>
    </message>
    <message>
        <source>an output with the name of a depth map</source>
        <translation>ein Ausgang mit dem Namen einer Tiefenkarte</translation>
    </message>
    <message>
        <source>an output with the name of a feature</source>
        <translation>ein Ausgang mit dem Namen eines Merkmals</translation>
    </message>
    <message>
        <source>an output with the name of an image&apos;s embedding</source>
        <translation>ein Ausgang mit dem Namen der Einbettung eines Bildes</translation>
    </message>
    <message>
        <source>another event has this name</source>
        <translation>ein anderes Ereignis hat diesen Namen</translation>
    </message>
    <message>
        <source>another zone is named &apos;{name}&apos;, so this is &apos;{new}&apos;.</source>
        <translation>eine andere Zone heißt „{name}“, daher heißt diese „{new}“.</translation>
    </message>
    <message>
        <source>arrays of arrays are not translated; use one longer array</source>
        <translation>Felder von Feldern werden nicht übersetzt; ein längeres Feld verwenden</translation>
    </message>
    <message>
        <source>at most {max_params} parameters, {max_luts} of them tables</source>
        <translation>höchstens {max_params} Parameter, davon {max_luts} Tabellen</translation>
    </message>
    <message>
        <source>at most {max_textures} textures, 4 buffers and {max_passes} passes, and one pass at least</source>
        <translation>höchstens {max_textures} Texturen, 4 Puffer und {max_passes} Durchgänge, und mindestens ein Durchgang</translation>
    </message>
    <message>
        <source>at most {most} points such as 0.25/0.75 with spaces between them, and a ; between lines</source>
        <translation>höchstens {most} Punkte wie 0.25/0.75 mit Leerzeichen dazwischen und einem ; zwischen Linien</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>bass (20 to 250 Hz)</source>
        <translation>Bass (20 bis 250 Hz)</translation>
    </message>
    <message>
        <source>beats</source>
        <translation>Taktschläge</translation>
    </message>
    <message>
        <source>black</source>
        <translation>schwarz</translation>
    </message>
    <message>
        <source>black frame</source>
        <translation>schwarzes Bild</translation>
    </message>
    <message>
        <source>black_hot</source>
        <translation>schwarz heiß</translation>
    </message>
    <message>
        <source>black_on_white</source>
        <translation>schwarz auf weiß</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>blau</translation>
    </message>
    <message>
        <source>blur</source>
        <translation>weichzeichnen</translation>
    </message>
    <message>
        <source>bottom half</source>
        <translation>untere Hälfte</translation>
    </message>
    <message>
        <source>boxes of one class each, and a table of scores</source>
        <translation>Rahmen von je einer Klasse und eine Tabelle mit Wertungen</translation>
    </message>
    <message>
        <source>boxes, scores, indices, and an input for the size of the image</source>
        <translation>Rahmen, Wertungen, Indizes und ein Eingang für die Größe des Bildes</translation>
    </message>
    <message>
        <source>brackets are nested more than {max_nesting} deep; use functions</source>
        <translation>Klammern sind mehr als {max_nesting} tief verschachtelt; Funktionen verwenden</translation>
    </message>
    <message>
        <source>brackets or statements are nested more than {limit} deep; use functions</source>
        <translation>Klammern oder Anweisungen sind tiefer als {limit} verschachtelt; Funktionen verwenden</translation>
    </message>
    <message>
        <source>brightness</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>broker.local, broker.local:1883, or mqtts://broker.local for TLS</source>
        <translation>broker.local, broker.local:1883 oder mqtts://broker.local für TLS</translation>
    </message>
    <message>
        <source>can&apos;t be read</source>
        <translation>ist nicht lesbar</translation>
    </message>
    <message>
        <source>cannot be carried over ({text})</source>
        <translation>lässt sich nicht übernehmen ({text})</translation>
    </message>
    <message>
        <source>center crop {crop:g}</source>
        <translation>mittiger Ausschnitt {crop:g}</translation>
    </message>
    <message>
        <source>change its permissions, or {other}</source>
        <translation>die Rechte ändern oder {other}</translation>
    </message>
    <message>
        <source>check that its folder can be written to</source>
        <translation>prüfen, ob in den Ordner geschrieben werden kann</translation>
    </message>
    <message>
        <source>check the network and try again{kept}</source>
        <translation>das Netzwerk prüfen und es noch einmal versuchen{kept}</translation>
    </message>
    <message>
        <source>check the proxy settings of the environment</source>
        <translation>die Proxy-Einstellungen der Umgebung prüfen</translation>
    </message>
    <message>
        <source>check this machine&apos;s clock and proxy</source>
        <translation>Uhr und Proxy dieses Rechners prüfen</translation>
    </message>
    <message>
        <source>choose another file</source>
        <translation>eine andere Datei wählen</translation>
    </message>
    <message>
        <source>choose another file, or move that one away</source>
        <translation>eine andere Datei wählen oder diese verschieben</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>choose another network</source>
        <translation>ein anderes Netz wählen</translation>
    </message>
    <message>
        <source>choose another path</source>
        <translation>einen anderen Pfad wählen</translation>
    </message>
    <message>
        <source>choose the backend wgpu, which reads it</source>
        <translation>das Backend wgpu wählen, das es liest</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>close the program that uses it</source>
        <translation>das Programm schließen, das sie verwendet</translation>
    </message>
    <message>
        <source>color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>columns for COCO&apos;s {count} classes</source>
        <translation>Spalten für die {count} Klassen von COCO</translation>
    </message>
    <message>
        <source>compiling it for {adapter} crashes the driver ({end})</source>
        <translation>das Übersetzen für {adapter} bringt den Treiber zum Absturz ({end})</translation>
    </message>
    <message>
        <source>config.json says that the values are distances: small ones are near.</source>
        <translation>Laut config.json sind die Werte Entfernungen: Kleine sind nah.</translation>
    </message>
    <message>
        <source>constant luminance is read as non-constant</source>
        <translation>konstante Luminanz wird als nicht konstante gelesen</translation>
    </message>
    <message>
        <source>controller</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>convert it to ONNX with its project&apos;s own script</source>
        <translation>es mit dem eigenen Skript des Projekts in ONNX umwandeln</translation>
    </message>
    <message>
        <source>convert it to ONNX, with caffe2onnx for instance</source>
        <translation>es in ONNX umwandeln, etwa mit caffe2onnx</translation>
    </message>
    <message>
        <source>convert it with paddle2onnx</source>
        <translation>es mit paddle2onnx umwandeln</translation>
    </message>
    <message>
        <source>convert it with tf2onnx</source>
        <translation>sie mit tf2onnx umwandeln</translation>
    </message>
    <message>
        <source>convert it with tf2onnx, or to a .tflite file</source>
        <translation>mit tf2onnx oder in eine .tflite-Datei umwandeln</translation>
    </message>
    <message>
        <source>convert the network that it was made from with tf2onnx</source>
        <translation>das Netz, aus dem es entstanden ist, mit tf2onnx umwandeln</translation>
    </message>
    <message>
        <source>convolutions with {count} channels for the classes</source>
        <translation>Faltungen mit {count} Kanälen für die Klassen</translation>
    </message>
    <message>
        <source>cover</source>
        <translation>füllen</translation>
    </message>
    <message>
        <source>create it, or choose another file</source>
        <translation>ihn anlegen oder eine andere Datei wählen</translation>
    </message>
    <message>
        <source>create its folder, or {other}</source>
        <translation>den Ordner anlegen oder {other}</translation>
    </message>
    <message>
        <source>cut out</source>
        <translation>Freistellen</translation>
    </message>
    <message>
        <source>decoding it may take {need:,.1f} GiB of memory, more than {most}</source>
        <translation>das Decodieren kann {need:,.1f} GiB Speicher brauchen, mehr als {most}</translation>
    </message>
    <message>
        <source>diamond</source>
        <translation>Raute</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>Ziffern</translation>
    </message>
    <message>
        <source>dim</source>
        <translation>abdunkeln</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>download the file that the page leads to</source>
        <translation>die Datei herunterladen, zu der die Seite führt</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>Kante</translation>
    </message>
    <message>
        <source>effect everywhere</source>
        <translation>Effekt überall</translation>
    </message>
    <message>
        <source>ember</source>
        <translation>Glut</translation>
    </message>
    <message>
        <source>faces</source>
        <translation>Gesichter</translation>
    </message>
    <message>
        <source>fetch the file itself with &apos;git lfs pull&apos;</source>
        <translation>die Datei selbst mit &apos;git lfs pull&apos; holen</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>einpassen</translation>
    </message>
    <message>
        <source>flip horizontally</source>
        <translation>waagerecht spiegeln</translation>
    </message>
    <message>
        <source>flip vertically</source>
        <translation>senkrecht spiegeln</translation>
    </message>
    <message>
        <source>format &apos;{format}&apos; is not one of {formats}</source>
        <translation>Format &apos;{format}&apos; ist keines von {formats}</translation>
    </message>
    <message>
        <source>four-way</source>
        <translation>vierfach</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>give the address that it is sent on to</source>
        <translation>die Adresse angeben, an die weitergeleitet wird</translation>
    </message>
    <message>
        <source>green</source>
        <translation>grün</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>grau</translation>
    </message>
    <message>
        <source>highest score</source>
        <translation>höchste Sicherheit</translation>
    </message>
    <message>
        <source>highlight</source>
        <translation>hervorheben</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>in ONNX Runtime&apos;s own format</source>
        <translation>im eigenen Format von ONNX Runtime</translation>
    </message>
    <message>
        <source>in YCbCr or Lab</source>
        <translation>in YCbCr oder Lab</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>an Ort und Stelle</translation>
    </message>
    <message>
        <source>in step</source>
        <translation>im Gleichschritt</translation>
    </message>
    <message>
        <source>in tiles</source>
        <translation>in Kacheln</translation>
    </message>
    <message>
        <source>inputs with the names of a noisy image and its noise</source>
        <translation>Eingänge mit den Namen eines verrauschten Bildes und seines Rauschens</translation>
    </message>
    <message>
        <source>install it with &apos;pip install paho-mqtt&apos;</source>
        <translation>mit „pip install paho-mqtt“ installieren</translation>
    </message>
    <message>
        <source>integers where the engine computes only floats</source>
        <translation>ganze Zahlen, wo die Engine nur Gleitkommazahlen berechnet</translation>
    </message>
    <message>
        <source>iron</source>
        <translation>Eisen</translation>
    </message>
    <message>
        <source>is damaged and ends at {value:.1f} s ({text})</source>
        <translation>ist beschädigt und endet bei {value:.1f} s ({text})</translation>
    </message>
    <message>
        <source>is in use by another program</source>
        <translation>wird von einem anderen Programm verwendet</translation>
    </message>
    <message>
        <source>is of a kind that no decoder here knows</source>
        <translation>ist von einer Art, die kein Decoder hier kennt</translation>
    </message>
    <message>
        <source>it</source>
        <translation>er</translation>
    </message>
    <message>
        <source>it binds {bound} textures, tables, images and networks; {max_bound} together is most</source>
        <translation>er bindet {bound} Texturen, Tabellen, Bilder und Netze; zusammen sind {max_bound} das Höchste</translation>
    </message>
    <message>
        <source>it could not be tried, because the process for it did not start</source>
        <translation>er konnte nicht geprüft werden, weil der Prozess dafür nicht gestartet ist</translation>
    </message>
    <message>
        <source>it does not begin as one</source>
        <translation>sie beginnt nicht wie eines</translation>
    </message>
    <message>
        <source>it does not say which opset of ONNX its operators are of</source>
        <translation>es sagt nicht, aus welchem Opset von ONNX seine Operatoren sind</translation>
    </message>
    <message>
        <source>it fails with inputs of the sizes {sizes}</source>
        <translation>es scheitert mit Eingängen der Größen {sizes}</translation>
    </message>
    <message>
        <source>it hangs: {step} takes more than {seconds:g} s on {adapter}</source>
        <translation>er hängt: {step} dauert auf {adapter} länger als {seconds:g} s</translation>
    </message>
    <message>
        <source>it has more than {limit} macros; use fewer</source>
        <translation>es sind mehr als {limit} Makros; weniger verwenden</translation>
    </message>
    <message>
        <source>it has more than {most} automations; the last {left} of &apos;{filter}&apos; were left out.</source>
        <translation>er hat mehr als {most} Automationen; die letzten {left} von „{filter}“ wurden weggelassen.</translation>
    </message>
    <message>
        <source>it has no output</source>
        <translation>es hat keinen Ausgang</translation>
    </message>
    <message>
        <source>it has sparse constants</source>
        <translation>es hat dünn besetzte Konstanten</translation>
    </message>
    <message>
        <source>it has {count} filters; those after the first {max_stages} were left out.</source>
        <translation>sie hat {count} Filter; die nach den ersten {max_stages} wurden ausgelassen.</translation>
    </message>
    <message>
        <source>it has {count} layers; those after the first {most} were left out.</source>
        <translation>er hat {count} Ebenen; die nach den ersten {most} wurden weggelassen.</translation>
    </message>
    <message>
        <source>it has {count} {what}</source>
        <translation>es hat {count} {what}</translation>
    </message>
    <message>
        <source>it has {inputs}, not {bounds}</source>
        <translation>es hat {inputs}, nicht {bounds}</translation>
    </message>
    <message>
        <source>it has {outputs}, not {bounds}</source>
        <translation>es hat {outputs}, nicht {bounds}</translation>
    </message>
    <message>
        <source>it has {unsupported_nodes}: {kinds}</source>
        <translation>es hat {unsupported_nodes}: {kinds}</translation>
    </message>
    <message>
        <source>it holds no network</source>
        <translation>es enthält kein Netz</translation>
    </message>
    <message>
        <source>it holds too much</source>
        <translation>es enthält zu viel</translation>
    </message>
    <message>
        <source>it is a choice, but &apos;choices&apos; is missing</source>
        <translation>es ist ein choice, aber &apos;choices&apos; fehlt</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>es ist ein Ordner</translation>
    </message>
    <message>
        <source>it is damaged or cut off</source>
        <translation>sie ist beschädigt oder abgeschnitten</translation>
    </message>
    <message>
        <source>it is larger than {size}</source>
        <translation>sie ist größer als {size}</translation>
    </message>
    <message>
        <source>it is longer than {limit:,} pixels along a side</source>
        <translation>es hat mehr als {limit:,} Pixel an einer Seite</translation>
    </message>
    <message>
        <source>it is longer than {limit} KiB</source>
        <translation>er ist länger als {limit} KiB</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>es ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>it is no archive</source>
        <translation>es ist kein Archiv</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>kein Text in UTF-8</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>es ist keine Datei</translation>
    </message>
    <message>
        <source>it is not a table</source>
        <translation>er ist keine Tabelle</translation>
    </message>
    <message>
        <source>it is not text in UTF-8</source>
        <translation>sie ist kein Text in UTF-8</translation>
    </message>
    <message>
        <source>it is not valid JSON: {error}</source>
        <translation>er ist kein gültiges JSON: {error}</translation>
    </message>
    <message>
        <source>it lacks &apos;{name}&apos;</source>
        <translation>ihm fehlt &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>it lacks an input, an output or a dimension</source>
        <translation>ihm fehlt ein Eingang, ein Ausgang oder eine Dimension</translation>
    </message>
    <message>
        <source>it names the same bytes too often</source>
        <translation>es nennt dieselben Bytes zu oft</translation>
    </message>
    <message>
        <source>it needs more than {limit} GiB of memory on {adapter}</source>
        <translation>er braucht mehr als {limit} GiB Speicher auf {adapter}</translation>
    </message>
    <message>
        <source>it stops {adapter}: its driver gave up on it</source>
        <translation>er hält {adapter} an: Der Treiber hat ihn abgebrochen</translation>
    </message>
    <message>
        <source>it takes more than {seconds:g} s to be compiled and run once for 8 x 8 pixels{work} on {adapter}</source>
        <translation>es dauert länger als {seconds:g} s, ihn zu übersetzen und einmal für 8 x 8 Pixel{work} auf {adapter} auszuführen</translation>
    </message>
    <message>
        <source>it uses opset {opset}, and opsets {first} to {last} are supported</source>
        <translation>es verwendet Opset {opset}, unterstützt werden die Opsets {first} bis {last}</translation>
    </message>
    <message>
        <source>it was written by a newer Lightloom; what is new in it is left out.</source>
        <translation>sie stammt aus einem neueren Lightloom; was darin neu ist, wird ausgelassen.</translation>
    </message>
    <message>
        <source>its attributes and inputs do not fit each other</source>
        <translation>seine Attribute und Eingänge passen nicht zueinander</translation>
    </message>
    <message>
        <source>its bounds don&apos;t fit into a whole number of 32 bits</source>
        <translation>seine Grenzen passen nicht in eine ganze Zahl von 32 Bit</translation>
    </message>
    <message>
        <source>its constant result cannot be computed</source>
        <translation>sein konstantes Ergebnis kann nicht berechnet werden</translation>
    </message>
    <message>
        <source>its constants and results take {size}</source>
        <translation>seine Konstanten und Ergebnisse brauchen {size}</translation>
    </message>
    <message>
        <source>its grid runs more than {max_threads} threads</source>
        <translation>sein Raster führt mehr als {max_threads} Threads aus</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has free dimensions ({names}), so give a size for it</source>
        <translation>sein Eingang &apos;{input}&apos; hat freie Dimensionen ({names}), also eine Größe dafür angeben</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has the element type {dtype}</source>
        <translation>sein Eingang &apos;{input}&apos; hat den Elementtyp {dtype}</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has the shape {shape}</source>
        <translation>sein Eingang &apos;{input}&apos; hat die Form {shape}</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has {count} dimensions</source>
        <translation>sein Eingang &apos;{input}&apos; hat {count} Dimensionen</translation>
    </message>
    <message>
        <source>its inputs and outputs {names}</source>
        <translation>seine Eingänge und Ausgänge {names}</translation>
    </message>
    <message>
        <source>its inputs have shapes that do not broadcast</source>
        <translation>seine Eingänge haben Formen, die nicht zueinander passen</translation>
    </message>
    <message>
        <source>its last sample is not declared as transparency and is left out</source>
        <translation>der letzte Kanal ist nicht als Transparenz angegeben und wird weggelassen</translation>
    </message>
    <message>
        <source>its metadata say &apos;{task}&apos;</source>
        <translation>seine Metadaten nennen &apos;{task}&apos;</translation>
    </message>
    <message>
        <source>its name is not a file name</source>
        <translation>der Name ist kein Dateiname</translation>
    </message>
    <message>
        <source>its points are not three or more pairs of numbers with an area</source>
        <translation>ihre Punkte sind nicht drei oder mehr Zahlenpaare mit einer Fläche</translation>
    </message>
    <message>
        <source>its points are not two different pairs of numbers</source>
        <translation>ihre Punkte sind nicht zwei verschiedene Zahlenpaare</translation>
    </message>
    <message>
        <source>its audio begins before its video</source>
        <translation>der Ton beginnt vor dem Bild</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the buffer &apos;{name}&apos; is longer than {limit} characters</source>
        <translation>&apos;{key}&apos; des Puffers &apos;{name}&apos; ist länger als {limit} Zeichen</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no global shortcut; give one such as Ctrl+Alt+P, Super+Shift+F5 or F13.</source>
        <translation>&apos;{text}&apos; ist keine globale Taste; eine wie Ctrl+Alt+P, Super+Shift+F5 oder F13 angeben.</translation>
    </message>
    <message>
        <source>The global shortcut {key} is set for two actions; change &apos;{setting}&apos;.</source>
        <translation>Die globale Taste {key} ist für zwei Aktionen eingestellt; &apos;{setting}&apos; ändern.</translation>
    </message>
    <message>
        <source>The global shortcuts have ended by a fault; start Lightloom again to use them.</source>
        <translation>Die globalen Tasten sind durch einen Fehler ausgefallen; Lightloom neu starten, um sie zu verwenden.</translation>
    </message>
    <message>
        <source>The keyboard has no key for {key}; choose another global shortcut.</source>
        <translation>Die Tastatur hat keine Taste für {key}; eine andere globale Taste wählen.</translation>
    </message>
    <message>
        <source>The motion in {path} is that of another video, or of this one before it was changed; name another file, or delete it, and it is written anew.</source>
        <translation>Die Bewegung in {path} ist die eines anderen Videos oder dieses Videos vor einer Änderung; eine andere Datei angeben, oder diese löschen, dann wird sie neu geschrieben.</translation>
    </message>
    <message>
        <source>The parentheses in {text} do not match; close each once.</source>
        <translation>Die Klammern in {text} passen nicht zusammen; jede einmal schließen.</translation>
    </message>
    <message>
        <source>There is no kind of layer called &apos;{name}&apos;; there are: {names}.</source>
        <translation>Es gibt keine Art von Ebene namens „{name}“; es gibt: {names}.</translation>
    </message>
    <message>
        <source>This system has no global shortcuts that Lightloom knows; use remote control instead.</source>
        <translation>Dieses System hat keine globalen Tasten, die Lightloom kennt; stattdessen die Fernsteuerung verwenden.</translation>
    </message>
    <message>
        <source>Unsaved changes of {name} cannot be kept: {reason}; save it, or free some space.</source>
        <translation>Nicht gespeicherte Änderungen an {name} können nicht aufbewahrt werden: {reason}; die Datei speichern oder Platz schaffen.</translation>
    </message>
    <message>
        <source>Unsaved changes of {name} cannot be read: {reason}; they are kept in {path}, and the saved text is shown.</source>
        <translation>Nicht gespeicherte Änderungen an {name} können nicht gelesen werden: {reason}; sie liegen weiter in {path}, und der gespeicherte Text wird gezeigt.</translation>
    </message>
    <message>
        <source>What effects that follow the audio hear with cameras, streams and images; open only while one does.</source>
        <translation>Was Effekte, die dem Ton folgen, bei Kameras, Streams und Bildern hören; nur geöffnet, solange einer ihm folgt.</translation>
    </message>
    <message>
        <source>Where masks come later than their frames: the newest mask with the newest frame, each frame with its own mask, later, or the newest mask moved to the newest frame by optical flow.</source>
        <translation>Wenn Masken später als ihre Bilder kommen: die neueste Maske mit dem neuesten Bild, jedes Bild mit seiner eigenen Maske, später, oder die neueste Maske, durch optischen Fluss zum neuesten Bild bewegt.</translation>
    </message>
    <message>
        <source>[given] is for built-in masks</source>
        <translation>[given] gehört zu den mitgelieferten Masken</translation>
    </message>
    <message>
        <source>its points are outside the frame, whose coordinates are 0 to 1</source>
        <translation>ihre Punkte liegen außerhalb des Bildes, dessen Koordinaten 0 bis 1 sind</translation>
    </message>
    <message>
        <source>its sparse tensors are of {size} MiB and more</source>
        <translation>seine dünn besetzten Tensoren haben {size} MiB und mehr</translation>
    </message>
    <message>
        <source>its tensors take {size}</source>
        <translation>seine Tensoren brauchen {size}</translation>
    </message>
    <message>
        <source>its transparency is not decoded, so the video is opaque</source>
        <translation>die Transparenz wird nicht decodiert, daher ist das Bild undurchsichtig</translation>
    </message>
    <message>
        <source>its workgroup has more than 256 threads</source>
        <translation>seine Arbeitsgruppe hat mehr als 256 Threads</translation>
    </message>
    <message>
        <source>its workgroup memory has more than {limit} KiB; use less</source>
        <translation>sein Arbeitsgruppenspeicher hat mehr als {limit} KiB; weniger verwenden</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>kind &apos;{kind}&apos; is neither &apos;pixel&apos; nor &apos;raw&apos;</source>
        <translation>kind &apos;{kind}&apos; ist weder &apos;pixel&apos; noch &apos;raw&apos;</translation>
    </message>
    <message>
        <source>left half</source>
        <translation>linke Hälfte</translation>
    </message>
    <message>
        <source>letterboxed</source>
        <translation>mit Rand eingepasst</translation>
    </message>
    <message>
        <source>lighten</source>
        <translation>aufhellen</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>lists of boxes, classes and scores, and the size of the image</source>
        <translation>Listen von Rahmen, Klassen und Wertungen und die Größe des Bildes</translation>
    </message>
    <message>
        <source>lists of boxes, labels and scores; labels count from 1</source>
        <translation>Listen von Rahmen, Klassen und Wertungen; Klassen zählen ab 1</translation>
    </message>
    <message>
        <source>lists of boxes, scores and classes; classes count from 0</source>
        <translation>Listen von Rahmen, Wertungen und Klassen; Klassen zählen ab 0</translation>
    </message>
    <message>
        <source>lists of classes, scores and boxes, and an input for the size</source>
        <translation>Listen von Klassen, Wertungen und Rahmen und ein Eingang für die Größe</translation>
    </message>
    <message>
        <source>logits and boxes with {count} points, a row for each anchor of its grids</source>
        <translation>Logits und Rahmen mit {count} Punkten, eine Zeile für jeden Anker seiner Gitter</translation>
    </message>
    <message>
        <source>logits and distances in pixels for each of its grids</source>
        <translation>Logits und Abstände in Pixeln für jedes seiner Gitter</translation>
    </message>
    <message>
        <source>loudness</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>macros are nested more than {limit} deep; use functions</source>
        <translation>Makros sind tiefer als {limit} verschachtelt; Funktionen verwenden</translation>
    </message>
    <message>
        <source>main() takes and returns nothing; declare it as void main()</source>
        <translation>main() nimmt nichts und gibt nichts zurück; als void main() deklarieren</translation>
    </message>
    <message>
        <source>make room, or choose another folder</source>
        <translation>Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>make room, or {other}</source>
        <translation>Platz schaffen oder {other}</translation>
    </message>
    <message>
        <source>maps of heat, sizes and offsets at a quarter of the image</source>
        <translation>Karten von Wärme, Größen und Versätzen in einem Viertel der Bildgröße</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>Maske</translation>
    </message>
    <message>
        <source>matte</source>
        <translation>Maske</translation>
    </message>
    <message>
        <source>may not be used</source>
        <translation>darf nicht verwendet werden</translation>
    </message>
    <message>
        <source>mean {numbers}</source>
        <translation>Mittelwert {numbers}</translation>
    </message>
    <message>
        <source>middle (250 to 2000 Hz)</source>
        <translation>Mitten (250 bis 2000 Hz)</translation>
    </message>
    <message>
        <source>min {min:g} is not below max {max:g}</source>
        <translation>min {min:g} liegt nicht unter max {max:g}</translation>
    </message>
    <message>
        <source>mirror</source>
        <translation>spiegeln</translation>
    </message>
    <message>
        <source>mix</source>
        <translation>mischen</translation>
    </message>
    <message>
        <source>mono</source>
        <translation>einfarbig</translation>
    </message>
    <message>
        <source>more than {limit} operators or branches follow each other; split them</source>
        <translation>mehr als {limit} Operatoren oder Zweige folgen aufeinander; aufteilen</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>bewegt</translation>
    </message>
    <message>
        <source>moves the corners of the image (gl_Position), which a filter cannot do; move the coordinates in the .fs</source>
        <translation>verschiebt die Ecken des Bildes (gl_Position), was ein Filter nicht kann; die Koordinaten in der .fs-Datei verschieben</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>newest result</source>
        <translation>neuestes Ergebnis</translation>
    </message>
    <message>
        <source>no pass writes &apos;output&apos;</source>
        <translation>kein Durchgang schreibt &apos;output&apos;</translation>
    </message>
    <message>
        <source>none stated</source>
        <translation>keine angegeben</translation>
    </message>
    <message>
        <source>none: each network&apos;s own web page</source>
        <translation>keine: die eigene Webseite jedes Netzes</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>nothing computes an output of it</source>
        <translation>nichts berechnet einen Ausgang davon</translation>
    </message>
    <message>
        <source>nothing computes its output &apos;{name}&apos;</source>
        <translation>nichts berechnet seinen Ausgang &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>nothing computes the result &apos;{name}&apos; of a subgraph of {node}</source>
        <translation>nichts berechnet das Ergebnis &apos;{name}&apos; eines Teilgraphen von {node}</translation>
    </message>
    <message>
        <source>number of objects</source>
        <translation>Anzahl der Objekte</translation>
    </message>
    <message>
        <source>numbers, because the model has no names</source>
        <translation>Nummern, weil das Modell keine Namen hat</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>one map of a sixteenth of the input, with scores and boxes in its channels</source>
        <translation>eine Karte von einem Sechzehntel der Eingabe, mit Wertungen und Rahmen in ihren Kanälen</translation>
    </message>
    <message>
        <source>one map over the image, of an unknown kind</source>
        <translation>eine Karte über dem Bild, von der nichts sagt, was sie ist</translation>
    </message>
    <message>
        <source>one map over the image, with the name or the values of a mask</source>
        <translation>eine Karte über dem Bild, mit dem Namen oder den Werten einer Maske</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>eines von {choices}</translation>
    </message>
    <message>
        <source>one parameter of type model goes with a table [network], and none without</source>
        <translation>zu einem Parameter vom Typ model gehört eine Tabelle [network], und ohne ihn keine</translation>
    </message>
    <message>
        <source>one row of {count} numbers</source>
        <translation>eine Zeile mit {count} Zahlen</translation>
    </message>
    <message>
        <source>only the first image is shown</source>
        <translation>nur das erste Bild wird gezeigt</translation>
    </message>
    <message>
        <source>onnxruntime</source>
        <translation>onnxruntime</translation>
    </message>
    <message>
        <source>onnxruntime lacks something that {name} is made of; choose another network ({text}).</source>
        <translation>onnxruntime fehlt etwas, woraus {name} besteht; ein anderes Netz wählen ({text}).</translation>
    </message>
    <message>
        <source>onsets</source>
        <translation>Einsätze</translation>
    </message>
    <message>
        <source>opacity</source>
        <translation>Deckung</translation>
    </message>
    <message>
        <source>open the .onnx file that they belong to</source>
        <translation>die .onnx-Datei öffnen, zu der sie gehören</translation>
    </message>
    <message>
        <source>outputs of {title}</source>
        <translation>Ausgänge von {title}</translation>
    </message>
    <message>
        <source>outputs with the names and shapes of its grids</source>
        <translation>Ausgänge mit den Namen und Formen seiner Gitter</translation>
    </message>
    <message>
        <source>over_picture</source>
        <translation>über dem Bild</translation>
    </message>
    <message>
        <source>pass &apos;{entry}&apos; writes or covers a texture that is not declared</source>
        <translation>der Durchgang &apos;{entry}&apos; schreibt oder überdeckt eine Textur, die nicht deklariert ist</translation>
    </message>
    <message>
        <source>passes the buffer &apos;{name}&apos; to a function; read it where it is named, or by a macro</source>
        <translation>übergibt den Puffer &apos;{name}&apos; an eine Funktion; direkt oder mit einem Makro lesen</translation>
    </message>
    <message>
        <source>pip install &apos;.[{extra}]&apos; in a checkout of Lightloom&apos;s source</source>
        <translation>pip install &apos;.[{extra}]&apos; in einem Checkout der Quellen von Lightloom</translation>
    </message>
    <message>
        <source>pip install &apos;.[{extra}]&apos; in a checkout of Lightloom&apos;s source, as this bundle takes no packages</source>
        <translation>pip install &apos;.[{extra}]&apos; in einem Checkout der Quellen von Lightloom, da dieses Programmpaket keine weiteren Pakete aufnimmt</translation>
    </message>
    <message>
        <source>pip install &apos;{package}[{extra}]&apos;</source>
        <translation>pip install &apos;{package}[{extra}]&apos;</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>pixels of the input</source>
        <translation>Pixel der Eingabe</translation>
    </message>
    <message>
        <source>plug it in again</source>
        <translation>sie wieder anschließen</translation>
    </message>
    <message>
        <source>position across</source>
        <translation>waagerechte Position</translation>
    </message>
    <message>
        <source>position down</source>
        <translation>senkrechte Position</translation>
    </message>
    <message>
        <source>probabilities of {count} classes</source>
        <translation>Wahrscheinlichkeiten von {count} Klassen</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>rainbow</source>
        <translation>Regenbogen</translation>
    </message>
    <message>
        <source>random steps</source>
        <translation>zufällige Stufen</translation>
    </message>
    <message>
        <source>red</source>
        <translation>rot</translation>
    </message>
    <message>
        <source>redaction</source>
        <translation>das Verdecken</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>wiederholen</translation>
    </message>
    <message>
        <source>right half</source>
        <translation>rechte Hälfte</translation>
    </message>
    <message>
        <source>rings</source>
        <translation>Ringe</translation>
    </message>
    <message>
        <source>round</source>
        <translation>rund</translation>
    </message>
    <message>
        <source>rows of seven columns, and an output that is named as the family&apos;s</source>
        <translation>Zeilen mit sieben Spalten und ein Ausgang, der wie in der Familie heißt</translation>
    </message>
    <message>
        <source>rtmp://host/app, whip://host/path, udp://host:port, srt://host:port, or a folder for HLS</source>
        <translation>rtmp://host/app, whip://host/pfad, udp://host:port, srt://host:port oder ein Ordner für HLS</translation>
    </message>
    <message>
        <source>running it crashes the driver of {adapter} ({end})</source>
        <translation>das Ausführen bringt den Treiber von {adapter} zum Absturz ({end})</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>sawtooth</source>
        <translation>Sägezahn</translation>
    </message>
    <message>
        <source>scores and four distributions for each cell of its grids</source>
        <translation>Wertungen und vier Verteilungen für jede Zelle seiner Gitter</translation>
    </message>
    <message>
        <source>scores, boxes and points of faces for each of its grids</source>
        <translation>Wertungen, Rahmen und Punkte von Gesichtern für jedes seiner Gitter</translation>
    </message>
    <message>
        <source>sea</source>
        <translation>Meer</translation>
    </message>
    <message>
        <source>sends no frames any more</source>
        <translation>sendet keine Bilder mehr</translation>
    </message>
    <message>
        <source>several rows of seven columns for one image</source>
        <translation>mehrere Zeilen mit sieben Spalten für ein Bild</translation>
    </message>
    <message>
        <source>shares of the input</source>
        <translation>Anteile der Eingabe</translation>
    </message>
    <message>
        <source>shares of the input, 0 to 1</source>
        <translation>Anteile der Eingabe, 0 bis 1</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>mit Vorzeichen</translation>
    </message>
    <message>
        <source>sine</source>
        <translation>Sinus</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>something is assigned to that is not a variable; correct it</source>
        <translation>etwas wird zugewiesen, das keine Variable ist; berichtigen</translation>
    </message>
    <message>
        <source>square</source>
        <translation>Rechteck</translation>
    </message>
    <message>
        <source>std {numbers}</source>
        <translation>Standardabweichung {numbers}</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>strecken</translation>
    </message>
    <message>
        <source>stretched</source>
        <translation>gestreckt</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>tensors overlap in its external data &apos;{name}&apos;</source>
        <translation>Tensoren überlappen sich in seinen externen Daten &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>that is {megapixels:,.0f} megapixels, more than {most}</source>
        <translation>das sind {megapixels:,.0f} Megapixel, mehr als {most}</translation>
    </message>
    <message>
        <source>the GPU refuses to run it: {reason}</source>
        <translation>die GPU weigert sich, ihn auszuführen: {reason}</translation>
    </message>
    <message>
        <source>the address &apos;{address}&apos; must begin with https:// and name a host</source>
        <translation>die Adresse &apos;{address}&apos; muss mit https:// beginnen und einen Rechner nennen</translation>
    </message>
    <message>
        <source>the address holds a name or a password; give them under &apos;Authorization&apos; instead</source>
        <translation>die Adresse enthält einen Namen oder ein Passwort; sie stattdessen unter „Authorization“ angeben</translation>
    </message>
    <message>
        <source>the address does not begin with http:// or https://</source>
        <translation>die Adresse ist keine, die mit http:// oder https:// beginnt</translation>
    </message>
    <message>
        <source>the answer is no version</source>
        <translation>die Antwort ist keine Version</translation>
    </message>
    <message>
        <source>the arguments of &apos;{name}&apos; fit none of its definitions; convert them</source>
        <translation>die Argumente von &apos;{name}&apos; passen zu keiner Definition; umwandeln</translation>
    </message>
    <message>
        <source>the arguments of the macro have no &apos;)&apos;; add it</source>
        <translation>den Argumenten des Makros fehlt &apos;)&apos;; ergänzen</translation>
    </message>
    <message>
        <source>the arguments of {kind}() do not fit it; count their components</source>
        <translation>die Argumente von {kind}() passen nicht; ihre Komponenten zählen</translation>
    </message>
    <message>
        <source>the arguments of {name}() do not fit it; see the reference of GLSL</source>
        <translation>die Argumente von {name}() passen nicht; siehe die Referenz von GLSL</translation>
    </message>
    <message>
        <source>the arrays and structs of one invocation have more than {limit} KiB; use smaller ones, a [[buffer]] or a [[texture]]</source>
        <translation>die Arrays und Strukturen eines Aufrufs haben mehr als {limit} KiB; kleinere, einen [[buffer]] oder eine [[texture]] verwenden</translation>
    </message>
    <message>
        <source>the attribute &apos;{attribute_name}&apos; has no type</source>
        <translation>das Attribut &apos;{attribute_name}&apos; hat keinen Typ</translation>
    </message>
    <message>
        <source>the broker sends more and more</source>
        <translation>der Broker sendet immer mehr</translation>
    </message>
    <message>
        <source>the broker&apos;s address holds a name; give it under &apos;User&apos; and &apos;Password&apos; instead</source>
        <translation>die Adresse des Brokers enthält einen Namen; ihn stattdessen unter „Benutzer“ und „Passwort“ angeben</translation>
    </message>
    <message>
        <source>the broker&apos;s address is not one such as broker.local:1883</source>
        <translation>die Adresse des Brokers ist keine wie broker.local:1883</translation>
    </message>
    <message>
        <source>the certificate of {host} is not valid ({verify_message})</source>
        <translation>das Zertifikat von {host} ist nicht gültig ({verify_message})</translation>
    </message>
    <message>
        <source>the character {character} is not valid in GLSL; remove it</source>
        <translation>das Zeichen {character} ist in GLSL nicht gültig; entfernen</translation>
    </message>
    <message>
        <source>the condition of &apos;#if&apos; is not a constant; simplify it</source>
        <translation>die Bedingung von &apos;#if&apos; ist keine Konstante; vereinfachen</translation>
    </message>
    <message>
        <source>the connection broke off</source>
        <translation>die Verbindung brach ab</translation>
    </message>
    <message>
        <source>the connection to {host} broke</source>
        <translation>die Verbindung zu {host} brach ab</translation>
    </message>
    <message>
        <source>the connection to {host} failed ({first_line})</source>
        <translation>die Verbindung zu {host} ist gescheitert ({first_line})</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; cannot be read ({error})</source>
        <translation>die Konstante &apos;{tensor_name}&apos; kann nicht gelesen werden ({error})</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has element type {data_type}</source>
        <translation>die Konstante &apos;{tensor_name}&apos; hat den Elementtyp {data_type}</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has the shape {dims}</source>
        <translation>die Konstante &apos;{tensor_name}&apos; hat die Form {dims}</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has {count} bytes for the shape {dims}</source>
        <translation>die Konstante &apos;{tensor_name}&apos; hat {count} Byte für die Form {dims}</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has {count} dimensions</source>
        <translation>die Konstante &apos;{tensor_name}&apos; hat {count} Dimensionen</translation>
    </message>
    <message>
        <source>the data of &apos;{name}&apos; do not fit the file</source>
        <translation>die Daten von &apos;{name}&apos; passen nicht in die Datei</translation>
    </message>
    <message>
        <source>the data of &apos;{name}&apos; lie in a buffer that is not there</source>
        <translation>die Daten von &apos;{name}&apos; liegen in einem Puffer, den es nicht gibt</translation>
    </message>
    <message>
        <source>the default {default} does not fit, it takes {expects}</source>
        <translation>der Vorgabewert {default} passt nicht, möglich ist: {expects}</translation>
    </message>
    <message>
        <source>the driver refuses its shader</source>
        <translation>der Treiber lehnt seinen Shader ab</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; does not fit the file &apos;{location}&apos;</source>
        <translation>die externen Daten von &apos;{tensor_name}&apos; passen nicht zur Datei &apos;{location}&apos;</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; has a damaged address</source>
        <translation>die externen Daten von &apos;{tensor_name}&apos; haben eine beschädigte Adresse</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; lies outside the model&apos;s folder (&apos;{location}&apos;)</source>
        <translation>die externen Daten von &apos;{tensor_name}&apos; liegen außerhalb des Modellordners (&apos;{location}&apos;)</translation>
    </message>
    <message>
        <source>the file at {host} changes while it is downloaded</source>
        <translation>die Datei bei {host} ändert sich, während sie heruntergeladen wird</translation>
    </message>
    <message>
        <source>the file at {host} has {theirs} and the catalogue&apos;s has {size:,}</source>
        <translation>die Datei bei {host} hat {theirs} und die des Katalogs {size:,}</translation>
    </message>
    <message>
        <source>the file beside the network says so</source>
        <translation>die Datei neben dem Netz sagt das</translation>
    </message>
    <message>
        <source>the file has gone</source>
        <translation>die Datei gibt es nicht mehr</translation>
    </message>
    <message>
        <source>the file of a layer</source>
        <translation>die Datei einer Ebene</translation>
    </message>
    <message>
        <source>the function &apos;{name}&apos; comes to more than {call_budget} calls of functions in functions; call fewer</source>
        <translation>die Funktion &apos;{name}&apos; kommt auf mehr als {call_budget} Aufrufe von Funktionen in Funktionen; weniger aufrufen</translation>
    </message>
    <message>
        <source>the function &apos;{name}&apos; comes to more than {loop_copies} loops, those of the functions that it calls included; use fewer</source>
        <translation>die Funktion &apos;{name}&apos; kommt auf mehr als {loop_copies} Schleifen, die der aufgerufenen Funktionen eingeschlossen; weniger verwenden</translation>
    </message>
    <message>
        <source>the input &apos;{name}&apos; has the unknown type &apos;{kind}&apos;</source>
        <translation>der Eingang &apos;{name}&apos; hat den unbekannten Typ &apos;{kind}&apos;</translation>
    </message>
    <message>
        <source>the last mask</source>
        <translation>die letzte Maske</translation>
    </message>
    <message>
        <source>the layer with {source} was switched off, since a look does not open cameras and addresses by itself; switch it on to use it.</source>
        <translation>die Ebene mit {source} wurde ausgeschaltet, da ein Look Kameras und Adressen nicht von selbst öffnet; sie zum Verwenden einschalten.</translation>
    </message>
    <message>
        <source>the macro &apos;{name}&apos; takes {count} arguments; write as many</source>
        <translation>das Makro &apos;{name}&apos; hat {count} Argumente; ebenso viele schreiben</translation>
    </message>
    <message>
        <source>the macro joins words by &apos;##&apos;, which is not translated; write them out</source>
        <translation>das Makro verbindet Wörter mit &apos;##&apos;, was nicht übersetzt wird; ausschreiben</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>die Maske</translation>
    </message>
    <message>
        <source>the mask of the filter {name} depends on earlier frames</source>
        <translation>die Maske des Filters {name} hängt von früheren Bildern ab</translation>
    </message>
    <message>
        <source>the model&apos;s metadata &apos;{key}&apos;</source>
        <translation>&apos;{key}&apos; aus den Metadaten des Modells</translation>
    </message>
    <message>
        <source>the name &apos;{name}&apos; is used twice or belongs to Lightloom</source>
        <translation>der Name &apos;{name}&apos; wird zweimal verwendet oder gehört Lightloom</translation>
    </message>
    <message>
        <source>the name &apos;{path_stem}&apos; must be lower-case letters, digits and &apos;_&apos;</source>
        <translation>der Name &apos;{path_stem}&apos; muss aus Kleinbuchstaben, Ziffern und &apos;_&apos; bestehen</translation>
    </message>
    <message>
        <source>the name {host} is not known on this network</source>
        <translation>der Name {host} ist in diesem Netzwerk nicht bekannt</translation>
    </message>
    <message>
        <source>the network has no model and was left out.</source>
        <translation>das Netz hat kein Modell und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>the network&apos;s model</source>
        <translation>das Modell des Netzes</translation>
    </message>
    <message>
        <source>the network&apos;s {key} can&apos;t be {repr}; the usual one is used.</source>
        <translation>{key} des Netzes kann nicht {repr} sein; der übliche Wert wird verwendet.</translation>
    </message>
    <message>
        <source>the number {number} does not fit into 32 bits; use a smaller one</source>
        <translation>die Zahl {number} passt nicht in 32 Bit; eine kleinere verwenden</translation>
    </message>
    <message>
        <source>the output &apos;{name}&apos; has the shape {shape}</source>
        <translation>der Ausgang &apos;{name}&apos; hat die Form {shape}</translation>
    </message>
    <message>
        <source>the output &apos;{name}&apos; is not a vec4; make it one</source>
        <translation>die Ausgabe &apos;{name}&apos; ist kein vec4; dazu machen</translation>
    </message>
    <message>
        <source>the package paho-mqtt is missing</source>
        <translation>das Paket paho-mqtt fehlt</translation>
    </message>
    <message>
        <source>the parameters of the macro have no &apos;)&apos;; add it</source>
        <translation>den Parametern des Makros fehlt &apos;)&apos;; ergänzen</translation>
    </message>
    <message>
        <source>the path of a .cube file</source>
        <translation>der Pfad einer .cube-Datei</translation>
    </message>
    <message>
        <source>the path of an image</source>
        <translation>der Pfad eines Bildes</translation>
    </message>
    <message>
        <source>the look</source>
        <translation>der Look</translation>
    </message>
    <message>
        <source>the request was refused</source>
        <translation>die Anfrage wurde abgelehnt</translation>
    </message>
    <message>
        <source>the result &apos;{name}&apos; is a sequence</source>
        <translation>das Ergebnis „{name}“ ist eine Folge</translation>
    </message>
    <message>
        <source>the result of {node} takes {size}</source>
        <translation>das Ergebnis von {node} braucht {size}</translation>
    </message>
    <message>
        <source>the second network has no model and was left out.</source>
        <translation>das zweite Netz hat kein Modell und wurde weggelassen.</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>der Server</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes</source>
        <translation>die Form seines Ergebnisses folgt aus dem, was das Netz berechnet</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, and there is no convolution or product before it</source>
        <translation>die Form seines Ergebnisses folgt aus dem, was das Netz berechnet, und davor steht weder Faltung noch Produkt</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, and what lies behind it does not run by itself ({reason})</source>
        <translation>die Form seines Ergebnisses folgt aus dem, was das Netz berechnet, und was dahinter liegt, läuft nicht für sich allein ({reason})</translation>
    </message>
    <message>
        <source>the values of the filter &apos;{entry}&apos; are not a table and were left out.</source>
        <translation>die Werte des Filters &apos;{entry}&apos; sind keine Tabelle und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>the weights of an ONNX network</source>
        <translation>die Gewichte eines ONNX-Netzes</translation>
    </message>
    <message>
        <source>the {kind} of &apos;{filter}&apos;</source>
        <translation>{kind} von &apos;{filter}&apos;</translation>
    </message>
    <message>
        <source>there is another file of this name</source>
        <translation>es gibt eine andere Datei dieses Namens</translation>
    </message>
    <message>
        <source>there is another filter called &apos;{name}&apos; here, which is used; rename one of them.</source>
        <translation>hier gibt es einen anderen Filter namens &apos;{name}&apos;, der verwendet wird; einen von beiden umbenennen.</translation>
    </message>
    <message>
        <source>there is no GPU device.</source>
        <translation>es gibt kein GPU-Gerät.</translation>
    </message>
    <message>
        <source>there is no zone in it.</source>
        <translation>es ist keine Zone darin.</translation>
    </message>
    <message>
        <source>there was no frame</source>
        <translation>es gab kein Bild</translation>
    </message>
    <message>
        <source>three maps over the image, its colors</source>
        <translation>drei Karten über dem Bild, seine Farben</translation>
    </message>
    <message>
        <source>too many wait</source>
        <translation>zu viele warten</translation>
    </message>
    <message>
        <source>top half</source>
        <translation>obere Hälfte</translation>
    </message>
    <message>
        <source>tracking</source>
        <translation>die Verfolgung</translation>
    </message>
    <message>
        <source>transparent</source>
        <translation>durchsichtig</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>try again later</source>
        <translation>es später noch einmal versuchen</translation>
    </message>
    <message>
        <source>try again then{kept}</source>
        <translation>es dann noch einmal versuchen{kept}</translation>
    </message>
    <message>
        <source>turn by 180°</source>
        <translation>um 180° drehen</translation>
    </message>
    <message>
        <source>two colors</source>
        <translation>zwei Farben</translation>
    </message>
    <message>
        <source>two maps of three boxes a cell, which share their classes</source>
        <translation>zwei Karten mit drei Rahmen je Zelle, die sich ihre Klassen teilen</translation>
    </message>
    <message>
        <source>two numbers from 0 to 1, written as 0.25/0.75</source>
        <translation>zwei Zahlen von 0 bis 1, geschrieben wie 0.25/0.75</translation>
    </message>
    <message>
        <source>two of its choices have the same name</source>
        <translation>zwei seiner Auswahlen haben denselben Namen</translation>
    </message>
    <message>
        <source>two parameters have the same name</source>
        <translation>zwei Parameter haben denselben Namen</translation>
    </message>
    <message>
        <source>two images go in, and two maps come out</source>
        <translation>zwei Bilder gehen hinein, und zwei Karten kommen heraus</translation>
    </message>
    <message>
        <source>The password in the {scheme}:// address contains #, / or ?, which ends the host name; write # as %23, / as %2F and ? as %3F. If the @ belongs to the path, write it as %40.</source>
        <translation>Das Passwort in der Adresse mit {scheme}:// enthält #, / oder ?, was den Rechnernamen beendet; # als %23, / als %2F und ? als %3F schreiben. Gehört das @ zum Pfad, es als %40 schreiben.</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is {value}; did you mean &apos;{near}&apos;?</source>
        <translation>eine Aktion von „{name}“ wurde weggelassen: Ihr „do“ ist {value}; war „{near}“ gemeint?</translation>
    </message>
    <message>
        <source>an entry of &apos;{key}&apos; is not a table and was left out.</source>
        <translation>ein Eintrag von „{key}“ ist keine Tabelle und wurde weggelassen.</translation>
    </message>
    <message>
        <source>an entry of &apos;{key}&apos; was left out: its name is missing, or no line of {most} letters at most; give it one.</source>
        <translation>ein Eintrag von „{key}“ wurde weggelassen: Sein Name fehlt oder ist keine Zeile von höchstens {most} Zeichen; einen angeben.</translation>
    </message>
    <message>
        <source>it without quotation marks</source>
        <translation>ihn ohne Anführungszeichen</translation>
    </message>
    <message>
        <source>its zone &apos;{zone}&apos; was left out</source>
        <translation>ihre Zone „{zone}“ wurde weggelassen</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>nicht genug Speicher</translation>
    </message>
    <message>
        <source>secondary networks</source>
        <translation>nachgeschaltete Netze</translation>
    </message>
    <message>
        <source>served networks</source>
        <translation>bereitgestellte Netze</translation>
    </message>
    <message>
        <source>stretched, center {crop:g} of both sides</source>
        <translation>gestreckt, mittlere {crop:g} beider Seiten</translation>
    </message>
    <message>
        <source>the server sends more than is allowed</source>
        <translation>der Server sendet mehr als erlaubt</translation>
    </message>
    <message>
        <source>the size of an array must be a constant from 1 to {most}</source>
        <translation>die Größe eines Feldes muss eine Konstante von 1 bis {most} sein</translation>
    </message>
    <message>
        <source>the size of the buffer &apos;{name}&apos; is not from 1 to 4096</source>
        <translation>die Größe des Puffers &apos;{name}&apos; liegt nicht zwischen 1 und 4096</translation>
    </message>
    <message>
        <source>the struct &apos;{name}&apos; has no members, or ones of void or images; correct them</source>
        <translation>das struct &apos;{name}&apos; hat keine Felder oder solche von void oder Bildern; berichtigen</translation>
    </message>
    <message>
        <source>the text ends too early; close what is open</source>
        <translation>der Text endet zu früh; Offenes schließen</translation>
    </message>
    <message>
        <source>the uniform &apos;{name}&apos; is not an input of the header; declare it there</source>
        <translation>das uniform &apos;{name}&apos; ist kein Eingang des Kopfes; dort deklarieren</translation>
    </message>
    <message>
        <source>the values of the input &apos;{name}&apos; are not a list of at most {most}</source>
        <translation>die Werte des Eingangs &apos;{name}&apos; sind keine Liste von höchstens {most}</translation>
    </message>
    <message>
        <source>the values of the input &apos;{name}&apos; are not integers</source>
        <translation>die Werte des Eingangs &apos;{name}&apos; sind keine ganzen Zahlen</translation>
    </message>
    <message>
        <source>there is no folder {path}</source>
        <translation>es gibt keinen Ordner {path}</translation>
    </message>
    <message>
        <source>there is no member &apos;{name}&apos; here; correct it</source>
        <translation>das Feld &apos;{name}&apos; gibt es hier nicht; berichtigen</translation>
    </message>
    <message>
        <source>there is no zone</source>
        <translation>es gibt keine Zone</translation>
    </message>
    <message>
        <source>this &apos;#if&apos; has no &apos;#endif&apos;; add one at its end</source>
        <translation>zu diesem &apos;#if&apos; fehlt &apos;#endif&apos;; am Ende ergänzen</translation>
    </message>
    <message>
        <source>time since an event</source>
        <translation>Zeit seit einem Ereignis</translation>
    </message>
    <message>
        <source>treble (2 to 16 kHz)</source>
        <translation>Höhen (2 bis 16 kHz)</translation>
    </message>
    <message>
        <source>triangle</source>
        <translation>Dreieck</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: only ONNX files turn with the frames; leave it out.</source>
        <translation>turns = true unter [input] in {settings} hat keine Wirkung: Nur ONNX-Dateien drehen sich mit den Bildern; weglassen.</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: the input is as wide as high; leave it out.</source>
        <translation>turns = true unter [input] in {settings} hat keine Wirkung: Die Eingabe ist so breit wie hoch; weglassen.</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: {networks} do not turn.</source>
        <translation>turns = true unter [input] in {settings} hat keine Wirkung: {networks} drehen sich nicht.</translation>
    </message>
    <message>
        <source>two inputs have the same name</source>
        <translation>zwei Eingänge haben denselben Namen</translation>
    </message>
    <message>
        <source>two scores and a box for each anchor of its grids</source>
        <translation>zwei Wertungen und ein Rahmen für jeden Anker seiner Gitter</translation>
    </message>
    <message>
        <source>two scores, a box and five points for each of its priors</source>
        <translation>zwei Wertungen, ein Rahmen und fünf Punkte für jeden seiner Priors</translation>
    </message>
    <message>
        <source>type &apos;{kind}&apos; is not one of {types}</source>
        <translation>Typ &apos;{kind}&apos; ist keiner von {types}</translation>
    </message>
    <message>
        <source>unpack it and open the .onnx file</source>
        <translation>es entpacken und die .onnx-Datei öffnen</translation>
    </message>
    <message>
        <source>unpack it and open the network in it</source>
        <translation>es entpacken und das Netz darin öffnen</translation>
    </message>
    <message>
        <source>unpack it as a zip archive and open a .tflite file of it</source>
        <translation>es als ZIP-Archiv entpacken und eine .tflite-Datei daraus öffnen</translation>
    </message>
    <message>
        <source>use a mirror</source>
        <translation>einen Spiegel verwenden</translation>
    </message>
    <message>
        <source>use a mirror, or look for a newer version of Lightloom</source>
        <translation>einen Spiegel verwenden oder nach einem neueren Lightloom sehen</translation>
    </message>
    <message>
        <source>use the .onnx file that it was made from</source>
        <translation>die .onnx-Datei verwenden, aus der sie entstanden ist</translation>
    </message>
    <message>
        <source>uses &apos;discard&apos; outside of main(); return from main() instead</source>
        <translation>verwendet &apos;discard&apos; außerhalb von main(); stattdessen main() verlassen</translation>
    </message>
    <message>
        <source>uses DATE, and the date is not the same in a second export; use TIME</source>
        <translation>verwendet DATE, und das Datum ist bei einem zweiten Export ein anderes; TIME verwenden</translation>
    </message>
    <message>
        <source>uses iDate, and the date is not the same in a second export; use iTime</source>
        <translation>verwendet iDate, und das Datum ist bei einem zweiten Export ein anderes; iTime verwenden</translation>
    </message>
    <message>
        <source>uses the rectangle of an image, which is of version 1 of ISF; use IMG_SIZE()</source>
        <translation>verwendet das Rechteck eines Bildes aus Version 1 von ISF; IMG_SIZE() verwenden</translation>
    </message>
    <message>
        <source>uses {name}() with a level other than 0, and images here have one; pass 0.0</source>
        <translation>verwendet {name}() mit einer anderen Stufe als 0, und Bilder haben hier nur eine; 0.0 übergeben</translation>
    </message>
    <message>
        <source>uses {name}(), differences between neighboring pixels, which filters do not have; sample the neighbors</source>
        <translation>verwendet {name}(), Unterschiede benachbarter Pixel, die Filter nicht haben; die Nachbarn lesen</translation>
    </message>
    <message>
        <source>uses {name}(), which drivers do not compute; write a noise function</source>
        <translation>verwendet {name}(), das Treiber nicht berechnen; eine Rauschfunktion schreiben</translation>
    </message>
    <message>
        <source>uses {name}(), which is not translated; use texture()</source>
        <translation>verwendet {name}(), das nicht übersetzt wird; texture() verwenden</translation>
    </message>
    <message>
        <source>values at times in seconds such as 0=1 2.5=4:ease 3=0:hold, at most {most}</source>
        <translation>Werte zu Zeiten in Sekunden wie 0=1 2.5=4:ease 3=0:hold, höchstens {most}</translation>
    </message>
    <message>
        <source>was unplugged</source>
        <translation>wurde abgezogen</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>wgpu</source>
        <translation>wgpu</translation>
    </message>
    <message>
        <source>what {host} sent is not the file that the catalogue names (its checksum is another one)</source>
        <translation>was {host} gesendet hat, ist nicht die Datei, die der Katalog nennt (die Prüfsumme ist eine andere)</translation>
    </message>
    <message>
        <source>where you got it from</source>
        <translation>dort, wo es herkommt</translation>
    </message>
    <message>
        <source>white_hot</source>
        <translation>weiß heiß</translation>
    </message>
    <message>
        <source>white_on_black</source>
        <translation>weiß auf schwarz</translation>
    </message>
    <message>
        <source>whole image</source>
        <translation>ganzes Bild</translation>
    </message>
    <message>
        <source>with JPEG or another format inside</source>
        <translation>mit JPEG oder einem anderen Format darin</translation>
    </message>
    <message>
        <source>with floating-point samples other than 32-bit color</source>
        <translation>mit Gleitkommawerten, die keine 32-Bit-Farben sind</translation>
    </message>
    <message>
        <source>with parameters at the ends of their ranges it</source>
        <translation>mit Parametern an den Enden ihrer Bereiche: Er</translation>
    </message>
    <message>
        <source>write it in ASCII</source>
        <translation>nur ASCII-Zeichen verwenden</translation>
    </message>
    <message>
        <source>write it whole, such as http://192.168.1.5/bell, with a port from 1 to 65535 if any</source>
        <translation>sie vollständig angeben, etwa http://192.168.1.5/bell, gegebenenfalls mit einem Port von 1 bis 65535</translation>
    </message>
    <message>
        <source>write its host, and its port from 1 to 65535 if it is not the usual one</source>
        <translation>den Rechner angeben, und den Port von 1 bis 65535, wenn es nicht der übliche ist</translation>
    </message>
    <message>
        <source>write one without +, # and control characters</source>
        <translation>eines ohne +, # und Steuerzeichen angeben</translation>
    </message>
    <message>
        <source>write the full path</source>
        <translation>den vollständigen Pfad angeben</translation>
    </message>
    <message>
        <source>write them behind it</source>
        <translation>sie dahinter schreiben</translation>
    </message>
    <message>
        <source>writes gl_FragColor; set the first parameter of mainImage()</source>
        <translation>schreibt gl_FragColor; den ersten Parameter von mainImage() setzen</translation>
    </message>
    <message>
        <source>writes several images at once (gl_FragData), which a filter cannot do; use PASSES</source>
        <translation>schreibt mehrere Bilder zugleich (gl_FragData), was ein Filter nicht kann; PASSES verwenden</translation>
    </message>
    <message>
        <source>you do not allow its host any more</source>
        <translation>der Rechner ist nicht mehr erlaubt</translation>
    </message>
    <message>
        <source>{adapter} did not finish the network ({error}); restart it.</source>
        <translation>{adapter} hat das Netz nicht zu Ende gerechnet ({error}); es neu starten.</translation>
    </message>
    <message>
        <source>{adapter} has no 16-bit floats in shaders; choose fp32 or auto.</source>
        <translation>{adapter} hat keine 16-Bit-Gleitkommazahlen in Shadern; fp32 oder auto wählen.</translation>
    </message>
    <message>
        <source>{adapter} has no memory for the model ({error}); close other programs.</source>
        <translation>{adapter} hat keinen Speicher für das Modell ({error}); andere Programme schließen.</translation>
    </message>
    <message>
        <source>{address} asks for a name and password: write user:password@ before the host.</source>
        <translation>{address} verlangt Name und Passwort: user:password@ vor den Rechnernamen schreiben.</translation>
    </message>
    <message>
        <source>{address} broke the connection off: check the server.</source>
        <translation>{address} hat die Verbindung abgebrochen: den Server prüfen.</translation>
    </message>
    <message>
        <source>{address} does not answer: check the address, the network and the firewall.</source>
        <translation>{address} antwortet nicht: Adresse, Netzwerk und Firewall prüfen.</translation>
    </message>
    <message>
        <source>{address} does not exist on the server (404): check the path.</source>
        <translation>{address} gibt es auf dem Server nicht (404): den Pfad prüfen.</translation>
    </message>
    <message>
        <source>{address} failed (HTTP status 5xx): check the server&apos;s log.</source>
        <translation>{address} ist gescheitert (HTTP-Status 5xx): das Protokoll des Servers prüfen.</translation>
    </message>
    <message>
        <source>{address} failed on the server&apos;s side: try again later.</source>
        <translation>{address} ist auf der Seite des Servers gescheitert: es später noch einmal versuchen.</translation>
    </message>
    <message>
        <source>{address} has nothing at this path: check the whole address.</source>
        <translation>{address} hat unter diesem Pfad nichts: die ganze Adresse prüfen.</translation>
    </message>
    <message>
        <source>{address} may not be read (403): ask its owner for access.</source>
        <translation>{address} darf nicht gelesen werden (403): den Besitzer um Zugang bitten.</translation>
    </message>
    <message>
        <source>{address} refuses the connection: check that the server runs and that the port is right.</source>
        <translation>{address} verweigert die Verbindung: prüfen, ob der Server läuft und der Port stimmt.</translation>
    </message>
    <message>
        <source>{address} refuses the request: check that the address is one for WHIP.</source>
        <translation>{address} lehnt die Anfrage ab: prüfen, ob die Adresse eine für WHIP ist.</translation>
    </message>
    <message>
        <source>{address} refuses the stream key: check the key.</source>
        <translation>{address} lehnt den Stream-Schlüssel ab: den Schlüssel prüfen.</translation>
    </message>
    <message>
        <source>{address} was refused by the server: check the address.</source>
        <translation>{address} wurde vom Server abgelehnt: die Adresse prüfen.</translation>
    </message>
    <message>
        <source>{backend} on a software adapter (slow), because {other} does not take the model: {refused}</source>
        <translation>{backend} auf einem Software-Adapter (langsam), weil {other} das Modell nicht annimmt: {refused}</translation>
    </message>
    <message>
        <source>{backend} on the CPU, because {other} does not take the model: {refused}</source>
        <translation>{backend} auf der CPU, weil {other} das Modell nicht annimmt: {refused}</translation>
    </message>
    <message>
        <source>{backend} was chosen by the user.</source>
        <translation>{backend} wurde vom Benutzer gewählt.</translation>
    </message>
    <message>
        <source>{bits} bits a color become 10.</source>
        <translation>Aus {bits} Bit je Farbe werden 10.</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; choose more bits and the codec {codec} to keep 10 (--bits 10 --codec {codec}).</source>
        <translation>{bits} Bit je Farbe werden zu 8; mit mehr Bit und dem Codec {codec} bleiben 10 (--bits 10 --codec {codec}).</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; choose more bits to keep 10 (--bits 10).</source>
        <translation>{bits} Bit je Farbe werden zu 8; mit mehr Bit bleiben 10 (--bits 10).</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; leave out slow motion and frame interpolation to keep 10.</source>
        <translation>Aus {bits} Bit je Farbe werden 8; Zeitlupe und Zwischenbilder weglassen, um 10 zu behalten.</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; write one of {kinds} and choose more bits to keep 10 (--bits 10).</source>
        <translation>{bits} Bit je Farbe werden zu 8; als {kinds} und mit mehr Bit bleiben 10 (--bits 10).</translation>
    </message>
    <message>
        <source>{codec} is written with 8 bits a color; for 10 choose one of {codecs}.</source>
        <translation>{codec} wird mit 8 Bit je Farbe geschrieben; für 10 einen von diesen wählen: {codecs}.</translation>
    </message>
    <message>
        <source>{codec} is written without the data of the mastering display and the light levels: its encoder takes none; HEVC and AV1 have them.</source>
        <translation>{codec} wird ohne die Daten des Mastering-Bildschirms und die Lichtpegel geschrieben: Der Encoder nimmt keine an; HEVC und AV1 haben sie.</translation>
    </message>
    <message>
        <source>{columns} columns, {classes} classes and four distributions of {bins}</source>
        <translation>{columns} Spalten, {classes} Klassen und vier Verteilungen von {bins}</translation>
    </message>
    <message>
        <source>{container} holds no HDR beside transparency; choose standard range, or one of {kinds}.</source>
        <translation>{container} fasst neben Transparenz kein HDR; den üblichen Dynamikumfang oder eine der Arten {kinds} wählen.</translation>
    </message>
    <message>
        <source>{container} holds no HDR; choose standard range, or one of {kinds}.</source>
        <translation>{container} fasst kein HDR; den üblichen Dynamikumfang oder eine der Arten {kinds} wählen.</translation>
    </message>
    <message>
        <source>{container} is not written with {bits} bits a color; choose 8, or one of {kinds} with 10.</source>
        <translation>{container} wird nicht mit {bits} Bit je Farbe geschrieben; 8 wählen oder eine von diesen mit 10: {kinds}.</translation>
    </message>
    <message>
        <source>{count} audio tracks: {tracks}</source>
        <translation>{count} Tonspuren: {tracks}</translation>
    </message>
    <message>
        <source>{count} maps over the image, one a class</source>
        <translation>{count} Karten über dem Bild, eine je Klasse</translation>
    </message>
    <message>
        <source>{count} names of classes</source>
        <translation>{count} Namen von Klassen</translation>
    </message>
    <message>
        <source>{count} requests are missing in the access log, because it could not be written; make room, or choose another file.</source>
        <translation>Im Zugriffsprotokoll fehlen {count} Anfragen, weil es nicht geschrieben werden konnte; Platz schaffen oder eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{count} requests are missing in the access log, because it was written too slowly; put it on a faster disk.</source>
        <translation>{count} Anfragen fehlen im Zugriffsprotokoll, weil es zu langsam geschrieben wurde; auf einen schnelleren Datenträger legen.</translation>
    </message>
    <message>
        <source>{error} &apos;{filter}&apos; acts on the whole frame, so that nothing shows that is to be hidden.</source>
        <translation>{error} „{filter}“ wirkt auf das ganze Bild, damit nichts zu sehen ist, was verborgen sein soll.</translation>
    </message>
    <message>
        <source>{error} &apos;{filter}&apos;, whose mask it is part of, was switched off.</source>
        <translation>{error} „{filter}“, zu dessen Maske das gehört, wurde ausgeschaltet.</translation>
    </message>
    <message>
        <source>{error} Nothing says the input&apos;s size, so {width}x{height} was assumed; state width and height under [preprocess] in {sidecar}.</source>
        <translation>{error} Nichts nennt die Größe des Eingangs, daher wurde {width}x{height} angenommen; width und height unter [preprocess] in {sidecar} angeben.</translation>
    </message>
    <message>
        <source>{error} The automation of &apos;{filter}&apos; was left out.</source>
        <translation>{error} Die Automation von „{filter}“ wurde weggelassen.</translation>
    </message>
    <message>
        <source>{error} The layer was left out.</source>
        <translation>{error} Die Ebene wurde weggelassen.</translation>
    </message>
    <message>
        <source>{error} The usual one is used.</source>
        <translation>{error} Es gilt der übliche Wert.</translation>
    </message>
    <message>
        <source>{error} and asks to come back in {minutes}</source>
        <translation>{error} und bittet darum, in {minutes} wiederzukommen</translation>
    </message>
    <message>
        <source>{error}, {failures} times in a row</source>
        <translation>{error}, {failures}-mal hintereinander</translation>
    </message>
    <message>
        <source>{event}: {count} in {zone}</source>
        <translation>{event}: {count} in {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} crosses {zone} backward</source>
        <translation>{event}: {thing} überquert {zone} rückwärts</translation>
    </message>
    <message>
        <source>{event}: {thing} crosses {zone} forward</source>
        <translation>{event}: {thing} überquert {zone} vorwärts</translation>
    </message>
    <message>
        <source>{event}: {thing} enters {zone}</source>
        <translation>{event}: {thing} betritt {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} has been in {zone} for {seconds:.0f} s</source>
        <translation>{event}: {thing} ist seit {seconds:.0f} s in {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} leaves {zone}</source>
        <translation>{event}: {thing} verlässt {zone}</translation>
    </message>
    <message>
        <source>{first}
Secondary network: {second}</source>
        <translation>{first}
Zweiter Blick: {second}</translation>
    </message>
    <message>
        <source>{folder} cannot be written: {reason}; choose another one.</source>
        <translation>{folder} kann nicht beschrieben werden: {reason}; einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>{folder} is no whole path; begin with the root.</source>
        <translation>{folder} ist kein vollständiger Pfad; mit der Wurzel beginnen.</translation>
    </message>
    <message>
        <source>{folder} is not a folder; choose another one.</source>
        <translation>{folder} ist kein Ordner; einen anderen wählen.</translation>
    </message>
    <message>
        <source>{folder} is not there any more.</source>
        <translation>{folder} gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>{folder} is not there; it is made when it is needed.</source>
        <translation>{folder} gibt es noch nicht; er wird angelegt, wenn er gebraucht wird.</translation>
    </message>
    <message>
        <source>{folder} was exported for images of {width} x {height} pixels alone; at most {most} a side can be made.</source>
        <translation>{folder} wurde nur für Bilder mit {width} x {height} Pixeln exportiert; höchstens {most} je Seite sind möglich.</translation>
    </message>
    <message>
        <source>{folder}: {scheduler}; images are decoded by {decoder}.</source>
        <translation>{folder}: {scheduler}; Bilder werden von {decoder} dekodiert.</translation>
    </message>
    <message>
        <source>{format} holds boxes, and {network} classifies whole images; choose CSV, JSON lines or Parquet, or a detector.</source>
        <translation>{format} enthält Rahmen, und {network} sagt Wörter über das ganze Bild; wähle CSV, JSON-Zeilen oder Parquet, oder einen Detektor.</translation>
    </message>
    <message>
        <source>{head} and {tail}</source>
        <translation>{head} und {tail}</translation>
    </message>
    <message>
        <source>{hint}, or {privacy}</source>
        <translation>{hint}, oder {privacy}</translation>
    </message>
    <message>
        <source>{host} answered {code} ({reason})</source>
        <translation>{host} hat mit {code} geantwortet ({reason})</translation>
    </message>
    <message>
        <source>{host} answered {status} and no file</source>
        <translation>{host} hat mit {status} geantwortet und keine Datei gesendet</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({cause})</source>
        <translation>{host} ist nicht erreichbar ({cause})</translation>
    </message>
    <message>
        <source>{host} does not answer</source>
        <translation>{host} antwortet nicht</translation>
    </message>
    <message>
        <source>{host} ended the connection early</source>
        <translation>{host} hat die Verbindung vorzeitig beendet</translation>
    </message>
    <message>
        <source>{host} refuses ({reason})</source>
        <translation>{host} lehnt ab ({reason})</translation>
    </message>
    <message>
        <source>{host} sends more than the catalogue&apos;s {size:,} bytes</source>
        <translation>{host} sendet mehr als die {size:,} Byte des Katalogs</translation>
    </message>
    <message>
        <source>{host} sends the file in an encoding that was not requested</source>
        <translation>{host} sendet die Datei in einer Codierung, um die nicht gebeten wurde</translation>
    </message>
    <message>
        <source>{host} sends the request on, and with it what it carries</source>
        <translation>{host} leitet die Anfrage weiter, und mit ihr, was sie trägt</translation>
    </message>
    <message>
        <source>{host} sends the request round and round</source>
        <translation>{host} schickt die Anfrage im Kreis herum</translation>
    </message>
    <message>
        <source>{host} sent the request on to an address that is not https</source>
        <translation>{host} hat die Anfrage an eine Adresse weitergeleitet, die nicht https ist</translation>
    </message>
    <message>
        <source>{host} sent the request on to something that is no address</source>
        <translation>{host} hat die Anfrage an etwas weitergeleitet, das keine Adresse ist</translation>
    </message>
    <message>
        <source>{host} stopped sending</source>
        <translation>{host} sendet nichts mehr</translation>
    </message>
    <message>
        <source>{index} gave another file than the one that Lightloom knows</source>
        <translation>{index} hat eine andere Datei geliefert als die, die Lightloom kennt</translation>
    </message>
    <message>
        <source>{index} has no file {name}</source>
        <translation>{index} hat keine Datei {name}</translation>
    </message>
    <message>
        <source>{key} &apos;{value}&apos; must be lower-case letters, digits and &apos;_&apos;</source>
        <translation>{key} &apos;{value}&apos; muss aus Kleinbuchstaben, Ziffern und &apos;_&apos; bestehen</translation>
    </message>
    <message>
        <source>{labels_name} has {names} and the network tells {classes} classes apart; choose another file.</source>
        <translation>{labels_name} hat {names} und das Netz unterscheidet {classes} Klassen; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>{missing:.1f} GiB of memory are missing for {folder}: its networks together take at least {needed:.1f} GiB and {free:.1f} are free; close other programs, choose a smaller working size, or put a taesd_decoder into the folder.</source>
        <translation>Für {folder} fehlen {missing:.1f} GiB Speicher: seine Netze brauchen zusammen mindestens {needed:.1f} GiB, {free:.1f} sind frei; andere Programme schließen, eine kleinere Arbeitsgröße wählen oder einen taesd_decoder in den Ordner legen.</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} und {count} weitere</translation>
    </message>
    <message>
        <source>{names}, assumed because the file lists numbers of classes without names; write other names, one a line, into {labels}</source>
        <translation>{names}, angenommen, weil die Datei Klassennummern ohne Namen angibt; andere Namen in {labels} schreiben, einen je Zeile</translation>
    </message>
    <message>
        <source>{name} can be for {names}; choose one (--task NAME), or write task = &quot;NAME&quot; into {sidecar}.</source>
        <translation>{name} kann für {names} sein; eines wählen (--task NAME) oder task = &quot;NAME&quot; in {sidecar} schreiben.</translation>
    </message>
    <message>
        <source>{name} can be read as {names}; choose one (--decoder NAME), or write decoder = &quot;NAME&quot; into {sidecar}.</source>
        <translation>{name} kann als {names} gelesen werden; eines wählen (--decoder NAME) oder decoder = &quot;NAME&quot; in {sidecar} schreiben.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read ({reason}): check its name and permissions.</source>
        <translation>{name} kann nicht gelesen werden ({reason}): Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>{name} kann nicht gelesen werden: {reason}; Name und Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>{name} cannot be installed in {folder}: {reason}; check the folder&apos;s permissions and the free space.</source>
        <translation>{name} lässt sich nicht in {folder} installieren: {reason}; Rechte des Ordners und freien Speicher prüfen.</translation>
    </message>
    <message>
        <source>{name} cannot be turned for frames of the other orientation ({reason}); state turns = false under [input] in {settings}.</source>
        <translation>{name} lässt sich für Bilder im anderen Format nicht drehen ({reason}); in {settings} unter [input] turns = false angeben.</translation>
    </message>
    <message>
        <source>{name} cannot be written to {parent} ({reason}); copy the network to a folder of your own.</source>
        <translation>{name} kann nicht nach {parent} geschrieben werden ({reason}); das Netz in einen eigenen Ordner kopieren.</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu as it is: {what}, or choose another backend.</source>
        <translation>{name} kann so nicht auf wgpu laufen: {what}, oder einen anderen Rechenweg wählen.</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu: {what}; choose another backend.</source>
        <translation>{name} kann nicht auf wgpu laufen: {what}; ein anderes Backend wählen.</translation>
    </message>
    <message>
        <source>{name} cannot run on {wanted}: onnxruntime started it on {running} instead; check that provider&apos;s driver, or choose the CPU.</source>
        <translation>{name} kann nicht auf {wanted} laufen: onnxruntime hat es stattdessen auf {running} gestartet; dessen Treiber prüfen oder die CPU wählen.</translation>
    </message>
    <message>
        <source>{name} could not be opened within {io_timeout:.0f} s; it is damaged or its disk does not answer.</source>
        <translation>{name} ließ sich nicht innerhalb von {io_timeout:.0f} s öffnen; die Datei ist beschädigt oder ihr Datenträger antwortet nicht.</translation>
    </message>
    <message>
        <source>{name} could not be read ({error}); try another copy of it.</source>
        <translation>{name} konnte nicht gelesen werden ({error}); es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} does not interpolate frames: it takes {inputs}, where two images and a time, or one input of six or seven channels, are needed; choose a network such as RIFE.</source>
        <translation>{name} macht keine Bilder zwischen zweien: Es nimmt {inputs}, erwartet werden zwei Bilder und eine Zeit oder ein Eingang mit sechs oder sieben Kanälen; ein Netz wie RIFE wählen.</translation>
    </message>
    <message>
        <source>{name} does not run on {last} for now; end other programs, or choose a smaller network ({reason}).</source>
        <translation>{name} läuft auf {last} im Moment nicht; andere Programme beenden oder ein kleineres Netz wählen ({reason}).</translation>
    </message>
    <message>
        <source>{name} does not take one image of 1 or 3 channels: {reason}; {advice}.</source>
        <translation>{name} nimmt nicht ein Bild mit 1 oder 3 Kanälen: {reason}; {advice}.</translation>
    </message>
    <message>
        <source>{name} ends in logits; a sigmoid makes the mask of them.</source>
        <translation>{name} endet mit Logits; ein Sigmoid macht die Maske daraus.</translation>
    </message>
    <message>
        <source>{name} failed in onnxruntime: {reason}; choose another backend or network.</source>
        <translation>{name} ist in onnxruntime gescheitert: {reason}; ein anderes Backend oder Netz wählen.</translation>
    </message>
    <message>
        <source>{name} fails in onnxruntime with inputs of the sizes {sizes} ({reason}); choose other sizes or another backend.</source>
        <translation>{name} scheitert in onnxruntime mit Eingängen der Größen {sizes} ({reason}); andere Größen oder einen anderen Rechenweg wählen.</translation>
    </message>
    <message>
        <source>{name} fills in the part of an image that a mask covers, and its input &apos;{input}&apos; needs that mask, which no filter here makes; choose a network that takes an image alone.</source>
        <translation>{name} füllt den Teil eines Bildes, den eine Maske bedeckt, und sein Eingang &apos;{input}&apos; verlangt diese Maske, die kein Filter hier macht; ein Netz wählen, das nur ein Bild nimmt.</translation>
    </message>
    <message>
        <source>{name} detects no objects that a secondary network could process ({task}); choose a detector as the first.</source>
        <translation>{name} findet nichts im Bild, das ein zweites Netz genauer ansehen könnte ({task}); als erstes einen Detektor wählen.</translation>
    </message>
    <message>
        <source>{name} gives no boxes with mask coefficients and prototypes as YOLO networks for segmentation do: its outputs are {shapes}; choose another task.</source>
        <translation>{name} gibt keine Rahmen mit Maskenkoeffizienten und Prototypen, wie es YOLO-Netze für die Segmentierung tun: Seine Ausgänge sind {shapes}; eine andere Aufgabe wählen.</translation>
    </message>
    <message>
        <source>{name} gives no key points of a family that Lightloom decodes ({names}): its outputs are {shapes}; choose another network, or state a decoder beside it.</source>
        <translation>{name} gibt keine Schlüsselpunkte einer Familie, die Lightloom liest ({names}): die Ausgänge sind {shapes}; ein anderes Netz wählen oder daneben einen Decoder angeben.</translation>
    </message>
    <message>
        <source>{name} gives no numbers for an image; choose another network.</source>
        <translation>{name} gibt für ein Bild keine Zahlen; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} gives no oriented boxes as YOLO networks do: its outputs are {shapes}; choose another task.</source>
        <translation>{name} gibt keine gedrehten Rahmen, wie es YOLO-Netze tun: Seine Ausgänge sind {shapes}; eine andere Aufgabe wählen.</translation>
    </message>
    <message>
        <source>{name} gives no image, mask or map: its outputs are {shapes}; use it as the analysis network.</source>
        <translation>{name} gibt weder Bild noch Maske noch Karte: Seine Ausgänge sind {shapes}; es als Netz neben dem Bild verwenden.</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, so that there is no channel {channel}; choose one from 0 to {last}, or -1 for the network&apos;s own.</source>
        <translation>{name} gibt {channels} Kanäle, daher gibt es keinen Kanal {channel}; einen von 0 bis {last} wählen, oder -1 für den des Netzes.</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, where a depth map has one; choose a network for depth.</source>
        <translation>{name} gibt {channels} Kanäle, wo eine Tiefenkarte einen hat; ein Netz für Tiefe wählen.</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, which are no image; add it as a Background or Depth stage, if it is one.</source>
        <translation>{name} gibt {channels} Kanäle, was kein Bild ist; es als Stufe für Hintergrund oder Tiefe hinzufügen, falls es eine ist.</translation>
    </message>
    <message>
        <source>{name} gives {count} masks and their classes apart (&apos;{classes}&apos;, &apos;{masks}&apos;), as Mask2Former does, and nothing here puts them together; export it with one output of classes for each pixel, or choose another network.</source>
        <translation>{name} gibt {count} Masken und ihre Klassen getrennt aus (&apos;{classes}&apos;, &apos;{masks}&apos;), wie Mask2Former es tut, und nichts hier setzt sie zusammen; es mit einem Ausgang von Klassen für jedes Pixel exportieren oder ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} has a DOMAIN_MIN and DOMAIN_MAX that are not three numbers each from -{max_bound:g} to {max_bound:g}, the second at least {min_width:g} above the first; correct them in a text editor.</source>
        <translation>{name} hat ein DOMAIN_MIN und DOMAIN_MAX, die nicht je drei Zahlen von -{max_bound:g} bis {max_bound:g} sind, das zweite mindestens {min_width:g} über dem ersten; sie in einem Texteditor berichtigen.</translation>
    </message>
    <message>
        <source>{name} has a file in it that no look has, {file}; it was not opened.</source>
        <translation>In {name} ist eine Datei, die kein Look hat, {file}; sie wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>{name} has more than {max_entries} files in it, which no look of Lightloom has; choose another file.</source>
        <translation>{name} enthält mehr als {max_entries} Dateien, was kein Look von Lightloom hat; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name} has no LUT_3D_SIZE from 2 to {max_size_3d}, so it is not a usable .cube file; export it again.</source>
        <translation>{name} hat kein LUT_3D_SIZE von 2 bis {max_size_3d} und ist daher keine brauchbare .cube-Datei; sie neu exportieren.</translation>
    </message>
    <message>
        <source>{name} has no input &apos;{name2}&apos;; it has {known}.</source>
        <translation>{name} hat keinen Eingang &apos;{name2}&apos;; es hat {known}.</translation>
    </message>
    <message>
        <source>{name} has no input or no output; it is not a network that can be run.</source>
        <translation>{name} hat keinen Eingang oder keinen Ausgang; es ist kein Netz, das sich berechnen lässt.</translation>
    </message>
    <message>
        <source>{name} has no output &apos;{output_name}&apos;; it has {names}.</source>
        <translation>{name} hat keinen Ausgang &apos;{output_name}&apos;; es hat {names}.</translation>
    </message>
    <message>
        <source>{name} has no image in it; choose another file.</source>
        <translation>In {name} ist kein Bild; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name} has no image input &apos;{wanted}&apos;; its first input is &apos;{input}&apos;.</source>
        <translation>{name} hat keinen Bildeingang &apos;{wanted}&apos;; der erste Eingang ist &apos;{input}&apos;.</translation>
    </message>
    <message>
        <source>{name} has no suffix of an image; use one of {image_suffixes}.</source>
        <translation>{name} hat nicht die Endung eines Bildes; eine von {image_suffixes} verwenden.</translation>
    </message>
    <message>
        <source>{name} has no suffix of a video; use one of {video_suffixes}.</source>
        <translation>{name} hat nicht die Endung eines Videos; eine von {video_suffixes} verwenden.</translation>
    </message>
    <message>
        <source>{name} has no tensor called &apos;{name2}&apos;; look the name up in the model.</source>
        <translation>{name} hat keinen Tensor namens &apos;{name2}&apos;; den Namen im Modell nachsehen.</translation>
    </message>
    <message>
        <source>{name} has the inputs {inputs}, where a denoiser has an image of three channels, its sketch of the same shape and the share of noise, and gives such an image; choose another network.</source>
        <translation>{name} hat die Eingänge {inputs}, wo ein Entrauscher ein Bild mit drei Kanälen, dessen gleich große Skizze und den Anteil des Rauschens hat und ein gleich großes Bild gibt; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}, where an image is the only one; choose another network.</source>
        <translation>{name} hat die Eingänge {names}, wo ein Bild der einzige ist; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}; an image classifier has one.</source>
        <translation>{name} hat die Eingänge {names}; ein Klassifikator von Bildern hat einen.</translation>
    </message>
    <message>
        <source>{name} has transparency, which this build of FFmpeg does not decode; it is shown without it.</source>
        <translation>{name} hat Transparenz, die dieses FFmpeg nicht decodiert; es wird ohne sie gezeigt.</translation>
    </message>
    <message>
        <source>{name} has {size} MiB, and a look may have {limit}; choose another file.</source>
        <translation>{name} hat {size} MiB, und ein Look darf {limit} haben; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name} holds colors that are no numbers from -{bound} to {bound}; the file is damaged.</source>
        <translation>{name} enthält Farben, die keine Zahlen von -{bound} bis {bound} sind; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>{name} holds more colors than a table of {max_size_3d} points a side; it is not usable.</source>
        <translation>{name} enthält mehr Farben als eine Tabelle mit {max_size_3d} Punkten je Seite; die Datei ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>{name} holds more than {limit} MiB; it was not opened.</source>
        <translation>{name} enthält mehr als {limit} MiB; es wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>{name} holds no transparency, so transparent parts of its frames are over black; keep transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>{name} hat keine Transparenz, daher liegen durchsichtige Teile der Bilder über Schwarz; in .webm, .mkv und .mov kann Transparenz beibehalten werden (--alpha).</translation>
    </message>
    <message>
        <source>{name} holds {count} colors where its size asks for {expected}; the file is cut off or damaged.</source>
        <translation>{name} enthält {count} Farben, wo die Größe {expected} verlangt; die Datei ist abgeschnitten oder beschädigt.</translation>
    </message>
    <message>
        <source>{name} is a GPU.</source>
        <translation>{name} ist eine GPU.</translation>
    </message>
    <message>
        <source>{name} is a HEIC image, which no decoder here takes: convert it to JPEG or AVIF.</source>
        <translation>{name} ist ein HEIC-Bild, das kein Decoder hier liest: es in JPEG oder AVIF umwandeln.</translation>
    </message>
    <message>
        <source>{name} is a PyTorch file, and PyTorch is not installed; install it ({command}; without a GPU PyTorch&apos;s CPU build first, docs/backends.md), or export the network with torch.onnx.export.</source>
        <translation>{name} ist eine PyTorch-Datei, und PyTorch ist nicht installiert; es installieren ({command}; ohne GPU zuerst PyTorchs Ausgabe für die CPU, docs/backends.md) oder das Netz mit torch.onnx.export exportieren.</translation>
    </message>
    <message>
        <source>{name} is a software adapter.</source>
        <translation>{name} ist ein Software-Adapter.</translation>
    </message>
    <message>
        <source>{name} is a {kind}, not a video or an image: open a video or an image first, and use it on that.</source>
        <translation>{name} ist kein Video und kein Bild ({kind}): ein Video oder ein Bild öffnen und es darauf anwenden.</translation>
    </message>
    <message>
        <source>{name} is assumed to take R&apos;G&apos;B&apos; in 0..1, as networks of this kind do.</source>
        <translation>Von {name} wird angenommen, dass es R&apos;G&apos;B&apos; in 0..1 nimmt, wie Netze dieser Art.</translation>
    </message>
    <message>
        <source>{name} is closed; load it again.</source>
        <translation>{name} ist geschlossen; es neu laden.</translation>
    </message>
    <message>
        <source>{name} is computed in {own} and onnxruntime does not convert it to {asked}; choose &apos;auto&apos;, or the wgpu backend.</source>
        <translation>{name} wird in {own} berechnet und onnxruntime wandelt es nicht in {asked} um; &apos;auto&apos; oder den Rechenweg wgpu wählen.</translation>
    </message>
    <message>
        <source>{name} is damaged or of a variant that can&apos;t be decoded ({why}); try another copy of it.</source>
        <translation>{name} ist beschädigt oder von einer Art, die nicht decodiert werden kann ({why}); eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is damaged or of a variant that can&apos;t be decoded: open and save it with an image editor.</source>
        <translation>{name} ist beschädigt oder von einer Art, die nicht decodiert werden kann: das Bild mit einem Bildbearbeitungsprogramm öffnen und speichern.</translation>
    </message>
    <message>
        <source>{name} is damaged, or no look; get it again.</source>
        <translation>{name} ist beschädigt oder kein Look; die Datei noch einmal holen.</translation>
    </message>
    <message>
        <source>{name} is damaged: its header has no size; try another copy of it.</source>
        <translation>{name} ist beschädigt: Der Dateikopf nennt keine Größe; eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is damaged: its list of files, {contents}, cannot be read ({error}); get it again.</source>
        <translation>{name} ist beschädigt: Das Verzeichnis der Dateien, {contents}, kann nicht gelesen werden ({error}); die Datei noch einmal holen.</translation>
    </message>
    <message>
        <source>{name} is damaged: there is no complete image in it; try another copy of it.</source>
        <translation>{name} ist beschädigt: Es ist kein ganzes Bild darin; eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is empty; try another copy of it.</source>
        <translation>{name} ist leer; es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is left out: {error}</source>
        <translation>{name} wird ausgelassen: {error}</translation>
    </message>
    <message>
        <source>{name} is neither a video nor an image that Lightloom reads; convert it, or open another file.</source>
        <translation>{name} ist weder ein Video noch ein Bild, das Lightloom liest; die Datei umwandeln oder eine andere öffnen.</translation>
    </message>
    <message>
        <source>{name} is not a zone file: {error}; correct it in a text editor, or choose another.</source>
        <translation>{name} ist keine Datei mit Zonen: {error}; sie in einem Texteditor berichtigen oder eine andere wählen.</translation>
    </message>
    <message>
        <source>{name} is no journal of a run that was stopped; leave --resume out.</source>
        <translation>{name} ist kein Journal eines beendeten Laufs; lass --resume weg.</translation>
    </message>
    <message>
        <source>{name} is no look of Lightloom: {preset} or {contents} is missing, or a name is there twice; export it again.</source>
        <translation>{name} ist kein Look von Lightloom: {preset} oder {contents} fehlt, oder ein Name kommt zweimal vor; ihn neu exportieren.</translation>
    </message>
    <message>
        <source>{name} is not a classifier: its output &apos;{output}&apos; has the shape {shape}, where one score a class is expected; choose a classification network.</source>
        <translation>{name} ist kein Klassifikator: Sein Ausgang &apos;{output}&apos; hat die Form {shape}, wo eine Wertung je Klasse erwartet wird; ein Netz zum Klassifizieren wählen.</translation>
    </message>
    <message>
        <source>{name} is not an image in a format that Lightloom reads; convert it to PNG.</source>
        <translation>{name} ist kein Bild in einem Format, das Lightloom liest; es in PNG umwandeln.</translation>
    </message>
    <message>
        <source>{name} is not a look: it has no line &apos;lightloom = {version}&apos;; choose another file.</source>
        <translation>{name} ist kein Look: Die Zeile &apos;lightloom = {version}&apos; fehlt; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name} is not a look: {error}; correct it in a text editor, or choose another.</source>
        <translation>{name} ist kein Look: {error}; die Datei in einem Texteditor berichtigen oder eine andere wählen.</translation>
    </message>
    <message>
        <source>{name} is not a readable ONNX model; download or export it again ({text}).</source>
        <translation>{name} ist kein lesbares ONNX-Modell; es noch einmal herunterladen oder exportieren ({text}).</translation>
    </message>
    <message>
        <source>{name} is not a readable ONNX network; download or export it again.</source>
        <translation>{name} ist kein lesbares ONNX-Netz; es noch einmal herunterladen oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {op_type} &apos;{label}&apos;: {what}; export it again.</source>
        <translation>{name} ist kein gültiges ONNX-Modell: {op_type} &apos;{label}&apos;: {what}; es noch einmal exportieren.</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {what}; download or export it again.</source>
        <translation>{name} ist kein gültiges ONNX-Modell: {what}; es noch einmal herunterladen oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {what}; export it again.</source>
        <translation>{name} ist kein gültiges ONNX-Modell: {what}; neu exportieren.</translation>
    </message>
    <message>
        <source>{name} is not a video that can be read; it is damaged or of an unknown format, try another copy.</source>
        <translation>{name} ist kein lesbares Video; es ist beschädigt oder von unbekanntem Format, es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is packed in a way that no look of Lightloom is; it was not opened.</source>
        <translation>{name} ist auf eine Weise gepackt, wie es kein Look von Lightloom ist; die Datei wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>{name} is too large for this machine: {what}, and {free} of memory are free; use a smaller network or input.</source>
        <translation>{name} ist zu groß für diesen Rechner: {what}, und {free} Speicher sind frei; ein kleineres Netz oder eine kleinere Eingabe verwenden.</translation>
    </message>
    <message>
        <source>{name} is {each_name}, not an ONNX network; {advice}.</source>
        <translation>{name} ist {each_name}, kein ONNX-Netz; {advice}.</translation>
    </message>
    <message>
        <source>{name} is {width} x {height} pixels and is not opened, because {limit}; scale it down.</source>
        <translation>{name} hat {width} x {height} Pixel und wird nicht geöffnet, denn {limit}; das Bild verkleinern.</translation>
    </message>
    <message>
        <source>{name} keeps its weights in &apos;{location}&apos;, which is missing; put that file beside the model.</source>
        <translation>{name} hält seine Gewichte in &apos;{location}&apos;, was fehlt; diese Datei neben das Modell legen.</translation>
    </message>
    <message>
        <source>{name} produces an image ({task}), so it cannot be a secondary network; choose one that classifies or finds key points.</source>
        <translation>{name} erzeugt ein Bild ({task}), kann also nicht genauer ansehen, was ein anderes Netz findet; eines wählen, das Dinge benennt oder ihre Punkte findet.</translation>
    </message>
    <message>
        <source>{name} may not be read; change its permissions.</source>
        <translation>{name} darf nicht gelesen werden; die Berechtigungen ändern.</translation>
    </message>
    <message>
        <source>uses iSampleRate, and audio of Shadertoy has no counterpart here; leave it out</source>
        <translation>verwendet iSampleRate, und Ton von Shadertoy hat hier keine Entsprechung; weglassen</translation>
    </message>
    <message>
        <source>{name} has no audio; choose a video with audio.</source>
        <translation>{name} hat keinen Ton; ein Video mit Ton wählen.</translation>
    </message>
    <message>
        <source>{name} has no events; choose a file that the action &apos;Write a line of JSON&apos; has written.</source>
        <translation>{name} hat keine Ereignisse; eine Datei wählen, in die die Aktion &apos;Eine JSON-Zeile schreiben&apos; geschrieben hat.</translation>
    </message>
    <message>
        <source>{name} has no frame that can be decoded after {reached:.2f} s, although it goes on until {end:.2f} s: its codec changes there, or it is damaged; split it there into two files.</source>
        <translation>{name} hat nach {reached:.2f} s kein dekodierbares Bild, obwohl es bis {end:.2f} s weitergeht: dort wechselt der Codec, oder es ist beschädigt; dort in zwei Dateien teilen.</translation>
    </message>
    <message>
        <source>{name} has sent no image for {seconds:.0f} s; check that it is on, or leave its layer out.</source>
        <translation>{name} hat seit {seconds:.0f} s kein Bild gesendet; prüfen, ob es eingeschaltet ist, oder seine Ebene weglassen.</translation>
    </message>
    <message>
        <source>{name} is cut off, and a part of the image is missing; send the whole.</source>
        <translation>{name} ist abgeschnitten, ein Teil des Bildes fehlt: das Ganze senden.</translation>
    </message>
    <message>
        <source>{name} is cut off, and a part of the image is missing; try another copy of it.</source>
        <translation>{name} ist abgeschnitten, ein Teil des Bilds fehlt; eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} is larger than 1 MiB, the most for a filter; make it shorter.</source>
        <translation>{name} ist größer als 1 MiB, das Höchste für einen Filter; ihn kürzen.</translation>
    </message>
    <message>
        <source>{name} is no image of these kinds: {kinds}; convert it.</source>
        <translation>{name} ist kein Bild dieser Arten: {kinds}; bitte umwandeln.</translation>
    </message>
    <message>
        <source>{name} is {format} {foreign}, which is not decoded here: save it as PNG.</source>
        <translation>{name} ist {format} {foreign} und wird hier nicht dekodiert: als PNG speichern.</translation>
    </message>
    <message>
        <source>{name} is {width} x {height} pixels, more than the {most:,} that are decoded here; scale it down.</source>
        <translation>{name} hat {width} x {height} Pixel, mehr als die {most:,}, die hier decodiert werden; bitte verkleinern.</translation>
    </message>
    <message>
        <source>{name} keeps a state from frame to frame, so it cannot process tiles; set tiles to 1.</source>
        <translation>{name} behält einen Zustand von Bild zu Bild und kann daher keine Kacheln verarbeiten; Kacheln auf 1 setzen.</translation>
    </message>
    <message>
        <source>{name} needs a value for its input &apos;{name2}&apos;.</source>
        <translation>{name} braucht einen Wert für seinen Eingang &apos;{name2}&apos;.</translation>
    </message>
    <message>
        <source>{name} needs more memory than this machine has: {what}, of {most} in all; use a smaller network or input.</source>
        <translation>{name} braucht mehr Speicher, als dieser Rechner hat: {what}, von insgesamt {most}; ein kleineres Netz oder eine kleinere Eingabe verwenden.</translation>
    </message>
    <message>
        <source>{name} only computes the frame halfway between two; other times are rounded to eighths and reached by halving repeatedly.</source>
        <translation>{name} macht nur das Bild in der Mitte zwischen zweien; andere Zeiten werden auf Achtel gerundet und durch wiederholtes Halbieren gemacht.</translation>
    </message>
    <message>
        <source>{name} runs neither on {others} nor on {last} for now; end other programs, or choose a smaller network ({reason}).</source>
        <translation>{name} läuft im Moment weder auf {others} noch auf {last}; andere Programme beenden oder ein kleineres Netz wählen ({reason}).</translation>
    </message>
    <message>
        <source>{name} says more of one region than a frame reads back; choose onnxruntime for it.</source>
        <translation>{name} sagt von einem Bereich mehr, als ein Bild zurückliest; dafür onnxruntime wählen.</translation>
    </message>
    <message>
        <source>{name} takes {colors} in {scale} with mean {mean} and deviation {std}.</source>
        <translation>{name} nimmt {colors} in {scale} mit Mittelwert {mean} und Standardabweichung {std}.</translation>
    </message>
    <message>
        <source>{name} takes {colors} in {scale}.</source>
        <translation>{name} nimmt {colors} in {scale}.</translation>
    </message>
    <message>
        <source>{name} has changed since its first {done} frames were analyzed; leave --resume out to analyze all of it.</source>
        <translation>{name} wurde geändert, seit die ersten {done} Bilder analysiert wurden; ohne --resume wird alles analysiert.</translation>
    </message>
    <message>
        <source>{name} was not downloaded: {why}; check the network and try again.</source>
        <translation>{name} wurde nicht heruntergeladen: {why}; Netzwerk prüfen und erneut versuchen.</translation>
    </message>
    <message>
        <source>{name} was switched off: {error}</source>
        <translation>{name} wurde ausgeschaltet: {error}</translation>
    </message>
    <message>
        <source>{name} was switched off: {reason}.</source>
        <translation>{name} wurde ausgeschaltet: {reason}.</translation>
    </message>
    <message>
        <source>{name}() takes the name of an image and where to read it; correct its arguments</source>
        <translation>{name}() erwartet den Namen eines Bildes und die Stelle; die Argumente berichtigen</translation>
    </message>
    <message>
        <source>{name}, by the numbers in front of the names</source>
        <translation>{name}, nach den Nummern vor den Namen</translation>
    </message>
    <message>
        <source>{name}, line {number}: &apos;{words}&apos; is not part of a .cube table; correct it in a text editor.</source>
        <translation>{name}, Zeile {number}: &apos;{words}&apos; gehört nicht in eine .cube-Tabelle; es in einem Texteditor berichtigen.</translation>
    </message>
    <message>
        <source>{name}: {file} has {size} MiB, and {limit} at most are opened; choose another file.</source>
        <translation>{name}: {file} hat {size} MiB, und höchstens {limit} werden geöffnet; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name}: {text}</source>
        <translation>{name}: {text}</translation>
    </message>
    <message>
        <source>{node} is not supported: {what}; use the onnxruntime backend.</source>
        <translation>{node} wird nicht unterstützt: {what}; den Rechenweg onnxruntime verwenden.</translation>
    </message>
    <message>
        <source>{op} reads &apos;{tensor}&apos;, which nothing before it computes</source>
        <translation>{op} liest &apos;{tensor}&apos;, was nichts davor berechnet</translation>
    </message>
    <message>
        <source>{origin} with background first</source>
        <translation>{origin} mit Hintergrund an erster Stelle</translation>
    </message>
    <message>
        <source>{origin} without its background</source>
        <translation>{origin} ohne den Hintergrund</translation>
    </message>
    <message>
        <source>{part} gave values that are no numbers; choose fp32 (--precision fp32) or another backend, or download it again.</source>
        <translation>{part} lieferte Werte, die keine Zahlen sind; fp32 (--precision fp32) oder ein anderes Backend wählen oder es neu herunterladen.</translation>
    </message>
    <message>
        <source>{part} gives {shape} where embeddings of [batch, tokens, width] are needed; export it again.</source>
        <translation>{part} liefert {shape}, wo Einbettungen [batch, tokens, width] nötig sind; neu exportieren.</translation>
    </message>
    <message>
        <source>{part} takes samples of {channels} channels; at most {most} are known.</source>
        <translation>{part} nimmt Proben mit {channels} Kanälen; bekannt sind höchstens {most}.</translation>
    </message>
    <message>
        <source>{part} takes {shape} timesteps where one for each of {batch} samples is known; export the folder again.</source>
        <translation>{part} nimmt {shape} Zeitschritte, bekannt ist einer für jede von {batch} Proben; den Ordner neu exportieren.</translation>
    </message>
    <message>
        <source>{part} takes {width} numbers of the guidance; at most {most} are known.</source>
        <translation>{part} nimmt {width} Zahlen für die Führung; bekannt sind höchstens {most}.</translation>
    </message>
    <message>
        <source>{part} was exported for {batch} prompts at a time; export it for one.</source>
        <translation>{part} wurde für {batch} Prompts auf einmal exportiert; für einen exportieren.</translation>
    </message>
    <message>
        <source>{path} already holds something else</source>
        <translation>{path} enthält schon etwas anderes</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); look after its permissions.</source>
        <translation>{path} kann nicht gelesen werden ({reason}); die Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>{path} cannot be replaced: {reason}; the video is in {part}.</source>
        <translation>{path} kann nicht ersetzt werden: {reason}; das Video ist in {part}.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation>{path} kann nicht geschrieben werden: {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}; check the folder and its permissions.</source>
        <translation>{path} kann nicht geschrieben werden: {reason}; den Ordner und seine Rechte prüfen.</translation>
    </message>
    <message>
        <source>{path} does not begin with &apos;{front_matter_open}&apos; and a description in TOML; see docs/filters.md.</source>
        <translation>{path} beginnt nicht mit &apos;{front_matter_open}&apos; und einer Beschreibung in TOML; siehe docs/filters.md.</translation>
    </message>
    <message>
        <source>{path} does not list an exported site&apos;s files; choose an empty folder or a new one.</source>
        <translation>{path} führt nicht die Dateien einer exportierten Seite auf; einen leeren oder neuen Ordner wählen.</translation>
    </message>
    <message>
        <source>{path} exists already, and nothing is replaced; choose another name or folder.</source>
        <translation>{path} gibt es schon, und nichts wird ersetzt; einen anderen Namen oder Ordner wählen.</translation>
    </message>
    <message>
        <source>{path} has no function &apos;{wanted}&apos;, which a pass runs.</source>
        <translation>{path} hat keine Funktion &apos;{wanted}&apos;, die ein Durchgang ausführt.</translation>
    </message>
    <message>
        <source>{path} holds no motion of a video as this version writes it; delete it, and it is written anew.</source>
        <translation>{path} enthält keine Bewegung eines Videos, wie diese Version sie schreibt; nach dem Löschen wird sie neu geschrieben.</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe, not a file: a camera is opened as &apos;camera:&lt;its name&gt;&apos;.</source>
        <translation>{path} ist ein Gerät oder eine Pipe, keine Datei: Eine Kamera wird als &apos;camera:&lt;its name&gt;&apos; geöffnet.</translation>
    </message>
    <message>
        <source>{path} is a folder without a network in it; give an .onnx or .tflite file.</source>
        <translation>{path} ist ein Ordner, in dem kein Netz ist; eine .onnx- oder .tflite-Datei angeben.</translation>
    </message>
    <message>
        <source>{path} is a folder; give the file of a network in it, as {file}.</source>
        <translation>{path} ist ein Ordner; die Datei eines Netzes in ihm angeben, etwa {file}.</translation>
    </message>
    <message>
        <source>{path} is not a file</source>
        <translation>{path} ist keine Datei</translation>
    </message>
    <message>
        <source>{path} is not a file; choose a video file.</source>
        <translation>{path} ist keine Datei; eine Videodatei wählen.</translation>
    </message>
    <message>
        <source>{path} is not saved: it would hold {count} files of {size} MiB in total, and at most {most} files and {limit} MiB can be opened; save the look as .toml.</source>
        <translation>{path} wird nicht gespeichert: es hätte {count} Dateien mit zusammen {size} MiB, und höchstens {most} Dateien und {limit} MiB werden geöffnet; als .toml speichern.</translation>
    </message>
    <message>
        <source>{path} is not saved: it would have {size:.1f} MiB, and at most {most} MiB are read; remove key frames, or effects that have many.</source>
        <translation>{path} wird nicht gespeichert: Es wären {size:.1f} MiB, und höchstens {most} MiB werden gelesen; Keyframes entfernen oder Effekte, die viele haben.</translation>
    </message>
    <message>
        <source>{path} is not the file that the catalogue names (its checksum is another one); remove it and download it again.</source>
        <translation>{path} ist nicht die Datei, die der Katalog nennt (die Prüfsumme ist eine andere); sie entfernen und noch einmal herunterladen.</translation>
    </message>
    <message>
        <source>{path} is of a user who is not known here</source>
        <translation>{path} gehört einem Benutzer, der hier nicht bekannt ist</translation>
    </message>
    <message>
        <source>{path} is the folder of a pipeline, not one network: &apos;lightloom generate&apos; makes images with it, and the filter Diffusion repaints with it (--filter diffusion:model={path}).</source>
        <translation>{path} ist der Ordner einer Pipeline und nicht ein einzelnes Netz: &apos;lightloom generate&apos; macht damit Bilder, und der Filter Diffusion malt damit neu (--filter diffusion:model={path}).</translation>
    </message>
    <message>
        <source>{path} takes {seconds:.1f} s for 64 pixels; shorten its loops.</source>
        <translation>{path} braucht {seconds:.1f} s für 64 Pixel; die Schleifen kürzen.</translation>
    </message>
    <message>
        <source>{path} was not written by an export, or was changed since; move it away, or choose another folder.</source>
        <translation>{path} wurde nicht von einem Export geschrieben oder seither geändert; es verschieben oder einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>{path}: &apos;{entry}&apos; must have @workgroup_size({size}), as its pass declares.</source>
        <translation>{path}: &apos;{entry}&apos; muss @workgroup_size({size}) haben, wie der Durchgang es angibt.</translation>
    </message>
    <message>
        <source>{path}: &apos;{entry}&apos; uses a binding that it is not given: &apos;result&apos; needs an output in its pass, and @group and @binding are Lightloom&apos;s alone.</source>
        <translation>{path}: &apos;{entry}&apos; verwendet eine Bindung, die es nicht bekommt: &apos;result&apos; braucht einen Ausgang im Durchgang, und @group und @binding gehören allein Lightloom.</translation>
    </message>
    <message>
        <source>{path}: its expressions are nested too deep; use functions.</source>
        <translation>{path}: Die Ausdrücke sind zu tief verschachtelt; Funktionen verwenden.</translation>
    </message>
    <message>
        <source>{path}: its textures take {size:.1f} GiB for a frame of {width} x {height} pixels, and {limit} GiB are allowed; make them smaller or fewer.</source>
        <translation>{path}: Die Texturen brauchen {size:.1f} GiB für ein Bild von {width} x {height} Pixeln, und {limit} GiB sind erlaubt; sie verkleinern oder weniger verwenden.</translation>
    </message>
    <message>
        <source>{path}: the GPU refuses to run it: {reason}.</source>
        <translation>{path}: Die GPU weigert sich, ihn auszuführen: {reason}.</translation>
    </message>
    <message>
        <source>{path}: the description at the top contains &apos;/*&apos;, which begins a second comment; leave it out.</source>
        <translation>{path}: Die Beschreibung am Anfang enthält &apos;/*&apos;, womit ein zweiter Kommentar beginnt; es weglassen.</translation>
    </message>
    <message>
        <source>{path}: the description at the top is longer than {limit} KiB.</source>
        <translation>{path}: Die Beschreibung am Anfang ist länger als {limit} KiB.</translation>
    </message>
    <message>
        <source>{path}: the description at the top is not valid TOML: {error}.</source>
        <translation>{path}: Die Beschreibung am Anfang ist kein gültiges TOML: {error}.</translation>
    </message>
    <message>
        <source>{path}: the description that begins in line 1 is never closed with &apos;*/&apos;.</source>
        <translation>{path}: Die Beschreibung, die in Zeile 1 beginnt, wird nie mit &apos;*/&apos; geschlossen.</translation>
    </message>
    <message>
        <source>{path}: {error}</source>
        <translation>{path}: {error}</translation>
    </message>
    <message>
        <source>{path}: {refusal}; shorten it, or start Lightloom with --trust-shaders to run it anyway.</source>
        <translation>{path}: {refusal}; ihn kürzen, oder Lightloom mit --trust-shaders starten, um ihn trotzdem auszuführen.</translation>
    </message>
    <message>
        <source>{public} broke off before its end: try it again.</source>
        <translation>{public} brach vor dem Ende ab: es noch einmal versuchen.</translation>
    </message>
    <message>
        <source>{public} can&apos;t be reached or sends no video: check the address and the network.</source>
        <translation>{public} ist nicht erreichbar oder sendet kein Video: Adresse und Netzwerk prüfen.</translation>
    </message>
    <message>
        <source>{public} has no video in it: check the address.</source>
        <translation>{public} enthält kein Video: die Adresse prüfen.</translation>
    </message>
    <message>
        <source>{public} is not a video stream that Lightloom reads: give one of RTSP, MJPEG or MPEG-TS.</source>
        <translation>{public} ist kein Videostrom, den Lightloom liest: einen mit RTSP, MJPEG oder MPEG-TS angeben.</translation>
    </message>
    <message>
        <source>{public} sends no time stamps, and its frames are timed by their arrival, so #fps={rate:.4g} has no effect; leave it out of the address.</source>
        <translation>{public} sendet keine Zeitstempel, und als Zeit seiner Bilder gilt ihre Ankunft, daher hat #fps={rate:.4g} keine Wirkung; es aus der Adresse weglassen.</translation>
    </message>
    <message>
        <source>{public} sends no time stamps, so {rate:.4g} frames per second are assumed; add its rate to the address, as in #fps=10.</source>
        <translation>{public} sendet keine Zeitstempel, daher werden {rate:.4g} Bilder pro Sekunde angenommen; die Bildrate an die Adresse anfügen, wie in #fps=10.</translation>
    </message>
    <message>
        <source>{public} sends time stamps, so #fps={rate:.4g} has no effect; leave it out of the address.</source>
        <translation>{public} sendet Zeitstempel, daher hat #fps={rate:.4g} keine Wirkung; es aus der Adresse weglassen.</translation>
    </message>
    <message>
        <source>{public} stopped sending: waiting for it to come back.</source>
        <translation>{public} sendet nichts mehr: Es wird gewartet, bis es wiederkommt.</translation>
    </message>
    <message>
        <source>{public} stopped sending; its stream has ended.</source>
        <translation>{public} sendet nichts mehr; der Stream ist zu Ende.</translation>
    </message>
    <message>
        <source>{reason} {division}</source>
        <translation>{reason} {division}</translation>
    </message>
    <message>
        <source>{reason}; {advice}</source>
        <translation>{reason}; {advice}</translation>
    </message>
    <message>
        <source>{seen}, ImageNet&apos;s mean and deviation.</source>
        <translation>{seen}, Mittelwert und Standardabweichung von ImageNet.</translation>
    </message>
    <message>
        <source>{seen}, so BGR in 0..255 less (104, 117, 123), as Caffe&apos;s reference networks.</source>
        <translation>{seen}, also BGR in 0..255 weniger (104, 117, 123), wie Caffes Referenznetze.</translation>
    </message>
    <message>
        <source>{seen}, so {scale}.</source>
        <translation>{seen}, also {scale}.</translation>
    </message>
    <message>
        <source>{spec} is the address of a file: give its path instead.</source>
        <translation>{spec} ist die Adresse einer Datei: stattdessen ihren Pfad angeben.</translation>
    </message>
    <message>
        <source>{title} can&apos;t be captured: choose another screen or window.</source>
        <translation>{title} kann nicht aufgenommen werden: einen anderen Bildschirm oder ein anderes Fenster wählen.</translation>
    </message>
    <message>
        <source>{title} cannot be removed from {folder} ({reason}); look after its permissions.</source>
        <translation>{title} kann nicht aus {folder} entfernt werden ({reason}); die Berechtigungen prüfen.</translation>
    </message>
    <message>
        <source>{title} comes with Lightloom already; publish a filter of your own.</source>
        <translation>{title} gehört schon zu Lightloom; einen eigenen Filter veröffentlichen.</translation>
    </message>
    <message>
        <source>{title} could not be opened; try another source.</source>
        <translation>{title} konnte nicht geöffnet werden; eine andere Quelle versuchen.</translation>
    </message>
    <message>
        <source>{title} is being downloaded by another window or command already; wait for that one.</source>
        <translation>{title} wird schon von einem anderen Fenster oder Befehl heruntergeladen; darauf warten.</translation>
    </message>
    <message>
        <source>{title} is not in {folder}; download it with &apos;lightloom models get {entry_id}&apos;.</source>
        <translation>{title} ist nicht in {folder}; es mit &apos;lightloom models get {entry_id}&apos; herunterladen.</translation>
    </message>
    <message>
        <source>{title} is shown without stabilization. {error}</source>
        <translation>{title} wird ohne Stabilisierung gezeigt. {error}</translation>
    </message>
    <message>
        <source>{title} reads {inputs}, and the page cannot do that; take it out of the look first.</source>
        <translation>{title} liest {inputs}, und die Seite kann das nicht; den Effekt zuerst aus dem Look nehmen.</translation>
    </message>
    <message>
        <source>{title} sends other streams than before; open it again.</source>
        <translation>{title} sendet andere Streams als zuvor; neu öffnen.</translation>
    </message>
    <message>
        <source>{title} was not downloaded, because Lightloom is set to work offline; switch that off first.</source>
        <translation>{title} wurde nicht heruntergeladen, weil Lightloom offline arbeiten soll; das zuerst ausschalten.</translation>
    </message>
    <message>
        <source>{title} was not downloaded: the folder {folder} cannot be written ({reason}); choose another folder.</source>
        <translation>{title} wurde nicht heruntergeladen: In den Ordner {folder} kann nicht geschrieben werden ({reason}); einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>{title} was not downloaded: {folder} needs {need:.1f} MiB more than is free there; make room or choose another folder.</source>
        <translation>{title} wurde nicht heruntergeladen: {folder} braucht {need:.1f} MiB mehr, als dort frei sind; Platz schaffen oder einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>{title} was not downloaded: {last}; {advice}.</source>
        <translation>{title} wurde nicht heruntergeladen: {last}; {advice}.</translation>
    </message>
    <message numerus="yes">
        <source>{title}: it works again; %n events were not delivered, the log has them.</source>
        <translation>
            <numerusform>{title}: Es geht wieder; %n Ereignis wurde nicht zugestellt, es steht im Protokoll.</numerusform>
            <numerusform>{title}: Es geht wieder; %n Ereignisse wurden nicht zugestellt, sie stehen im Protokoll.</numerusform>
        </translation>
    </message>
    <message>
        <source>{unsaid}; ImageNet&apos;s mean and deviation are assumed.</source>
        <translation>{unsaid}; Mittelwert und Standardabweichung von ImageNet werden angenommen.</translation>
    </message>
    <message>
        <source>{unsaid}; images come out best with {scale}.</source>
        <translation>{unsaid}; mit {scale} werden die Bilder am besten.</translation>
    </message>
    <message>
        <source>{unsaid}; the output&apos;s is taken, {scale}.</source>
        <translation>{unsaid}; der des Ausgangs wird genommen, {scale}.</translation>
    </message>
    <message>
        <source>{unsaid}; {scale} is assumed.</source>
        <translation>{unsaid}; {scale} wird angenommen.</translation>
    </message>
    <message>
        <source>{variable} is &apos;{value}&apos;: it takes wgpu or dawn.</source>
        <translation>{variable} ist „{value}“; möglich sind wgpu und dawn.</translation>
    </message>
    <message>
        <source>{wanted_path}: the GPU refuses it: {reason}.</source>
        <translation>{wanted_path}: Die GPU nimmt ihn nicht an: {reason}.</translation>
    </message>
    <message>
        <source>{what} takes {seconds:.1f} s for a frame of {width} x {height} pixels{work} on {adapter}, and {allowed:g} s are allowed</source>
        <translation>{what} braucht auf {adapter} {seconds:.1f} s für ein Bild von {width} x {height} Pixeln{work}, und {allowed:g} s sind erlaubt</translation>
    </message>
    <message>
        <source>{what}, {shown}, is not there and was left out.</source>
        <translation>{what}, {shown}, gibt es nicht und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>{where}: {rest}</source>
        <translation>{where}: {rest}</translation>
    </message>
    <message>
        <source>{where}: {what}.</source>
        <translation>{where}: {what}.</translation>
    </message>
    <message>
        <source>{{zone}} and {{event}} cannot stand in the host&apos;s name</source>
        <translation>{{zone}} und {{event}} können nicht im Rechnernamen stehen</translation>
    </message>
    <message>
        <source>{{zone}} and {{event}} stand for their names.</source>
        <translation>{{zone}} und {{event}} stehen für deren Namen.</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>Klassifikation</translation>
    </message>
    <message>
        <source>Object detection</source>
        <translation>Objekterkennung</translation>
    </message>
    <message>
        <source>Style transfer</source>
        <translation>Stilübertragung</translation>
    </message>
    <message>
        <source>Depth estimation</source>
        <translation>Tiefenschätzung</translation>
    </message>
    <message>
        <source>Detection</source>
        <translation>Erkennung</translation>
    </message>
    <message>
        <source>Minimum score</source>
        <translation>Mindestwertung</translation>
    </message>
    <message>
        <source>There is no backend &apos;{backend}&apos;; choose {others} or {last}.</source>
        <translation>Es gibt kein Backend „{backend}“; {others} oder {last} wählen.</translation>
    </message>
    <message>
        <source>What is less certain is not shown.</source>
        <translation>Was weniger sicher ist, wird nicht gezeigt.</translation>
    </message>
    <message>
        <source>Of two boxes that share more than this, the less certain one goes.</source>
        <translation>Von zwei Rahmen, die sich mehr als so weit überdecken, fällt der unsicherere weg.</translation>
    </message>
    <message>
        <source>Overlap (IoU)</source>
        <translation>Überdeckung (IoU)</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Classes shown</source>
        <translation>Gezeigte Klassen</translation>
    </message>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation>
            <numerusform>%n Kandidat zu viel, ausgelassen; die Mindestwertung erhöhen.</numerusform>
            <numerusform>%n Kandidaten zu viel, ausgelassen; die Mindestwertung erhöhen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Classification: names what the image shows</source>
        <translation>Klassifikation: benennt, was das Bild zeigt</translation>
    </message>
    <message>
        <source>Object detection: boxes around objects</source>
        <translation>Objekterkennung: Rahmen um Dinge</translation>
    </message>
    <message>
        <source>Style transfer or enhancement: a new image</source>
        <translation>Stilübertragung oder Verbesserung: ein neues Bild</translation>
    </message>
    <message>
        <source>Segmentation: a mask or classes of pixels</source>
        <translation>Segmentierung: eine Maske oder Klassen von Pixeln</translation>
    </message>
    <message>
        <source>Depth estimation: distances of objects</source>
        <translation>Tiefenschätzung: wie fern Dinge sind</translation>
    </message>
    <message>
        <source>{name} was changed while it was being loaded; load it again.</source>
        <translation>{name} wurde während des Ladens geändert; es noch einmal laden.</translation>
    </message>
    <message>
        <source>a buffer of {size} bytes, more than {adapter} allows</source>
        <translation>ein Puffer von {size} Bytes, mehr als {adapter} erlaubt</translation>
    </message>
    <message>
        <source>{adapter} has no 16-bit floats in shaders</source>
        <translation>{adapter} hat keine 16-Bit-Gleitkommazahlen in Shadern</translation>
    </message>
    <message>
        <source>&amp;1:1</source>
        <translation>&amp;1:1</translation>
    </message>
    <message>
        <source>&amp;A-B loop: set A, then B</source>
        <translation>&amp;A-B-Schleife: A setzen, dann B</translation>
    </message>
    <message>
        <source>&amp;About Lightloom</source>
        <translation>Ü&amp;ber Lightloom</translation>
    </message>
    <message>
        <source>&amp;Before and after</source>
        <translation>&amp;Vorher und nachher</translation>
    </message>
    <message>
        <source>&amp;Close the source</source>
        <translation>Quelle s&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Commands...</source>
        <translation>&amp;Befehle...</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Faster</source>
        <translation>&amp;Schneller</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>&amp;Einpassen</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Anleitung</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Lock the panels</source>
        <translation>Bereiche &amp;fixieren</translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation>Sch&amp;leife</translation>
    </message>
    <message>
        <source>&amp;Mirror the preview</source>
        <translation>Vorschau &amp;spiegeln</translation>
    </message>
    <message>
        <source>&amp;Normal speed</source>
        <translation>&amp;Normale Geschwindigkeit</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>Ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>&amp;Play or pause</source>
        <translation>&amp;Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>&amp;Wiedergabe</translation>
    </message>
    <message>
        <source>&amp;Looks</source>
        <translation>&amp;Looks</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>&amp;Aufnehmen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Remove the network</source>
        <translation>Netz &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Search the library</source>
        <translation>Bibliothek durch&amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Slower</source>
        <translation>&amp;Langsamer</translation>
    </message>
    <message>
        <source>&amp;Sources and library</source>
        <translation>&amp;Quellen und Bibliothek</translation>
    </message>
    <message>
        <source>&amp;Statistics</source>
        <translation>S&amp;tatistik</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Back 1 s</source>
        <translation>1 s zurück</translation>
    </message>
    <message>
        <source>Back 5 s</source>
        <translation>5 s zurück</translation>
    </message>
    <message>
        <source>C&amp;hain</source>
        <translation>K&amp;ette</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Kette</translation>
    </message>
    <message>
        <source>Check for &amp;updates...</source>
        <translation>Nach Akt&amp;ualisierungen suchen...</translation>
    </message>
    <message>
        <source>Check for updates once a &amp;week</source>
        <translation>Einmal pro &amp;Woche nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Copy the &amp;image</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>Voll&amp;bild</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Forward 1 s</source>
        <translation>1 s vor</translation>
    </message>
    <message>
        <source>Forward 5 s</source>
        <translation>5 s vor</translation>
    </message>
    <message>
        <source>Graphics &amp;adapter...</source>
        <translation>Grafik&amp;adapter...</translation>
    </message>
    <message>
        <source>Hide the statistics</source>
        <translation>Statistik ausblenden</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Ne&amp;xt frame</source>
        <translation>Näch&amp;stes Bild</translation>
    </message>
    <message>
        <source>Net&amp;works</source>
        <translation>Net&amp;ze</translation>
    </message>
    <message>
        <source>Open a &amp;camera</source>
        <translation>&amp;Kamera öffnen</translation>
    </message>
    <message>
        <source>Open a &amp;folder of images...</source>
        <translation>&amp;Ordner mit Bildern öffnen...</translation>
    </message>
    <message>
        <source>Open a &amp;network...</source>
        <translation>&amp;Netz öffnen...</translation>
    </message>
    <message>
        <source>Open a &amp;stream...</source>
        <translation>&amp;Strom öffnen...</translation>
    </message>
    <message>
        <source>Pin the performance &amp;overlay</source>
        <translation>Leistungs&amp;anzeige anheften</translation>
    </message>
    <message>
        <source>Play the s&amp;ample</source>
        <translation>Beis&amp;piel abspielen</translation>
    </message>
    <message>
        <source>Pre&amp;vious frame</source>
        <translation>&amp;Voriges Bild</translation>
    </message>
    <message>
        <source>R&amp;ecent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Record to a &amp;file...</source>
        <translation>In eine &amp;Datei aufnehmen...</translation>
    </message>
    <message>
        <source>Reset the &amp;panels</source>
        <translation>Bereiche &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>S&amp;napshot</source>
        <translation>Sch&amp;nappschuss</translation>
    </message>
    <message>
        <source>Save a &amp;report of a problem...</source>
        <translation>Be&amp;richt zu einem Problem speichern...</translation>
    </message>
    <message>
        <source>Show the performance overlay &amp;briefly</source>
        <translation>Leistungsanzeige &amp;kurz zeigen</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>The frame size changes at {seconds:.2f} s from {old} to {new}; from there on frames are scaled to the first size.</source>
        <translation>Die Bildgröße ändert sich bei {seconds:.2f} s von {old} auf {new}; von da an wird auf die erste Größe skaliert.</translation>
    </message>
    <message>
        <source>Toggle fa&amp;vorite</source>
        <translation>Fa&amp;vorit ein oder aus</translation>
    </message>
    <message>
        <source>Checking for a newer Lightloom failed ({why}); see {site}.</source>
        <translation>Ob es ein neueres Lightloom gibt, war nicht herauszufinden ({why}); nachsehen: {site}.</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Vergrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>export it with a batch of 1, or with a free one</source>
        <translation>es mit einem Batch von 1 oder einem freien exportieren</translation>
    </message>
    <message>
        <source>export it with inputs of float32</source>
        <translation>es mit Eingängen in float32 exportieren</translation>
    </message>
    <message>
        <source>export it with its number of channels stated</source>
        <translation>es mit angegebener Zahl der Kanäle exportieren</translation>
    </message>
    <message>
        <source>export the network that it was made from to ONNX</source>
        <translation>das Netz, aus dem es entstanden ist, nach ONNX exportieren</translation>
    </message>
    <message>
        <source>export the network that they are of to ONNX</source>
        <translation>das Netz, zu dem sie gehören, nach ONNX exportieren</translation>
    </message>
    <message>
        <source>export the network that they are of with torch.onnx.export</source>
        <translation>das Netz, zu dem sie gehören, mit torch.onnx.export exportieren</translation>
    </message>
    <message>
        <source>export the network with torch.onnx.export, or with optimum-cli export onnx</source>
        <translation>das Netz mit torch.onnx.export oder mit optimum-cli export onnx exportieren</translation>
    </message>
    <message>
        <source>http:// or https://; {{zone}} and {{event}} stand for their names.</source>
        <translation>http:// oder https://; {{zone}} und {{event}} stehen für deren Namen.</translation>
    </message>
    <message>
        <source>{most} files at most</source>
        <translation>höchstens {most} Dateien</translation>
    </message>
    <message>
        <source>&amp;Compare backends</source>
        <translation>Rechenwege &amp;vergleichen</translation>
    </message>
    <message>
        <source>Choose images to compare with.</source>
        <translation>Bilder zum Vergleichen wählen.</translation>
    </message>
    <message>
        <source>Compare backends</source>
        <translation>Rechenwege vergleichen</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Hide the comparison</source>
        <translation>Vergleich ausblenden</translation>
    </message>
    <message>
        <source>Hide what the network sees</source>
        <translation>Was das Netz sieht ausblenden</translation>
    </message>
    <message>
        <source>Similarity: how similar the image and others are</source>
        <translation>Ähnlichkeit: wie sehr das Bild anderen gleicht</translation>
    </message>
    <message>
        <source>Images for the comparison, 16 at most.</source>
        <translation>Bilder, mit denen verglichen wird, was zu sehen ist; höchstens 16.</translation>
    </message>
    <message>
        <source>The comparison failed ({reason}); begin it again.</source>
        <translation>Der Vergleich ist gescheitert ({reason}); noch einmal beginnen.</translation>
    </message>
    <message>
        <source>The output &apos;{output}&apos; is compared, {count} numbers.</source>
        <translation>Verglichen wird die Ausgabe &apos;{output}&apos;, {count} Zahlen.</translation>
    </message>
    <message>
        <source>What the &amp;network sees</source>
        <translation>Was das &amp;Netz sieht</translation>
    </message>
    <message>
        <source>What the network sees</source>
        <translation>Was das Netz sieht</translation>
    </message>
    <message>
        <source>a file of the network&apos;s &apos;{name}&apos;</source>
        <translation>eine Datei aus &apos;{name}&apos; des Netzes</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>{name} gives no vector of features: its outputs are {shapes}, where [1, numbers] is expected; choose another network.</source>
        <translation>{name} liefert keinen Merkmalsvektor: Die Ausgaben sind {shapes}, erwartet wird [1, Zahlen]; ein anderes Netz wählen.</translation>
    </message>
    <message numerus="yes">
        <source>%n entries are damaged and were left out.</source>
        <translation>
            <numerusform>%n Eintrag ist beschädigt und wurde ausgelassen.</numerusform>
            <numerusform>%n Einträge sind beschädigt und wurden ausgelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have labels already.</source>
        <translation>
            <numerusform>%n Bild hat schon Beschriftungen.</numerusform>
            <numerusform>%n Bilder haben schon Beschriftungen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have another aspect ratio here and were left out.</source>
        <translation>
            <numerusform>%n Bild hat hier andere Proportionen und wurde ausgelassen.</numerusform>
            <numerusform>%n Bilder haben hier andere Proportionen und wurden ausgelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images named there are missing here.</source>
        <translation>
            <numerusform>%n dort genanntes Bild ist nicht hier.</numerusform>
            <numerusform>%n dort genannte Bilder sind nicht hier.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Add a class...</source>
        <translation>Klasse &amp;hinzufügen...</translation>
    </message>
    <message>
        <source>&amp;Choose a class...</source>
        <translation>Klasse &amp;wählen...</translation>
    </message>
    <message>
        <source>&amp;Class</source>
        <translation>&amp;Klasse</translation>
    </message>
    <message>
        <source>&amp;Confirm the box</source>
        <translation>Rahmen &amp;bestätigen</translation>
    </message>
    <message>
        <source>&amp;Draw a box</source>
        <translation>Rahmen &amp;zeichnen</translation>
    </message>
    <message>
        <source>&amp;Export labels...</source>
        <translation>Beschriftungen &amp;exportieren...</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Label images...</source>
        <translation>Bilder b&amp;eschriften...</translation>
    </message>
    <message>
        <source>&amp;Next image</source>
        <translation>&amp;Nächstes Bild</translation>
    </message>
    <message>
        <source>&amp;Previous image</source>
        <translation>&amp;Voriges Bild</translation>
    </message>
    <message>
        <source>&amp;Propose for this image</source>
        <translation>Für dieses Bild &amp;vorschlagen</translation>
    </message>
    <message>
        <source>Box in the &amp;middle</source>
        <translation>Rahmen in der &amp;Mitte</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>Sch&amp;ließen</translation>
    </message>
    <message>
        <source>COCO (*.json)</source>
        <translation>COCO (*.json)</translation>
    </message>
    <message>
        <source>Class {number} for the box</source>
        <translation>Klasse {number} für den Rahmen</translation>
    </message>
    <message>
        <source>Class {number} for the whole image</source>
        <translation>Klasse {number} für das ganze Bild</translation>
    </message>
    <message>
        <source>Confirm it &amp;no more</source>
        <translation>&amp;Nicht mehr bestätigen</translation>
    </message>
    <message>
        <source>Confirm the &amp;image, go on</source>
        <translation>B&amp;ild bestätigen, weiter</translation>
    </message>
    <message>
        <source>De&amp;lete the box</source>
        <translation>Rahmen &amp;löschen</translation>
    </message>
    <message>
        <source>Frame {number} of {name} cannot be decoded; go on to the next one.</source>
        <translation>Bild {number} von {name} lässt sich nicht dekodieren; mit dem nächsten weitermachen.</translation>
    </message>
    <message>
        <source>Frames can&apos;t be taken every {seconds:g} s: give 0.01 to 3600.</source>
        <translation>Bilder können nicht alle {seconds:g} s genommen werden: 0.01 bis 3600 angeben.</translation>
    </message>
    <message>
        <source>Import &amp;COCO...</source>
        <translation>&amp;COCO importieren...</translation>
    </message>
    <message>
        <source>Import &amp;YOLO...</source>
        <translation>&amp;YOLO importieren...</translation>
    </message>
    <message>
        <source>Import labels from COCO</source>
        <translation>Beschriftungen aus COCO importieren</translation>
    </message>
    <message>
        <source>Import labels from YOLO</source>
        <translation>Beschriftungen aus YOLO importieren</translation>
    </message>
    <message>
        <source>Label a &amp;video...</source>
        <translation>&amp;Video beschriften...</translation>
    </message>
    <message>
        <source>Label the frames of a video</source>
        <translation>Bilder eines Videos beschriften</translation>
    </message>
    <message>
        <source>Label the images of a folder</source>
        <translation>Bilder eines Ordners beschriften</translation>
    </message>
    <message numerus="yes">
        <source>Labels of %n images were read.</source>
        <translation>
            <numerusform>Beschriftungen von %n Bild wurden gelesen.</numerusform>
            <numerusform>Beschriftungen von %n Bildern wurden gelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Labels saved as {name}</source>
        <translation>Beschriftungen gespeichert als {name}</translation>
    </message>
    <message>
        <source>Line {line} of {name} is damaged; remove that line, or move the file away to begin anew.</source>
        <translation>Zeile {line} von {name} ist beschädigt; die Zeile entfernen oder die Datei wegräumen, um neu zu beginnen.</translation>
    </message>
    <message>
        <source>Next &amp;box</source>
        <translation>Nächster &amp;Rahmen</translation>
    </message>
    <message>
        <source>Next &amp;unconfirmed image</source>
        <translation>Nächstes &amp;unbestätigtes Bild</translation>
    </message>
    <message>
        <source>No image has labels yet, so there is nothing to export.</source>
        <translation>Noch hat kein Bild Beschriftungen, also gibt es nichts zu exportieren.</translation>
    </message>
    <message>
        <source>No image is confirmed yet, so there is nothing to export; confirm some first.</source>
        <translation>Noch ist kein Bild bestätigt, also gibt es nichts zu exportieren; zuerst welche bestätigen.</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>{name} wird geöffnet</translation>
    </message>
    <message>
        <source>Previous b&amp;ox</source>
        <translation>Voriger Rah&amp;men</translation>
    </message>
    <message>
        <source>Propose for &amp;all without labels</source>
        <translation>Für &amp;alle ohne Beschriftungen vorschlagen</translation>
    </message>
    <message>
        <source>Seconds from one frame to the next</source>
        <translation>Sekunden von einem Bild zum nächsten</translation>
    </message>
    <message>
        <source>The labels cannot be stored beside the images ({reason}: {folder}), so they are stored in {name}.</source>
        <translation>Die Beschriftungen können nicht neben den Bildern liegen ({reason}: {folder}) und liegen deshalb in {name}.</translation>
    </message>
    <message>
        <source>The labels cannot be kept in {name} ({reason}); make room, and the next edit keeps them too.</source>
        <translation>Die Beschriftungen können nicht in {name} gespeichert werden ({reason}); Platz schaffen, dann speichert die nächste Änderung sie mit.</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); check its permissions, or move it away.</source>
        <translation>Die Beschriftungen in {name} können nicht gelesen werden ({reason}); die Rechte prüfen oder die Datei wegräumen.</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); choose another file.</source>
        <translation>Die Beschriftungen in {name} können nicht gelesen werden ({reason}); eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); choose another folder.</source>
        <translation>Die Beschriftungen in {name} können nicht gelesen werden ({reason}); einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The labels of these images are stored in {name}.</source>
        <translation>Die Beschriftungen dieser Bilder liegen in {name}.</translation>
    </message>
    <message>
        <source>The image cannot be shown ({reason}); convert it to PNG.</source>
        <translation>Das Bild kann nicht gezeigt werden ({reason}); nach PNG umwandeln.</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>Videos</translation>
    </message>
    <message>
        <source>{format} has no place for the classes of {pictures}.</source>
        <translation>{format} hat keinen Platz für die Klassen von {pictures}.</translation>
    </message>
    <message>
        <source>{format} holds boxes, and only whole images have classes here; choose CSV, JSON lines or Parquet.</source>
        <translation>{format} enthält Rahmen, und hier haben nur ganze Bilder Klassen; CSV, JSON lines oder Parquet wählen.</translation>
    </message>
    <message>
        <source>{name} has labels of other images than those in {folder}; choose the labels of these.</source>
        <translation>{name} hat Beschriftungen anderer Bilder als derer in {folder}; die Beschriftungen dieser wählen.</translation>
    </message>
    <message>
        <source>{name} has more than {most:,} images; label a part of them.</source>
        <translation>{name} hat mehr als {most:,} Bilder; einen Teil davon beschriften.</translation>
    </message>
    <message>
        <source>{name} holds no labels of Lightloom; move it away to begin new labels for these images.</source>
        <translation>{name} enthält keine Beschriftungen von Lightloom; die Datei wegräumen, dann beginnen die Beschriftungen dieser Bilder neu.</translation>
    </message>
    <message>
        <source>{name} is damaged: {file} is not what its list of files says; get it again.</source>
        <translation>{name} ist beschädigt: {file} ist nicht, was das Verzeichnis der Dateien sagt; die Datei noch einmal holen.</translation>
    </message>
    <message>
        <source>{name} is empty; download or export it again.</source>
        <translation>{name} ist leer; die Datei noch einmal herunterladen oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is no detector of a family that Lightloom decodes: its outputs are {shapes}; choose another network, or one of the decoders {names} (--decoder NAME).</source>
        <translation>{name} ist kein Detektor einer Familie, die Lightloom dekodiert: Seine Ausgaben sind {shapes}; ein anderes Netz oder einen der Decoder {names} wählen (--decoder NAME).</translation>
    </message>
    <message>
        <source>{name} is no look of Lightloom: {contents} does not say &apos;lightloom_bundle = {version}&apos;; choose another file.</source>
        <translation>{name} ist kein Look von Lightloom: {contents} enthält nicht &apos;lightloom_bundle = {version}&apos;; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{name} is not a file of COCO&apos;s with images, annotations and categories; choose another one.</source>
        <translation>{name} ist keine COCO-Datei mit images, annotations und categories; eine andere wählen.</translation>
    </message>
    <message>
        <source>{name} is not recognized: its inputs are {inputs}, its outputs {outputs}. Choose its task (--task NAME), for a detector its decoder (--decoder NAME), or another export of it.</source>
        <translation>{name} wurde nicht erkannt: Eingaben {inputs}, Ausgaben {outputs}. Aufgabe wählen (--task NAME), bei einem Detektor den Decoder (--decoder NAME), oder einen anderen Export.</translation>
    </message>
    <message>
        <source>{name} is of a newer Lightloom; update this one, or move the file away.</source>
        <translation>{name} ist von einem neueren Lightloom; dieses aktualisieren oder die Datei wegräumen.</translation>
    </message>
    <message>
        <source>{name} is still being examined; a large network may take minutes.</source>
        <translation>{name} wird noch untersucht; bei einem großen Netz kann es Minuten dauern.</translation>
    </message>
    <message>
        <source>{name} is still being loaded; a large network may take minutes.</source>
        <translation>{name} wird noch geladen; bei einem großen Netz kann es Minuten dauern.</translation>
    </message>
    <message>
        <source>{name} leaves the sizes of its states ({states}) free, and they do not follow from the image size; export it with fixed sizes.</source>
        <translation>{name} lässt die Größen seiner Zustände ({states}) frei, und sie folgen nicht aus der des Bildes; es mit festen Größen exportieren.</translation>
    </message>
    <message>
        <source>{name} takes text beside images (input &apos;{input}&apos;); export its image part by itself, as a CLIP network&apos;s image tower.</source>
        <translation>{name} nimmt neben Bildern Text (Eingang &apos;{input}&apos;); den Teil für Bilder allein exportieren, wie den Bildteil eines CLIP-Netzes.</translation>
    </message>
    <message>
        <source>{name} takes two images and a number, as frame interpolation does; choose it for frame interpolation (--interpolate {name}).</source>
        <translation>{name} nimmt zwei Bilder und eine Zahl, wie Zwischenbildberechnung; es dafür wählen (--interpolate {name}).</translation>
    </message>
    <message>
        <source>{name} was changed by another program, perhaps a second Lightloom; close that, and open the images here again.</source>
        <translation>{name} wurde von einem anderen Programm geändert, vielleicht einem zweiten Lightloom; jenes schließen und die Bilder hier neu öffnen.</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded, so it plays silently; convert the file to hear it.</source>
        <translation>Der Ton von {name} kann nicht dekodiert werden, daher läuft es ohne ihn; die Datei umwandeln, um ihn zu hören.</translation>
    </message>
    <message>
        <source>&amp;Mute</source>
        <translation>&amp;Ton aus</translation>
    </message>
    <message>
        <source>&amp;Quieter</source>
        <translation>&amp;Leiser</translation>
    </message>
    <message>
        <source>&amp;Record the microphone with a camera</source>
        <translation>Das &amp;Mikrofon zu einer Kamera aufnehmen</translation>
    </message>
    <message>
        <source>L&amp;ouder</source>
        <translation>Laute&amp;r</translation>
    </message>
    <message>
        <source>No microphone can be used, so the recording has no audio; connect one, or allow Lightloom to use it.</source>
        <translation>Es kann kein Mikrofon benutzt werden, daher hat die Aufnahme keinen Ton; eines anschließen oder Lightloom die Benutzung erlauben.</translation>
    </message>
    <message>
        <source>Audio &amp;track</source>
        <translation>Ton&amp;spur</translation>
    </message>
    <message>
        <source>The microphone was disconnected; the recording continues without audio.</source>
        <translation>Das Mikrofon ist nicht mehr da; die Aufnahme geht ohne Ton weiter.</translation>
    </message>
    <message>
        <source>The audio device was disconnected; playback continues on another one if there is one.</source>
        <translation>Das Tongerät ist nicht mehr da; der Ton geht mit einem anderen weiter, wenn es eines gibt.</translation>
    </message>
    <message>
        <source>The audio device {name} cannot be opened; choose another one.</source>
        <translation>Das Tongerät {name} kann nicht geöffnet werden; ein anderes wählen.</translation>
    </message>
    <message>
        <source>Audio stopped because of an error; the video continues without it.</source>
        <translation>Der Ton hat wegen eines Fehlers aufgehört; das Bild geht ohne ihn weiter.</translation>
    </message>
    <message>
        <source>There is no audio device, so videos play silently; connect one and open the video again.</source>
        <translation>Es gibt kein Tongerät, daher laufen Videos ohne Ton; eines anschließen und das Video noch einmal öffnen.</translation>
    </message>
    <message>
        <source>The library for playing audio is not installed ({error}); reinstall Lightloom.</source>
        <translation>Was Ton abspielt, ist nicht installiert ({error}); Lightloom neu installieren.</translation>
    </message>
    <message>
        <source>The library for recording audio is not installed ({error}); reinstall Lightloom.</source>
        <translation>Was Ton aufnimmt, ist nicht installiert ({error}); Lightloom neu installieren.</translation>
    </message>
    <message>
        <source>&apos;output&apos; must be one of {outputs}</source>
        <translation>&apos;output&apos; muss eines von {outputs} sein</translation>
    </message>
    <message>
        <source>An .onnx file that takes two pictures and gives two channels: to the right and down, in pixels.</source>
        <translation>Eine .onnx-Datei, die zwei Bilder nimmt und zwei Kanäle gibt: nach rechts und nach unten, in Pixeln.</translation>
    </message>
    <message>
        <source>An .onnx or .tflite file that gives a larger picture, or one of the same size: a network that removes noise, say.</source>
        <translation>Eine .onnx- oder .tflite-Datei, die ein größeres Bild ergibt oder eines gleicher Größe: etwa ein Netz, das Rauschen entfernt.</translation>
    </message>
    <message>
        <source>Between arrows, in a picture of 1080 lines. An arrow is cut off at this length.</source>
        <translation>Zwischen Pfeilen, in einem Bild von 1080 Zeilen. Ein Pfeil wird bei dieser Länge abgeschnitten.</translation>
    </message>
    <message>
        <source>Colors: the hue is the direction, and the stronger the color the faster. Arrows: from where a point was to where it is now.</source>
        <translation>Farben: Der Farbton ist die Richtung, und je kräftiger die Farbe, desto schneller. Pfeile: von dort, wo ein Punkt war, dahin, wo er jetzt ist.</translation>
    </message>
    <message>
        <source>Enlarges the picture with a neural network, 2 or 4 times say; the stages behind it, and what is saved, have the larger picture.</source>
        <translation>Vergrößert das Bild mit einem neuronalen Netz, etwa 2- oder 4-fach; die Stufen dahinter und was gespeichert wird haben das größere Bild.</translation>
    </message>
    <message>
        <source>Full color at</source>
        <translation>Volle Farbe bei</translation>
    </message>
    <message>
        <source>How far something goes from picture to picture, as a share of the picture&apos;s width, to have the strongest color.</source>
        <translation>Wie weit etwas von Bild zu Bild geht, als Anteil der Bildbreite, um die kräftigste Farbe zu haben.</translation>
    </message>
    <message>
        <source>In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they overlap; how far the network looks is not known.</source>
        <translation>In {count} Kacheln ({across} x {down}) zu {width} x {height} Pixeln, überblendet, wo sie sich überlappen; wie weit das Netz sieht, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they overlap; the network looks {margin} pixels far.</source>
        <translation>In {count} Kacheln ({across} x {down}) zu {width} x {height} Pixeln, überblendet, wo sie sich überlappen; das Netz sieht {margin} Pixel weit.</translation>
    </message>
    <message>
        <source>Longer side of what the network sees at once, where it takes any size; 0 is as much as the memory allows. Tiles overlap and are blended.</source>
        <translation>Längere Seite dessen, was das Netz auf einmal sieht, wo es jede Größe nimmt; 0 ist so viel, wie der Speicher erlaubt. Kacheln überlappen sich und werden überblendet.</translation>
    </message>
    <message>
        <source>Mix of the picture as it is enlarged by interpolation and as the network enlarges it.</source>
        <translation>Mischung des Bildes, wie Interpolation und wie das Netz es vergrößert.</translation>
    </message>
    <message>
        <source>Optical flow</source>
        <translation>Optischer Fluss</translation>
    </message>
    <message>
        <source>Optical flow: motion between two images</source>
        <translation>Optischer Fluss: was sich wohin bewegt, aus zwei Bildern</translation>
    </message>
    <message>
        <source>Shows what moves where, of the present picture and the one before, with a neural network such as RAFT.</source>
        <translation>Zeigt mit einem neuronalen Netz wie RAFT, was sich wohin bewegt, aus dem jetzigen Bild und dem davor.</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Super-resolution</source>
        <translation>Superauflösung</translation>
    </message>
    <message>
        <source>Super-resolution: a larger image</source>
        <translation>Superauflösung: ein größeres Bild</translation>
    </message>
    <message>
        <source>The inputs &apos;{first}&apos; {shape} and &apos;{second}&apos; {other} are not two images of one shape; choose another network.</source>
        <translation>Die Eingänge &apos;{first}&apos; {shape} und &apos;{second}&apos; {other} sind nicht zwei gleiche Bilder; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>The network has a tensor of type {dtype}, which does not go tile by tile; choose another network.</source>
        <translation>Das Netz hat einen Tensor vom Typ {dtype}, der nicht kachelweise geht; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>The image would have {width} x {height} pixels, and this GPU takes {most} a side; choose a smaller image, or a network that enlarges it less.</source>
        <translation>Das Bild hätte {width} x {height} Pixel, und diese GPU nimmt {most} je Seite; ein kleineres Bild wählen oder ein Netz, das es weniger vergrößert.</translation>
    </message>
    <message>
        <source>The whole image takes a buffer of {size} MiB for this network, and {adapter} allows {most} MiB; choose a smaller image.</source>
        <translation>Das ganze Bild braucht für dieses Netz einen Puffer von {size} MiB, und {adapter} erlaubt {most} MiB; ein kleineres Bild wählen.</translation>
    </message>
    <message>
        <source>Tile size</source>
        <translation>Kachelgröße</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>both</source>
        <translation>beides</translation>
    </message>
    <message>
        <source>colors</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, where a flow has two; choose a network for optical flow.</source>
        <translation>{name} gibt {channels} Kanäle, wo ein Fluss zwei hat; ein Netz für optischen Fluss wählen.</translation>
    </message>
    <message>
        <source>{name} gives {width} x {height} pixels for {given_width} x {given_height}, which is no whole multiple; use it as a Style.</source>
        <translation>{name} gibt {width} x {height} Pixel für {given_width} x {given_height}, was kein ganzes Vielfaches ist; es als Stil verwenden.</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}, where two images are the only ones; choose another network.</source>
        <translation>{name} hat die Eingänge {names}, wo zwei Bilder die einzigen sind; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} takes {width} x {height} pixels at a time, which are {count} tiles for this image, and {most} are allowed; choose a smaller image, or a network with a larger input.</source>
        <translation>{name} nimmt {width} x {height} Pixel auf einmal, was für dieses Bild {count} Kacheln sind, und {most} sind erlaubt; ein kleineres Bild wählen oder ein Netz mit größerem Eingang.</translation>
    </message>
    <message>
        <source>{name} would produce an image of {width} x {height} pixels, which takes {size:.1f} GiB of memory, and {limit:.1f} are allowed; choose a smaller image, or a network that enlarges it less.</source>
        <translation>{name} ergäbe ein Bild von {width} x {height} Pixeln, das {size:.1f} GiB Speicher braucht, und {limit:.1f} sind erlaubt; ein kleineres Bild wählen oder ein Netz, das es weniger vergrößert.</translation>
    </message>
    <message>
        <source>&amp;Anonymize</source>
        <translation>&amp;Unkenntlich machen</translation>
    </message>
    <message>
        <source>&apos;anonymize&apos; is not a table: all that the network finds is hidden in the usual way.</source>
        <translation>„anonymize“ ist keine Tabelle: Alles, was das Netz findet, wird wie üblich verdeckt.</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Blocks of their mean color, the same smoothed, or one gray.</source>
        <translation>Blöcke in ihrer mittleren Farbe, dieselben geglättet, oder ein Grau.</translation>
    </message>
    <message>
        <source>By how much of its size a place is enlarged on each side.</source>
        <translation>Um welchen Teil ihrer Größe eine Stelle auf jeder Seite vergrößert wird.</translation>
    </message>
    <message>
        <source>Fitting: a mask where the network gives one, an ellipse around a face; else the whole box.</source>
        <translation>Passend: eine Maske, wo das Netz eine gibt, eine Ellipse um ein Gesicht; sonst der ganze Kasten.</translation>
    </message>
    <message>
        <source>Hide unseen</source>
        <translation>Ungesehenes</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>How long the region of an object that is no longer detected stays hidden, following its motion.</source>
        <translation>Wie lange die Stelle eines Dings, das nicht gefunden wird, verdeckt bleibt und seiner Bewegung folgt.</translation>
    </message>
    <message>
        <source>How many blocks the longer side of a place has; fewer hide more. A blur is as strong.</source>
        <translation>Wie viele Blöcke die längere Seite einer Stelle hat; weniger verdecken mehr. Eine Unschärfe ist ebenso stark.</translation>
    </message>
    <message>
        <source>How much of what is after the event is in the clip; another event makes it longer.</source>
        <translation>Wie viel von dem, was nach dem Ereignis ist, der Clip hat; ein weiteres Ereignis verlängert ihn.</translation>
    </message>
    <message>
        <source>How much of what was before the event is in the clip.</source>
        <translation>Wie viel von dem, was vor dem Ereignis war, der Clip hat.</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <source>Save a clip</source>
        <translation>Clip speichern</translation>
    </message>
    <message>
        <source>Seconds after</source>
        <translation>Sekunden danach</translation>
    </message>
    <message>
        <source>Seconds before</source>
        <translation>Sekunden davor</translation>
    </message>
    <message>
        <source>Hide the whole frame while there is no result for it: before the first inference, and where results are late.</source>
        <translation>Das ganze Bild ist verdeckt, solange nichts darüber bekannt ist: bis das Netz es angesehen hat, und wo seine Ergebnisse zu spät sind.</translation>
    </message>
    <message>
        <source>box</source>
        <translation>Kasten</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>füllen</translation>
    </message>
    <message>
        <source>fitting</source>
        <translation>passend</translation>
    </message>
    <message>
        <source>names of classes</source>
        <translation>Namen von Klassen</translation>
    </message>
    <message>
        <source>pixelate</source>
        <translation>verpixeln</translation>
    </message>
    <message>
        <source>Click on an object in the image, or drag a box around it.</source>
        <translation>Auf etwas im Bild klicken oder einen Kasten darum ziehen.</translation>
    </message>
    <message>
        <source>Click to segment</source>
        <translation>Anklicken und ausschneiden</translation>
    </message>
    <message>
        <source>Click to segment: the pixels of what is pointed at</source>
        <translation>Anklicken und ausschneiden: die Pixel dessen, worauf gezeigt wird</translation>
    </message>
    <message>
        <source>Copy the cut-&amp;out</source>
        <translation>Auss&amp;chnitt kopieren</translation>
    </message>
    <message>
        <source>Mark what is in the &amp;middle</source>
        <translation>&amp;Mitte des Bildes markieren</translation>
    </message>
    <message>
        <source>Nothing was found there; click on another part of the object.</source>
        <translation>Dort ist nichts; auf einen anderen Teil klicken.</translation>
    </message>
    <message>
        <source>Save the cu&amp;t-out</source>
        <translation>Ausschnitt s&amp;peichern</translation>
    </message>
    <message>
        <source>Save what is marked as C&amp;OCO</source>
        <translation>Markiertes als C&amp;OCO speichern</translation>
    </message>
    <message>
        <source>The decoder failed ({error}); load the network again.</source>
        <translation>Der Decoder ist gescheitert ({error}); das Netz neu laden.</translation>
    </message>
    <message>
        <source>The encoder runs once for an image, the decoder for each click.</source>
        <translation>Der Encoder läuft einmal je Bild, der Decoder bei jedem Klick.</translation>
    </message>
    <message>
        <source>This decoder takes points and no boxes; click on the object instead of dragging a box.</source>
        <translation>Dieser Decoder nimmt Punkte und keine Kästen; auf das Ding klicken, statt einen Kasten zu ziehen.</translation>
    </message>
    <message>
        <source>This decoder takes {most} positions at a time, and {count} are given; remove points, or export it again with a free number of points.</source>
        <translation>Dieser Decoder nimmt {most} Positionen auf einmal, verlangt sind {count}; Punkte entfernen oder ihn mit freier Zahl von Punkten neu exportieren.</translation>
    </message>
    <message>
        <source>there are several in its folder: {names}</source>
        <translation>in seinem Ordner liegen mehrere: {names}</translation>
    </message>
    <message>
        <source>there is none in its folder</source>
        <translation>in seinem Ordner liegt keiner</translation>
    </message>
    <message>
        <source>{decoder} takes &apos;{wanted}&apos; {shape}, which {encoder} does not give (it gives {given}); choose the decoder that was exported with this encoder.</source>
        <translation>{decoder} nimmt „{wanted}“ {shape}, was {encoder} nicht liefert (er liefert {given}); den Decoder wählen, der mit diesem Encoder exportiert wurde.</translation>
    </message>
    <message>
        <source>{first}
Decoder: {second}</source>
        <translation>{first}
Decoder: {second}</translation>
    </message>
    <message>
        <source>{name} is no decoder of the SAM family: it has no inputs for points and embeddings and no output for masks; choose the decoder that was exported with {encoder}.</source>
        <translation>{name} ist kein Decoder der SAM-Familie: Er hat keine Eingänge für Punkte und Einbettungen und keinen Ausgang für Masken; den Decoder wählen, der mit {encoder} exportiert wurde.</translation>
    </message>
    <message>
        <source>{name} is the decoder of a pair and needs its encoder ({reason}); put the one that was exported with it beside it, or name it in {name}.lightloom.toml: encoder = &quot;file.onnx&quot;.</source>
        <translation>{name} ist der Decoder eines Paares und braucht seinen Encoder ({reason}); den danebenlegen, der mit ihm exportiert wurde, oder ihn in {name}.lightloom.toml nennen: encoder = &quot;file.onnx&quot;.</translation>
    </message>
    <message>
        <source>{name} is the encoder of a pair and needs its decoder ({reason}); put the one that was exported with it beside it, or name it in {name}.lightloom.toml: decoder = &quot;file.onnx&quot;.</source>
        <translation>{name} ist der Encoder eines Paares und braucht seinen Decoder ({reason}); den danebenlegen, der mit ihm exportiert wurde, oder ihn in {name}.lightloom.toml nennen: decoder = &quot;file.onnx&quot;.</translation>
    </message>
    <message>
        <source>The list of exports cannot be kept in {folder}: {reason}; give the folder to your user.</source>
        <translation>Die Liste der Exporte kann nicht in {folder} gespeichert werden: {reason}; bitte den Ordner dem eigenen Benutzer geben.</translation>
    </message>
    <message>
        <source>The part from {start:g} to {end:g} s is empty; choose an end behind its start.</source>
        <translation>Der Teil von {start:g} bis {end:g} s ist leer; bitte ein Ende hinter dem Anfang wählen.</translation>
    </message>
    <message>
        <source>The quality of {codec} is not {crf}; choose one from 0 to {worst}.</source>
        <translation>Die Qualität {crf} gibt es bei {codec} nicht; bitte 0 bis {worst} wählen.</translation>
    </message>
    <message>
        <source>The rate {fps:g} is not possible; choose 0.1 to {most:g} frames per second.</source>
        <translation>Die Bildrate {fps:g} ist nicht möglich; bitte 0.1 bis {most:g} Bilder pro Sekunde wählen.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no part of a video; write it as 5-20, 1:05.5-1:20, -10 or 90-.</source>
        <translation>„{text}“ ist kein Teil eines Videos; bitte als 5-20, 1:05.5-1:20, -10 oder 90- schreiben.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no time; write seconds, or hours, minutes and seconds as in 1:05.5.</source>
        <translation>„{text}“ ist keine Zeit; bitte Sekunden oder Stunden, Minuten und Sekunden wie in 1:05.5 schreiben.</translation>
    </message>
    <message>
        <source>A GIF has at most 256 colors per frame.</source>
        <translation>Ein GIF hat höchstens 256 Farben in einem Bild.</translation>
    </message>
    <message>
        <source>E&amp;xports</source>
        <translation>E&amp;xporte</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>Hide the exports</source>
        <translation>Die Exporte ausblenden</translation>
    </message>
    <message>
        <source>No encoder for {codec} works here (tried: {tried}); {instead} is used instead.</source>
        <translation>Kein Kodierer für {codec} arbeitet hier (probiert: {tried}); stattdessen wird {instead} verwendet.</translation>
    </message>
    <message>
        <source>No hardware encoder for {codec} works here (tried: {tried}); {instead} is used instead.</source>
        <translation>Kein Hardware-Kodierer für {codec} arbeitet hier (probiert: {tried}); stattdessen wird {instead} verwendet.</translation>
    </message>
    <message>
        <source>No hardware encodes {codec}; software does.</source>
        <translation>Keine Hardware kodiert {codec}; Software tut es.</translation>
    </message>
    <message>
        <source>Subtitles are left out.</source>
        <translation>Untertitel entfallen.</translation>
    </message>
    <message>
        <source>The export cannot be started: {reason}.</source>
        <translation>Der Export kann nicht gestartet werden: {reason}.</translation>
    </message>
    <message>
        <source>The export ended without a word (status {status}); begin it again.</source>
        <translation>Der Export endete ohne ein Wort (Status {status}); bitte neu beginnen.</translation>
    </message>
    <message>
        <source>The audio ({codec}) is encoded as {encoded}: {container} does not take it as it is.</source>
        <translation>Der Ton ({codec}) wird als {encoded} kodiert: {container} nimmt ihn nicht auf, wie er ist.</translation>
    </message>
    <message>
        <source>The audio ({codec}) is left out: {container} does not take it.</source>
        <translation>Der Ton ({codec}) entfällt: {container} nimmt ihn nicht auf.</translation>
    </message>
    <message>
        <source>The audio is left out: no decoder here reads it.</source>
        <translation>Der Ton entfällt: Kein Dekodierer hier kennt ihn.</translation>
    </message>
    <message>
        <source>The video would be too large; choose sides of at most {most} pixels.</source>
        <translation>Das Video würde zu groß; bitte Seiten von höchstens {most} Pixeln wählen.</translation>
    </message>
    <message>
        <source>There is no codec &apos;{name}&apos;; choose one of {names}.</source>
        <translation>Es gibt keinen Codec „{name}“; bitte einen von {names} wählen.</translation>
    </message>
    <message>
        <source>There is no quality {crf}; choose one from 0 to {worst}.</source>
        <translation>Eine Qualität {crf} gibt es nicht; bitte 0 bis {worst} wählen.</translation>
    </message>
    <message>
        <source>There is no audio mode &apos;{name}&apos;; choose from {names}.</source>
        <translation>Es gibt keinen Ton „{name}“; möglich sind {names}.</translation>
    </message>
    <message>
        <source>is {codec}, which such files do not take</source>
        <translation>ist {codec}, was solche Dateien nicht aufnehmen</translation>
    </message>
    <message>
        <source>no audio</source>
        <translation>kein Ton</translation>
    </message>
    <message>
        <source>{codec} has no odd sizes: {width} x {height} becomes {new_width} x {new_height}.</source>
        <translation>{codec} hat keine ungeraden Größen: {width} x {height} wird zu {new_width} x {new_height}.</translation>
    </message>
    <message>
        <source>{codec} audio</source>
        <translation>Ton als {codec}</translation>
    </message>
    <message>
        <source>{codec} audio, copied</source>
        <translation>Ton unverändert ({codec})</translation>
    </message>
    <message>
        <source>{container} does not take {codec}; choose one of {codecs}, or another kind of file.</source>
        <translation>{container} nimmt {codec} nicht auf; bitte {codecs} oder eine andere Art von Datei wählen.</translation>
    </message>
    <message>
        <source>{container} takes no audio, so it is left out.</source>
        <translation>{container} hat keinen Ton, er entfällt.</translation>
    </message>
    <message>
        <source>{container} shows at most {fastest:g} frames per second, so some of {rate:.5g} are left out.</source>
        <translation>{container} zeigt höchstens {fastest:g} Bilder pro Sekunde, von {rate:.5g} entfallen also einige.</translation>
    </message>
    <message>
        <source>{container} with {codec} by {by}</source>
        <translation>{container} mit {codec} von {by}</translation>
    </message>
    <message>
        <source>{made}, {width} x {height}</source>
        <translation>{made}, {width} x {height}</translation>
    </message>
    <message>
        <source>{made}, {width} x {height}, {rate:.5g} frames per second</source>
        <translation>{made}, {width} x {height}, {rate:.5g} Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>{name}</source>
        <translation>{name}</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>Finds persons and faces, to box, follow and count them.</source>
        <translation>Findet Personen und Gesichter, um sie einzurahmen, zu verfolgen und zu zählen.</translation>
    </message>
    <message>
        <source>&amp;Virtual camera</source>
        <translation>&amp;Virtuelle Kamera</translation>
    </message>
    <message>
        <source>A virtual camera needs OBS Studio, and a package that no installer of Lightloom carries: {command}</source>
        <translation>Eine virtuelle Kamera braucht OBS Studio und ein Paket, das kein Installationsprogramm von Lightloom mitbringt: {command}</translation>
    </message>
    <message>
        <source>At most so many; a slower source is not made faster.</source>
        <translation>Höchstens so viele; eine langsamere Quelle wird nicht schneller.</translation>
    </message>
    <message>
        <source>Boxes, names, masks and points are drawn over the output.</source>
        <translation>Rahmen, Namen, Masken und Punkte werden über das Bild gezeichnet, das ausgegeben wird.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Hide the outputs</source>
        <translation>Ausgaben ausblenden</translation>
    </message>
    <message>
        <source>Mirrored</source>
        <translation>Gespiegelt</translation>
    </message>
    <message>
        <source>No virtual camera can be opened: {reason}; install OBS Studio, start its virtual camera once, and end it there.</source>
        <translation>Es lässt sich keine virtuelle Kamera öffnen: {reason}; OBS Studio installieren, dessen virtuelle Kamera einmal starten und dort beenden.</translation>
    </message>
    <message>
        <source>O&amp;utputs</source>
        <translation>A&amp;usgaben</translation>
    </message>
    <message>
        <source>Of {shown} frames per second it gets {rate}.</source>
        <translation>Von {shown} Bildern pro Sekunde bekommt sie {rate}.</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>Frames are scaled to {width} x {height}, with black borders.</source>
        <translation>Die Bilder werden {width} x {height} groß, mit schwarzen Rändern.</translation>
    </message>
    <message>
        <source>Frames are scaled to {width} x {height}.</source>
        <translation>Die Bilder werden {width} x {height} groß.</translation>
    </message>
    <message>
        <source>Frames of another aspect ratio get black borders; they are never stretched.</source>
        <translation>Bilder anderer Form bekommen schwarze Ränder; verzerrt werden sie nie.</translation>
    </message>
    <message>
        <source>Show what is seen</source>
        <translation>Erkanntes zeigen</translation>
    </message>
    <message>
        <source>The device that is written to; empty for the first virtual camera.</source>
        <translation>Das Gerät, in das geschrieben wird; leer für die erste virtuelle Kamera.</translation>
    </message>
    <message>
        <source>The output &apos;{title}&apos; stopped ({error}); the log file has the details.</source>
        <translation>Die Ausgabe &apos;{title}&apos; ist stehen geblieben ({error}); Näheres steht in der Protokolldatei.</translation>
    </message>
    <message>
        <source>The output is flipped left to right, text in it too.</source>
        <translation>Das ausgegebene Bild wird seitenverkehrt; Schrift darin auch.</translation>
    </message>
    <message>
        <source>The virtual camera is not there any more; load v4l2loopback again.</source>
        <translation>Die virtuelle Kamera ist nicht mehr da; v4l2loopback neu laden.</translation>
    </message>
    <message>
        <source>The virtual camera takes no more frames: {reason}; switch the output off and on again.</source>
        <translation>Die virtuelle Kamera nimmt keine Bilder mehr: {reason}; die Ausgabe aus- und wieder einschalten.</translation>
    </message>
    <message>
        <source>The virtual camera {device} is gone; load it again, then switch the output on.</source>
        <translation>Die virtuelle Kamera {device} ist weg; sie neu laden, dann die Ausgabe einschalten.</translation>
    </message>
    <message>
        <source>The virtual camera {device} takes no more frames: {reason}; switch the output off and on again.</source>
        <translation>Die virtuelle Kamera {device} nimmt keine Bilder mehr: {reason}; die Ausgabe aus- und wieder einschalten.</translation>
    </message>
    <message>
        <source>There is no virtual camera; install v4l2loopback (Debian, Ubuntu: v4l2loopback-dkms), and load it with: {command}</source>
        <translation>Es gibt keine virtuelle Kamera; v4l2loopback installieren (Debian, Ubuntu: v4l2loopback-dkms) und laden mit: {command}</translation>
    </message>
    <message>
        <source>There is no {device}; leave the device empty, or load it with: {command}</source>
        <translation>{device} gibt es nicht; das Gerät leer lassen oder es laden mit: {command}</translation>
    </message>
    <message>
        <source>Virtual camera</source>
        <translation>Virtuelle Kamera</translation>
    </message>
    <message>
        <source>as shown</source>
        <translation>wie gezeigt</translation>
    </message>
    <message>
        <source>{device} cannot be opened: {reason}; load it with: {command}</source>
        <translation>{device} lässt sich nicht öffnen: {reason}; laden mit: {command}</translation>
    </message>
    <message>
        <source>{device} is in use by another program; end that, or choose another device.</source>
        <translation>{device} wird von einem anderen Programm benutzt; das beenden oder ein anderes Gerät wählen.</translation>
    </message>
    <message>
        <source>{device} may not be opened; add your user to the group &apos;video&apos; and log in again.</source>
        <translation>{device} darf nicht geöffnet werden; den Benutzer in die Gruppe &apos;video&apos; aufnehmen und neu anmelden.</translation>
    </message>
    <message>
        <source>{device} only takes frames of {width} x {height} as &apos;{format}&apos;, which Lightloom does not produce; end the program that reads from it, or load the device again.</source>
        <translation>{device} nimmt nur Bilder von {width} x {height} als &apos;{format}&apos;, die Lightloom nicht erzeugt; das Programm beenden, das daraus liest, oder das Gerät neu laden.</translation>
    </message>
    <message>
        <source>{device} takes no frames of this size; choose another size or device.</source>
        <translation>{device} nimmt keine Bilder dieser Größe; eine andere Größe oder ein anderes Gerät wählen.</translation>
    </message>
    <message>
        <source>{device} takes no frames; leave the device empty.</source>
        <translation>{device} nimmt keine Bilder; das Gerät leer lassen.</translation>
    </message>
    <message>
        <source>{device} took {written} of {size} bytes of a frame; switch the output off and on again.</source>
        <translation>{device} hat {written} von {size} Bytes eines Bildes genommen; die Ausgabe aus- und wieder einschalten.</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Raster</translation>
    </message>
    <message>
        <source>&amp;Several sources in a grid</source>
        <translation>&amp;Mehrere Quellen im Raster</translation>
    </message>
    <message>
        <source>Close the &amp;tile in use</source>
        <translation>Benutzte &amp;Kachel schließen</translation>
    </message>
    <message>
        <source>One &amp;chain for all tiles</source>
        <translation>Eine Ke&amp;tte für alle Kacheln</translation>
    </message>
    <message>
        <source>The &amp;whole view for the tile in use</source>
        <translation>Die &amp;ganze Ansicht für die benutzte Kachel</translation>
    </message>
    <message>
        <source>Tile &amp;{number}</source>
        <translation>Kachel &amp;{number}</translation>
    </message>
    <message>
        <source>&amp;Open a subtitle file...</source>
        <translation>Untertiteldatei ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>Show s&amp;ubtitles</source>
        <translation>&amp;Untertitel zeigen</translation>
    </message>
    <message>
        <source>Su&amp;btitles</source>
        <translation>Un&amp;tertitel</translation>
    </message>
    <message>
        <source>Subtitles are drawn into the frames: they cannot be switched off.</source>
        <translation>Untertitel werden Teil der Bilder: sie lassen sich nicht abschalten.</translation>
    </message>
    <message>
        <source>The subtitles of {name} are not UTF-8 and are read as Windows-1252; save them as UTF-8 if letters are wrong.</source>
        <translation>Die Untertitel von {name} sind nicht in UTF-8 und werden als Windows-1252 gelesen; falls Buchstaben falsch sind, als UTF-8 speichern.</translation>
    </message>
    <message>
        <source>The subtitles of {name} cannot be read; choose other ones, or a .srt file.</source>
        <translation>Die Untertitel von {name} können nicht gelesen werden; andere wählen, oder eine .srt-Datei.</translation>
    </message>
    <message>
        <source>{name} has more than {size} MB, which no video&apos;s subtitles have; choose another file.</source>
        <translation>{name} hat mehr als {size} MB, was kein Film an Untertiteln hat; eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>Nothing here encodes what {container} takes ({codecs}); install Lightloom with pip, whose FFmpeg has an encoder for H.264.</source>
        <translation>Nichts hier kodiert, was {container} annimmt ({codecs}): Lightloom mit pip installieren, dessen FFmpeg einen Encoder für H.264 hat.</translation>
    </message>
    <message>
        <source>The process that sends streams cannot be started ({reason}); end other programs.</source>
        <translation>Der Prozess, der Streams sendet, kann nicht gestartet werden ({reason}); andere Programme beenden.</translation>
    </message>
    <message>
        <source>The stream to {address} failed; begin it anew.</source>
        <translation>Der Stream an {address} brach ab; ihn neu beginnen.</translation>
    </message>
    <message>
        <source>This FFmpeg has no {protocol}; install PyAV built against an FFmpeg that has it, or stream by RTMP or UDP.</source>
        <translation>Dieses FFmpeg hat kein {protocol}: PyAV für ein FFmpeg installieren, das es hat, oder über RTMP oder UDP streamen.</translation>
    </message>
    <message>
        <source>At most; 0: as many as the source has</source>
        <translation>Höchstens; 0: so viele, wie die Quelle hat</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>Encoders of the graphics card are asked first.</source>
        <translation>Zuerst werden die Encoder der Grafikkarte gefragt.</translation>
    </message>
    <message>
        <source>Hardware encoder</source>
        <translation>Hardware-Encoder</translation>
    </message>
    <message>
        <source>Mbit/s</source>
        <translation>Mbit/s</translation>
    </message>
    <message>
        <source>Not every player of HLS plays {codec}; H.264 all do.</source>
        <translation>Nicht jeder HLS-Player spielt {codec}; H.264 spielen alle.</translation>
    </message>
    <message>
        <source>Nothing can be streamed to {scheme}:// addresses: use one of {known}, or a folder for HLS.</source>
        <translation>An Adressen mit {scheme}:// kann nichts gestreamt werden: eine mit {known} nehmen oder einen Ordner für HLS.</translation>
    </message>
    <message>
        <source>Nowhere to stream to: give an address or a folder.</source>
        <translation>Kein Ziel für den Stream: eine Adresse oder einen Ordner angeben.</translation>
    </message>
    <message>
        <source>Bit rate of the video; 0: chosen by size and frame rate</source>
        <translation>Der Bilder; 0: nach ihrer Größe und Rate</translation>
    </message>
    <message>
        <source>Only servers with Enhanced RTMP take {codec} (MediaMTX, for one); for others install Lightloom with pip, whose FFmpeg has an encoder for H.264.</source>
        <translation>{codec} nehmen nur Server mit Enhanced RTMP an (etwa MediaMTX); für andere Lightloom mit pip installieren, dessen FFmpeg einen Encoder für H.264 hat.</translation>
    </message>
    <message>
        <source>Smaller frames are never enlarged.</source>
        <translation>Kleinere Bilder werden nie vergrößert.</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Stream key</source>
        <translation>Stream-Schlüssel</translation>
    </message>
    <message>
        <source>The address is not one: write it as rtmp://host/app or udp://host:port.</source>
        <translation>Das ist keine Adresse: sie als rtmp://host/app oder udp://host:port schreiben.</translation>
    </message>
    <message>
        <source>The address {address} names no host: write it as {scheme}://host.</source>
        <translation>Die Adresse {address} nennt keinen Rechner: sie als {scheme}://host schreiben.</translation>
    </message>
    <message>
        <source>The address {address} names no port: write it as {scheme}://host:port.</source>
        <translation>Die Adresse {address} nennt keinen Port: sie als {scheme}://host:port schreiben.</translation>
    </message>
    <message>
        <source>The connection to {address} failed: check the network.</source>
        <translation>Die Verbindung zu {address} brach ab: das Netzwerk prüfen.</translation>
    </message>
    <message>
        <source>The process that sends to {address} ended; begin the stream anew.</source>
        <translation>Der Prozess, der an {address} sendet, endete; den Stream neu beginnen.</translation>
    </message>
    <message>
        <source>There is no host named {host}, or the network is away: check the address.</source>
        <translation>Es gibt keinen Rechner namens {host}, oder das Netzwerk fehlt: die Adresse prüfen.</translation>
    </message>
    <message>
        <source>auto: the first that the target takes and this computer encodes</source>
        <translation>auto: der erste, den das Ziel annimmt und dieser Rechner kodiert</translation>
    </message>
    <message>
        <source>{address} does not take the stream: check the address, the key, and which codecs it takes.</source>
        <translation>{address} nimmt den Stream nicht an: Adresse, Schlüssel und zulässige Codecs prüfen.</translation>
    </message>
    <message>
        <source>{address} gets {made}, {width} x {height}, up to {rate:.4g} frames per second, {megabits:.2g} Mbit/s.</source>
        <translation>{address} erhält {made}, {width} x {height}, bis zu {rate:.4g} Bilder je Sekunde, {megabits:.2g} Mbit/s.</translation>
    </message>
    <message>
        <source>{address} takes nothing any more: check the server and the network.</source>
        <translation>{address} nimmt nichts mehr an: den Server und das Netzwerk prüfen.</translation>
    </message>
    <message>
        <source>{encoder} stopped encoding ({reason}); choose another codec for the stream.</source>
        <translation>{encoder} kodiert nicht mehr ({reason}); einen anderen Codec für den Stream wählen.</translation>
    </message>
    <message>
        <source>{error} It is tried again in {seconds:.0f} s.</source>
        <translation>{error} In {seconds:.0f} s wird es wieder versucht.</translation>
    </message>
    <message>
        <source>Auto exposure</source>
        <translation>Autom. Belichtung</translation>
    </message>
    <message>
        <source>Auto focus</source>
        <translation>Autofokus</translation>
    </message>
    <message>
        <source>Auto gain</source>
        <translation>Autom. Verstärkung</translation>
    </message>
    <message>
        <source>Auto hue</source>
        <translation>Autom. Farbton</translation>
    </message>
    <message>
        <source>Auto white balance</source>
        <translation>Autom. Weißabgleich</translation>
    </message>
    <message>
        <source>The camera {name} has no control {missing} that can be set: it has {controls}.</source>
        <translation>Die Kamera {name} hat keinen Regler {missing}, der zu stellen ist: sie hat {controls}.</translation>
    </message>
    <message>
        <source>The window {title} is minimized: open it again.</source>
        <translation>Das Fenster {title} ist minimiert: es wieder öffnen.</translation>
    </message>
    <message>
        <source>The window {title} was closed: open another one.</source>
        <translation>Das Fenster {title} wurde geschlossen: ein anderes öffnen.</translation>
    </message>
    <message>
        <source>There is no monitor {number}: choose one from 1 to {count}.</source>
        <translation>Es gibt keinen Bildschirm {number}: einen von 1 bis {count} wählen.</translation>
    </message>
    <message>
        <source>macOS does not let Lightloom see the screen: open System Settings &gt; Privacy &amp; Security &gt; Screen &amp; System Audio Recording, allow it there, and start Lightloom again.</source>
        <translation>macOS lässt Lightloom den Bildschirm nicht sehen: es unter Systemeinstellungen &gt; Datenschutz &amp; Sicherheit &gt; Bildschirm- &amp; Systemaudioaufnahme erlauben und Lightloom neu starten.</translation>
    </message>
    <message>
        <source>{missing} is set by the camera itself while {automatic} is on: set {automatic} to manual or off, too.</source>
        <translation>{missing} stellt die Kamera selbst ein, solange {automatic} an ist: auch {automatic} auf manuell oder aus stellen.</translation>
    </message>
    <message>
        <source>{name} has no choice {value}: give one of {menu}.</source>
        <translation>{name} hat keine Wahl {value}: eine von {menu} angeben.</translation>
    </message>
    <message>
        <source>The address or the key has a blank in it; copy it once more.</source>
        <translation>Die Adresse oder der Schlüssel enthält ein Leerzeichen; noch einmal kopieren.</translation>
    </message>
    <message>
        <source>&amp;Export the video...</source>
        <translation>Video &amp;exportieren...</translation>
    </message>
    <message>
        <source>D&amp;ecoding of videos</source>
        <translation>Videos d&amp;ekodieren</translation>
    </message>
    <message>
        <source>{device} failed while it decoded {name}; it goes on in software.</source>
        <translation>{device} ist beim Dekodieren von {name} ausgefallen; es geht in Software weiter.</translation>
    </message>
    <message>
        <source>The images of {name} are too large for thumbnails; open the file itself.</source>
        <translation>Die Bilder von {name} sind zu groß für kleine; die Datei selbst öffnen.</translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the playlist are left out: cameras, or names that the file cannot hold.</source>
        <translation>
            <numerusform>%n Eintrag der Playlist fehlt in der Datei: eine Kamera, oder ein Name, den sie nicht aufnehmen kann.</numerusform>
            <numerusform>%n Einträge der Playlist fehlen in der Datei: Kameras, oder Namen, die sie nicht aufnehmen kann.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of {name} are left out: they name other lists or something that lists may not open.</source>
        <translation>
            <numerusform>%n Zeile von {name} wird übergangen: sie nennt eine andere Liste oder etwas, das keine Liste öffnen darf.</numerusform>
            <numerusform>%n Zeilen von {name} werden übergangen: sie nennen andere Listen oder etwas, das keine Liste öffnen darf.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Playlist</source>
        <translation>&amp;Playlist</translation>
    </message>
    <message>
        <source>A playlist holds {most:,} entries at most; take a part of the files, or a folder of images as one entry.</source>
        <translation>Eine Playlist hat höchstens {most:,} Einträge; einen Teil der Dateien nehmen oder einen Ordner mit Bildern als einen Eintrag.</translation>
    </message>
    <message>
        <source>Bring back the playlist before</source>
        <translation>Vorige Playlist zurückholen</translation>
    </message>
    <message>
        <source>Clear the playlist</source>
        <translation>Playlist leeren</translation>
    </message>
    <message>
        <source>Hide the playlist</source>
        <translation>Playlist ausblenden</translation>
    </message>
    <message>
        <source>L&amp;oop the playlist: not, over all, over each</source>
        <translation>Playlist wieder&amp;holen: nicht, ganz, jeden Eintrag</translation>
    </message>
    <message>
        <source>N&amp;ext in the playlist</source>
        <translation>Nächster &amp;Eintrag der Playlist</translation>
    </message>
    <message>
        <source>No frame of {name} can be decoded; try another copy.</source>
        <translation>Kein Bild von {name} lässt sich dekodieren; es mit einer anderen Kopie versuchen.</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>Playlist</translation>
    </message>
    <message>
        <source>Previous in the playlist</source>
        <translation>Voriger Eintrag der Playlist</translation>
    </message>
    <message>
        <source>S&amp;huffle the playlist</source>
        <translation>Playlist &amp;mischen</translation>
    </message>
    <message>
        <source>Save the playlist...</source>
        <translation>Playlist speichern...</translation>
    </message>
    <message>
        <source>The playlist can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>Die Playlist lässt sich nicht nach {path} schreiben: {reason}; einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The playlist {name} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>Die Playlist {name} lässt sich nicht lesen: {reason}; Namen und Rechte prüfen.</translation>
    </message>
    <message>
        <source>The playlist {name} is not text in UTF-8: save it as UTF-8.</source>
        <translation>Die Playlist {name} ist kein Text in UTF-8: sie als UTF-8 speichern.</translation>
    </message>
    <message>
        <source>{name} has more than {most:,} entries; split it up.</source>
        <translation>{name} hat mehr als {most:,} Einträge; die Liste aufteilen.</translation>
    </message>
    <message>
        <source>{name} lists the parts of a stream (HLS), which Lightloom does not play; open a video file.</source>
        <translation>{name} nennt die Teile eines Streams (HLS), den Lightloom nicht spielt; eine Videodatei öffnen.</translation>
    </message>
    <message>
        <source>{name} names no file or stream that can be opened; choose another list.</source>
        <translation>{name} nennt keine Datei und keinen Stream, die sich öffnen lassen; eine andere Liste wählen.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; cannot be that; give {allowed}.</source>
        <translation>„{name}“ kann das nicht sein; {allowed} angeben.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is {value}; give {allowed}.</source>
        <translation>„{name}“ ist {value}; {allowed} angeben.</translation>
    </message>
    <message>
        <source>{path} is a playlist of another program: give another name.</source>
        <translation>{path} ist eine Playlist eines anderen Programms: einen anderen Namen angeben.</translation>
    </message>
    <message>
        <source>F&amp;older, mirror, offline...</source>
        <translation>&amp;Ordner, Spiegel, offline...</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>Software</translation>
    </message>
    <message>
        <source>P&amp;laylist</source>
        <translation>&amp;Playlist</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no address to serve metrics at; write a host and a port from 0 to 65535, such as 127.0.0.1:9464.</source>
        <translation>„{text}“ ist keine Adresse für Messwerte; einen Rechner und einen Port von 0 bis 65535 angeben, etwa 127.0.0.1:9464.</translation>
    </message>
    <message>
        <source>Address of metrics</source>
        <translation>Adresse der Messwerte</translation>
    </message>
    <message>
        <source>Figures for Prometheus, as at 127.0.0.1:9464; anyone who can reach the address can read them.</source>
        <translation>Zahlen zum Betrieb für Prometheus, etwa unter 127.0.0.1:9464; wer die Adresse erreicht, kann sie lesen.</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address} ({reason}); choose another address.</source>
        <translation>Messwerte lassen sich unter {address} nicht bereitstellen ({reason}); eine andere Adresse wählen.</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: another program has that port; choose another one.</source>
        <translation>Messwerte lassen sich unter {address} nicht bereitstellen: Ein anderes Programm hat diesen Port; einen anderen wählen.</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: the host is unknown; write 127.0.0.1.</source>
        <translation>Messwerte lassen sich unter {address} nicht bereitstellen: Niemand kennt diesen Rechner; 127.0.0.1 angeben.</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: this machine has no such address; choose one of its own, or 127.0.0.1.</source>
        <translation>Messwerte lassen sich unter {address} nicht bereitstellen: Dieser Rechner hat keine solche Adresse; eine eigene oder 127.0.0.1 wählen.</translation>
    </message>
    <message>
        <source>none: nothing is served</source>
        <translation>keine: nichts wird bereitgestellt</translation>
    </message>
    <message>
        <source> {remark}</source>
        <translation> {remark}</translation>
    </message>
    <message>
        <source>PyTorch can&apos;t run {name}: {reason}; choose another network, or export it as ONNX.</source>
        <translation>PyTorch kann {name} nicht ausführen: {reason}; ein anderes Netz wählen oder es als ONNX exportieren.</translation>
    </message>
    <message>
        <source>PyTorch crashes on it</source>
        <translation>PyTorch stürzt daran ab</translation>
    </message>
    <message>
        <source>PyTorch does not load {name} onto {device}: {reason}; choose another device, or export it as ONNX.</source>
        <translation>PyTorch lädt {name} nicht auf {device}: {reason}; ein anderes Gerät wählen oder es als ONNX exportieren.</translation>
    </message>
    <message>
        <source>PyTorch has no device &apos;{device}&apos; here</source>
        <translation>PyTorch hat hier kein Gerät &apos;{device}&apos;</translation>
    </message>
    <message>
        <source>PyTorch is not installed</source>
        <translation>PyTorch ist nicht installiert</translation>
    </message>
    <message>
        <source>PyTorch on the CPU computes in fp32</source>
        <translation>PyTorch rechnet auf dem Prozessor in fp32</translation>
    </message>
    <message>
        <source>The device &apos;{device}&apos; was chosen without its backend; choose both.</source>
        <translation>Das Gerät &apos;{device}&apos; wurde ohne seinen Rechenweg gewählt; beide wählen.</translation>
    </message>
    <message>
        <source>The devices for networks could not be listed; &apos;{command} devices --networks&apos; says why.</source>
        <translation>Die Geräte für Netze konnten nicht aufgelistet werden; &apos;{command} devices --networks&apos; sagt, warum.</translation>
    </message>
    <message>
        <source>The trial of a PyTorch file gave no answer; load it again.</source>
        <translation>Der Versuch mit einer PyTorch-Datei gab keine Antwort; sie noch einmal laden.</translation>
    </message>
    <message>
        <source>a PyTorch file of pickled objects, which may be any program</source>
        <translation>eine PyTorch-Datei mit gepickelten Objekten, die jedes Programm sein können</translation>
    </message>
    <message>
        <source>export it with torch.onnx.export, or save the network with torch.export.save or torch.jit.save</source>
        <translation>sie mit torch.onnx.export exportieren oder das Netz mit torch.export.save oder torch.jit.save speichern</translation>
    </message>
    <message>
        <source>it calls &apos;{target}&apos;</source>
        <translation>es ruft &apos;{target}&apos; auf</translation>
    </message>
    <message>
        <source>it could not be tried, because PyTorch does not start here</source>
        <translation>es konnte nicht versucht werden, weil PyTorch hier nicht startet</translation>
    </message>
    <message>
        <source>it gives something that is no tensor, or changes what it remembers</source>
        <translation>es gibt etwas aus, das kein Tensor ist, oder ändert, was es sich merkt</translation>
    </message>
    <message>
        <source>it has more than {most} operators</source>
        <translation>es hat mehr als {most} Operatoren</translation>
    </message>
    <message>
        <source>it has more than {most} records</source>
        <translation>sie hat mehr als {most} Einträge</translation>
    </message>
    <message>
        <source>it has no &apos;forward&apos;</source>
        <translation>es hat kein &apos;forward&apos;</translation>
    </message>
    <message>
        <source>it has no input or no output</source>
        <translation>es hat keinen Eingang oder keinen Ausgang</translation>
    </message>
    <message>
        <source>it holds compiled machine code (AOTInductor)</source>
        <translation>es enthält übersetzten Maschinencode (AOTInductor)</translation>
    </message>
    <message>
        <source>it holds objects of C++ classes, as quantized ones do</source>
        <translation>es enthält Objekte von C++-Klassen, wie quantisierte es tun</translation>
    </message>
    <message>
        <source>it holds pickled objects, which may be any program</source>
        <translation>es enthält gepickelte Objekte, die jedes Programm sein können</translation>
    </message>
    <message>
        <source>it is written in fp16</source>
        <translation>es ist in fp16 geschrieben</translation>
    </message>
    <message>
        <source>it needs more memory than is free</source>
        <translation>es braucht mehr Speicher, als frei ist</translation>
    </message>
    <message>
        <source>it runs a program while it is loaded (__setstate__)</source>
        <translation>es führt beim Laden ein Programm aus (__setstate__)</translation>
    </message>
    <message>
        <source>it takes more than {seconds:g} s for one image</source>
        <translation>es braucht mehr als {seconds:g} s für ein Bild</translation>
    </message>
    <message>
        <source>it takes something that is no tensor</source>
        <translation>es nimmt etwas entgegen, das kein Tensor ist</translation>
    </message>
    <message>
        <source>its description of the network is not as expected</source>
        <translation>ihre Beschreibung des Netzes ist nicht wie erwartet</translation>
    </message>
    <message>
        <source>its description of the network is too large</source>
        <translation>seine Beschreibung ist zu groß</translation>
    </message>
    <message>
        <source>its directory cannot be read</source>
        <translation>ihr Verzeichnis kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>its input or output is bfloat16</source>
        <translation>sein Eingang oder Ausgang ist bfloat16</translation>
    </message>
    <message>
        <source>its record &apos;{record}&apos; is missing or damaged</source>
        <translation>ihr Eintrag &apos;{record}&apos; fehlt oder ist beschädigt</translation>
    </message>
    <message>
        <source>its records are larger than the file by too much</source>
        <translation>ihre Einträge sind um zu viel größer als die Datei</translation>
    </message>
    <message>
        <source>its records do not lie in one folder, or two have one name</source>
        <translation>ihre Einträge liegen nicht in einem Ordner, oder zwei haben einen Namen</translation>
    </message>
    <message>
        <source>its schema has the version {found}, not 8</source>
        <translation>sein Schema hat die Version {found}, nicht 8</translation>
    </message>
    <message>
        <source>onnxruntime has no device &apos;{device}&apos; here</source>
        <translation>onnxruntime hat hier kein Gerät &apos;{device}&apos;</translation>
    </message>
    <message>
        <source>the weights &apos;{name}&apos; are cut off</source>
        <translation>die Gewichte &apos;{name}&apos; sind abgeschnitten</translation>
    </message>
    <message>
        <source>the weights &apos;{name}&apos; are missing</source>
        <translation>die Gewichte &apos;{name}&apos; fehlen</translation>
    </message>
    <message>
        <source>this PyTorch has no operator &apos;{target}&apos;</source>
        <translation>dieses PyTorch hat keinen Operator &apos;{target}&apos;</translation>
    </message>
    <message>
        <source>torch</source>
        <translation>torch</translation>
    </message>
    <message>
        <source>{backend} and {device} were chosen by the user.</source>
        <translation>{backend} und {device} wurden vom Benutzer gewählt.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; choose another network.</source>
        <translation>{name} kann nicht ausgeführt werden: {what}; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; export the network again with torch.export.save, or as ONNX.</source>
        <translation>{name} kann nicht ausgeführt werden: {what}; das Netz noch einmal mit torch.export.save oder als ONNX exportieren.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; export the network with torch.export.save, or as ONNX.</source>
        <translation>{name} kann nicht ausgeführt werden: {what}; das Netz mit torch.export.save oder als ONNX exportieren.</translation>
    </message>
    <message>
        <source>{name} can&apos;t run on &apos;{device}&apos;: PyTorch has {devices} here; choose one of these.</source>
        <translation>{name} kann nicht auf &apos;{device}&apos; laufen: PyTorch hat hier {devices}; eines davon wählen.</translation>
    </message>
    <message>
        <source>{name} cannot run on &apos;{device}&apos;: onnxruntime has {have} here; choose one of these.{remarks}</source>
        <translation>{name} kann nicht auf &apos;{device}&apos; laufen: onnxruntime hat hier {have}; eines davon wählen.{remarks}</translation>
    </message>
    <message>
        <source>{name} failed in PyTorch on {device}: {reason}; choose another device, backend or network.</source>
        <translation>{name} ist in PyTorch auf {device} gescheitert: {reason}; ein anderes Gerät, einen anderen Rechenweg oder ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} is computed in fp32 on the CPU, where fp16 is slower in PyTorch; choose the precision &apos;auto&apos; or a GPU.</source>
        <translation>{name} wird auf dem Prozessor in fp32 gerechnet, wo fp16 in PyTorch langsamer ist; die Genauigkeit &apos;auto&apos; oder eine Grafikkarte wählen.</translation>
    </message>
    <message>
        <source>{name} is not a readable PyTorch file: {what}; download or export it again.</source>
        <translation>{name} ist keine lesbare PyTorch-Datei: {what}; sie noch einmal herunterladen oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is written in fp16; choose the precision &apos;auto&apos;.</source>
        <translation>{name} ist in fp16 geschrieben; die Genauigkeit &apos;auto&apos; wählen.</translation>
    </message>
    <message>
        <source>{package} is installed, and finds no device of its own here.</source>
        <translation>{package} ist installiert und findet hier kein eigenes Gerät.</translation>
    </message>
    <message>
        <source>{package} is installed, and its library does not load: {reason}; install the version that fits onnxruntime {version}.</source>
        <translation>{package} ist installiert, und seine Bibliothek lädt nicht: {reason}; die Version installieren, die zu onnxruntime {version} passt.</translation>
    </message>
    <message>
        <source>{title}, {rest} of {count} operators on the CPU</source>
        <translation>{title}, {rest} von {count} Operatoren auf dem Prozessor</translation>
    </message>
    <message numerus="yes">
        <source>{title}: {reason}. %n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>{title}: {reason}. %n Ereignis wurde nicht zugestellt; es steht im Protokoll.</numerusform>
            <numerusform>{title}: {reason}. %n Ereignisse wurden nicht zugestellt; sie stehen im Protokoll.</numerusform>
        </translation>
    </message>
    <message>
        <source>{title}: {reason}. Events wait, and it is tried again.</source>
        <translation>{title}: {reason}. Ereignisse warten, und es wird wieder versucht.</translation>
    </message>
    <message>
        <source>{wanted} takes none of its operators</source>
        <translation>{wanted} nimmt keinen seiner Operatoren</translation>
    </message>
    <message>
        <source>Ray cannot be reached at {address}: {reason} Check its address, its token (RAY_AUTH_TOKEN) and whether it runs.</source>
        <translation>Ray ist unter {address} nicht zu erreichen: {reason} Nachsehen, ob Adresse und Token (RAY_AUTH_TOKEN) stimmen und ob es läuft.</translation>
    </message>
    <message numerus="yes">
        <source>%n clips</source>
        <translation>
            <numerusform>%n Clip</numerusform>
            <numerusform>%n Clips</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pieces</source>
        <translation>
            <numerusform>%n Stück</numerusform>
            <numerusform>%n Stücke</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is not understood; write processes:4.</source>
        <translation>„{address}“ ist unverständlich; processes:4 schreiben.</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is not understood; write ray, ray:auto or ray://host:10001.</source>
        <translation>„{address}“ ist unverständlich; ray, ray:auto oder ray://host:10001 schreiben.</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is nowhere that Lightloom can run on; it begins with one of {names}.</source>
        <translation>„{address}“ ist nichts, worauf Lightloom laufen kann; es beginnt mit einem von {names}.</translation>
    </message>
    <message>
        <source>A piece does not say what network it is of.</source>
        <translation>Ein Stück sagt nicht, von welchem Netz es ist.</translation>
    </message>
    <message>
        <source>Another run is at the pieces in {name}; wait for it, or end it.</source>
        <translation>Ein anderer Lauf arbeitet an den Stücken in {name}; ihn abwarten oder beenden.</translation>
    </message>
    <message>
        <source>It does not see {name} as it is where the run was begun; put it on storage that all machines see.</source>
        <translation>Er sieht {name} nicht so, wie es dort ist, wo der Lauf begann; es auf einen Speicher legen, den alle Rechner sehen.</translation>
    </message>
    <message>
        <source>It does not see {name}; put it on storage that all machines see.</source>
        <translation>Er sieht {name} nicht; es auf einen Speicher legen, den alle Rechner sehen.</translation>
    </message>
    <message>
        <source>It ended without a word (status {status}).</source>
        <translation>Er endete ohne ein Wort (Status {status}).</translation>
    </message>
    <message>
        <source>It has Lightloom {found}, and the run was begun with {wanted}; install the same on all machines.</source>
        <translation>Er hat Lightloom {found}, und der Lauf begann mit {wanted}; auf allen Rechnern dasselbe installieren.</translation>
    </message>
    <message>
        <source>No worker of the cluster is left ({reason}); check its machines.</source>
        <translation>Vom Cluster ist kein Arbeiter übrig ({reason}); nach seinen Rechnern sehen.</translation>
    </message>
    <message>
        <source>Nothing was heard of it for {seconds:.0f} s.</source>
        <translation>{seconds:.0f} s lang war nichts von ihm zu hören.</translation>
    </message>
    <message>
        <source>Say how many processes, 1 to {most}: processes:4.</source>
        <translation>Sagen, wie viele Prozesse, 1 bis {most}: processes:4.</translation>
    </message>
    <message>
        <source>The cluster has Lightloom {found}, and this is {wanted}; install the same on all machines.</source>
        <translation>Der Cluster hat Lightloom {found}, und dies ist {wanted}; auf allen Rechnern dasselbe installieren.</translation>
    </message>
    <message>
        <source>The cluster has given no worker in {seconds:.0f} s; look whether its GPUs are free.</source>
        <translation>Der Cluster gab in {seconds:.0f} s keinen Arbeiter; nachsehen, ob seine GPUs frei sind.</translation>
    </message>
    <message>
        <source>The cluster has {count} GPUs, and each of {workers} workers wants one; ask for fewer.</source>
        <translation>Der Cluster hat {count} GPUs, und jeder von {workers} Arbeitern will eine; weniger verlangen.</translation>
    </message>
    <message>
        <source>The folder {name} holds no video and no image: choose another one.</source>
        <translation>Der Ordner {name} enthält kein Video und kein Bild: einen anderen wählen.</translation>
    </message>
    <message>
        <source>The piece cannot be begun: {reason}.</source>
        <translation>Das Stück kann nicht begonnen werden: {reason}.</translation>
    </message>
    <message>
        <source>The pieces are of different networks; give all workers the same files.</source>
        <translation>Die Stücke sind von verschiedenen Netzen; allen Arbeitern dieselben Dateien geben.</translation>
    </message>
    <message>
        <source>The pieces in {name} are of another command, other inputs or another version; give the same as then, or delete that folder.</source>
        <translation>Die Stücke in {name} sind von einem anderen Befehl, anderen Eingaben oder einer anderen Version; dasselbe wie damals angeben oder diesen Ordner löschen.</translation>
    </message>
    <message>
        <source>The pieces were encoded in different ways; have all workers use the same versions, or choose a codec with --codec.</source>
        <translation>Die Stücke wurden auf verschiedene Weise kodiert; allen Arbeitern dieselben Versionen geben oder mit --codec einen Codec wählen.</translation>
    </message>
    <message>
        <source>The worker does not answer.</source>
        <translation>Der Arbeiter antwortet nicht.</translation>
    </message>
    <message>
        <source>The worker has ended.</source>
        <translation>Der Arbeiter ist zu Ende.</translation>
    </message>
    <message>
        <source>The worker has forgotten it.</source>
        <translation>Der Arbeiter hat es vergessen.</translation>
    </message>
    <message>
        <source>The workers do not start ({reason}); they need Lightloom {wanted} and the same Python as here.</source>
        <translation>Die Arbeiter starten nicht ({reason}); sie brauchen Lightloom {wanted} und dasselbe Python wie hier.</translation>
    </message>
    <message>
        <source>Two pieces have the same frame ({seconds:.3f} s).</source>
        <translation>Zwei Stücke haben dasselbe Bild ({seconds:.3f} s).</translation>
    </message>
    <message>
        <source>What was made is gone: {reason}.</source>
        <translation>Was gemacht wurde, ist fort: {reason}.</translation>
    </message>
    <message>
        <source>The result differs from what is stored in {name}; check that storage.</source>
        <translation>Was gemacht wurde, ist nicht, was in {name} liegt; nach diesem Speicher sehen.</translation>
    </message>
    <message>
        <source>What was made of {name} is larger than what is sent between machines, {most} MiB; put the output on storage that all of them see.</source>
        <translation>Was aus {name} wurde, ist größer als das, was zwischen Rechnern gesendet wird, {most} MiB; die Ausgabe auf einen Speicher legen, den alle sehen.</translation>
    </message>
    <message>
        <source>a secondary network depends on earlier positions of objects</source>
        <translation>ein zweites Netz richtet sich danach, wo die Dinge waren</translation>
    </message>
    <message>
        <source>it is damaged ({reason})</source>
        <translation>es ist beschädigt ({reason})</translation>
    </message>
    <message>
        <source>it is interlaced, and each frame needs its neighbors</source>
        <translation>es hat Halbbilder, und jedes Bild braucht die daneben</translation>
    </message>
    <message>
        <source>it is no journal</source>
        <translation>es ist kein Journal</translation>
    </message>
    <message>
        <source>it is a single image</source>
        <translation>es ist ein einzelnes Bild</translation>
    </message>
    <message>
        <source>its time stamps jump or repeat</source>
        <translation>seine Zeitstempel springen oder wiederholen sich</translation>
    </message>
    <message>
        <source>some of its frames have no time stamp</source>
        <translation>manche seiner Bilder haben keinen Zeitstempel</translation>
    </message>
    <message>
        <source>the filter {name} depends on earlier frames</source>
        <translation>der Filter {name} merkt sich frühere Bilder</translation>
    </message>
    <message>
        <source>the network processes every {count}. frame</source>
        <translation>das Netz sieht jedes {count}. Bild an</translation>
    </message>
    <message>
        <source>objects are tracked from frame to frame</source>
        <translation>Dinge werden von Bild zu Bild verfolgt</translation>
    </message>
    <message>
        <source>redaction follows objects from frame to frame</source>
        <translation>was verborgen wird, wird von Bild zu Bild verfolgt</translation>
    </message>
    <message>
        <source>zones count from the beginning</source>
        <translation>Zonen zählen von Anfang an</translation>
    </message>
    <message>
        <source>{count} workers are too many; ask for fewer.</source>
        <translation>{count} Arbeiter sind zu viele; weniger verlangen.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read ({reason}).</source>
        <translation>{name} ist nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>{name} gave no frame in that part, so nothing was written.</source>
        <translation>{name} gab in diesem Teil kein Bild, also wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>{name} is larger than what is sent between machines, {most} MiB; put it on storage that all of them see.</source>
        <translation>{name} ist größer als das, was zwischen Rechnern gesendet wird, {most} MiB; es auf einen Speicher legen, den alle sehen.</translation>
    </message>
    <message>
        <source>{name} is no file; only files and folders can be worked on elsewhere.</source>
        <translation>{name} ist keine Datei; nur Dateien und Ordner können anderswo bearbeitet werden.</translation>
    </message>
    <message>
        <source>{name} is there and is no folder of pieces; move it away, or choose another output.</source>
        <translation>{name} ist da und kein Ordner mit Stücken; es verschieben oder eine andere Ausgabe wählen.</translation>
    </message>
    <message>
        <source>{name}, {worker}: {text}</source>
        <translation>{name}, {worker}: {text}</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; came as {dtype}{shape}, and its metadata promised {promised}{expected}</source>
        <translation>„{name}“ kam als {dtype}{shape}, die Metadaten versprachen {promised}{expected}</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is of the type {datatype}, which Lightloom does not take</source>
        <translation>„{name}“ hat den Typ {datatype}, den Lightloom nicht nimmt</translation>
    </message>
    <message>
        <source>HTTP, as JSON</source>
        <translation>HTTP, als JSON</translation>
    </message>
    <message>
        <source>HTTP, binary</source>
        <translation>HTTP, binär</translation>
    </message>
    <message>
        <source>JPEG by {way}</source>
        <translation>JPEG über {way}</translation>
    </message>
    <message>
        <source>No results of {model} from {server}: {what}. The request is repeated automatically.</source>
        <translation>Keine Ergebnisse von {model} von {server}: {what}. Es wird von selbst wieder gefragt.</translation>
    </message>
    <message>
        <source>Open a network on a ser&amp;ver...</source>
        <translation>Netz auf einem Ser&amp;ver öffnen...</translation>
    </message>
    <message>
        <source>The address of a network holds a name or a password; leave them out, and keep the token in the system&apos;s key ring.</source>
        <translation>Die Adresse eines Netzes enthält einen Namen oder ein Passwort; beides weglassen und das Token im Schlüsselbund des Systems ablegen.</translation>
    </message>
    <message>
        <source>The host in the address of the network is no IPv6 address; correct it.</source>
        <translation>Der Rechner in der Adresse des Netzes ist keine IPv6-Adresse; berichtigen.</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be written: {reason}; check that its folder can be written to.</source>
        <translation>Die Liste der erlaubten Rechner {path} kann nicht geschrieben werden: {reason}; prüfen, ob der Ordner beschreibbar ist.</translation>
    </message>
    <message>
        <source>The network {model} cannot be had from {server}: {what}; check its address, and that the server runs.</source>
        <translation>Das Netz {model} ist von {server} nicht zu bekommen: {what}; Adresse prüfen, und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The network {model} is on {host}, which would receive the images, and you have not allowed that; open it by its address in the window, or use &apos;lightloom remote allow {host2}&apos;.</source>
        <translation>Das Netz {model} liegt auf {host}, der die Bilder bekäme, und das ist nicht erlaubt worden; im Fenster über die Adresse öffnen oder „lightloom remote allow {host2}“ verwenden.</translation>
    </message>
    <message>
        <source>The system&apos;s key ring does not keep the token ({reason}); unlock it, or use the variable {variable}.</source>
        <translation>Der Schlüsselbund des Systems nimmt das Token nicht an ({reason}); entsperren oder die Variable {variable} verwenden.</translation>
    </message>
    <message>
        <source>The token for {server} has signs in it that no token has; keep it anew in the key ring.</source>
        <translation>Das Token für {server} enthält Zeichen, die kein Token hat; im Schlüsselbund neu ablegen.</translation>
    </message>
    <message>
        <source>There is a token for {server}, and {scheme} would send it unencrypted; use {secure}:// or remove the token.</source>
        <translation>Für {server} gibt es ein Token, und {scheme} würde es unverschlüsselt senden; {secure}:// verwenden oder das Token entfernen.</translation>
    </message>
    <message>
        <source>This is no address of a network; write it as grpc://host:8001/model or http://host:8000/v2/models/model.</source>
        <translation>Das ist keine Adresse eines Netzes; als grpc://host:8001/model oder http://host:8000/v2/models/model schreiben.</translation>
    </message>
    <message>
        <source>gRPC</source>
        <translation>gRPC</translation>
    </message>
    <message>
        <source>it answers {status}</source>
        <translation>er antwortet {status}</translation>
    </message>
    <message>
        <source>it cannot be reached ({reason})</source>
        <translation>er ist nicht erreichbar ({reason})</translation>
    </message>
    <message>
        <source>it cannot be reached, or is not ready</source>
        <translation>er ist nicht erreichbar oder nicht bereit</translation>
    </message>
    <message>
        <source>it did not answer in time</source>
        <translation>er hat nicht rechtzeitig geantwortet</translation>
    </message>
    <message>
        <source>it does not speak the Open Inference Protocol</source>
        <translation>er spricht das Open Inference Protocol nicht</translation>
    </message>
    <message>
        <source>it has another network under this name now; load it anew</source>
        <translation>er hat jetzt ein anderes Netz unter diesem Namen; neu laden</translation>
    </message>
    <message>
        <source>it is busy or not ready ({status})</source>
        <translation>er ist beschäftigt oder nicht bereit ({status})</translation>
    </message>
    <message>
        <source>it says &quot;{words}&quot;</source>
        <translation>er sagt „{words}“</translation>
    </message>
    <message>
        <source>it redirects the request to a host to which images are not sent</source>
        <translation>er leitet die Anfrage weiter, wohin keine Bilder gesendet werden</translation>
    </message>
    <message>
        <source>it takes FP16 and has no binary tensors by HTTP; use its gRPC address</source>
        <translation>er nimmt FP16 und hat über HTTP keine binären Tensoren; seine gRPC-Adresse verwenden</translation>
    </message>
    <message>
        <source>it takes images as bytes and has no binary tensors by HTTP; use its gRPC address</source>
        <translation>er nimmt Bilder als Bytes und hat über HTTP keine binären Tensoren; seine gRPC-Adresse verwenden</translation>
    </message>
    <message>
        <source>it wants a token, or another one than it was given</source>
        <translation>er verlangt ein Token, oder ein anderes als das gegebene</translation>
    </message>
    <message>
        <source>its address names a server.</source>
        <translation>seine Adresse nennt einen Server.</translation>
    </message>
    <message>
        <source>its answer is larger than the {limit} MiB that it may be</source>
        <translation>seine Antwort ist größer als die erlaubten {limit} MiB</translation>
    </message>
    <message>
        <source>its answer is not of the Open Inference Protocol</source>
        <translation>seine Antwort ist keine des Open Inference Protocol</translation>
    </message>
    <message>
        <source>its answer is too large, or it is overloaded ({words})</source>
        <translation>seine Antwort ist zu groß, oder er ist überlastet ({words})</translation>
    </message>
    <message>
        <source>its answer lacks the output &apos;{name}&apos;</source>
        <translation>seiner Antwort fehlt die Ausgabe „{name}“</translation>
    </message>
    <message>
        <source>its answer promises another &apos;{name}&apos; than its metadata</source>
        <translation>seine Antwort verspricht ein anderes „{name}“ als die Metadaten</translation>
    </message>
    <message>
        <source>its certificate is not valid ({verify_message})</source>
        <translation>sein Zertifikat ist nicht gültig ({verify_message})</translation>
    </message>
    <message>
        <source>its metadata tell no inputs or no outputs, which must be declared where the server is set up</source>
        <translation>seine Metadaten nennen keine Eingaben oder keine Ausgaben, die dort anzugeben sind, wo der Server eingerichtet wird</translation>
    </message>
    <message>
        <source>its name is not known on this network</source>
        <translation>sein Name ist in diesem Netzwerk nicht bekannt</translation>
    </message>
    <message>
        <source>network and packing {network} ms, server {server} ms (queue {queue} ms) of {whole} ms</source>
        <translation>Netzwerk und Verpacken {network} ms, Server {server} ms (Warteschlange {queue} ms) von {whole} ms</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no encrypted connection comes about</source>
        <translation>es kommt keine verschlüsselte Verbindung zustande</translation>
    </message>
    <message>
        <source>packed here {here} ms, sent {sent} ms, server and network {waited} ms, received {received} ms; the server does not tell its own time</source>
        <translation>hier verpackt {here} ms, gesendet {sent} ms, Server und Netzwerk {waited} ms, empfangen {received} ms; der Server nennt seine eigene Zeit nicht</translation>
    </message>
    <message>
        <source>server, network and packing {whole} ms; the server does not tell its own time</source>
        <translation>Server, Netzwerk und Verpacken {whole} ms; der Server nennt seine eigene Zeit nicht</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>the call was ended</source>
        <translation>der Aufruf wurde beendet</translation>
    </message>
    <message>
        <source>the connection broke</source>
        <translation>die Verbindung brach ab</translation>
    </message>
    <message>
        <source>the connection broke ({reason})</source>
        <translation>die Verbindung brach ab ({reason})</translation>
    </message>
    <message>
        <source>the image cannot be sent as JPEG</source>
        <translation>das Bild kann nicht als JPEG gesendet werden</translation>
    </message>
    <message>
        <source>{name} gives texts and no numbers; choose another network.</source>
        <translation>{name} gibt Texte und keine Zahlen; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} is on no server; choose another backend for it.</source>
        <translation>{name} liegt auf keinem Server; ein anderes Backend dafür wählen.</translation>
    </message>
    <message>
        <source>{name} marks what is pointed at, which is computed on this machine alone; choose a file.</source>
        <translation>{name} markiert, worauf gezeigt wird, und das wird nur auf diesem Rechner berechnet; eine Datei wählen.</translation>
    </message>
    <message>
        <source>{name} takes bytes beside other inputs; a network that takes bytes must have no other input.</source>
        <translation>{name} nimmt Bytes neben anderen Eingaben; ihm ein Bild als einzige geben.</translation>
    </message>
    <message>
        <source>{name} takes or gives more than {limit} MiB at a time; choose another network.</source>
        <translation>{name} nimmt oder gibt mehr als {limit} MiB auf einmal; ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>{name} takes the inputs {known}, not {given}.</source>
        <translation>{name} nimmt die Eingaben {known}, nicht {given}.</translation>
    </message>
    <message>
        <source>{types} tensors</source>
        <translation>{types}-Tensoren</translation>
    </message>
    <message>
        <source>{variable}=dawn asks for Dawn, whose package is not installed; install it ({command}), or unset {variable}.</source>
        <translation>{variable}=dawn verlangt Dawn, dessen Paket nicht installiert ist; es installieren ({command}) oder {variable} entfernen.</translation>
    </message>
    <message>
        <source>{where} by {way}</source>
        <translation>{where} über {way}</translation>
    </message>
    <message>
        <source>{name} is computed by its server; choose the backend &apos;auto&apos; for it.</source>
        <translation>{name} wird von seinem Server berechnet; dafür das Backend „auto“ wählen.</translation>
    </message>
    <message>
        <source>it is of a PyTorch before 1.6</source>
        <translation>sie stammt von einem PyTorch vor 1.6</translation>
    </message>
    <message>
        <source>it runs programs before or after it (hooks)</source>
        <translation>sie führt davor oder danach Programme aus (Hooks)</translation>
    </message>
    <message>
        <source>Another run writes to {name}; wait for it, or end it.</source>
        <translation>Ein anderer Lauf schreibt in {name}; auf ihn warten oder ihn beenden.</translation>
    </message>
    <message>
        <source>NDI cannot begin: {reason}; try it again.</source>
        <translation>NDI kann nicht beginnen: {reason}; noch einmal versuchen.</translation>
    </message>
    <message>
        <source>NDI takes no more frames; switch the output off and on again.</source>
        <translation>NDI nimmt keine Bilder mehr; die Ausgabe aus- und wieder einschalten.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Receivers will not find it: the service avahi-daemon does not run; install the package of that name.</source>
        <translation>Empfänger werden es nicht finden: Der Dienst avahi-daemon läuft nicht; das Paket dieses Namens installieren.</translation>
    </message>
    <message>
        <source>Spout cannot begin; it needs a graphics card with DirectX 11 and its driver.</source>
        <translation>Spout kann nicht beginnen; es braucht eine Grafikkarte mit DirectX 11 und ihren Treiber.</translation>
    </message>
    <message>
        <source>Syphon cannot begin: {reason}; it needs macOS 11 and a graphics device with Metal.</source>
        <translation>Syphon kann nicht beginnen: {reason}; es braucht macOS 11 und eine Grafikeinheit mit Metal.</translation>
    </message>
    <message>
        <source>The name has {length} letters; give one of {most} at most.</source>
        <translation>Der Name hat {length} Zeichen; höchstens {most} sind möglich.</translation>
    </message>
    <message>
        <source>The package {name} cannot be loaded: {reason}; install it anew: {command}</source>
        <translation>Das Paket {name} lässt sich nicht laden: {reason}; neu installieren: {command}</translation>
    </message>
    <message>
        <source>Transparency</source>
        <translation>Transparenz</translation>
    </message>
    <message>
        <source>Name under which other programs list the camera.</source>
        <translation>Unter dem andere Programme das Bild aufführen.</translation>
    </message>
    <message>
        <source>What is transparent stays so, for programs that put it over something else.</source>
        <translation>Was durchsichtig ist, bleibt es, für Programme, die es über etwas anderes legen.</translation>
    </message>
    <message>
        <source>{title} needs a package that no installer of Lightloom carries: {command}</source>
        <translation>{title} braucht ein Paket, das kein Installationsprogramm von Lightloom mitbringt: {command}</translation>
    </message>
    <message>
        <source>&apos;{port}&apos; of {name} has no type; export it again.</source>
        <translation>„{port}“ von {name} hat keinen Typ; neu exportieren.</translation>
    </message>
    <message>
        <source>&apos;{port}&apos; of {name} has {rank} dimensions.</source>
        <translation>„{port}“ von {name} hat {rank} Dimensionen.</translation>
    </message>
    <message>
        <source>A guidance of {given:g} cannot be; choose 0 to {most:g}.</source>
        <translation>Eine Führung von {given:g} gibt es nicht; 0 bis {most:g} wählen.</translation>
    </message>
    <message>
        <source>An image of {width} x {height} pixels cannot be made; choose multiples of {unit} up to {most}.</source>
        <translation>Ein Bild von {width} x {height} Pixeln ist nicht möglich; Vielfache von {unit} bis {most} wählen.</translation>
    </message>
    <message>
        <source>A strength of {strength:g} cannot be; choose more than 0 and at most 1.</source>
        <translation>Eine Stärke von {strength:g} gibt es nicht; mehr als 0 und höchstens 1 wählen.</translation>
    </message>
    <message>
        <source>A strength of {strength:g} leaves none of {steps} steps; choose a strength of {least:g} or more steps.</source>
        <translation>Eine Stärke von {strength:g} lässt von {steps} Schritten keinen übrig; eine Stärke von {least:g} oder mehr Schritte wählen.</translation>
    </message>
    <message>
        <source>A strength was given without an image; give both.</source>
        <translation>Eine Stärke wurde ohne Bild angegeben; beides angeben.</translation>
    </message>
    <message>
        <source>An LCM of {known} steps at this strength cannot take {steps}; choose fewer steps or a greater strength.</source>
        <translation>Ein LCM mit {known} Schritten bei dieser Stärke kann nicht {steps} machen; weniger Schritte oder eine größere Stärke wählen.</translation>
    </message>
    <message>
        <source>Decoding the image</source>
        <translation>Bild wird dekodiert</translation>
    </message>
    <message>
        <source>Denoising</source>
        <translation>Entrauschen</translation>
    </message>
    <message>
        <source>Encoding the image</source>
        <translation>Bild wird kodiert</translation>
    </message>
    <message>
        <source>Loading the network</source>
        <translation>Netz wird geladen</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Prompt wird gelesen</translation>
    </message>
    <message>
        <source>The UNet of {folder} takes {wanted} latent channels and {part} has {found}; they are of two pipelines.</source>
        <translation>Das UNet von {folder} nimmt {wanted} latente Kanäle, und {part} hat {found}; sie sind von zwei Pipelines.</translation>
    </message>
    <message>
        <source>The prompt has {count} characters; {most} are enough.</source>
        <translation>Der Prompt hat {count} Zeichen; {most} sind genug.</translation>
    </message>
    <message>
        <source>The scheduler of {folder}, {name}, does not run here; choose another one: {names}.</source>
        <translation>Der Scheduler von {folder}, {name}, läuft hier nicht; einen anderen: {names} wählen.</translation>
    </message>
    <message>
        <source>The seed {seed} is none; choose 0 to {most}.</source>
        <translation>{seed} ist kein Startwert; 0 bis {most} wählen.</translation>
    </message>
    <message>
        <source>The text encoder of {folder} gives embeddings of {given} numbers and its UNet takes {wanted}; they are of two pipelines.</source>
        <translation>Der Textkodierer von {folder} gibt Einbettungen von {given} Zahlen, und sein UNet nimmt {wanted}; sie sind von zwei Pipelines.</translation>
    </message>
    <message>
        <source>The tokenizer of {folder} is damaged: {what}; download or export it again.</source>
        <translation>Der Tokenizer von {folder} ist beschädigt: {what}; neu laden oder exportieren.</translation>
    </message>
    <message>
        <source>There is no scheduler &apos;{name}&apos;; choose {names}.</source>
        <translation>Es gibt keinen Scheduler „{name}“; {names} wählen.</translation>
    </message>
    <message>
        <source>With so many steps the first timestep would be {timestep:g} of {trained}; choose fewer steps.</source>
        <translation>Mit so vielen Schritten wäre der erste Zeitschritt {timestep:g} von {trained}; weniger Schritte wählen.</translation>
    </message>
    <message>
        <source>a list of 1 to 6 numbers</source>
        <translation>eine Liste von 1 bis 6 Zahlen</translation>
    </message>
    <message>
        <source>a merge makes what its vocabulary lacks</source>
        <translation>eine Zusammenfügung ergibt, was seinem Vokabular fehlt</translation>
    </message>
    <message>
        <source>a number from {low:g} to {high:g}</source>
        <translation>eine Zahl von {low:g} bis {high:g}</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>it has {count} tokens and the text encoder knows {known}</source>
        <translation>er hat {count} Tokens, und der Textkodierer kennt {known}</translation>
    </message>
    <message>
        <source>its merges are none</source>
        <translation>seine Zusammenfügungen sind keine</translation>
    </message>
    <message>
        <source>its vocabulary is none</source>
        <translation>sein Vokabular ist keines</translation>
    </message>
    <message>
        <source>its vocabulary lacks &apos;{token}&apos;</source>
        <translation>seinem Vokabular fehlt „{token}“</translation>
    </message>
    <message>
        <source>pipeline without a name</source>
        <translation>Pipeline ohne Namen</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>diesem Rechner</translation>
    </message>
    <message>
        <source>tokenizer.json is not CLIP&apos;s</source>
        <translation>tokenizer.json ist nicht von CLIP</translation>
    </message>
    <message>
        <source>tokenizer/{name} cannot be read ({reason}); export it again.</source>
        <translation>tokenizer/{name} kann nicht gelesen werden ({reason}); neu exportieren.</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <source>{folder} has no taesd_decoder; put one into it or leave --tiny out.</source>
        <translation>{folder} hat keinen taesd_decoder; einen hineinlegen oder --tiny weglassen.</translation>
    </message>
    <message>
        <source>{folder} has no tokenizer/vocab.json with merges.txt, and no tokenizer.json; export the folder again.</source>
        <translation>{folder} hat weder tokenizer/vocab.json mit merges.txt noch tokenizer.json; Ordner neu exportieren.</translation>
    </message>
    <message>
        <source>{folder} has no vae_encoder/model.onnx, which changing an image needs; export the folder with it.</source>
        <translation>{folder} hat kein vae_encoder/model.onnx, das man zum Ändern eines Bildes braucht; Ordner damit exportieren.</translation>
    </message>
    <message>
        <source>{folder} has no {kind}/model.onnx; export the folder again, or download what is missing.</source>
        <translation>{folder} hat kein {kind}/model.onnx; Ordner neu exportieren oder laden, was fehlt.</translation>
    </message>
    <message>
        <source>{folder} is a {name}; what runs here is Stable Diffusion 1.x, SD-Turbo and latent consistency models.</source>
        <translation>{folder} ist: {name}; hier laufen Stable Diffusion 1.x, SD-Turbo und Latent-Consistency-Netze.</translation>
    </message>
    <message>
        <source>{folder} was exported for images of {width} x {height} pixels alone; choose this size, or export it with free ones.</source>
        <translation>{folder} wurde nur für Bilder von {width} x {height} Pixeln exportiert; diese Größe wählen oder mit freien exportieren.</translation>
    </message>
    <message>
        <source>{missing:.1f} GiB of memory are missing for {folder}: {part} takes at least {needed:.1f} GiB and {free:.1f} are free on {where}; close other programs, or choose a smaller image, fp16 (--precision fp16) or another adapter.</source>
        <translation>Für {folder} fehlen {missing:.1f} GiB Speicher: {part} braucht mindestens {needed:.1f} GiB, und auf {where} sind {free:.1f} frei; andere Programme schließen oder ein kleineres Bild, fp16 (--precision fp16) oder einen anderen Adapter wählen.</translation>
    </message>
    <message>
        <source>{name} cannot be read ({reason}); export it again.</source>
        <translation>{name} kann nicht gelesen werden ({reason}); neu exportieren.</translation>
    </message>
    <message>
        <source>{name} goes on after {reached:.2f} s without the streams that it begins with: split it there into two files if another recording follows, or try another copy of it.</source>
        <translation>{name} geht nach {reached:.2f} s ohne die Streams vom Anfang weiter: dort in zwei Dateien teilen, falls eine andere Aufnahme folgt, oder eine andere Kopie versuchen.</translation>
    </message>
    <message>
        <source>{name} has no {index}; give a folder as diffusers and Optimum export it.</source>
        <translation>{name} hat kein {index}; einen Ordner angeben, wie diffusers und Optimum ihn exportieren.</translation>
    </message>
    <message>
        <source>{name} has {count} inputs or outputs; export it again.</source>
        <translation>{name} hat {count} Ein- oder Ausgänge; neu exportieren.</translation>
    </message>
    <message>
        <source>{name} is no folder; give one that holds {index}.</source>
        <translation>{name} ist kein Ordner; einen angeben, der {index} enthält.</translation>
    </message>
    <message>
        <source>{name} is no text</source>
        <translation>{name} ist kein Text</translation>
    </message>
    <message>
        <source>{name} is not a JSON object</source>
        <translation>{name} ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>{name} is not a JSON object; download or export it again.</source>
        <translation>{name} ist kein JSON-Objekt; neu laden oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is not an ONNX file; export it again.</source>
        <translation>{name} ist keine ONNX-Datei; neu exportieren.</translation>
    </message>
    <message>
        <source>{name} is not valid JSON</source>
        <translation>{name} ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>{name} is not valid JSON; download or export it again.</source>
        <translation>{name} ist kein gültiges JSON; neu laden oder exportieren.</translation>
    </message>
    <message>
        <source>{name} is to hide something with &apos;{filter}&apos;, and is not opened without that filter. {error}</source>
        <translation>{name} soll mit &apos;{filter}&apos; etwas verbergen und wird ohne diesen Filter nicht geöffnet. {error}</translation>
    </message>
    <message>
        <source>{name} leaves nothing of the image at its last timestep, which does not run here; check beta_start and beta_end.</source>
        <translation>{name} lässt beim letzten Zeitschritt nichts vom Bild übrig, was hier nicht läuft; beta_start und beta_end prüfen.</translation>
    </message>
    <message>
        <source>{name} says {key} = {value}, which does not run here; choose another scheduler or export the folder without it.</source>
        <translation>{name} sagt {key} = {value}, was hier nicht läuft; anderen Scheduler wählen oder Ordner ohne dies exportieren.</translation>
    </message>
    <message>
        <source>{name} says {key} = {value}; what runs here is {wanted}.</source>
        <translation>{name} sagt {key} = {value}; hier läuft: {wanted}.</translation>
    </message>
    <message>
        <source>{name} was written by a newer Lightloom (format {version}; this one reads {known}); get the newer program.</source>
        <translation>{name} wurde von einem neueren Lightloom geschrieben (Format {version}; dieses liest {known}); das neuere Programm holen.</translation>
    </message>
    <message>
        <source>{name}: values of &apos;{node}&apos; are beyond 65504, where 16-bit floats end, so that its results may be wrong; choose the precision fp32 or another backend.</source>
        <translation>{name}: Werte von &apos;{node}&apos; liegen über 65504, wo 16-Bit-Gleitkommazahlen enden, sodass die Ergebnisse falsch sein können; die Genauigkeit fp32 oder einen anderen Rechenweg wählen.</translation>
    </message>
    <message>
        <source>{node} is not valid: {what}; use the onnxruntime backend, or export the model again.</source>
        <translation>{node} ist nicht gültig: {what}; den Rechenweg onnxruntime verwenden oder das Modell neu exportieren.</translation>
    </message>
    <message>
        <source>{node} reads &apos;{name}&apos;, which a node after it computes</source>
        <translation>{node} liest &apos;{name}&apos;, was ein Knoten dahinter berechnet</translation>
    </message>
    <message>
        <source>{node} reads &apos;{name}&apos;, which nothing computes</source>
        <translation>{node} liest &apos;{name}&apos;, was nichts berechnet</translation>
    </message>
    <message>
        <source>{part} does not turn one tensor of [batch, channels, height, width] into another.</source>
        <translation>{part} macht nicht aus einem Tensor [batch, channels, height, width] einen anderen.</translation>
    </message>
    <message>
        <source>{part} gives {found} for a sample of {shape}; export the folder again.</source>
        <translation>{part} gibt {found} für eine Probe von {shape}; Ordner neu exportieren.</translation>
    </message>
    <message>
        <source>{part} gives {found} where {wanted} is needed; it is of another pipeline than the UNet.</source>
        <translation>{part} gibt {found}, wo {wanted} gebraucht wird; es ist von einer anderen Pipeline als das UNet.</translation>
    </message>
    <message>
        <source>{part} has no input &apos;{name}&apos; of {rank} dimensions; export the folder with Optimum&apos;s Stable Diffusion exporter.</source>
        <translation>{part} hat keinen Eingang „{name}“ mit {rank} Dimensionen; Ordner mit Optimums Export für Stable Diffusion exportieren.</translation>
    </message>
    <message>
        <source>{part} has no output of [batch, tokens, width]; export the folder with Optimum&apos;s Stable Diffusion exporter.</source>
        <translation>{part} hat keinen Ausgang [batch, tokens, width]; Ordner mit Optimums Export für Stable Diffusion exportieren.</translation>
    </message>
    <message>
        <source>{part} takes {others}, which pipelines of SD 1.x, SD-Turbo and LCM don&apos;t; choose a folder of one of these.</source>
        <translation>{part} nimmt {others}, was Pipelines von SD 1.x, SD-Turbo und LCM nicht tun; einen Ordner einer von diesen wählen.</translation>
    </message>
    <message>
        <source>{part} was exported for {fixed} samples of {tokens} tokens; {batch} of {wanted} are needed: export it with free ones.</source>
        <translation>{part} wurde für {fixed} Proben von {tokens} Tokens exportiert; {batch} von {wanted} werden gebraucht: mit freien exportieren.</translation>
    </message>
    <message>
        <source>{part} was exported for {length} tokens; export it for {usual}.</source>
        <translation>{part} wurde für {length} Tokens exportiert; für {usual} exportieren.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}; {advice}.</source>
        <translation>{path} kann nicht geschrieben werden: {reason}; {advice}.</translation>
    </message>
    <message>
        <source>{path} could not be finished: {reason}; {advice}.</source>
        <translation>{path} konnte nicht abgeschlossen werden: {reason}; {advice}.</translation>
    </message>
    <message>
        <source>{steps} steps cannot be taken; choose 1 to {most}.</source>
        <translation>{steps} Schritte sind nicht möglich; 1 bis {most} wählen.</translation>
    </message>
</context>
<context>
    <name>times</name>
    <message>
        <source>On a software adapter the times of single effects are unreliable: passes overlap there and share the processor&apos;s cores.</source>
        <translation>Auf einem Software-Adapter sind die Zeiten einzelner Effekte unzuverlässig: Durchläufe überlappen sich dort und teilen sich die Prozessorkerne.</translation>
    </message>
</context>
</TS>
