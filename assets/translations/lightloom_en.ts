<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AnonymizeCard</name>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n hidden</numerusform>
            <numerusform>%n hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Automations</name>
    <message numerus="yes">
        <source>%n scene cuts have no key frame, as {0} can have {1} at most; remove some first.</source>
        <translation>
            <numerusform>%n scene cut has no key frame, as {0} can have {1} at most; remove some first.</numerusform>
            <numerusform>%n scene cuts have no key frame, as {0} can have {1} at most; remove some first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Clicks</name>
    <message numerus="yes">
        <source>%n points at most</source>
        <translation>
            <numerusform>%n point at most</numerusform>
            <numerusform>%n points at most</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message numerus="yes">
        <source>%n exports are not done yet.</source>
        <translation>
            <numerusform>%n export is not done yet.</numerusform>
            <numerusform>%n exports are not done yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparisonPanel</name>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n image</numerusform>
            <numerusform>%n images</numerusform>
        </translation>
    </message>
</context>
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
        <source>Copied %n effects</source>
        <translation>
            <numerusform>Copied %n effect</numerusform>
            <numerusform>Copied %n effects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>%n events were removed from the list.</source>
        <translation>
            <numerusform>%n event was removed from the list.</numerusform>
            <numerusform>%n events were removed from the list.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportLabelsDialog</name>
    <message numerus="yes">
        <source>%n images go into the file.</source>
        <translation>
            <numerusform>%n image goes into the file.</numerusform>
            <numerusform>%n images go into the file.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message numerus="yes">
        <source>%n exports were interrupted; the panel Exports begins them again.</source>
        <translation>
            <numerusform>%n export was interrupted; the panel Exports begins it again.</numerusform>
            <numerusform>%n exports were interrupted; the panel Exports begins them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exports begin again, as you wanted when Lightloom was closed.</source>
        <translation>
            <numerusform>%n export begins again, as you wanted when Lightloom was closed.</numerusform>
            <numerusform>%n exports begin again, as you wanted when Lightloom was closed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message numerus="yes">
        <source>A grid shows {0} sources at most, so %n were left out; close a tile first.</source>
        <translation>
            <numerusform>A grid shows {0} sources at most, so %n was left out; close a tile first.</numerusform>
            <numerusform>A grid shows {0} sources at most, so %n were left out; close a tile first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InputPanel</name>
    <message numerus="yes">
        <source>%n regions</source>
        <translation>
            <numerusform>%n region</numerusform>
            <numerusform>%n regions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyFramePlot</name>
    <message numerus="yes">
        <source>%n key frames</source>
        <translation>
            <numerusform>%n key frame</numerusform>
            <numerusform>%n key frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabelCanvas</name>
    <message numerus="yes">
        <source>%n boxes</source>
        <translation>
            <numerusform>%n box</numerusform>
            <numerusform>%n boxes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabelWindow</name>
    <message numerus="yes">
        <source>{0} of %n images confirmed</source>
        <translation>
            <numerusform>{0} of %n image confirmed</numerusform>
            <numerusform>{0} of %n images confirmed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutputCard</name>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n left out</numerusform>
            <numerusform>%n left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n image</numerusform>
            <numerusform>%n images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message numerus="yes">
        <source>; %n frames dropped because encoding was behind</source>
        <translation>
            <numerusform>; %n frame dropped because encoding was behind</numerusform>
            <numerusform>; %n frames dropped because encoding was behind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlaylistPanel</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PointsEditor</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n strokes</source>
        <translation>
            <numerusform>%n stroke</numerusform>
            <numerusform>%n strokes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Proposals</name>
    <message numerus="yes">
        <source>%n images were left out</source>
        <translation>
            <numerusform>%n image was left out</numerusform>
            <numerusform>%n images were left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RememberedEditor</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsPanel</name>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n frame</numerusform>
            <numerusform>%n frames</numerusform>
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
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
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
        <source>%n more images are left out.</source>
        <translation>
            <numerusform>%n more image is left out.</numerusform>
            <numerusform>%n more images are left out.</numerusform>
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
        <source>%n objects have an outline in several parts, of which the longest was read.</source>
        <translation>
            <numerusform>%n object has an outline in several parts, of which the longest was read.</numerusform>
            <numerusform>%n objects have an outline in several parts, of which the longest was read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other settings in it were left out.</source>
        <translation>
            <numerusform>%n other setting in it was left out.</numerusform>
            <numerusform>%n other settings in it were left out.</numerusform>
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
        <source>%n pieces</source>
        <translation>
            <numerusform>%n piece</numerusform>
            <numerusform>%n pieces</numerusform>
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
        <source>%n objects were not processed by the secondary network; raise the limit.</source>
        <translation>
            <numerusform>%n object was not processed by the secondary network; raise the limit.</numerusform>
            <numerusform>%n objects were not processed by the secondary network; raise the limit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the last playlist are missing because they cannot be stored: cameras, the sample, addresses with a password, or unusual file names; add them again.</source>
        <translation>
            <numerusform>%n entry of the last playlist is missing because it cannot be stored: a camera, the sample, an address with a password, or an unusual file name; add it again.</numerusform>
            <numerusform>%n entries of the last playlist are missing because they cannot be stored: cameras, the sample, addresses with a password, or unusual file names; add them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes are too long to show.</source>
        <translation>
            <numerusform>%n note is too long to show.</numerusform>
            <numerusform>%n notes are too long to show.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued events</source>
        <translation>
            <numerusform>%n queued event</numerusform>
            <numerusform>%n queued events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regions of several objects (iscrowd) were left out.</source>
        <translation>
            <numerusform>%n region of several objects (iscrowd) was left out.</numerusform>
            <numerusform>%n regions of several objects (iscrowd) were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
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
        <source>%n whole images</source>
        <translation>
            <numerusform>%n whole image</numerusform>
            <numerusform>%n whole images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The actions of its %n events are switched off; switch them on once you have checked these actions.</source>
        <translation>
            <numerusform>The actions of its %n event are switched off; switch them on once you have checked these actions.</numerusform>
            <numerusform>The actions of its %n events are switched off; switch them on once you have checked these actions.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} is damaged in %n places: frames are missing or wrong there; try another copy of it.</source>
        <translation>
            <numerusform>{name} is damaged in %n place: frames are missing or wrong there; try another copy of it.</numerusform>
            <numerusform>{name} is damaged in %n places: frames are missing or wrong there; try another copy of it.</numerusform>
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
        <source>{title}: {reason}. %n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>{title}: {reason}. %n event was not delivered; the log has it.</numerusform>
            <numerusform>{title}: {reason}. %n events were not delivered; the log has them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation>
            <numerusform>%n candidate too many, left out; raise the score.</numerusform>
            <numerusform>%n candidates too many, left out; raise the score.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clips</source>
        <translation>
            <numerusform>%n clip</numerusform>
            <numerusform>%n clips</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n convolutions and products</source>
        <translation>
            <numerusform>%n convolution or product</numerusform>
            <numerusform>%n convolutions and products</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cuts</source>
        <translation>
            <numerusform>%n cut</numerusform>
            <numerusform>%n cuts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are damaged and were left out.</source>
        <translation>
            <numerusform>%n entry is damaged and was left out.</numerusform>
            <numerusform>%n entries are damaged and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n faults</source>
        <translation>
            <numerusform>%n fault</numerusform>
            <numerusform>%n faults</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files of the playlist are on another machine: Lightloom leaves them out when it opens the saved list.</source>
        <translation>
            <numerusform>%n file of the playlist is on another machine: Lightloom leaves it out when it opens the saved list.</numerusform>
            <numerusform>%n files of the playlist are on another machine: Lightloom leaves them out when it opens the saved list.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further notes are left out.</source>
        <translation>
            <numerusform>%n further note is left out.</numerusform>
            <numerusform>%n further notes are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gaps</source>
        <translation>
            <numerusform>%n gap</numerusform>
            <numerusform>%n gaps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n image</numerusform>
            <numerusform>%n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inputs</source>
        <translation>
            <numerusform>%n input</numerusform>
            <numerusform>%n inputs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have labels already.</source>
        <translation>
            <numerusform>%n image has labels already.</numerusform>
            <numerusform>%n images have labels already.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have another aspect ratio here and were left out.</source>
        <translation>
            <numerusform>%n image has another aspect ratio here and was left out.</numerusform>
            <numerusform>%n images have another aspect ratio here and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images named there are missing here.</source>
        <translation>
            <numerusform>%n image named there is missing here.</numerusform>
            <numerusform>%n images named there are missing here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n times</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n video</numerusform>
            <numerusform>%n videos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Labels of %n images were read.</source>
        <translation>
            <numerusform>Labels of %n image were read.</numerusform>
            <numerusform>Labels of %n images were read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n audio tracks only this one is copied: {name}.</source>
        <translation>
            <numerusform>Of %n audio track only this one is copied: {name}.</numerusform>
            <numerusform>Of %n audio tracks only this one is copied: {name}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of {name} are left out: they name other lists or something that lists may not open.</source>
        <translation>
            <numerusform>%n line of {name} is left out: it names another list or something that lists may not open.</numerusform>
            <numerusform>%n lines of {name} are left out: they name other lists or something that lists may not open.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the playlist are left out: cameras, or names that the file cannot hold.</source>
        <translation>
            <numerusform>%n entry of the playlist is left out: a camera, or a name that the file cannot hold.</numerusform>
            <numerusform>%n entries of the playlist are left out: cameras, or names that the file cannot hold.</numerusform>
        </translation>
    </message>
</context>
</TS>
