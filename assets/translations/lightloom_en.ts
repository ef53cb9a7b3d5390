<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CrashDialog</name>
    <message numerus="yes">
        <source>Starts normally in %n seconds.</source>
        <translation>
            <numerusform>Starts normally in %n second.</numerusform>
            <numerusform>Starts normally in %n seconds.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Edits</name>
    <message numerus="yes">
        <source>Copied %n filters</source>
        <translation>
            <numerusform>Copied %n filter</numerusform>
            <numerusform>Copied %n filters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message numerus="yes">
        <source>; %n pictures left out because encoding was behind</source>
        <translation>
            <numerusform>; %n picture left out because encoding was behind</numerusform>
            <numerusform>; %n pictures left out because encoding was behind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsPanel</name>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatsPanel</name>
    <message numerus="yes">
        <source>{0} FPS, %n pictures</source>
        <translation>
            <numerusform>{0} FPS, %n picture</numerusform>
            <numerusform>{0} FPS, %n pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrackCard</name>
    <message numerus="yes">
        <source>%n followed</source>
        <translation>
            <numerusform>%n followed</numerusform>
            <numerusform>%n followed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message numerus="yes">
        <source>%n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>%n event was not delivered; the log has it.</numerusform>
            <numerusform>%n events were not delivered; the log has them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n frame</numerusform>
            <numerusform>%n frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more candidates</source>
        <translation>
            <numerusform>%n more candidate</numerusform>
            <numerusform>%n more candidates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n names</source>
        <translation>
            <numerusform>%n name</numerusform>
            <numerusform>%n names</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n networks</source>
        <translation>
            <numerusform>%n network</numerusform>
            <numerusform>%n networks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other things in it were left out.</source>
        <translation>
            <numerusform>%n other thing in it was left out.</numerusform>
            <numerusform>%n other things in it were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outputs</source>
        <translation>
            <numerusform>%n output</numerusform>
            <numerusform>%n outputs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things were not looked at closer; raise how many are.</source>
        <translation>
            <numerusform>%n thing was not looked at closer; raise how many are.</numerusform>
            <numerusform>%n things were not looked at closer; raise how many are.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsupported nodes</source>
        <translation>
            <numerusform>%n unsupported node</numerusform>
            <numerusform>%n unsupported nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What its %n events would do (write files, call addresses) is switched off; switch them on once you have seen what that is.</source>
        <translation>
            <numerusform>What its %n event would do (write files, call addresses) is switched off; switch it on once you have seen what that is.</numerusform>
            <numerusform>What its %n events would do (write files, call addresses) is switched off; switch them on once you have seen what that is.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{title}: it works again; %n events were not delivered, the log has them.</source>
        <translation>
            <numerusform>{title}: it works again; %n event was not delivered, the log has it.</numerusform>
            <numerusform>{title}: it works again; %n events were not delivered, the log has them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{title}: {reason}; %n events were not delivered, the log has them.</source>
        <translation>
            <numerusform>{title}: {reason}; %n event was not delivered, the log has it.</numerusform>
            <numerusform>{title}: {reason}; %n events were not delivered, the log has them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation>
            <numerusform>%n candidate too many, left out; raise the score.</numerusform>
            <numerusform>%n candidates too many, left out; raise the score.</numerusform>
        </translation>
    </message>
</context>
</TS>
