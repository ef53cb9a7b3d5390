<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Lightloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing on {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AdapterDialog</name>
    <message>
        <source>Adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters and networks compute on this adapter. The chain is kept when you change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, in use</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChainPanel</name>
    <message>
        <source>Chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No filters yet. Double-click one in the library, or drop a .wgsl, .cube, preset or .onnx.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or repaint the picture:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of all filters of a picture, by {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a command, a filter or a recent file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message numerus="yes">
        <source>; %n pictures left out because encoding was behind</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing on {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Copied %n filters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Duplicate {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset saved as {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording saved as {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redone: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload a shader</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshot saved as {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch {0} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to record yet; open a source first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undone: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>A report has the log, what this machine has, and what was set up. It is saved where you say, and sent to nobody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If it happens again, safe mode helps to find out why: it leaves out your own shaders, starts without a network and computes without the graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lightloom did not end well the last time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report saved as {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a report...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Starts normally in %n seconds.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Drop a video, image, .onnx or .wgsl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play the sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or a folder, a .cube table, a preset, an address</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FileEditor</name>
    <message>
        <source>Choose a .cube file...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a picture...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour tables (*.cube)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use no picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use no table</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FrameGraph</name>
    <message>
        <source>Graph of frame time and latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InputDialog</name>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0..255 less Caffe&apos;s mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file with one name a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts something out (mask)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds things, with boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give numbers with commas between them, a channel each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How pictures are prepared for this network. What you say is kept beside its file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ImageNet&apos;s mean and deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean and deviation of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of the classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names what the picture shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range before mean and deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repaints the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tells how far things are (depth)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text (*.txt *.names);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not say {0}. What stands here was assumed; change it where you know better. It is kept beside the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the range of its values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it is for</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the picture: wheel zooms, drag moves, double click changes between fit and 1:1. On a parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down move, Delete removes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message>
        <source>Add to favourites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No filter is called “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search filters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibrarySettingsDialog</name>
    <message>
        <source>A mirror is a folder on a web server with the files of this list under their names; a folder of downloads is one. Proxies are taken from the environment. Networks that are in another folder stay there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of a mirror</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the folder of downloaded networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of downloaded networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Networks: folder and downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mirror must be an http or https address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the usual folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work offline: make no request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: from the networks&apos; own pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelEditor</name>
    <message>
        <source>Choose a file...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Networks (*.onnx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Cancel the download of {0} and delete what has arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on downloading {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More about {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the download of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share that has arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelsPanel</name>
    <message>
        <source>Compare the checksum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder, mirror, offline...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Networks (*.onnx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network is called “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No networks yet. Drop an .onnx on the window, or open one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offline: nothing is downloaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a network (.onnx)... (Ctrl+M)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the page it is from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {0}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repaints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used lately</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} and what is written beside it are deleted from {1}. It can be downloaded again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is the file that the catalogue names</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NetworkCard</name>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel loading the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every n-th</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every n-th picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the chain&apos;s result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of two boxes that share more than this, the less certain one goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the network&apos;s settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is less certain is not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the network takes, and its names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all; or names, with commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bicubic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bilinear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>classification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>detection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>letterbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nearest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stretch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourcesPanel</name>
    <message>
        <source>Address (rtsp://, http://, udp://, ...)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for cameras</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No camera is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder of images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder of images...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a network stream...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a video or an image... (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>animation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking for permission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>codec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>coded size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colour profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>container</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>orientation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel aspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>playing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StageCard</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag to reorder (Alt+Up, Alt+Down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On or off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show parameters (Shift: keep others open)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the shader file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This filter has no parameters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the network runs, what was inferred of it, and settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at its first picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiling...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} results a second, {1} ms behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: on or off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StageGraphs</name>
    <message>
        <source>Time of each stage</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatsPanel</name>
    <message>
        <source>Begin all counters and graphs anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU {0} ms a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Present</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decoded {0}, dropped {1}, bad {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not drawn, GPU busy: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>times: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>upload {0}, read back {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{0} FPS, %n pictures</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{0}: {1} FPS, latency {2} ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimeLine</name>
    <message>
        <source>Time line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>Camera format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed ([ and ])</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera&apos;s resolution, rate and pixel format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system does not tell this camera&apos;s formats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Viewport</name>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>&amp;1:1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Lightloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Commands...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy all filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lock the panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mirror the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Normal speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Play or pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A at {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A-B loop off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back 1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back 5 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;lear the chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this window and start Lightloom as usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ilters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FPS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Favourite, or not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures on the &amp;picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics &amp;adapter...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics adapter: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lightloom (safe mode)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop {0} to {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Net&amp;works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On 1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On 5 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One picture &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One picture &amp;on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;folder of images...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;network...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;preset...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;stream...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open my shader &amp;folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play the s&amp;ample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Playback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets (*.toml)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;ecent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record to a &amp;file...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the &amp;panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;napshot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Safe mode: your own shaders and networks are left out. There is no software adapter here, so {0} computes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Safe mode: your own shaders, networks and the graphics card are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a &amp;report of a problem...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the chain as a p&amp;reset...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the chain as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set &amp;A, then B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show figures for a &amp;moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed {0}×</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphics adapter in use; click to choose another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphics device was started anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the network {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.webm *.mkv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency p50 / 95 / 99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is there already. Replace it?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the folder of {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message>
        <source>% of height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>% of width</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more candidates</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n names</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n networks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outputs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsupported nodes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>0 is a grey relief, 1 the picture with the relief on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 takes only light and dark from the network, and the colours from the picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3-clause BSD (OpenMMLab header)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3D LUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3x3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5x5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A .cube file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A broken signal: displaced blocks, separated colours, dark lines; the same for the same frame number and seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A camera that films its own screen: the frame before comes back enlarged, turned and in another hue, again and again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A first network of a tutorial: ten kinds of things in tiny pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A flip shows everything; a half is repeated on the other side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask of 21 kinds of things; people are kind 15.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A point that the band in focus runs through.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A style in the box, or an .onnx file that gives a picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tube monitor: curved glass, scan lines, a mask of red, green and blue stripes and darker corners, in linear light.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ASCII</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them; black and white stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapts the picture from the light it was taken in to daylight of 6500 K (Bradford transform in linear light).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added to every channel; 1 is the step from black to white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds grain that changes with every frame and is the same whenever the same frame is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds or removes the barrel and pincushion distortion of a lens (radial terms of the Brown-Conrady model).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Amount</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Amplitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An .onnx file that gives a depth map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle of the screen; cyan and magenta are turned by 30° against black and yellow by 45°.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle of the turn; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another number gives another grain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another number gives another sequence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apache-2.0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apache-2.0 (its repository&apos;s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applies a look-up table in the .cube format; drop the file on the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At 1 the horizon&apos;s circle fills the frame&apos;s height.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Averages each pixel over time where nothing moves, and lets go where something does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BGR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BSD-3-Clause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backdrop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bends the picture around a ball and looks at it from above (stereographic); made for 360° panoramas, fun with any picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bends the tones of all channels along a smooth curve through five points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bilateral smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black and white</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blacks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blur</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things; very small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxes around faces, of any size of picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxes around faces.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightens dark areas and darkens bright ones; what is dark or bright is decided by the surroundings, so that detail stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightens dark pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightens dark pictures; the smallest network here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightens or darkens as a camera&apos;s exposure does, in linear light.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightness and contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightness of the edges; at 1 a step from black to white is white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightness of the picture behind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CIFAR-10 tutorial</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>COCO, 80 kinds of things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CRT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Canny edges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cartoon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change of the 3 x 3 mean (root of the squared sum over R&apos;, G&apos;, B&apos;) that counts as motion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Characters in the picture&apos;s colours, or in one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chroma key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chromatic aberration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cinema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clean webcam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clockwise turn at the centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clockwise turn from frame to frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clockwise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color grain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour behind the characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour behind the picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour difference that counts as an edge and is kept; smaller ones are smoothed away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour fringes that grow towards the corners, as a lens leaves them when it enlarges red and blue differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of black.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the glow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the ink.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of the screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour of white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour temperature of the light in the scene; a higher one makes the picture warmer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours from far to near.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast about middle grey, then brightness, then gamma, on the displayed values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast of luma around the middle; 1 keeps it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast-limited adaptive histogram equalisation of luma: brings out detail in dark and bright parts alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crests that pass in a second; rings run outwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crop and zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut off at the bottom.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut off at the left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut off at the right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut off at the top.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts off the edges, zooms and pans, and scales what is left to the frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark characters on light paper: dense where the picture is dark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darkens the picture towards its corners, as a lens does, in linear light.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darkness of every other pair of lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darkness of the lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DeepLab v3, MobileNetV2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth of field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth of the dark gaps between scan lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth of the stripes of the three primaries, each one pixel wide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences in luma below this stay as they are, so that noise is not sharpened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance between grains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from crest to crest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from dot to dot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the band to the full blur.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance in Cb and Cr (each reaches from -0.5 to 0.5) up to which a pixel is screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distortion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dither</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draws glowing lines along the edges over a darkened picture, as neon tubes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duotone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge glow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Emboss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlargement from frame to frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarges on top of that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarges the change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarges what the edges leave.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarges what the slices show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarges, to hide empty corners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equalize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimates how near things are with a neural network, and shows it in colours or blurs what is out of focus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exposure of bright areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exposure of dark areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extra saturation that fades to none for colours that are already saturated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor about middle grey (0.5); 0 leaves a flat grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor for all colours; 0 is black and white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the difference that is added; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor on the light, against the loss in lines and mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Falloff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FastestDet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feather</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Film grain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds people with a neural network, and blurs, replaces or dims what is behind them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds people, to blur, dim or replace what is behind them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit it into the frame, cover the frame, stretch to it, or leave it where it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flattens the picture into brush-like patches with firm edges (Kuwahara filter).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flips the picture, or mirrors one half onto the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Focus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four process inks, or one ink on paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further distance over which it becomes opaque.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPL-3.0 (its repository&apos;s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gaussian blur</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives each channel the median of its neighbourhood: removes specks and keeps edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glitch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient of luma (Sobel, a hard edge from black to white is 1) below which there is no line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Green</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Green (below 0) or magenta (above 0) correction; one step is 1/3000 in CIE 1960 uv across the Planckian locus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guided smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half width of the square window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Halftone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heat camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height of a row of blocks; a block is four to sixteen times as wide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height of a scan line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height of the relief.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Highlights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How abruptly one step changes to the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How edges are drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How edges are drawn; &apos;direction&apos; gives each direction of the slope a hue, &apos;over_picture&apos; adds the edges to the picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far a character&apos;s colour is raised to full brightness, since its shape alone gives the tone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far apart the two points are whose luma is compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far around the focus things are sharp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far away things are, steady over time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the border is drawn to the picture&apos;s own edges: half width of the window in blocks of 4 pixels; 0 leaves the mask as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the glass bulges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the lines take on the picture&apos;s colours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the picture&apos;s blocks shine through behind the characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the twist reaches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a disturbance stands still.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much darker the corners are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of the scattered light is added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How soon a gradient gives a line of full brightness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How strongly the calmest window wins; low values blend them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ImageNet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ImageNet, 1,000 kinds of things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ink and wash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input black</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input value that becomes output black.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input value that becomes output white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input white</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jewel-coloured panes in dark lead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kaleidoscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the brighter of the two, or mix them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the scale, enlarge until no corner is empty, or shrink until everything is in the frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps a band in focus and blurs the rest, which makes a scene look like a miniature.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knee</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest change of a channel that still counts as still.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest displacement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest distance between red and blue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves a fading trail behind everything that moves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves a few evenly spaced values of each channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of a streak as a share of the distance from the centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lens distortion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets bright parts glow, as light scattered in a lens does; computed in linear light on a pyramid of smaller pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light lost outside of the soft edge; below 0 the corners get brighter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights the picture from one side as if its luma were a relief.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear light above which a pixel glows; 1 is white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local contrast (CLAHE)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longer side of what the network sees, where it takes any size: larger is finer and slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Luma that gets the coldest colour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Luma that gets the hottest colour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIT (its repository&apos;s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MNIST digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps a range of input values to a range of output values with a gamma between; values outside are clipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps luma from one colour in the shadows to another in the lights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of the bright area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Midtones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirrored pairs of slices around the point.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and its negative; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the curve&apos;s result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the equalised one; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the false colours; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the graded picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the grey one; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the median; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the repainted one; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the smoothed one; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the toned one; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mix of the picture and the two colours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixes red, green and blue to one grey, as colour filters before a black-and-white film do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mosaic, small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most that a value may occur, as a multiple of an even histogram; a higher limit gives more contrast and more noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Motion trails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moving waves, as of water: straight ones that shear the picture, or rings around a point.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names 1,000 kinds of things; small and quick, computed in half precision.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names what it sees: the 1,000 classes of ImageNet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Night city</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was recorded: no picture came while the recording ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oil paint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oil strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Old television</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One EV doubles the light.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output black</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output value of black (0).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output value of bright tones (0.75).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output value of dark tones (0.25).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output value of middle tones (0.5).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output value of white (1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output white</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PASCAL VOC, 20 kinds of things and background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paints the picture as a mosaic.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paints the picture in the style of sweets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pen hatching over blue and brown washes on paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Period</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Person mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures that are averaged; long streaks need more to be smooth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixelate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Posterize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the picture as a screen of dots whose area gives the tone, in one ink or in cyan, magenta, yellow and black.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability from which on a pixel belongs to the person.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put a colour behind, make it transparent, or show the matte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RGB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radial coefficient, with the corner at radius 1: above zero bulges like a barrel, below zero pulls in like a pincushion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach of that light; its standard deviation is half of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach of the blur where it is strongest; its standard deviation is half of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach of the kernel; its standard deviation is half of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach of the round window; 0 changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach of the smoothing, which is done twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads one handwritten digit, light on dark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Red</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reduces the picture to a few colours with an ordered 8 x 8 pattern, as old displays and printers did.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repaints the picture with a neural network: a style, or any network that turns a picture into a picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeats one slice of the picture around a point, every other one mirrored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaces every block by its mean colour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rings around the centre, or straight waves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ripple</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Risograph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SCI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scales the distance of each colour from the grey of its luma; vibrance does so most where there is little colour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second coefficient (fourth power of the radius), which acts on the corners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Segments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selfie segmentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Separate grain for red, green and blue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sepia</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shadows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shadows and highlights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape of a dot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of blue in the grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of green in the grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of red in the grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the frame before that comes back; 0 switches it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the grey in a colour that is printed in black ink instead of cyan, magenta and yellow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the light that goes on to the next wider level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the past in a still pixel; 0 switches it off, 0.9 averages about 19 frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the rows of blocks that are displaced; 0 leaves them in place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the screen&apos;s hue that is taken from what stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the trail that is left after one frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharpen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift of hue from frame to frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift of red outwards and of blue inwards in the corners; it is in proportion to the distance from the centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the map in colours, or blur what is out of focus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows how steeply luma changes (3 x 3 Sobel operator).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows luma in the false colours of a thermal camera.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what changed since the frame before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a block.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a character&apos;s dots; a character is 6 dots wide and 8 high.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a dot; the picture is reduced to dots of this size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of the four windows around a pixel, less one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the change, change around grey, white where it passes the threshold, or the picture dimmed where nothing moves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the neighbourhood in pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges with a guided filter; its cost does not grow with the radius.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges: a mean of near pixels of like colour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths surfaces while keeping edges, reduces the tones to a few steps and draws dark lines along the edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths with a Gaussian kernel, rows first, then columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sobel edges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softness of the border: half the range of probability over which the person fades.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softness of the threshold, as a share of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong inside Lightloom ({error}); the log file has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spreads the luma of the whole picture evenly from black to white (histogram equalisation).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SqueezeNet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stained glass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the blur before the search; more finds fewer, larger outlines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the blur that tells surroundings from detail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the blur.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the blurred copy: the size of the detail that is sharpened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the grain in middle grey; dark and bright parts get less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the weight for colour, over the sum of the differences of the three channels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the weight for distance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation within the window that still counts as texture and is smoothed; more is an edge and stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steepness that begins an edge, in the same measure; below the low threshold it counts as that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steepness that continues an edge: length of the 3 x 3 Sobel gradient of luma from 0 to 255.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of each channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of each primary, of luma, or from one colour to another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of luma.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streaks towards a point, as from zooming during the exposure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the colours; 1 keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the light around the lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Style</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stylize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swirl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TCMonoDepth, small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take large values for far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes out a green or blue screen by its distance in chroma, and its cast from what stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tells the person before the camera from the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temporal denoise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The centre of the twist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The channel that is changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The colours from cold to hot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language changes when Lightloom is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lens&apos;s axis, where nothing is shifted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The middle of the rings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The order of the network&apos;s channels, where what was inferred is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The person mask in the box, or an .onnx file that gives a mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The point that stays where it is; cover and fit are reckoned for the middle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The point that the slices meet at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The point that the streaks run to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The point that the tunnel leads to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range of the network&apos;s input, where what was inferred is wrong; ImageNet is 0..1 less its mean, over its deviation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range of the picture that comes out, where what was inferred is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording {name} stopped ({error}); what was written so far can be played.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report {name} cannot be written ({reason}); choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings in {folder} cannot be read or written, so changes last until the window is closed; give the folder to your user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings were damaged and begin anew; the old file is kept as {kept}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings {path} are damaged and cannot be moved away ({reason}); delete the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no picture to save yet; open a source first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thermal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thick bristle strokes that follow the picture&apos;s forms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thin, connected outlines: blur, gradient, non-maximum suppression, two thresholds, hysteresis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three coarse halftone inks, printed a little out of register.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tiles across and down that each get a curve of their own; 1 equalises the picture as a whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tilt-shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time over which the mask is averaged, against flicker; what changes much is let through at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time over which the nearest and the farthest value are averaged, against flicker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tiny planet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tone curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tones the picture brown like an old print.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Treat the person instead of the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns all hues by an angle in the Cb/Cr plane of BT.709, so that the luma of every pixel stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the ball.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the band clockwise; at 0 it is level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the picture by any angle, with bilinear sampling.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the picture into its negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns the whole figure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Twists the picture around a point, most in the middle and not at all at the rim.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>UltraFace RFB 320</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsharp mask: adds the difference between the picture and a blurred copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value that black is given; above output white it inverts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value that white is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that each channel may take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vibrance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Video call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vignette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What becomes of the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is left of the background&apos;s light.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is put in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is put in its place; it fills the frame, what stands over is cut off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is sharp, from the farthest (0) to the nearest (1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown where the picture does not reach.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where in the remaining picture the zoom looks; 0 and 1 are its edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where one looks: -90 is down on the planet, 0 ahead, 90 up into a tunnel of sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the darkening begins; 0 is the centre, 1 the corner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the light comes from: 0 is right, -90 is above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the network is computed; auto takes the GPU where there is one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the waves run to: 0 is right, 90 is down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which channel or class of the network is the mask; -1 takes the person&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which direction of the picture the slices show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>White balance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the band that is sharp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the soft edge, in the same measure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the picture in characters that are as bright as what they replace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YOLOX-Nano</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YuNet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero-DCE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom blur</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>black</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>black_hot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>black_on_white</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blur</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bottom half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>color</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cover</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flip horizontally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flip vertically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>four-way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>green</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>highlight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lighten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mirror</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mono</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>onnxruntime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over_picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rainbow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>red</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sea</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>signed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stretch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transparent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn by 180°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two colors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wgpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>white_hot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>white_on_black</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} could not be opened; try another source.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
