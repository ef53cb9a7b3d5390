<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Lightloom</source>
        <translation>关于 Lightloom</translation>
    </message>
    <message>
        <source>Computing on {0}</source>
        <translation>使用 {0} 计算</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>正在检查此计算机...</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>WebGPU: {0}</source>
        <translation>WebGPU：{0}</translation>
    </message>
</context>
<context>
    <name>AdapterDialog</name>
    <message>
        <source>Adapters</source>
        <translation>图形适配器</translation>
    </message>
    <message>
        <source>Effects and networks compute on this adapter. The chain is kept when you change it.</source>
        <translation>效果和网络在此适配器上计算。更换适配器时，滤镜链保持不变。</translation>
    </message>
    <message>
        <source>Graphics adapter</source>
        <translation>图形适配器</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>正在查找...</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>{0}, in use</source>
        <translation>{0}，使用中</translation>
    </message>
</context>
<context>
    <name>AnonymizeCard</name>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>已隐藏 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Anonymize</source>
        <translation>匿名化</translation>
    </message>
    <message>
        <source>Hide what the network detects, on the screen and in everything that is saved</source>
        <translation>在画面以及保存的所有内容中隐藏网络找到的物体</translation>
    </message>
    <message>
        <source>Show what is hidden, and how</source>
        <translation>显示隐藏什么以及如何隐藏</translation>
    </message>
    <message>
        <source>The network knows no class of this name, which is not hidden: {0}</source>
        <translation>网络没有此名称的类别，因此不会被隐藏：{0}</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部隐藏</translation>
    </message>
</context>
<context>
    <name>AudioFollowing</name>
    <message>
        <source>Turn off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Use the microphone</source>
        <translation>使用麦克风</translation>
    </message>
</context>
<context>
    <name>AutomationPopup</name>
    <message>
        <source>Automated by</source>
        <translation>自动化来源</translation>
    </message>
    <message>
        <source>Automation of {0}</source>
        <translation>{0}的自动化</translation>
    </message>
    <message>
        <source>Follow the next controller that moves</source>
        <translation>跟随下一个移动的控制器</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Move a controller...</source>
        <translation>请移动一个控制器...</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Switch the automation on or off</source>
        <translation>打开或关闭自动化</translation>
    </message>
    <message>
        <source>While the video plays, move the parameter&apos;s slider; click the badge beside it to stop</source>
        <translation>播放视频时移动参数的滑块；点击旁边的标记即可停止</translation>
    </message>
</context>
<context>
    <name>Automations</name>
    <message numerus="yes">
        <source>%n scene cuts have no key frame, as {0} can have {1} at most; remove some first.</source>
        <translation>
            <numerusform>%n 个场景切换处没有关键帧，因为 {0} 最多可有 {1} 个；请先删除一些。</numerusform>
        </translation>
    </message>
    <message>
        <source>A chain has at most {0} automations; remove one first.</source>
        <translation>一条滤镜链最多有 {0} 个自动化；请先移除一个。</translation>
    </message>
    <message>
        <source>Automate {0}</source>
        <translation>自动化{0}</translation>
    </message>
    <message>
        <source>Automation of {0}</source>
        <translation>{0}的自动化</translation>
    </message>
    <message>
        <source>Automation of {0} off</source>
        <translation>关闭{0}的自动化</translation>
    </message>
    <message>
        <source>Automation of {0} on</source>
        <translation>打开{0}的自动化</translation>
    </message>
    <message>
        <source>Nothing was recorded: {0} has at most {1} key frames, and no room for more; remove some first.</source>
        <translation>未录制任何内容：{0} 最多只能有 {1} 个关键帧，已没有空间；请先删除一些。</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Pause, or record the key frames</source>
        <translation>请先暂停，或录制关键帧</translation>
    </message>
    <message>
        <source>Play the video and move {0}</source>
        <translation>播放视频并移动{0}</translation>
    </message>
    <message>
        <source>Record {0}</source>
        <translation>录制{0}</translation>
    </message>
    <message>
        <source>Remove the automation of {0}</source>
        <translation>移除{0}的自动化</translation>
    </message>
    <message>
        <source>{0} has at most {1} key frames: what was recorded follows the movement less closely; record a shorter part, or remove key frames.</source>
        <translation>{0} 最多有 {1} 个关键帧：录制结果与动作的贴合度降低；请录制较短的片段，或删除关键帧。</translation>
    </message>
    <message>
        <source>{0} has at most {1} key frames; remove one first.</source>
        <translation>{0} 最多有 {1} 个关键帧；请先删除一个。</translation>
    </message>
    <message>
        <source>{0}, across</source>
        <translation>{0}，水平</translation>
    </message>
    <message>
        <source>{0}, down</source>
        <translation>{0}，垂直</translation>
    </message>
</context>
<context>
    <name>CameraLogin</name>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>{0} at {1}. Leave both empty for a camera without users.</source>
        <translation>{0}，位于 {1}。如果摄像机没有用户，请都留空。</translation>
    </message>
</context>
<context>
    <name>ChainPanel</name>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>滤镜链</translation>
    </message>
    <message>
        <source>Chain: more</source>
        <translation>处理链：更多</translation>
    </message>
    <message>
        <source>Drag an effect here</source>
        <translation>将效果拖到此处</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>No effects yet. Double-click one in the library, or drop an effect, a look or a network here.</source>
        <translation>尚无效果。双击库中的一项，或将效果、风格预设或网络拖放到此处。</translation>
    </message>
    <message>
        <source>Or start with one of these:</source>
        <translation>或者从以下之一开始：</translation>
    </message>
    <message>
        <source>Save effects, network and settings under a name</source>
        <translation>以一个名称保存效果、网络和设置</translation>
    </message>
    <message>
        <source>Search the effects</source>
        <translation>搜索效果</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Time of all effects for one frame</source>
        <translation>所有效果处理一帧的时间</translation>
    </message>
    <message>
        <source>Time of all effects for one frame, by {0}.</source>
        <translation>所有效果处理一帧的时间，依据{0}。</translation>
    </message>
    <message>
        <source>Time of the chain: {0}</source>
        <translation>处理链的时间：{0}</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>保存风格</translation>
    </message>
    <message>
        <source>About the time of the chain</source>
        <translation>关于效果链的时间</translation>
    </message>
    <message>
        <source>{0} (edited)</source>
        <translation>{0}（已修改）</translation>
    </message>
</context>
<context>
    <name>ChoiceEditor</name>
    <message>
        <source>{0} (not found)</source>
        <translation>{0}（未找到）</translation>
    </message>
</context>
<context>
    <name>ClassesList</name>
    <message>
        <source>Add a class</source>
        <translation>添加类别</translation>
    </message>
    <message>
        <source>Add...</source>
        <translation>添加...</translation>
    </message>
    <message>
        <source>Choose a class</source>
        <translation>选择类别</translation>
    </message>
    <message>
        <source>Class, or the name of a new one</source>
        <translation>类别，或新类别的名称</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Key {0}</source>
        <translation>按键 {0}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>None yet. Proposals and imports bring theirs.</source>
        <translation>还没有。建议和导入会带来各自的类别。</translation>
    </message>
</context>
<context>
    <name>CleanCanvas</name>
    <message>
        <source>Clean output</source>
        <translation>纯净输出</translation>
    </message>
</context>
<context>
    <name>Clicks</name>
    <message numerus="yes">
        <source>%n points at most</source>
        <translation>
            <numerusform>最多 %n 个点</numerusform>
        </translation>
    </message>
    <message>
        <source>Click on an object in the image, or drag a box around it</source>
        <translation>点击画面中的物体，或拖动鼠标框住它</translation>
    </message>
    <message>
        <source>Encoding the image... Esc cancels</source>
        <translation>正在分析画面……按 Esc 取消</translation>
    </message>
    <message>
        <source>Encoding the image: {0} %. Esc cancels</source>
        <translation>正在分析画面：{0} %。按 Esc 取消</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>ClipPlayer</name>
    <message>
        <source>From the beginning (R)</source>
        <translation>从头播放 (R)</translation>
    </message>
    <message>
        <source>Image of the clip</source>
        <translation>片段的画面</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>播放或暂停 (空格)</translation>
    </message>
    <message>
        <source>Save the clip</source>
        <translation>保存片段</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message numerus="yes">
        <source>%n exports are not done yet.</source>
        <translation>
            <numerusform>%n 个导出尚未完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>A recording is running.</source>
        <translation>正在录制。</translation>
    </message>
    <message>
        <source>Close and cancel them</source>
        <translation>关闭并取消</translation>
    </message>
    <message>
        <source>Close and save the recording</source>
        <translation>关闭并保存录像</translation>
    </message>
    <message>
        <source>Close now</source>
        <translation>立即关闭</translation>
    </message>
    <message>
        <source>Close when they are done</source>
        <translation>完成后关闭</translation>
    </message>
    <message>
        <source>Close, and go on at the next start</source>
        <translation>关闭，下次启动时继续</translation>
    </message>
    <message>
        <source>Do not close</source>
        <translation>不关闭</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exports of results are canceled when the window closes, and write no file.</source>
        <translation>关闭窗口时会取消结果的导出，不会写入文件。</translation>
    </message>
    <message>
        <source>Exports of videos and images end with the window. Those that are not done begin again from their beginning at the next start; older files stay.</source>
        <translation>视频和图像的导出会随窗口关闭而结束。未完成的导出会在下次启动时从头重新开始；较早的文件会保留。</translation>
    </message>
    <message>
        <source>Lightloom closes when its exports are done.</source>
        <translation>导出完成后 Lightloom 将关闭。</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>The recording ends when the window closes, and its file is saved.</source>
        <translation>窗口关闭时录制结束，文件会被保存。</translation>
    </message>
</context>
<context>
    <name>CodeEditor</name>
    <message>
        <source>Shader</source>
        <translation>着色器</translation>
    </message>
    <message>
        <source>Tab indents; Escape leaves the editor.</source>
        <translation>Tab 缩进；Esc 离开编辑器。</translation>
    </message>
</context>
<context>
    <name>ColorReadout</name>
    <message>
        <source>After</source>
        <translation>处理后</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>处理前</translation>
    </message>
    <message>
        <source>{0}   RGB {1} {2} {3}   HSV {4}° {5} % {6} %</source>
        <translation>{0}   RGB {1} {2} {3}   HSV {4}° {5}% {6}%</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>找到的命令</translation>
    </message>
    <message>
        <source>Nothing is called “{0}”. Try another word.</source>
        <translation>没有名为“{0}”的内容。请换个词试试。</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Search commands, effects, looks, networks, files and settings</source>
        <translation>搜索命令、效果、风格预设、网络、文件和设置</translation>
    </message>
</context>
<context>
    <name>ComparisonPanel</name>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n 张画面</numerusform>
        </translation>
    </message>
    <message>
        <source>Both compute their first image...</source>
        <translation>两者正在计算第一帧...</translation>
    </message>
    <message>
        <source>Both get the same input; the times are from array to array.</source>
        <translation>两者得到相同的输入；时间为从数组到数组。</translation>
    </message>
    <message>
        <source>Choose two ways to compute the network, and compare them on what plays.</source>
        <translation>选择两种计算网络的方式，并在正在播放的画面上比较。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>First</source>
        <translation>第一种</translation>
    </message>
    <message>
        <source>Greatest difference: {0}</source>
        <translation>最大差异：{0}</translation>
    </message>
    <message>
        <source>In both: {0}, IoU {1}; in one alone: {2}</source>
        <translation>两者都有：{0}，IoU {1}；仅一方有：{2}</translation>
    </message>
    <message>
        <source>Least cosine: {0}</source>
        <translation>最小余弦：{0}</translation>
    </message>
    <message>
        <source>Run both during playback, twice a second at most</source>
        <translation>让两者查看正在播放的画面，每秒最多两次</translation>
    </message>
    <message>
        <source>Loading both...</source>
        <translation>正在加载两者...</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>没有网络在查看画面。</translation>
    </message>
    <message>
        <source>Nothing is detected in this image.</source>
        <translation>此画面中未看到任何内容。</translation>
    </message>
    <message>
        <source>Relative error: {0}</source>
        <translation>相对误差：{0}</translation>
    </message>
    <message>
        <source>Same first name: {0} of {1}</source>
        <translation>首个名称相同：{0} / {1}</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>第二种</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Waiting for an image...</source>
        <translation>正在等待画面...</translation>
    </message>
    <message>
        <source>No difference in time: {0} to {1} %.</source>
        <translation>用时没有差别：{0} 到 {1} %。</translation>
    </message>
    <message>
        <source>The second is faster: {0} to {1} %.</source>
        <translation>第二个更快：{0} 到 {1} %。</translation>
    </message>
    <message>
        <source>The second is slower: {0} to {1} %.</source>
        <translation>第二个更慢：{0} 到 {1} %。</translation>
    </message>
    <message>
        <source>Too few images to compare the times.</source>
        <translation>图片太少，无法比较用时。</translation>
    </message>
    <message>
        <source>{0}: p50 {1}, p95 {2}, p99 {3} ms</source>
        <translation>{0}：p50 {1}，p95 {2}，p99 {3} 毫秒</translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message>
        <source>Computing on {0}</source>
        <translation>使用 {0} 计算</translation>
    </message>
    <message>
        <source>There is no graphics adapter {0} here.</source>
        <translation>这里没有图形适配器 {0}。</translation>
    </message>
</context>
<context>
    <name>ControlsPanel</name>
    <message>
        <source>Open a camera to set its exposure, focus and colors.</source>
        <translation>打开摄像头后可设置其曝光、对焦和颜色。</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Set by: {0}</source>
        <translation>由此控制：{0}</translation>
    </message>
    <message>
        <source>The camera does not take it now</source>
        <translation>摄像头目前不接受此设置</translation>
    </message>
    <message>
        <source>This camera, or this system, has no controls that can be set from here.</source>
        <translation>此摄像头或此系统没有可在这里设置的控制项。</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>A report has the log, a description of this machine, and the current setup. It is saved where you choose, and never sent.</source>
        <translation>报告包含日志、此计算机的配置以及当时的设置。它只保存在您指定的位置，不会发送给任何人。</translation>
    </message>
    <message>
        <source>If it happens again, safe mode helps to find out why: it leaves out your own shaders, starts without a network and computes without the graphics card.</source>
        <translation>如果再次发生，安全模式有助于找出原因：它不加载您自己的着色器，启动时不使用网络，也不使用显卡计算。</translation>
    </message>
    <message>
        <source>Lightloom closed unexpectedly last time.</source>
        <translation>Lightloom 上次意外终止。</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>正在检查此计算机...</translation>
    </message>
    <message>
        <source>Report saved as {0}</source>
        <translation>报告已保存为 {0}</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Save a report...</source>
        <translation>保存报告...</translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation>以安全模式启动</translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation>正常启动</translation>
    </message>
    <message numerus="yes">
        <source>Starts normally in %n seconds.</source>
        <translation>
            <numerusform>%n 秒后正常启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation>Zip 文件 (*.zip)</translation>
    </message>
</context>
<context>
    <name>Cuts</name>
    <message>
        <source>Cut at {0}</source>
        <translation>镜头切换位于 {0}</translation>
    </message>
    <message>
        <source>Finding the scene cuts...</source>
        <translation>正在查找镜头切换...</translation>
    </message>
    <message>
        <source>No earlier cut</source>
        <translation>前面没有镜头切换</translation>
    </message>
    <message>
        <source>No later cut</source>
        <translation>后面没有镜头切换</translation>
    </message>
    <message>
        <source>Scene cuts found: {0}</source>
        <translation>找到的镜头切换：{0}</translation>
    </message>
</context>
<context>
    <name>Decoding</name>
    <message>
        <source>Automatic: what is faster here</source>
        <translation>自动：此处更快的方式</translation>
    </message>
    <message>
        <source>From the next video on</source>
        <translation>从下一个视频开始</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
</context>
<context>
    <name>DeviceBox</name>
    <message>
        <source>Device of the network</source>
        <translation>网络的设备</translation>
    </message>
    <message>
        <source>Looking for devices...</source>
        <translation>正在查找设备...</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>DriverFault</name>
    <message>
        <source>{driver} loses memory with larger filters, up to {rate} MB a second, and ends loops in shaders after {rounds} rounds. Install {name} {version} or newer, which is faster too ({system}: {command}).</source>
        <translation>{driver} 在较大的滤镜上会泄漏内存，每秒最多 {rate} MB，并且着色器中的循环在 {rounds} 次后被终止。请安装 {name} {version} 或更新版本，它也更快（{system}：{command}）。</translation>
    </message>
</context>
<context>
    <name>Edits</name>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
    </message>
    <message>
        <source>Duplicate {0}</source>
        <translation>复制{0}</translation>
    </message>
    <message>
        <source>Follow nothing</source>
        <translation>不跟踪</translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>跟踪物体</translation>
    </message>
    <message>
        <source>How frames are interpolated</source>
        <translation>插帧方式</translation>
    </message>
    <message>
        <source>Tracking settings</source>
        <translation>跟踪方式</translation>
    </message>
    <message>
        <source>Interpolate frames</source>
        <translation>插帧</translation>
    </message>
    <message>
        <source>Blend mode of {0}</source>
        <translation>{0} 的混合模式</translation>
    </message>
    <message>
        <source>Clear the effects</source>
        <translation>清空效果</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n effects</source>
        <translation>
            <numerusform>已复制 %n 个效果</numerusform>
        </translation>
    </message>
    <message>
        <source>Interpolate no frames</source>
        <translation>不插帧</translation>
    </message>
    <message>
        <source>Mask of {0}</source>
        <translation>{0} 的蒙版</translation>
    </message>
    <message>
        <source>Move {0}</source>
        <translation>移动{0}</translation>
    </message>
    <message>
        <source>Opacity of {0}</source>
        <translation>{0} 的不透明度</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Redone: {0}</source>
        <translation>已重做：{0}</translation>
    </message>
    <message>
        <source>Reload a shader</source>
        <translation>重新加载着色器</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除{0}</translation>
    </message>
    <message>
        <source>Reset {0}</source>
        <translation>重置{0}</translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation>关闭{0}</translation>
    </message>
    <message>
        <source>Switch {0} on</source>
        <translation>开启{0}</translation>
    </message>
    <message>
        <source>Undone: {0}</source>
        <translation>已撤销：{0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{1}的{0}</translation>
    </message>
    <message>
        <source>Anonymize</source>
        <translation>匿名化</translation>
    </message>
    <message>
        <source>Anonymize nothing</source>
        <translation>不匿名化</translation>
    </message>
    <message>
        <source>Redaction settings</source>
        <translation>如何隐藏物体</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Compare before and after</source>
        <translation>比较前后效果</translation>
    </message>
    <message>
        <source>Drop your own video or image, a network or an effect</source>
        <translation>将自己的视频或图像、网络或效果拖到此处</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>打开...</translation>
    </message>
    <message>
        <source>Pick a look</source>
        <translation>选择风格预设</translation>
    </message>
    <message>
        <source>Play the sample</source>
        <translation>播放示例</translation>
    </message>
    <message>
        <source>Use a camera</source>
        <translation>使用摄像头</translation>
    </message>
    <message>
        <source>or a folder, a look, a color table (.cube), an address</source>
        <translation>或文件夹、风格、颜色表（.cube）、地址</translation>
    </message>
</context>
<context>
    <name>EncodingForm</name>
    <message>
        <source>As it is, where the file takes it</source>
        <translation>文件支持时原样保留</translation>
    </message>
    <message>
        <source>As usual for the codec</source>
        <translation>按编解码器的惯例</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>编解码器</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Encode on the graphics card, if it can</source>
        <translation>尽可能用显卡编码</translation>
    </message>
    <message>
        <source>Encoded</source>
        <translation>重新编码</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>Keep HDR as it is</source>
        <translation>HDR 保持原样</translation>
    </message>
    <message>
        <source>Keep transparency</source>
        <translation>保留透明度</translation>
    </message>
    <message>
        <source>More than 8 bits a color</source>
        <translation>每种颜色超过 8 位</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Otherwise transparent parts are black. Not every kind of file and codec holds transparency.</source>
        <translation>否则透明部分为黑色。并非每种文件和编解码器都能保存透明度。</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>{0} (larger than the source)</source>
        <translation>{0}（大于源）</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0}（推荐）</translation>
    </message>
    <message>
        <source>{0} ({1} x {2})</source>
        <translation>{0}（{1} x {2}）</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>10 bits in videos, 16 in PNG files. HDR is kept through effects that allow it.</source>
        <translation>视频为 10 位，PNG 文件为 16 位。允许 HDR 的效果会保留 HDR。</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
</context>
<context>
    <name>EntriesModel</name>
    <message>
        <source>on screen</source>
        <translation>正在显示</translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>A look that was opened does nothing before this is switched on.</source>
        <translation>打开的风格预设在开启此项之前不执行任何操作。</translation>
    </message>
    <message>
        <source>Add what is done when it happens</source>
        <translation>添加发生时要执行的操作</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Do something</source>
        <translation>执行操作</translation>
    </message>
    <message>
        <source>For how long</source>
        <translation>多长时间</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>多少</translation>
    </message>
    <message>
        <source>Name of the event</source>
        <translation>事件名称</translation>
    </message>
    <message>
        <source>An event happens when an object enters, leaves, stays in or crosses what was drawn.</source>
        <translation>当物体进入、离开、停留于或穿过所绘区域或线时，事件发生。</translation>
    </message>
    <message>
        <source>Show when it happens and what is done</source>
        <translation>显示触发条件和要执行的操作</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>both ways</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>crosses</source>
        <translation>越线</translation>
    </message>
    <message>
        <source>enters</source>
        <translation>进入</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>正向</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>more inside than</source>
        <translation>区内数量多于</translation>
    </message>
    <message>
        <source>stays longer than</source>
        <translation>停留超过</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>%n events were removed from the list.</source>
        <translation>
            <numerusform>已从列表中移除 %n 个事件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Bring them back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Clip saved as {0}</source>
        <translation>片段已保存为 {0}</translation>
    </message>
    <message>
        <source>Clips cannot be kept: {0}. Free some disk space or check the permissions.</source>
        <translation>无法保留片段：{0}。请释放磁盘空间或检查权限。</translation>
    </message>
    <message>
        <source>Its clip is not written yet, or was deleted.</source>
        <translation>其片段尚未写完，或已被删除。</translation>
    </message>
    <message>
        <source>Open {0} to play it.</source>
        <translation>打开 {0} 即可播放。</translation>
    </message>
    <message>
        <source>Open {0} to save a clip of it: Enter plays the event.</source>
        <translation>打开 {0} 才能保存其片段：按 Enter 播放该事件。</translation>
    </message>
    <message>
        <source>The clip is in the queue of exports</source>
        <translation>片段已加入导出队列</translation>
    </message>
    <message>
        <source>The list shows the last {n} events; older ones are left out.</source>
        <translation>列表显示最近 {n} 个事件；更早的已省略。</translation>
    </message>
    <message>
        <source>There is no clip of it. Keep clips, with the round button, for later events.</source>
        <translation>该事件没有片段。用圆形按钮为以后的事件保留片段。</translation>
    </message>
    <message>
        <source>{0} has no further events</source>
        <translation>{0} 没有更多事件</translation>
    </message>
</context>
<context>
    <name>EventsPanel</name>
    <message>
        <source>All classes</source>
        <translation>所有类别</translation>
    </message>
    <message>
        <source>All zones</source>
        <translation>所有区域</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任意时间</translation>
    </message>
    <message>
        <source>At</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>JSON lines ({0});;All files (*)</source>
        <translation>JSON 行 ({0});;所有文件 (*)</translation>
    </message>
    <message>
        <source>Keep clips of the events of live sources, until Lightloom ends</source>
        <translation>保留实时来源事件的片段，直到 Lightloom 结束</translation>
    </message>
    <message>
        <source>Last 10 minutes</source>
        <translation>最近 10 分钟</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最近一天</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
    <message>
        <source>No event yet. Draw a zone (Z) and add an event to it in the panel Zones: what happens is listed here. The folder opens events of an earlier time.</source>
        <translation>尚无事件。绘制一个区域 (Z)，并在“区域”面板中为其添加事件：发生的事件会列在这里。文件夹按钮可打开以前的事件。</translation>
    </message>
    <message>
        <source>None of the events passes the filters.</source>
        <translation>没有事件符合筛选条件。</translation>
    </message>
    <message>
        <source>Open events</source>
        <translation>打开事件</translation>
    </message>
    <message>
        <source>Open events that were written as JSON lines</source>
        <translation>打开以 JSON 行写入的事件</translation>
    </message>
    <message>
        <source>Play the event (Enter)</source>
        <translation>播放事件 (Enter)</translation>
    </message>
    <message>
        <source>Save a clip of the event</source>
        <translation>保存事件的片段</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>区域</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>A rough estimate: how much the frames move decides</source>
        <translation>粗略估计：取决于画面的运动程度</translation>
    </message>
    <message>
        <source>Another source was opened meanwhile; close this dialog, and export again.</source>
        <translation>期间打开了另一个源；请关闭此对话框并重新导出。</translation>
    </message>
    <message>
        <source>Any audio is slowed down at the same pitch; the frame rate is that of the source.</source>
        <translation>音频会放慢而音高不变；帧率与来源相同。</translation>
    </message>
    <message>
        <source>Change...</source>
        <translation>更改...</translation>
    </message>
    <message>
        <source>Choose another name or folder</source>
        <translation>选择其他名称或文件夹</translation>
    </message>
    <message>
        <source>Draw in what the network sees</source>
        <translation>画入网络看到的内容</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Estimated size</source>
        <translation>预计大小</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Frames in between are blended, which shows what moves fast twice; for better ones turn on frame interpolation with a network such as RIFE.</source>
        <translation>中间帧由前后两帧混合而成，快速移动的物体会出现重影；要得到更好的效果，请用 RIFE 之类的网络开启插帧。</translation>
    </message>
    <message>
        <source>Frames in between are made by {0}.</source>
        <translation>中间帧由 {0} 生成。</translation>
    </message>
    <message>
        <source>Keep all audio tracks</source>
        <translation>保留所有音轨</translation>
    </message>
    <message>
        <source>Make pans even too</source>
        <translation>同时平滑摇镜</translation>
    </message>
    <message>
        <source>Makes frames between those of the source, and slows the audio down</source>
        <translation>在来源的帧之间生成新帧，并放慢音频</translation>
    </message>
    <message>
        <source>Moves and enlarges the frames so that the camera is steady; the video is read twice</source>
        <translation>移动并放大画面，使镜头平稳；视频会读取两遍</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Remove shaking</source>
        <translation>消除抖动</translation>
    </message>
    <message>
        <source>Slow motion makes frames with 8 bits a color; choose the usual color, or the normal speed.</source>
        <translation>慢动作生成每种颜色 8 位的帧；请选择惯用的颜色或正常速度。</translation>
    </message>
    <message>
        <source>Slow motion, 1/{0}</source>
        <translation>慢动作，1/{0}</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Stabilization</source>
        <translation>防抖</translation>
    </message>
    <message>
        <source>Subtitles are drawn in standard range; leave them out, or do not keep HDR.</source>
        <translation>字幕以标准范围绘制；请去掉字幕，或不保留 HDR。</translation>
    </message>
    <message>
        <source>The source has no second audio track</source>
        <translation>源没有第二条音轨</translation>
    </message>
    <message>
        <source>The window shows HDR tone-mapped to standard range; the file has it as it is.</source>
        <translation>窗口把 HDR 色调映射到标准范围显示；文件中保持原样。</translation>
    </message>
    <message>
        <source>Trying the encoders...</source>
        <translation>正在尝试编码器...</translation>
    </message>
    <message>
        <source>What will be made</source>
        <translation>将生成的内容</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>约 {0}</translation>
    </message>
    <message>
        <source>{0} is what is read; choose another name.</source>
        <translation>{0} 正是要读取的文件，请换一个名称。</translation>
    </message>
    <message>
        <source>{0} is written to a file, with the effects as they are now.</source>
        <translation>{0} 将按当前的效果写入文件。</translation>
    </message>
    <message>
        <source>Draw in the subtitles</source>
        <translation>绘入字幕</translation>
    </message>
    <message>
        <source>A numbered {0} file for each frame, without audio.</source>
        <translation>每一帧一个带编号的 {0} 文件，没有音频。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Show subtitles in the window first</source>
        <translation>请先在窗口中显示字幕</translation>
    </message>
</context>
<context>
    <name>ExportLabelsDialog</name>
    <message numerus="yes">
        <source>%n images go into the file.</source>
        <translation>
            <numerusform>%n 张图片将写入文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Export labels</source>
        <translation>导出标注</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>导出...</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>No image is confirmed yet.</source>
        <translation>还没有确认任何图片。</translation>
    </message>
    <message>
        <source>Only confirmed images</source>
        <translation>仅已确认的图片</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message numerus="yes">
        <source>%n exports were interrupted; the panel Exports begins them again.</source>
        <translation>
            <numerusform>%n 个导出被中断；可在“导出”面板中重新开始。</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply them again</source>
        <translation>重新应用</translation>
    </message>
    <message>
        <source>Exported as {0}</source>
        <translation>已导出为 {0}</translation>
    </message>
    <message>
        <source>Play {0} as it was written</source>
        <translation>按写入的样子播放 {0}</translation>
    </message>
    <message>
        <source>The export to {0} failed.</source>
        <translation>导出到 {0} 失败。</translation>
    </message>
    <message>
        <source>{0} plays as it was written: the effects and the network are switched off.</source>
        <translation>{0} 按写入的样子播放：效果和网络已关闭。</translation>
    </message>
    <message>
        <source>{0} plays as it was written: the effects are switched off; Anonymize stays on.</source>
        <translation>{0} 按写入的样子播放：效果已关闭；匿名化保持开启。</translation>
    </message>
    <message numerus="yes">
        <source>%n exports begin again, as you wanted when Lightloom was closed.</source>
        <translation>
            <numerusform>%n 个导出重新开始，如关闭 Lightloom 时所要求。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportsPanel</name>
    <message>
        <source>Begin again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Nothing is exported yet; Export... puts the open file here.</source>
        <translation>尚未导出任何内容；“导出...”会把打开的文件加到这里。</translation>
    </message>
    <message>
        <source>Open the finished video in this window as it was written</source>
        <translation>在此窗口中按写入的样子打开已完成的视频</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Time left, size</source>
        <translation>剩余时间、大小</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>about {0} MB</source>
        <translation>约 {0} MB</translation>
    </message>
</context>
<context>
    <name>FilesEditor</name>
    <message>
        <source>Add images...</source>
        <translation>添加图片...</translation>
    </message>
    <message>
        <source>Choose images</source>
        <translation>选择图片</translation>
    </message>
    <message>
        <source>Images ({0})</source>
        <translation>图片 ({0})</translation>
    </message>
    <message>
        <source>Take {0} away</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>There can be {n} images at most; left out: {names}</source>
        <translation>最多可有 {n} 张图像；已忽略：{names}</translation>
    </message>
    <message>
        <source>{0}: add images</source>
        <translation>{0}：添加图片</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close the search</source>
        <translation>关闭搜索</translation>
    </message>
    <message>
        <source>Find in the shader</source>
        <translation>在着色器中查找</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>FoldingCard</name>
    <message>
        <source>Enable or disable</source>
        <translation>启用或停用</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}，{1}</translation>
    </message>
    <message>
        <source>{0}: more</source>
        <translation>{0}：更多</translation>
    </message>
    <message>
        <source>{0}: on or off</source>
        <translation>{0}：开或关</translation>
    </message>
</context>
<context>
    <name>FrameGraph</name>
    <message>
        <source>Graph of frame time and latency</source>
        <translation>帧时间与延迟曲线</translation>
    </message>
    <message>
        <source>frame time</source>
        <translation>帧时间</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
</context>
<context>
    <name>FullScreenControls</name>
    <message>
        <source>Looks</source>
        <translation>风格</translation>
    </message>
</context>
<context>
    <name>GalleryModel</name>
    <message>
        <source>Effect</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Favorite</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>风格预设</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message>
        <source>A grid shows {0} sources at most, so {1} was left out; close a tile first.</source>
        <translation>网格最多显示 {0} 个来源，因此未打开 {1}；请先关闭一格。</translation>
    </message>
    <message>
        <source>A recording runs: finish it before you close its tile</source>
        <translation>正在录制：请先结束录制，再关闭这一格</translation>
    </message>
    <message>
        <source>A recording runs: finish it before you go to another tile</source>
        <translation>正在录制：请先结束录制，再切换到另一格</translation>
    </message>
    <message>
        <source>Drop a video or an image here, or open one with {0}</source>
        <translation>将视频或图片拖到此处，或按 {0} 打开</translation>
    </message>
    <message>
        <source>The other tiles are closed; {key} opens them again.</source>
        <translation>其他画面已关闭；按 {key} 重新打开。</translation>
    </message>
    <message>
        <source>{0} (ended)</source>
        <translation>{0}（已结束）</translation>
    </message>
    <message numerus="yes">
        <source>A grid shows {0} sources at most, so %n were left out; close a tile first.</source>
        <translation>
            <numerusform>网格最多显示 {0} 个来源，因此有 %n 个未打开；请先关闭一格。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>All passes of one frame together, by {0}.</source>
        <translation>一帧所有处理过程的总和，依据{0}。</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Frame rate and latency; click for an explanation</source>
        <translation>帧率和延迟；点击查看说明</translation>
    </message>
    <message>
        <source>From capture, or from when a file&apos;s frame is due, to the end of its last pass; the median of the last frames.</source>
        <translation>从采集（文件则为该帧应显示的时刻）到其最后一个处理过程结束；取最近各帧的中位数。</translation>
    </message>
    <message>
        <source>GPU total</source>
        <translation>GPU 总计</translation>
    </message>
    <message>
        <source>GPU: {0}</source>
        <translation>GPU：{0}</translation>
    </message>
    <message>
        <source>Graphics adapter: {0}</source>
        <translation>图形适配器：{0}</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>New frames shown per second; {0} of the frames of the last seconds were dropped.</source>
        <translation>每秒显示的新帧数；最近几秒内有 {0} 的帧被丢弃。</translation>
    </message>
    <message>
        <source>Open a source</source>
        <translation>打开来源</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>正在打开...</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Source: {0}</source>
        <translation>来源：{0}</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>The graphics adapter in use; click to choose another</source>
        <translation>正在使用的图形适配器；点击可选择另一个</translation>
    </message>
    <message>
        <source>The playlist</source>
        <translation>播放列表</translation>
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
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>{0} of {1} in the playlist</source>
        <translation>播放列表中第 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Lightloom guide</source>
        <translation>Lightloom 指南</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>The guide has nothing about “{0}”. Try another word.</source>
        <translation>指南中没有关于“{0}”的内容。请换个词试试。</translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Drop your own video, pick a look, or drag the line to compare.</source>
        <translation>拖入自己的视频、选择风格预设，或拖动分界线进行比较。</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>打开...</translation>
    </message>
    <message>
        <source>Pick a look</source>
        <translation>选择风格预设</translation>
    </message>
    <message>
        <source>Several files play one after the other, as a playlist. {list} shows it, {next} goes on to the next.</source>
        <translation>多个文件会作为播放列表依次播放。{list} 显示列表，{next} 转到下一个。</translation>
    </message>
    <message>
        <source>Show the playlist</source>
        <translation>显示播放列表</translation>
    </message>
</context>
<context>
    <name>HostQuestion</name>
    <message>
        <source>Don&apos;t send</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>May images be sent to {0}?</source>
        <translation>可以把画面发送到 {0} 吗？</translation>
    </message>
    <message>
        <source>Images for a server</source>
        <translation>发给服务器的画面</translation>
    </message>
    <message>
        <source>A network is to be computed there: the host receives the images of your camera, screen or files. You are asked once for each host; Effects &gt; Open a network on a server takes it back.</source>
        <translation>要使用的网络在那里计算：该主机会得到摄像头、屏幕或文件的画面。每台主机只询问一次；可在“效果 &gt; 打开服务器上的网络”中撤回。</translation>
    </message>
    <message>
        <source>Send images</source>
        <translation>发送画面</translation>
    </message>
</context>
<context>
    <name>InformationPopup</name>
    <message>
        <source>Open the guide</source>
        <translation>打开指南</translation>
    </message>
</context>
<context>
    <name>InputDialog</name>
    <message>
        <source> and </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Caffe (0..255 minus mean)</source>
        <translation>Caffe（0..255 减均值）</translation>
    </message>
    <message>
        <source>Choose a file with one name a line</source>
        <translation>选择每行一个名称的文件</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Class names</source>
        <translation>类别名称</translation>
    </message>
    <message>
        <source>Color order</source>
        <translation>颜色顺序</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Give numbers with commas between them, one for each channel.</source>
        <translation>请输入用逗号分隔的数字，每个通道一个。</translation>
    </message>
    <message>
        <source>Preprocessing for this network. Your choices are stored beside its file.</source>
        <translation>画面如何为此网络作准备。您的选择会保存在其文件旁边。</translation>
    </message>
    <message>
        <source>ImageNet (mean and std)</source>
        <translation>ImageNet（均值和标准差）</translation>
    </message>
    <message>
        <source>Input tensor</source>
        <translation>输入张量</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>像素范围</translation>
    </message>
    <message>
        <source>Pixel range before mean and std</source>
        <translation>减均值、除标准差之前的像素范围</translation>
    </message>
    <message>
        <source>Preprocessing of {0}</source>
        <translation>{0} 的预处理</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>The file does not show which of these it is: {0}. Choose one; the choice is kept beside the file.</source>
        <translation>文件没有表明它是其中哪一种:{0}。请选择一种;所选内容会保存在该文件旁边。</translation>
    </message>
    <message>
        <source>The file does not state {0}. The values below are assumed; change what you know better. They are kept beside the file.</source>
        <translation>文件没有说明{0}。下面是推测值；如果您更清楚，请修改。设定会保存在文件旁边。</translation>
    </message>
    <message>
        <source>its input size</source>
        <translation>它的输入尺寸</translation>
    </message>
    <message>
        <source>its pixel range</source>
        <translation>它的像素范围</translation>
    </message>
    <message>
        <source>its task</source>
        <translation>它的任务</translation>
    </message>
    <message>
        <source>Gray</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Names of the classes</source>
        <translation>类别名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Text (*.txt *.names);;All files (*)</source>
        <translation>文本 (*.txt *.names);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
</context>
<context>
    <name>InputPanel</name>
    <message numerus="yes">
        <source>%n regions</source>
        <translation>
            <numerusform>%n 个区域</numerusform>
        </translation>
    </message>
    <message>
        <source>Each pixel is the mean of {0} by {0}.</source>
        <translation>每个像素是 {0}×{0} 的平均值。</translation>
    </message>
    <message>
        <source>In memory: {0}</source>
        <translation>内存中：{0}</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>没有网络在查看画面。</translation>
    </message>
    <message>
        <source>Shown with range, mean and deviation undone.</source>
        <translation>显示时已还原范围、均值和标准差。</translation>
    </message>
    <message>
        <source>The network has not processed a frame yet.</source>
        <translation>网络尚未查看任何画面。</translation>
    </message>
    <message>
        <source>Not shown while Anonymize is on: the network gets the frame before anything is hidden.</source>
        <translation>匿名化开启时不显示：网络得到的是隐藏之前的画面。</translation>
    </message>
</context>
<context>
    <name>InterpolationCard</name>
    <message>
        <source>Have a network make frames between those of the source, for smoother motion</source>
        <translation>让网络在来源的帧之间生成帧，使运动更流畅</translation>
    </message>
    <message>
        <source>Interpolate frames</source>
        <translation>插帧</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Show how frames are interpolated</source>
        <translation>显示插帧方式</translation>
    </message>
</context>
<context>
    <name>ItemsList</name>
    <message>
        <source>Boxes</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>Class of the whole image</source>
        <translation>整张图片的类别</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>整张图片</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>KeyFrameEditor</name>
    <message>
        <source>Add a key frame at the position of the video</source>
        <translation>在视频的当前位置添加关键帧</translation>
    </message>
    <message>
        <source>Remove the key frame</source>
        <translation>移除关键帧</translation>
    </message>
</context>
<context>
    <name>KeyFramePlot</name>
    <message numerus="yes">
        <source>%n key frames</source>
        <translation>
            <numerusform>%n 个关键帧</numerusform>
        </translation>
    </message>
    <message>
        <source>Add key frames at scene cuts</source>
        <translation>在镜头切换处添加关键帧</translation>
    </message>
    <message>
        <source>Double-click to add a key frame; drag it, or right-click for its menu; the wheel zooms, with Shift it scrolls</source>
        <translation>双击可添加关键帧；拖动可移动，右键单击可打开菜单；滚轮缩放，按住 Shift 则滚动</translation>
    </message>
    <message>
        <source>Key frames</source>
        <translation>关键帧</translation>
    </message>
    <message>
        <source>No scene cuts: find them in Playback &gt; Scene cuts</source>
        <translation>没有镜头切换：请在“播放 &gt; 镜头切换”中查找</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Show all of the time</source>
        <translation>显示全部时间</translation>
    </message>
    <message>
        <source>chosen: {0} at {1} s</source>
        <translation>已选：{1} 秒处为 {0}</translation>
    </message>
    <message>
        <source>shown: {0} to {1} s</source>
        <translation>显示：{0} 至 {1} 秒</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} 到 {1}</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>On the video: wheel zooms, drag moves, double click changes between fit and 1:1. On a parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down move, Delete removes.</source>
        <translation>在画面上：滚轮缩放，拖动平移，双击在适合窗口与 1:1 之间切换。在参数上：双击重置。在卡片上：回车键展开，X 开关，Alt+上和 Alt+下移动，Delete 移除。</translation>
    </message>
</context>
<context>
    <name>LabelCanvas</name>
    <message numerus="yes">
        <source>%n boxes</source>
        <translation>
            <numerusform>%n 个方框</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening {0}</source>
        <translation>正在打开 {0}</translation>
    </message>
    <message>
        <source>Image to be labeled</source>
        <translation>要标注的图片</translation>
    </message>
    <message>
        <source>Whole image</source>
        <translation>整张图片</translation>
    </message>
    <message>
        <source>{0} is selected</source>
        <translation>已选中 {0}</translation>
    </message>
</context>
<context>
    <name>LabelWindow</name>
    <message>
        <source>Arrows move the box, with Ctrl they resize it; 1 to 9 change its class</source>
        <translation>方向键移动方框，按住 Ctrl 调整大小；1 到 9 更改类别</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Drag a box of the class {0}; Esc leaves it</source>
        <translation>拖出一个类别为 {0} 的方框；Esc 取消</translation>
    </message>
    <message>
        <source>How far the network is</source>
        <translation>网络的进度</translation>
    </message>
    <message>
        <source>Number of confirmed images</source>
        <translation>已确认的图片数</translation>
    </message>
    <message>
        <source>J selects a box, N draws one, Enter confirms the image</source>
        <translation>J 选择方框，N 绘制方框，Enter 确认图片</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>N draws a box, P has the network propose, Enter confirms</source>
        <translation>N 绘制方框，P 让网络给出建议，Enter 确认</translation>
    </message>
    <message>
        <source>On the image: wheel zooms, drag moves the image or a box, Shift and drag draws one. Arrows move the selected box by a pixel, with Shift by ten; with Ctrl they resize it. Esc selects none.</source>
        <translation>在图片上：滚轮缩放，拖动可移动图片或方框，按住 Shift 拖动可绘制方框。方向键将选中的方框移动一个像素，按住 Shift 移动十个；按住 Ctrl 调整大小。Esc 取消选择。</translation>
    </message>
    <message>
        <source>The network has seen {0} of {1}</source>
        <translation>网络已看过 {0} / {1}</translation>
    </message>
    <message>
        <source>The window closes when the labels are exported. Close it again to cancel the export.</source>
        <translation>标签导出完成后窗口将关闭。再次关闭窗口将取消导出。</translation>
    </message>
    <message>
        <source>These changes are not saved. Close the window again to discard them.</source>
        <translation>这些更改尚未保存。再次关闭窗口将放弃更改。</translation>
    </message>
    <message numerus="yes">
        <source>{0} of %n images confirmed</source>
        <translation>
            <numerusform>已确认 {0} / %n 张图片</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Labeling</name>
    <message>
        <source>Add a class</source>
        <translation>添加类别</translation>
    </message>
    <message>
        <source>All images are confirmed.</source>
        <translation>所有图片都已确认。</translation>
    </message>
    <message>
        <source>Change the class</source>
        <translation>更改类别</translation>
    </message>
    <message>
        <source>Classify the image</source>
        <translation>为图片分类</translation>
    </message>
    <message>
        <source>Confirm a box</source>
        <translation>确认方框</translation>
    </message>
    <message>
        <source>Confirm the image</source>
        <translation>确认图片</translation>
    </message>
    <message>
        <source>Delete a box</source>
        <translation>删除方框</translation>
    </message>
    <message>
        <source>Draw a box</source>
        <translation>绘制方框</translation>
    </message>
    <message>
        <source>Import labels</source>
        <translation>导入标注</translation>
    </message>
    <message>
        <source>Move a box</source>
        <translation>移动方框</translation>
    </message>
    <message>
        <source>Open the image again</source>
        <translation>重新打开图片</translation>
    </message>
    <message>
        <source>Propose labels</source>
        <translation>建议标注</translation>
    </message>
    <message>
        <source>Rename a class</source>
        <translation>重命名类别</translation>
    </message>
    <message>
        <source>Resize a box</source>
        <translation>调整方框大小</translation>
    </message>
    <message>
        <source>thing</source>
        <translation>物体</translation>
    </message>
</context>
<context>
    <name>LastSession</name>
    <message>
        <source>Bring it back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Something of the last session is missing. Its file is kept as {0}.</source>
        <translation>上次会话有内容缺失。其文件保留为 {0}。</translation>
    </message>
    <message>
        <source>The chain and the network of the last session can be brought back.</source>
        <translation>可以恢复上次会话的滤镜链和网络。</translation>
    </message>
    <message>
        <source>The last session can be brought back: {0}.</source>
        <translation>可以恢复上次会话：{0}。</translation>
    </message>
    <message>
        <source>The last session had {0}, which is opened only when you say so.</source>
        <translation>上次会话使用了 {0},只有在您要求时才会打开。</translation>
    </message>
    <message>
        <source>The record of what was open in the last session is damaged; open your source again.</source>
        <translation>上次会话中打开内容的记录已损坏；请重新打开您的源。</translation>
    </message>
    <message>
        <source>The record of what was open in the last session is damaged; open your source again. A copy of it is {0}.</source>
        <translation>上次会话中打开内容的记录已损坏；请重新打开您的源。其副本为 {0}。</translation>
    </message>
    <message>
        <source>The session cannot be saved: {0}</source>
        <translation>无法保存会话：{0}</translation>
    </message>
    <message>
        <source>{0}, which was open in the last session, does not exist any more; everything else is back.</source>
        <translation>上次会话打开的 {0} 已不存在;其他内容都已恢复。</translation>
    </message>
    <message>
        <source>{0}; free some disk space, or check the permissions of {1}.</source>
        <translation>{0}；请释放磁盘空间，或检查 {1} 的权限。</translation>
    </message>
    <message>
        <source>The last session had {0}, whose password is not kept: open the address again.</source>
        <translation>上次会话打开了 {0}，其密码不会保存：请重新打开该地址。</translation>
    </message>
</context>
<context>
    <name>LayerEdits</name>
    <message>
        <source>Add the layer {0}</source>
        <translation>添加图层 {0}</translation>
    </message>
    <message>
        <source>Change the layer {0}</source>
        <translation>更改图层 {0}</translation>
    </message>
    <message>
        <source>Fill the frame with the main image</source>
        <translation>用主画面填满整个画面</translation>
    </message>
    <message>
        <source>Hide the layer {0}</source>
        <translation>隐藏图层 {0}</translation>
    </message>
    <message>
        <source>Move the layer {0}</source>
        <translation>移动图层 {0}</translation>
    </message>
    <message>
        <source>Place the main image</source>
        <translation>放置主画面</translation>
    </message>
    <message>
        <source>Remove the layer {0}</source>
        <translation>移除图层 {0}</translation>
    </message>
    <message>
        <source>Show the layer {0}</source>
        <translation>显示图层 {0}</translation>
    </message>
    <message>
        <source>The copied masks and automations were left out; they refer to the main image.</source>
        <translation>已略去复制的蒙版和自动化；它们以主图像为准。</translation>
    </message>
</context>
<context>
    <name>LayerEffects</name>
    <message>
        <source>Add an effect</source>
        <translation>添加效果</translation>
    </message>
    <message>
        <source>No effects of its own.</source>
        <translation>没有自己的效果。</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste the copied effects</source>
        <translation>粘贴已复制的效果</translation>
    </message>
</context>
<context>
    <name>LayersPanel</name>
    <message>
        <source>A video or an image beside the main one</source>
        <translation>主画面旁边的视频或图像</translation>
    </message>
    <message>
        <source>A video or an image over the main one</source>
        <translation>主画面上方的视频或图像</translation>
    </message>
    <message>
        <source>A video or an image under the main one</source>
        <translation>主画面下方的视频或图像</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add a layer on top of the others</source>
        <translation>在其他图层之上添加一个图层</translation>
    </message>
    <message>
        <source>Add a video, an image or a text, which is drawn over the main image or under it.</source>
        <translation>添加视频、图像或文字，绘制在主画面的上方或下方。</translation>
    </message>
    <message>
        <source>An image over the main one</source>
        <translation>主画面上方的图像</translation>
    </message>
    <message>
        <source>Background...</source>
        <translation>背景...</translation>
    </message>
    <message>
        <source>Counter</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Image...</source>
        <translation>图像...</translation>
    </message>
    <message>
        <source>Main image</source>
        <translation>主画面</translation>
    </message>
    <message>
        <source>Move the layer down (Alt+Down)</source>
        <translation>下移图层 (Alt+Down)</translation>
    </message>
    <message>
        <source>Move the layer up (Alt+Up)</source>
        <translation>上移图层 (Alt+Up)</translation>
    </message>
    <message>
        <source>Picture in picture...</source>
        <translation>画中画...</translation>
    </message>
    <message>
        <source>Remove the layer (Delete)</source>
        <translation>移除图层 (Delete)</translation>
    </message>
    <message>
        <source>Side by side...</source>
        <translation>并排...</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>The text tells what a network finds, and there is none: choose one in the library.</source>
        <translation>文字显示网络的检测结果，但没有网络：请在库中选择一个。</translation>
    </message>
    <message>
        <source>There are as many layers as there can be.</source>
        <translation>图层数量已达上限。</translation>
    </message>
    <message>
        <source>There is room for {n} beside the main image; left out: {names}</source>
        <translation>主图像之外还有 {n} 个位置；已忽略：{names}</translation>
    </message>
    <message>
        <source>Time code</source>
        <translation>时间码</translation>
    </message>
    <message>
        <source>Two by two...</source>
        <translation>二乘二...</translation>
    </message>
    <message>
        <source>Up to three videos or images beside the main one</source>
        <translation>主画面旁边最多三个视频或图像</translation>
    </message>
    <message>
        <source>Your text</source>
        <translation>您的文字</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>正在打开</translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message>
        <source>Add as another effect</source>
        <translation>添加为另一个效果</translation>
    </message>
    <message>
        <source>Add to favorites</source>
        <translation>添加到收藏</translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation>添加到滤镜链</translation>
    </message>
    <message>
        <source>All effects</source>
        <translation>所有效果</translation>
    </message>
    <message>
        <source>All networks</source>
        <translation>所有网络</translation>
    </message>
    <message>
        <source>Available to download</source>
        <translation>可下载</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>随附</translation>
    </message>
    <message>
        <source>Cancel the download</source>
        <translation>取消下载</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Delete the download...</source>
        <translation>删除下载的文件...</translation>
    </message>
    <message>
        <source>Delete what has arrived</source>
        <translation>删除已接收的部分</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>删除...</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Favorites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>正在查找...</translation>
    </message>
    <message>
        <source>Looks, effects and networks</source>
        <translation>风格预设、效果和网络</translation>
    </message>
    <message>
        <source>Networks: more</source>
        <translation>网络：更多</translation>
    </message>
    <message>
        <source>No favorites yet. Click the star of a network.</source>
        <translation>还没有收藏。点击网络上的星标即可收藏。</translation>
    </message>
    <message>
        <source>No favorites yet. Click the star of an effect.</source>
        <translation>还没有收藏。点击效果上的星标即可收藏。</translation>
    </message>
    <message>
        <source>No networks yet. Drop an .onnx or .tflite on the window, or open one.</source>
        <translation>还没有网络。将 .onnx 或 .tflite 拖到窗口上，或打开一个。</translation>
    </message>
    <message>
        <source>Nothing is called “{0}”. Try another word.</source>
        <translation>没有名为“{0}”的内容。请换一个词。</translation>
    </message>
    <message>
        <source>Rename...</source>
        <translation>重命名...</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Verify the checksum</source>
        <translation>核对校验和</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>{0}/s</source>
        <translation>{0}/秒</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>几何</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>抠像</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>镜头</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>光线</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>风格预设</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Offline: nothing is downloaded.</source>
        <translation>离线：不会下载任何内容。</translation>
    </message>
    <message>
        <source>Open its web page</source>
        <translation>打开其网页</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Pages of the library</source>
        <translation>库的页面</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>暂停下载</translation>
    </message>
    <message>
        <source>Preprocessing...</source>
        <translation>预处理...</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Remove from the chain</source>
        <translation>从滤镜链中移除</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Resume the download</source>
        <translation>继续下载</translation>
    </message>
    <message>
        <source>Search looks, effects and networks</source>
        <translation>搜索风格预设、效果和网络</translation>
    </message>
    <message>
        <source>Search the library</source>
        <translation>搜索库</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Stylize</source>
        <translation>风格化</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tone</source>
        <translation>色调</translation>
    </message>
    <message>
        <source>Remove from favorites</source>
        <translation>从收藏中移除</translation>
    </message>
</context>
<context>
    <name>LicenceDialog</name>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Install {0}</source>
        <translation>安装 {0}</translation>
    </message>
    <message>
        <source>Licence of {0}</source>
        <translation>{0} 的许可证</translation>
    </message>
    <message>
        <source>The package has no text of its licence.</source>
        <translation>该软件包没有附带许可证文本。</translation>
    </message>
    <message>
        <source>{0} {1} is a program by others under the {2}, which is why no installer of Lightloom carries it. It is put into {3}, for you alone.</source>
        <translation>{0} {1} 是他人在 {2} 许可下发布的程序，因此 Lightloom 的安装程序都不包含它。它将放入 {3}，仅供当前用户使用。</translation>
    </message>
</context>
<context>
    <name>LiveOutputs</name>
    <message>
        <source>Lightloom is set to work offline; switch that off in the preferences first.</source>
        <translation>Lightloom 已设为离线工作；请先在首选项中关闭此设置。</translation>
    </message>
    <message>
        <source>There is nothing to give out yet; open a source first.</source>
        <translation>还没有可输出的画面；请先打开一个来源。</translation>
    </message>
    <message>
        <source>{0} {1} is installed in {2}.</source>
        <translation>{0} {1} 已安装到 {2}。</translation>
    </message>
</context>
<context>
    <name>MagnifierView</name>
    <message>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 到 255</translation>
    </message>
    <message>
        <source>Hexadecimal</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>Magnified pixels</source>
        <translation>放大的像素</translation>
    </message>
    <message>
        <source>Notation of the values</source>
        <translation>数值的写法</translation>
    </message>
    <message>
        <source>Pixel {0}, {1} of {2} × {3}</source>
        <translation>像素 {0}, {1}，共 {2} × {3}</translation>
    </message>
    <message>
        <source>Pixels that are magnified</source>
        <translation>要放大的像素</translation>
    </message>
    <message>
        <source>RGBA {0}</source>
        <translation>RGBA {0}</translation>
    </message>
    <message>
        <source>Values of the pixel</source>
        <translation>像素的数值</translation>
    </message>
    <message>
        <source>{0} × {0} pixels</source>
        <translation>{0} × {0} 像素</translation>
    </message>
</context>
<context>
    <name>Masks</name>
    <message>
        <source>A brush has {n} points at most; erase a stroke with Backspace or add another brush.</source>
        <translation>一个画笔最多有 {n} 个点；请用退格键删除一笔，或添加另一个画笔。</translation>
    </message>
    <message>
        <source>A mask has {n} parts at most; remove one first.</source>
        <translation>蒙版最多有 {n} 个部分；请先移除一个。</translation>
    </message>
    <message>
        <source>Add {0} to the mask</source>
        <translation>将“{0}”加入蒙版</translation>
    </message>
    <message>
        <source>Attach {0} to an object</source>
        <translation>将“{0}”附着到物体</translation>
    </message>
    <message>
        <source>Detach {0}</source>
        <translation>分离“{0}”</translation>
    </message>
    <message>
        <source>Move {0} in the mask</source>
        <translation>在蒙版中移动“{0}”</translation>
    </message>
    <message>
        <source>Remove {0} from the mask</source>
        <translation>从蒙版移除“{0}”</translation>
    </message>
    <message>
        <source>There is no tracked object here</source>
        <translation>这里没有被跟踪的物体</translation>
    </message>
    <message>
        <source>{0} of the mask</source>
        <translation>蒙版的“{0}”</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{1} 的{0}</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Language: {0}</source>
        <translation>语言：{0}</translation>
    </message>
    <message>
        <source>Look: {0}</source>
        <translation>风格预设：{0}</translation>
    </message>
    <message>
        <source>Theme: {0}</source>
        <translation>主题：{0}</translation>
    </message>
</context>
<context>
    <name>Metrics</name>
    <message>
        <source>Metrics are at http://{0}/metrics</source>
        <translation>指标位于 http://{0}/metrics</translation>
    </message>
</context>
<context>
    <name>MixingSection</name>
    <message>
        <source>Add to mask</source>
        <translation>加入蒙版</translation>
    </message>
    <message>
        <source>Color what the mask covers</source>
        <translation>为蒙版覆盖的区域着色</translation>
    </message>
    <message>
        <source>Mask and blend</source>
        <translation>蒙版与混合</translation>
    </message>
    <message>
        <source>Mask: {0}</source>
        <translation>蒙版：{0}</translation>
    </message>
    <message>
        <source>Show mask</source>
        <translation>显示蒙版</translation>
    </message>
</context>
<context>
    <name>ModelEditor</name>
    <message>
        <source>Choose a file...</source>
        <translation>选择文件...</translation>
    </message>
    <message>
        <source>Choose a folder of Stable Diffusion</source>
        <translation>选择 Stable Diffusion 文件夹</translation>
    </message>
    <message>
        <source>Choose a folder...</source>
        <translation>选择文件夹...</translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation>选择网络</translation>
    </message>
    <message>
        <source>No network</source>
        <translation>无网络</translation>
    </message>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>网络 (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>NetworkCard</name>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel loading the network</source>
        <translation>取消加载网络</translation>
    </message>
    <message>
        <source>Color order</source>
        <translation>颜色顺序</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>插值</translation>
    </message>
    <message>
        <source>Preprocessing...</source>
        <translation>预处理...</translation>
    </message>
    <message>
        <source>Run every N frames</source>
        <translation>每 N 帧运行</translation>
    </message>
    <message>
        <source>Run on the filtered frame</source>
        <translation>在滤镜后的画面上运行</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>像素范围</translation>
    </message>
    <message>
        <source>Of one inference, even if it spans several frames.</source>
        <translation>一次完整推理的时间，即使跨越多帧。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Show the network&apos;s settings</source>
        <translation>显示网络设置</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Task, precision, how often it runs, and preprocessing</source>
        <translation>任务、精度、运行频率以及画面的准备方式</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>bicubic</source>
        <translation>双三次</translation>
    </message>
    <message>
        <source>bilinear</source>
        <translation>双线性</translation>
    </message>
    <message>
        <source>crop</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>letterbox</source>
        <translation>加边</translation>
    </message>
    <message>
        <source>nearest</source>
        <translation>最近邻</translation>
    </message>
    <message>
        <source>no new results</source>
        <translation>没有新结果</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>stretched crop</source>
        <translation>拉伸裁剪</translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation>每秒 {0} 个结果</translation>
    </message>
    <message>
        <source>Compare backends...</source>
        <translation>比较后端...</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>{0} ms of each are copies to the device and back</source>
        <translation>其中每次 {0} ms 用于与设备之间的往返复制</translation>
    </message>
</context>
<context>
    <name>NetworkDialogs</name>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>网络 (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
    <message>
        <source>Open a folder of Stable Diffusion</source>
        <translation>打开 Stable Diffusion 文件夹</translation>
    </message>
    <message>
        <source>Open a network</source>
        <translation>打开网络</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {0}?</source>
        <translation>移除 {0}？</translation>
    </message>
    <message>
        <source>{0} and what is written beside it are deleted from {1}. It can be downloaded again.</source>
        <translation>将从 {1} 中删除 {0} 及其旁边写入的内容。之后可以重新下载。</translation>
    </message>
</context>
<context>
    <name>NetworkList</name>
    <message>
        <source>The checksum of {0} is right</source>
        <translation>{0} 的校验和正确</translation>
    </message>
    <message>
        <source>{0} was downloaded</source>
        <translation>{0} 已下载</translation>
    </message>
</context>
<context>
    <name>Networks</name>
    <message>
        <source>Network {0}</source>
        <translation>网络 {0}</translation>
    </message>
    <message>
        <source>Remove the network</source>
        <translation>移除网络</translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation>关闭{0}</translation>
    </message>
    <message>
        <source>Switch {0} on</source>
        <translation>开启{0}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{0} has no network; {1} was removed.</source>
        <translation>{0} 不含网络；{1} 已移除。</translation>
    </message>
    <message>
        <source>{0} replaced the network {1}.</source>
        <translation>{0} 已替换网络 {1}。</translation>
    </message>
</context>
<context>
    <name>NoAdapterWindow</name>
    <message>
        <source>A graphics card needs its maker&apos;s Vulkan driver. Without a card, this package lets the CPU do its work:</source>
        <translation>显卡需要其厂商的 Vulkan 驱动程序。没有显卡时，可用此软件包由 CPU 代替：</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Looking at this machine...</source>
        <translation>正在检查此计算机...</translation>
    </message>
    <message>
        <source>Looking for an adapter...</source>
        <translation>正在查找适配器...</translation>
    </message>
    <message>
        <source>No graphics adapter can be opened yet.</source>
        <translation>尚无法打开任何图形适配器。</translation>
    </message>
    <message>
        <source>No graphics adapter can be used</source>
        <translation>没有可用的图形适配器</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Starting...</source>
        <translation>正在启动...</translation>
    </message>
    <message>
        <source>The diagnostics are in the clipboard.</source>
        <translation>诊断信息已在剪贴板中。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>NoticeQueue</name>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
</context>
<context>
    <name>ObjectRow</name>
    <message>
        <source>A network that finds objects is needed</source>
        <translation>需要能找到物体的网络</translation>
    </message>
    <message>
        <source>Attach to an object</source>
        <translation>附着到物体</translation>
    </message>
    <message>
        <source>Choose in the video</source>
        <translation>在视频中选择</translation>
    </message>
    <message>
        <source>Click an object in the video</source>
        <translation>点击视频中的物体</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>分离</translation>
    </message>
    <message>
        <source>Moves with object {0}</source>
        <translation>随物体 {0} 移动</translation>
    </message>
    <message>
        <source>Objects are not tracked</source>
        <translation>未跟踪物体</translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>跟踪物体</translation>
    </message>
</context>
<context>
    <name>OpenOutside</name>
    <message>
        <source>No program can open {0}; its address was copied to the clipboard.</source>
        <translation>没有程序能打开 {0}；其地址已复制到剪贴板。</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Anonymize stays on, with its network: {0} says nothing of it, and its own network is not used.</source>
        <translation>匿名化保持开启，并继续使用其网络：{0} 没有提到匿名化，它自带的网络不会被使用。</translation>
    </message>
    <message>
        <source>Anonymize stays on: {0} says nothing of it.</source>
        <translation>匿名化保持开启：{0} 没有提到匿名化。</translation>
    </message>
    <message>
        <source>Look saved as {0}</source>
        <translation>风格预设已保存为 {0}</translation>
    </message>
    <message>
        <source>Look {0}</source>
        <translation>风格预设 {0}</translation>
    </message>
</context>
<context>
    <name>OutputCard</name>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>略过 %n 帧</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Switch this output on or off</source>
        <translation>是否把显示的画面送往此输出</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Download what this output needs, and ask before it is installed</source>
        <translation>下载此输出所需的内容，安装前会先询问</translation>
    </message>
    <message>
        <source>Install...</source>
        <translation>安装...</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>正在打开...</translation>
    </message>
    <message>
        <source>Settings of the output: {0}</source>
        <translation>输出的设置：{0}</translation>
    </message>
    <message>
        <source>There is no image yet; open a source first.</source>
        <translation>还没有画面；请先打开一个来源。</translation>
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
        <translation>尚未结束的导出或录制正在使用 {0}；请选择其他名称。</translation>
    </message>
    <message>
        <source>{0} is there already. Replace it?</source>
        <translation>{0} 已存在。要替换吗？</translation>
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
        <translation>正在打开 {0}</translation>
    </message>
    <message>
        <source>Preview: {0}</source>
        <translation>预览：{0}</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>已丢弃</translation>
    </message>
    <message>
        <source>latency p50 / p95 / p99</source>
        <translation>延迟 p50 / p95 / p99</translation>
    </message>
</context>
<context>
    <name>OwnLooks</name>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the look {0}?</source>
        <translation>删除风格 {0}？</translation>
    </message>
    <message>
        <source>Its file is deleted from {0}.</source>
        <translation>其文件将从 {0} 中删除。</translation>
    </message>
    <message>
        <source>The look {0} was deleted.</source>
        <translation>风格 {0} 已删除。</translation>
    </message>
    <message>
        <source>{0} is called {1} now.</source>
        <translation>{0} 现在名为 {1}。</translation>
    </message>
</context>
<context>
    <name>ParamRows</name>
    <message>
        <source>Fewer parameters</source>
        <translation>更少参数</translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation>网络设置</translation>
    </message>
    <message>
        <source>This effect has no parameters.</source>
        <translation>此效果没有参数。</translation>
    </message>
    <message>
        <source>Where the network runs, what was inferred from its file, and settings</source>
        <translation>网络在何处运行、由其文件推断出的信息以及设置</translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation>另外 {0} 项</translation>
    </message>
</context>
<context>
    <name>PartRow</name>
    <message>
        <source>Draw in the video</source>
        <translation>在视频中绘制</translation>
    </message>
    <message>
        <source>Invert part</source>
        <translation>反转此部分</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>{0}, inverted</source>
        <translation>{0}（反转）</translation>
    </message>
    <message>
        <source>{0}: joined by</source>
        <translation>{0}：组合方式</translation>
    </message>
    <message>
        <source>{0}: more</source>
        <translation>{0}：更多</translation>
    </message>
    <message>
        <source>{0}: settings</source>
        <translation>{0}：设置</translation>
    </message>
</context>
<context>
    <name>PathEditor</name>
    <message>
        <source>Choose: {0}</source>
        <translation>选择：{0}</translation>
    </message>
</context>
<context>
    <name>PictureEditor</name>
    <message>
        <source>Choose an image</source>
        <translation>选择图片</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Images ({0})</source>
        <translation>图片 ({0})</translation>
    </message>
    <message>
        <source>Use no image</source>
        <translation>不使用图片</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message numerus="yes">
        <source>; %n frames dropped because encoding was behind</source>
        <translation>
            <numerusform>；因编码跟不上，略过了 %n 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>Image copied</source>
        <translation>已复制画面</translation>
    </message>
    <message>
        <source>Recording saved as {0}</source>
        <translation>录像已保存为 {0}</translation>
    </message>
    <message>
        <source>Snapshot saved as {0}</source>
        <translation>快照已保存为 {0}</translation>
    </message>
    <message>
        <source>Snapshots of HDR are in standard range; export with &apos;Keep HDR as it is&apos; to keep it.</source>
        <translation>HDR 的快照为标准动态范围；要保留 HDR，请用“HDR 保持原样”导出。</translation>
    </message>
    <message>
        <source>There is nothing to record yet; open a source first.</source>
        <translation>还没有可录制的内容；请先打开一个来源。</translation>
    </message>
    <message>
        <source>Cut-out copied</source>
        <translation>已复制抠图</translation>
    </message>
    <message>
        <source>Cut-out saved as {0}</source>
        <translation>抠图已保存为 {0}</translation>
    </message>
    <message>
        <source>There is no mask to cut out</source>
        <translation>没有可抠出的蒙版</translation>
    </message>
</context>
<context>
    <name>PicturesList</name>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>Playback</name>
    <message>
        <source>A at {0}</source>
        <translation>A 点：{0}</translation>
    </message>
    <message>
        <source>A-B loop off</source>
        <translation>A-B 循环已关闭</translation>
    </message>
    <message>
        <source>Deinterlacing off</source>
        <translation>去隔行已关闭</translation>
    </message>
    <message>
        <source>Deinterlacing on</source>
        <translation>去隔行已开启</translation>
    </message>
    <message>
        <source>Loop {0} to {1}</source>
        <translation>循环 {0} 至 {1}</translation>
    </message>
    <message>
        <source>Speed {0}×</source>
        <translation>速度 {0}×</translation>
    </message>
    <message>
        <source>No audio</source>
        <translation>无声音</translation>
    </message>
    <message>
        <source>Audio off</source>
        <translation>声音已关闭</translation>
    </message>
    <message>
        <source>Audio on</source>
        <translation>声音已打开</translation>
    </message>
    <message>
        <source>Volume {0} %</source>
        <translation>音量 {0} %</translation>
    </message>
    <message>
        <source>The source has no audio</source>
        <translation>当前内容没有声音</translation>
    </message>
</context>
<context>
    <name>Playlist</name>
    <message>
        <source>In order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>Loop over each entry</source>
        <translation>每个条目循环</translation>
    </message>
    <message>
        <source>Loop over the playlist</source>
        <translation>播放列表循环</translation>
    </message>
    <message>
        <source>No loop</source>
        <translation>不循环</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>随机顺序</translation>
    </message>
    <message>
        <source>The playlist begins here</source>
        <translation>播放列表从这里开始</translation>
    </message>
    <message>
        <source>The playlist ends here</source>
        <translation>播放列表到此结束</translation>
    </message>
</context>
<context>
    <name>PlaylistPanel</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>Add files to the playlist...</source>
        <translation>将文件添加到播放列表...</translation>
    </message>
    <message>
        <source>Add to the playlist</source>
        <translation>添加到播放列表</translation>
    </message>
    <message>
        <source>Drop several files on the window, or add them with +: they play one after the other. A folder of images is one entry.</source>
        <translation>将多个文件拖到窗口上，或用 + 添加：它们会依次播放。图像文件夹算一个条目。</translation>
    </message>
    <message>
        <source>How long an image of the playlist is shown</source>
        <translation>播放列表中每张图片显示多久</translation>
    </message>
    <message>
        <source>How long an image of the playlist is shown; applies from the next one that is opened</source>
        <translation>播放列表中每张图片显示多久；从下一张打开的图片起生效</translation>
    </message>
    <message>
        <source>More of the playlist</source>
        <translation>播放列表的更多操作</translation>
    </message>
    <message>
        <source>Open a playlist</source>
        <translation>打开播放列表</translation>
    </message>
    <message>
        <source>Open a playlist...</source>
        <translation>打开播放列表...</translation>
    </message>
    <message>
        <source>Images stay</source>
        <translation>图片停留</translation>
    </message>
    <message>
        <source>Place in the playlist</source>
        <translation>在播放列表中的位置</translation>
    </message>
    <message>
        <source>Playlists (*.m3u8 *.m3u)</source>
        <translation>播放列表 (*.m3u8 *.m3u)</translation>
    </message>
    <message>
        <source>Save the playlist</source>
        <translation>保存播放列表</translation>
    </message>
    <message>
        <source>Take out what is selected (Delete)</source>
        <translation>移出所选条目 (Delete)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>PlaylistPlayer</name>
    <message>
        <source>Playlist saved as {0}</source>
        <translation>播放列表已保存为 {0}</translation>
    </message>
</context>
<context>
    <name>PlaylistStrip</name>
    <message>
        <source>Playlist</source>
        <translation>播放列表</translation>
    </message>
</context>
<context>
    <name>PluginNotices</name>
    <message>
        <source>Leave it out</source>
        <translation>略去</translation>
    </message>
    <message>
        <source>Use it from the next start on</source>
        <translation>从下次启动起使用</translation>
    </message>
</context>
<context>
    <name>PointsEditor</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n strokes</source>
        <translation>
            <numerusform>%n 笔</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Clear {0}</source>
        <translation>清空{0}</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Favorites and the lists of what was used lately are emptied. Files stay where they are.</source>
        <translation>收藏和最近使用列表将被清空。文件保持原位。</translation>
    </message>
    <message>
        <source>No setting is called “{0}”. Try another word.</source>
        <translation>没有名为“{0}”的设置。请换一个词。</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Reset all settings to their defaults?</source>
        <translation>将所有设置恢复为默认值？</translation>
    </message>
    <message>
        <source>Reset all...</source>
        <translation>全部重置...</translation>
    </message>
    <message>
        <source>Search the preferences</source>
        <translation>搜索首选项</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
</context>
<context>
    <name>Proposals</name>
    <message numerus="yes">
        <source>%n images were left out</source>
        <translation>
            <numerusform>已略过 %n 张图片</numerusform>
        </translation>
    </message>
    <message>
        <source>All images have labels already.</source>
        <translation>所有图片都已有标注。</translation>
    </message>
    <message>
        <source>There is no network to propose labels; choose one in the main window, under Networks.</source>
        <translation>没有可用来建议标注的网络；请在主窗口的“网络”下选择一个。</translation>
    </message>
</context>
<context>
    <name>PublishDialog</name>
    <message>
        <source>A folder with the effect, a README, a test and what pip needs is written.</source>
        <translation>将写入一个文件夹，包含该效果、README、测试以及 pip 所需的内容。</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder of the package</source>
        <translation>软件包的文件夹</translation>
    </message>
    <message>
        <source>License</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Name of the package</source>
        <translation>软件包名称</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>Publish as plug-in</source>
        <translation>发布为插件</translation>
    </message>
    <message>
        <source>Your name, as users of the package see it</source>
        <translation>软件包用户看到的姓名</translation>
    </message>
</context>
<context>
    <name>QualitySlider</name>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Smaller file</source>
        <translation>文件较小</translation>
    </message>
    <message>
        <source>{0} on the codec&apos;s scale: 0 is best, {1} smallest</source>
        <translation>编解码器标度上的 {0}：0 为最佳，{1} 为最小</translation>
    </message>
</context>
<context>
    <name>RecordDialog</name>
    <message>
        <source>Record to a file</source>
        <translation>录制到文件</translation>
    </message>
    <message>
        <source>Record...</source>
        <translation>录制...</translation>
    </message>
</context>
<context>
    <name>RegionPicker</name>
    <message>
        <source>Draw a region</source>
        <translation>绘制区域</translation>
    </message>
    <message>
        <source>Region of the monitor</source>
        <translation>显示器的区域</translation>
    </message>
    <message>
        <source>{0} × {1} pixels. Drag, or use the arrows (Shift: size). Enter takes it, Escape goes back.</source>
        <translation>{0} × {1} 像素。拖动或使用方向键（Shift：大小）。Enter 确认，Esc 返回。</translation>
    </message>
</context>
<context>
    <name>RememberedEditor</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>As it comes</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从未</translation>
    </message>
</context>
<context>
    <name>RemoteControl</name>
    <message>
        <source>Remote control is on at {0}</source>
        <translation>远程控制已开启，地址为 {0}</translation>
    </message>
</context>
<context>
    <name>RemoteControlDialog</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Disconnects all that use the old one</source>
        <translation>断开所有使用旧代码的连接</translation>
    </message>
    <message>
        <source>Everyone in the network who has the code can control Lightloom, and nothing is encrypted. Use it in networks that you trust only.</source>
        <translation>网络中任何有代码的人都能控制 Lightloom，且通信未加密。请仅在可信的网络中使用。</translation>
    </message>
    <message>
        <source>New code</source>
        <translation>新代码</translation>
    </message>
    <message>
        <source>None while remote control is off.</source>
        <translation>远程控制关闭时没有地址。</translation>
    </message>
    <message>
        <source>Remote control</source>
        <translation>远程控制</translation>
    </message>
    <message>
        <source>Remote control is on for this run by --control. The settings above count once &apos;Allow remote control&apos; is changed.</source>
        <translation>本次运行已由 --control 打开远程控制。更改“允许远程控制”后，以上设置才会生效。</translation>
    </message>
</context>
<context>
    <name>RemoteDialog</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Address of the network</source>
        <translation>网络的地址</translation>
    </message>
    <message>
        <source>Hosts that may receive images</source>
        <translation>可以得到画面的主机</translation>
    </message>
    <message>
        <source>Only if it asks for one; kept in the system&apos;s key ring</source>
        <translation>仅当服务器要求时；保存在系统的密钥环中</translation>
    </message>
    <message>
        <source>Open a network on a server</source>
        <translation>打开服务器上的网络</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>The server computes the network, so it receives the images. It must support the Open Inference Protocol.</source>
        <translation>网络由服务器计算，因此它会得到画面。它必须支持 Open Inference Protocol。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Token of the server</source>
        <translation>服务器的令牌</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
</context>
<context>
    <name>RenameLookDialog</name>
    <message>
        <source>A bundled look has this name; choose another one.</source>
        <translation>已有内置风格使用此名称；请另选一个名称。</translation>
    </message>
    <message>
        <source>Name of the look</source>
        <translation>风格名称</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename look</source>
        <translation>重命名风格</translation>
    </message>
    <message>
        <source>There is a look of this name; choose another one.</source>
        <translation>已有同名风格；请另选一个名称。</translation>
    </message>
</context>
<context>
    <name>ResultsDialog</name>
    <message>
        <source>Export results</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>导出...</translation>
    </message>
    <message>
        <source>Track objects from frame to frame</source>
        <translation>逐帧跟踪物体</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Another source was opened meanwhile; close this dialog, and export again.</source>
        <translation>期间打开了另一个源；请关闭此对话框并重新导出。</translation>
    </message>
    <message>
        <source>Identities</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>The network processes every frame of {0} once more, and its results are written.</source>
        <translation>网络会再次查看 {0} 的每一帧，并写出它所看到的内容。</translation>
    </message>
    <message>
        <source>results</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>ResultsExport</name>
    <message>
        <source>Export stopped; nothing was written</source>
        <translation>导出已停止；没有写入任何内容</translation>
    </message>
    <message>
        <source>Results saved as {0}</source>
        <translation>结果已保存为 {0}</translation>
    </message>
    <message>
        <source>Nothing is detected in the frame</source>
        <translation>画面中没有任何结果</translation>
    </message>
</context>
<context>
    <name>ResultsPanel</name>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n 帧</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>End the export; nothing is written</source>
        <translation>结束导出；不写入任何内容</translation>
    </message>
    <message>
        <source>Exporting to {0}:</source>
        <translation>正在导出到 {0}：</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>No network is running.</source>
        <translation>没有网络在查看画面。</translation>
    </message>
    <message>
        <source>Nothing is detected in this image.</source>
        <translation>此画面中没有发现任何东西。</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>上</translation>
    </message>
    <message>
        <source>What the network sees</source>
        <translation>网络所见</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
</context>
<context>
    <name>SaveLookDialog</name>
    <message>
        <source>A bundled look has this name; choose another one.</source>
        <translation>已有内置风格使用此名称；请另选一个名称。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the look</source>
        <translation>风格预设的名称</translation>
    </message>
    <message>
        <source>Other folder...</source>
        <translation>其他文件夹...</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Purpose of the look</source>
        <translation>风格预设的用途</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>保存风格预设</translation>
    </message>
    <message>
        <source>The look has the effects, their values, the network and its settings.</source>
        <translation>风格预设包含各效果及其数值、网络及其设置。</translation>
    </message>
    <message>
        <source>There is a look of this name, which is replaced.</source>
        <translation>已有同名的风格预设，将被替换。</translation>
    </message>
    <message>
        <source>What it is for, in a sentence</source>
        <translation>用一句话说明用途</translation>
    </message>
</context>
<context>
    <name>Scenes</name>
    <message>
        <source>There is no scene {0}: save a look first</source>
        <translation>没有场景 {0}：请先保存风格</translation>
    </message>
</context>
<context>
    <name>Scopes</name>
    <message>
        <source>Copied: {0}</source>
        <translation>已复制：{0}</translation>
    </message>
    <message>
        <source>Point at the video; a click copies the color, Esc ends</source>
        <translation>指向视频；单击复制颜色，Esc 结束</translation>
    </message>
    <message>
        <source>Point at the video; arrow keys move by a pixel, Esc ends</source>
        <translation>指向视频；方向键移动一个像素，Esc 结束</translation>
    </message>
</context>
<context>
    <name>ScopesPanel</name>
    <message>
        <source>After {0}: {1}</source>
        <translation>第 {0} 级之后：{1}</translation>
    </message>
    <message>
        <source>At 0: R {0} %, G {1} %, B {2} %</source>
        <translation>值为 0：R {0}%，G {1}%，B {2}%</translation>
    </message>
    <message>
        <source>At 255: R {0} %, G {1} %, B {2} %</source>
        <translation>值为 255：R {0}%，G {1}%，B {2}%</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Image that the scopes show</source>
        <translation>示波器显示的图像</translation>
    </message>
    <message>
        <source>Magnify pixels</source>
        <translation>放大像素</translation>
    </message>
    <message>
        <source>Mean: R {0}, G {1}, B {2}, luma {3}</source>
        <translation>平均：R {0}，G {1}，B {2}，亮度 {3}</translation>
    </message>
    <message>
        <source>No scope is selected.</source>
        <translation>未选择示波器。</translation>
    </message>
    <message>
        <source>One row in {0} is counted.</source>
        <translation>每 {0} 行统计一行。</translation>
    </message>
    <message>
        <source>Open a video to see its levels and colors.</source>
        <translation>打开视频以查看其电平和色彩。</translation>
    </message>
    <message>
        <source>Pick a color</source>
        <translation>拾取颜色</translation>
    </message>
    <message>
        <source>RGB parade</source>
        <translation>RGB 分量</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源</translation>
    </message>
    <message>
        <source>Summary of the scopes</source>
        <translation>示波器摘要</translation>
    </message>
    <message>
        <source>Vectorscope</source>
        <translation>矢量示波器</translation>
    </message>
    <message>
        <source>Waveform</source>
        <translation>波形</translation>
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
        <translation>绘制...</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Looking for monitors and windows...</source>
        <translation>正在查找显示器和窗口...</translation>
    </message>
    <message>
        <source>Monitor {0}</source>
        <translation>显示器 {0}</translation>
    </message>
    <message>
        <source>Monitors and windows</source>
        <translation>显示器和窗口</translation>
    </message>
    <message>
        <source>No monitor and no window was found.</source>
        <translation>未找到显示器或窗口。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the screen</source>
        <translation>打开屏幕</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>每秒画面数</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>With the mouse&apos;s arrow</source>
        <translation>包含鼠标指针</translation>
    </message>
    <message>
        <source>Region of the monitor</source>
        <translation>显示器的区域</translation>
    </message>
    <message>
        <source>The window is followed where it goes.</source>
        <translation>将跟随该窗口移动。</translation>
    </message>
    <message>
        <source>Where this window is on the monitor, it shows itself in itself.</source>
        <translation>若本窗口位于该显示器上，它会在自身中显示自身。</translation>
    </message>
    <message>
        <source>Write a region as four numbers: left, top, width, height.</source>
        <translation>请用四个数字表示区域：左、上、宽、高。</translation>
    </message>
    <message>
        <source>all, or left, top, width, height in pixels</source>
        <translation>全部，或左、上、宽、高（像素）</translation>
    </message>
    <message>
        <source>minimized</source>
        <translation>已最小化</translation>
    </message>
</context>
<context>
    <name>SecondaryNetworkRows</name>
    <message>
        <source>A network that processes the crop of each object that this one detects</source>
        <translation>更仔细地查看此网络所发现的每个物体的网络</translation>
    </message>
    <message>
        <source>By how much the crop is larger than the object&apos;s box</source>
        <translation>它所看的范围比物体的框大多少</translation>
    </message>
    <message>
        <source>Choose a file...</source>
        <translation>选择文件...</translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation>选择网络</translation>
    </message>
    <message>
        <source>Enlarged</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Objects per frame, the most certain first</source>
        <translation>在一张图片中查看多少个物体，最确定的优先</translation>
    </message>
    <message>
        <source>Secondary network</source>
        <translation>再看一眼</translation>
    </message>
    <message>
        <source>Second network</source>
        <translation>第二个网络</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>查看的物体数</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Networks (*.onnx *.tflite *.pt2 *.pt)</source>
        <translation>网络 (*.onnx *.tflite *.pt2 *.pt)</translation>
    </message>
</context>
<context>
    <name>SetList</name>
    <message>
        <source>The set list is at its beginning</source>
        <translation>演出列表已到开头</translation>
    </message>
    <message>
        <source>The set list is at its end</source>
        <translation>演出列表已到尽头</translation>
    </message>
    <message>
        <source>The set list is empty</source>
        <translation>演出列表为空</translation>
    </message>
</context>
<context>
    <name>SetListPanel</name>
    <message>
        <source>Add the look of the chain to the set list</source>
        <translation>将链的风格预设加入演出列表</translation>
    </message>
    <message>
        <source>Apply a look and add it with +. Page Up and Page Down with Ctrl go from one look of the list to the next, and so do MIDI, OSC and remote control.</source>
        <translation>应用一个风格预设，再用 + 加入。Ctrl 加 Page Up 和 Page Down 在列表的风格预设之间切换，MIDI、OSC 和远程控制也可以。</translation>
    </message>
    <message>
        <source>Cross-fade to the selected look</source>
        <translation>到所选风格预设的交叉淡化</translation>
    </message>
    <message>
        <source>Remove from the set list (Delete)</source>
        <translation>从演出列表移除 (Delete)</translation>
    </message>
    <message>
        <source>Set list</source>
        <translation>演出列表</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Counts at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Reset: {0}</source>
        <translation>重置：{0}</translation>
    </message>
</context>
<context>
    <name>ShaderEditorPanel</name>
    <message>
        <source>Add to the chain</source>
        <translation>添加到滤镜链</translation>
    </message>
    <message>
        <source>Another program has changed the file.</source>
        <translation>其他程序更改了该文件。</translation>
    </message>
    <message>
        <source>Compiling...</source>
        <translation>正在编译...</translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>Find in the shader</source>
        <translation>在着色器中查找</translation>
    </message>
    <message>
        <source>Go back to the text in the file</source>
        <translation>恢复为文件中的文本</translation>
    </message>
    <message>
        <source>It works, and the video shows it.</source>
        <translation>运行正常，视频中可见。</translation>
    </message>
    <message>
        <source>Keep this text</source>
        <translation>保留此文本</translation>
    </message>
    <message>
        <source>Line {0}: {1}</source>
        <translation>第 {0} 行：{1}</translation>
    </message>
    <message>
        <source>Load the file</source>
        <translation>载入文件</translation>
    </message>
    <message>
        <source>New effect</source>
        <translation>新效果</translation>
    </message>
    <message>
        <source>No shader is open. Choose “Edit the shader” in the menu of an effect&apos;s card, or begin a new effect.</source>
        <translation>没有打开的着色器。在效果卡片的菜单中选择“编辑着色器”，或新建效果。</translation>
    </message>
    <message>
        <source>Open a video to see what it does.</source>
        <translation>打开一个视频以查看其作用。</translation>
    </message>
    <message>
        <source>Problems of the shader</source>
        <translation>着色器的问题</translation>
    </message>
    <message>
        <source>Publish...</source>
        <translation>发布...</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the shader ({0})</source>
        <translation>保存着色器（{0}）</translation>
    </message>
    <message>
        <source>The effect is not in the chain, so it is not tried.</source>
        <translation>该效果不在滤镜链中，因此不会试运行。</translation>
    </message>
    <message>
        <source>The last version that works is shown. {0}: next problem</source>
        <translation>显示的是最后一个可用版本。{0}：下一个问题</translation>
    </message>
    <message>
        <source>These changes were not saved last time.</source>
        <translation>这些更改上次未保存。</translation>
    </message>
    <message>
        <source>Write the effect as a plug-in that others can install</source>
        <translation>将效果写成他人可安装的插件</translation>
    </message>
    <message>
        <source>{0} (not saved)</source>
        <translation>{0}（未保存）</translation>
    </message>
</context>
<context>
    <name>ShaderEdits</name>
    <message>
        <source>Edit a copy of {0}</source>
        <translation>编辑 {0} 的副本</translation>
    </message>
    <message>
        <source>My effect</source>
        <translation>我的效果</translation>
    </message>
    <message>
        <source>{0} (copy)</source>
        <translation>{0}（副本）</translation>
    </message>
</context>
<context>
    <name>SourceMenu</name>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
</context>
<context>
    <name>SourcesPanel</name>
    <message>
        <source>Address (rtsp://, http://, udp://, ...)</source>
        <translation>地址 (rtsp://, http://, udp://, ...)</translation>
    </message>
    <message>
        <source>Look for cameras</source>
        <translation>查找摄像头</translation>
    </message>
    <message>
        <source>Look for network cameras (ONVIF)</source>
        <translation>查找网络摄像机 (ONVIF)</translation>
    </message>
    <message>
        <source>Looking for network cameras...</source>
        <translation>正在查找网络摄像机...</translation>
    </message>
    <message>
        <source>Network cameras</source>
        <translation>网络摄像机</translation>
    </message>
    <message>
        <source>No camera is connected.</source>
        <translation>没有连接摄像头。</translation>
    </message>
    <message>
        <source>No network camera answers.</source>
        <translation>没有网络摄像机应答。</translation>
    </message>
    <message>
        <source>No network camera answers. Check that ONVIF and discovery are on in its settings and that it is in this network, or enter the address of its stream.</source>
        <translation>没有网络摄像机应答。请检查其设置中是否已启用 ONVIF 和发现功能、是否在此网络中，或输入其流的地址。</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>未打开任何内容</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a folder of images</source>
        <translation>打开图像文件夹</translation>
    </message>
    <message>
        <source>Open a folder of images...</source>
        <translation>打开图像文件夹...</translation>
    </message>
    <message>
        <source>Open a network stream...</source>
        <translation>打开网络流...</translation>
    </message>
    <message>
        <source>Open a stream</source>
        <translation>打开流</translation>
    </message>
    <message>
        <source>Open the screen or a window...</source>
        <translation>打开屏幕或窗口...</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>animation</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>asking for permission</source>
        <translation>正在请求许可</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>被占用</translation>
    </message>
    <message>
        <source>camera</source>
        <translation>摄像头</translation>
    </message>
    <message>
        <source>codec</source>
        <translation>编解码器</translation>
    </message>
    <message>
        <source>coded size</source>
        <translation>编码尺寸</translation>
    </message>
    <message>
        <source>color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>color profile</source>
        <translation>颜色配置文件</translation>
    </message>
    <message>
        <source>container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>已丢失</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>未获许可</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>orientation</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>{0} FPS (assumed)</source>
        <translation>{0} FPS（假定）</translation>
    </message>
    <message>
        <source>{0} was not found</source>
        <translation>未找到 {0}</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>pixel aspect</source>
        <translation>像素宽高比</translation>
    </message>
    <message>
        <source>pixel format</source>
        <translation>像素格式</translation>
    </message>
    <message>
        <source>playing</source>
        <translation>正在播放</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation>正在重新连接</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
    </message>
    <message>
        <source>Open a video or an image...</source>
        <translation>打开视频或图像...</translation>
    </message>
</context>
<context>
    <name>SpanChoice</name>
    <message>
        <source>All of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>From A to B</source>
        <translation>从 A 到 B</translation>
    </message>
    <message>
        <source>Mark A and B in the transport first</source>
        <translation>请先在播放栏中标记 A 和 B</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
</context>
<context>
    <name>Stabilization</name>
    <message>
        <source>Stabilization off</source>
        <translation>防抖已关闭</translation>
    </message>
    <message>
        <source>Stabilization on: frames are shown {0} frames later</source>
        <translation>防抖已开启：画面延后 {0} 帧显示</translation>
    </message>
</context>
<context>
    <name>StageCard</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Drag to reorder (Alt+Up, Alt+Down)</source>
        <translation>拖动以重新排序 (Alt+上, Alt+下)</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Show parameters (Shift: keep others open)</source>
        <translation>显示参数 (Shift：其他保持展开)</translation>
    </message>
    <message>
        <source>Open the shader file</source>
        <translation>打开着色器文件</translation>
    </message>
    <message>
        <source>A copy is used: {0} is not there, or is older.</source>
        <translation>正在使用副本：{0} 不存在或较旧。</translation>
    </message>
    <message>
        <source>Edit a copy of the shader</source>
        <translation>编辑着色器的副本</translation>
    </message>
    <message>
        <source>Edit the shader</source>
        <translation>编辑着色器</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>No network detects objects, so the effect reads none</source>
        <translation>没有网络检测对象，此效果读不到对象</translation>
    </message>
    <message>
        <source>Paste after this</source>
        <translation>粘贴到其后</translation>
    </message>
    <message>
        <source>The mask is loading</source>
        <translation>正在加载蒙版</translation>
    </message>
    <message>
        <source>The mask is {0} ms late</source>
        <translation>蒙版延迟 {0} 毫秒</translation>
    </message>
    <message>
        <source>The objects are {0} ms late</source>
        <translation>对象延迟 {0} 毫秒</translation>
    </message>
    <message>
        <source>There is no mask for this frame</source>
        <translation>此帧没有蒙版</translation>
    </message>
    <message>
        <source>This effect has no parameters.</source>
        <translation>此效果没有参数。</translation>
    </message>
    <message>
        <source>Without audio, the effect reads silence</source>
        <translation>没有音频，此效果读到静音</translation>
    </message>
    <message>
        <source>compiling...</source>
        <translation>正在编译...</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>in step: {0} frames per second, {1} ms behind</source>
        <translation>同步：每秒 {0} 幅画面，延迟 {1} 毫秒</translation>
    </message>
    <message>
        <source>no new results</source>
        <translation>没有新结果</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>waiting for its first result</source>
        <translation>正在等待第一个结果</translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation>每秒 {0} 个结果</translation>
    </message>
    <message>
        <source>{0} results a second, {1} ms behind</source>
        <translation>每秒 {0} 个结果，滞后 {1} 毫秒</translation>
    </message>
</context>
<context>
    <name>StageEditor</name>
    <message>
        <source>No earlier effect</source>
        <translation>没有更早的效果</translation>
    </message>
</context>
<context>
    <name>StageTable</name>
    <message>
        <source>Milliseconds of the last frame</source>
        <translation>上一帧的毫秒数</translation>
    </message>
    <message>
        <source>Milliseconds that 95 % of the last frames stay below</source>
        <translation>最近 95 % 的帧低于此毫秒数</translation>
    </message>
    <message>
        <source>Milliseconds that 99 % of the last frames stay below</source>
        <translation>最近 99 % 的帧低于此毫秒数</translation>
    </message>
    <message>
        <source>Milliseconds that half of the last frames stay below</source>
        <translation>最近一半的帧低于此毫秒数</translation>
    </message>
    <message>
        <source>Percent of the sum of all stages&apos; mean times</source>
        <translation>占所有阶段平均时间之和的百分比</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Time of each stage</source>
        <translation>各阶段的时间</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>StatsPanel</name>
    <message>
        <source>Begin all counters and graphs anew</source>
        <translation>所有计数和曲线重新开始</translation>
    </message>
    <message>
        <source>CPU per frame</source>
        <translation>每帧 CPU</translation>
    </message>
    <message>
        <source>CSV...</source>
        <translation>CSV...</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the table as tab-separated text</source>
        <translation>将表格复制为制表符分隔的文本</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>Decoded</source>
        <translation>已解码</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>已丢弃</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Network of {0}</source>
        <translation>{0}的网络</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>呈现</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Readback per frame</source>
        <translation>每帧回读</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Save the table as CSV</source>
        <translation>将表格保存为 CSV</translation>
    </message>
    <message>
        <source>Skipped, GPU busy</source>
        <translation>已跳过，GPU 忙</translation>
    </message>
    <message>
        <source>Table copied</source>
        <translation>表格已复制</translation>
    </message>
    <message>
        <source>Table saved as {0}</source>
        <translation>表格已保存为 {0}</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>Upload per frame</source>
        <translation>每帧上传</translation>
    </message>
    <message>
        <source>frame interpolation: {0}</source>
        <translation>插帧：{0}</translation>
    </message>
    <message>
        <source>times: {0}</source>
        <translation>计时：{0}</translation>
    </message>
    <message>
        <source>{0}: {1} FPS, latency {2} ms</source>
        <translation>{0}：{1} FPS，延迟 {2} 毫秒</translation>
    </message>
</context>
<context>
    <name>Subtitles</name>
    <message>
        <source>No subtitles</source>
        <translation>无字幕</translation>
    </message>
    <message>
        <source>Subtitles off</source>
        <translation>字幕已关闭</translation>
    </message>
    <message>
        <source>Subtitles: {0}</source>
        <translation>字幕：{0}</translation>
    </message>
    <message>
        <source>The subtitles of this file cannot be shown</source>
        <translation>无法显示此文件的字幕</translation>
    </message>
    <message>
        <source>There are no subtitles here; drop a .srt file on the window</source>
        <translation>这里没有字幕；请将 .srt 文件拖到窗口上</translation>
    </message>
    <message>
        <source>What plays can have no subtitles</source>
        <translation>正在播放的内容不能有字幕</translation>
    </message>
    <message>
        <source>{0} (cannot be shown)</source>
        <translation>{0}（无法显示）</translation>
    </message>
    <message>
        <source>{0} has subtitles; open the video first that they are for.</source>
        <translation>{0} 是字幕文件；请先打开它所属的视频。</translation>
    </message>
</context>
<context>
    <name>TableEditor</name>
    <message>
        <source>Choose a table</source>
        <translation>选择色表</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Color tables (*.cube)</source>
        <translation>色表 (*.cube)</translation>
    </message>
    <message>
        <source>Use no table</source>
        <translation>不使用色表</translation>
    </message>
</context>
<context>
    <name>TextEditor</name>
    <message>
        <source>Clear the text</source>
        <translation>清除文本</translation>
    </message>
</context>
<context>
    <name>TimeLine</name>
    <message>
        <source>Time line</source>
        <translation>时间线</translation>
    </message>
</context>
<context>
    <name>TrackCard</name>
    <message numerus="yes">
        <source>%n followed</source>
        <translation>
            <numerusform>已跟踪 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Track objects</source>
        <translation>跟踪物体</translation>
    </message>
    <message>
        <source>Give each object a number that it keeps from frame to frame, and draw its trail</source>
        <translation>给每个物体一个在各帧之间保持不变的编号，并画出它的轨迹</translation>
    </message>
    <message>
        <source>Show tracking settings</source>
        <translation>显示跟踪方式</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>Camera format</source>
        <translation>摄像头格式</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>The camera&apos;s resolution, rate and pixel format</source>
        <translation>摄像头的分辨率、帧率和像素格式</translation>
    </message>
    <message>
        <source>The system does not tell this camera&apos;s formats</source>
        <translation>系统没有提供此摄像头的格式</translation>
    </message>
    <message>
        <source>Speed ({0} and {1})</source>
        <translation>速度（{0} 和 {1}）</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Get it from {site}.</source>
        <translation>请从 {site} 获取。</translation>
    </message>
    <message>
        <source>Get the new .deb from {site} and install it with &apos;sudo apt install ./FILE&apos;.</source>
        <translation>请从 {site} 获取新的 .deb，并用“sudo apt install ./文件名”安装。</translation>
    </message>
    <message>
        <source>Get the new AppImage from {site}.</source>
        <translation>请从 {site} 获取新的 AppImage。</translation>
    </message>
    <message>
        <source>Lightloom {newest} is out; this is {own}. {advice}</source>
        <translation>Lightloom {newest} 已发布；当前为 {own}。{advice}</translation>
    </message>
    <message>
        <source>May Lightloom check for a new version once a week? It asks {site} for a number. Nothing about you is sent, and nothing is downloaded or installed.</source>
        <translation>Lightloom 可以每周检查一次是否有新版本吗？它只向 {site} 查询一个版本号。不会发送您的任何信息，也不会下载或安装任何内容。</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>This is the newest Lightloom, {own}.</source>
        <translation>这是最新的 Lightloom，{own}。</translation>
    </message>
    <message>
        <source>Update it in your software center, or with &apos;flatpak update org.lightloom.Lightloom&apos;.</source>
        <translation>请在软件中心更新，或使用“flatpak update org.lightloom.Lightloom”。</translation>
    </message>
    <message>
        <source>Update it with &apos;brew upgrade --cask lightloom&apos;.</source>
        <translation>请使用“brew upgrade --cask lightloom”更新。</translation>
    </message>
    <message>
        <source>Update it with &apos;winget upgrade Lightloom.Lightloom&apos;.</source>
        <translation>请使用“winget upgrade Lightloom.Lightloom”更新。</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
</context>
<context>
    <name>Viewport</name>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
</context>
<context>
    <name>VolumeSlider</name>
    <message>
        <source>Volume</source>
        <translation>音量</translation>
    </message>
    <message>
        <source>Volume ({0} and {1})</source>
        <translation>音量（{0} 和 {1}）</translation>
    </message>
</context>
<context>
    <name>WayBox</name>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>{0}: backend</source>
        <translation>{0}：后端</translation>
    </message>
    <message>
        <source>{0}: precision</source>
        <translation>{0}：精度</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Close this window and start Lightloom as usual</source>
        <translation>关闭此窗口并正常启动 Lightloom</translation>
    </message>
    <message>
        <source>Safe mode</source>
        <translation>安全模式</translation>
    </message>
    <message>
        <source>The graphics device was restarted</source>
        <translation>图形设备已重新启动</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>退出安全模式</translation>
    </message>
    <message>
        <source>Choose an adapter...</source>
        <translation>选择适配器...</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Safe mode: your own shaders and networks are left out. There is no software adapter here, so {0} computes.</source>
        <translation>安全模式：不加载您自己的着色器和网络。此处没有软件适配器，因此使用 {0} 计算。</translation>
    </message>
    <message>
        <source>Safe mode: your own shaders, networks and the graphics card are left out.</source>
        <translation>安全模式：不加载您自己的着色器和网络，不使用显卡。</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>WindowDialogs</name>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Open a look</source>
        <translation>打开风格预设</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>Look: {0}</source>
        <translation>风格预设：{0}</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Download the network {0}</source>
        <translation>下载网络 {0}</translation>
    </message>
    <message>
        <source>Export look as one file</source>
        <translation>将风格预设导出为一个文件</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>风格</translation>
    </message>
    <message>
        <source>Looks (*.toml *.lightloom)</source>
        <translation>风格预设 (*.toml *.lightloom)</translation>
    </message>
    <message>
        <source>Looks (*.toml)</source>
        <translation>风格预设 (*.toml)</translation>
    </message>
    <message>
        <source>Looks in one file (*.lightloom)</source>
        <translation>单文件风格预设 (*.lightloom)</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Recent file</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>There is no network that runs yet; wait until it is loaded, or choose another one.</source>
        <translation>还没有正在运行的网络；请等待其加载完成，或选择另一个。</translation>
    </message>
    <message>
        <source>Use the network {0}</source>
        <translation>使用网络 {0}</translation>
    </message>
    <message>
        <source>Open a subtitle file</source>
        <translation>打开字幕文件</translation>
    </message>
    <message>
        <source>Save look</source>
        <translation>保存风格预设</translation>
    </message>
    <message>
        <source>Subtitles (*.srt *.vtt *.ass *.ssa)</source>
        <translation>字幕 (*.srt *.vtt *.ass *.ssa)</translation>
    </message>
</context>
<context>
    <name>WordEditor</name>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>ZoneEditor</name>
    <message>
        <source>All zones</source>
        <translation>所有区域</translation>
    </message>
</context>
<context>
    <name>Zones</name>
    <message>
        <source>A line needs two points.</source>
        <translation>线需要两个点。</translation>
    </message>
    <message>
        <source>A zone has {n} corners at most; Enter closes it.</source>
        <translation>一个区域最多有 {n} 个角点；按回车键闭合。</translation>
    </message>
    <message>
        <source>A zone needs three corners, not on one line.</source>
        <translation>区域需要三个不在一条直线上的角点。</translation>
    </message>
    <message>
        <source>Add an event to {0}</source>
        <translation>为 {0} 添加事件</translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
    </message>
    <message>
        <source>Change {0}</source>
        <translation>更改 {0}</translation>
    </message>
    <message>
        <source>Counts begin anew</source>
        <translation>重新开始计数</translation>
    </message>
    <message>
        <source>Event {n}</source>
        <translation>事件 {n}</translation>
    </message>
    <message>
        <source>Heat map off</source>
        <translation>热图关闭</translation>
    </message>
    <message>
        <source>Heat map on</source>
        <translation>热图开启</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>线</translation>
    </message>
    <message>
        <source>Move a corner of {0}</source>
        <translation>移动 {0} 的角点</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除{0}</translation>
    </message>
    <message>
        <source>There can be {n} events at most; remove one first.</source>
        <translation>最多可有 {n} 个事件；请先删除一个。</translation>
    </message>
    <message>
        <source>There can be {n} zones at most; remove one first.</source>
        <translation>最多可以有 {n} 个区域；请先移除一个。</translation>
    </message>
    <message>
        <source>There is an event {0} already</source>
        <translation>已有事件 {0}</translation>
    </message>
    <message>
        <source>Tracking is turned on: without it a zone counts who is inside, but not who enters, leaves or crosses.</source>
        <translation>从现在起将跟踪物体：不跟踪时，区域只知道里面有谁，而不知道谁进入、离开或越线。</translation>
    </message>
    <message>
        <source>Turn {0} around</source>
        <translation>反转 {0}</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>区域</translation>
    </message>
</context>
<context>
    <name>ZonesPanel</name>
    <message>
        <source>A line</source>
        <translation>一条线</translation>
    </message>
    <message>
        <source>A zone</source>
        <translation>一个区域</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add one in the middle of the frame, to be moved by keys</source>
        <translation>在画面中央添加一个，可用按键移动</translation>
    </message>
    <message>
        <source>Click the corners; a double click or Enter closes the zone, Backspace takes one back, Esc draws nothing.</source>
        <translation>点击各个角点；双击或按 Enter 闭合区域，退格键撤回一个，Esc 取消绘制。</translation>
    </message>
    <message>
        <source>Click where the line begins and where it ends; Esc draws nothing.</source>
        <translation>点击线的起点和终点；Esc 取消绘制。</translation>
    </message>
    <message>
        <source>Draw a zone or a line on the video: it counts the objects that a network detects.</source>
        <translation>在画面上绘制区域或线：它会统计网络找到的物体。</translation>
    </message>
    <message>
        <source>Nothing is counted: there is no network that detects objects.</source>
        <translation>没有计数：没有可以找到物体的网络。</translation>
    </message>
    <message>
        <source>Zones</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>{forward} forward, {backward} backward</source>
        <translation>正向 {forward}，反向 {backward}</translation>
    </message>
    <message>
        <source>{inside} inside, {entered} entered, {left} left</source>
        <translation>区内 {inside}，进入 {entered}，离开 {left}</translation>
    </message>
</context>
<context>
    <name>_ActionForm</name>
    <message>
        <source>Nothing is done before this is filled in: {0}</source>
        <translation>填写此项之前不执行任何操作：{0}</translation>
    </message>
    <message>
        <source>Remove: {0}</source>
        <translation>移除：{0}</translation>
    </message>
</context>
<context>
    <name>_Details</name>
    <message>
        <source>Add an event</source>
        <translation>添加事件</translation>
    </message>
    <message>
        <source>Another file</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>Another file...</source>
        <translation>其他文件...</translation>
    </message>
    <message>
        <source>Change {0}</source>
        <translation>更改 {0}</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Classes that count</source>
        <translation>计入的类别</translation>
    </message>
    <message>
        <source>Corner</source>
        <translation>角点</translation>
    </message>
    <message>
        <source>Corner from the left</source>
        <translation>角点距左侧</translation>
    </message>
    <message>
        <source>Corner from the top</source>
        <translation>角点距顶部</translation>
    </message>
    <message>
        <source>Counts by</source>
        <translation>计数依据</translation>
    </message>
    <message>
        <source>Name of the zone</source>
        <translation>区域名称</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all</source>
        <translation>类别名称，用逗号分隔；留空表示全部</translation>
    </message>
    <message>
        <source>Number of the corner</source>
        <translation>角点编号</translation>
    </message>
    <message>
        <source>Remove the zone</source>
        <translation>移除区域</translation>
    </message>
    <message>
        <source>Rename {0}</source>
        <translation>重命名 {0}</translation>
    </message>
    <message>
        <source>Time spent: {mean} on average, {longest} by who is longest inside</source>
        <translation>停留时间：平均 {mean}，目前区内最长 {longest}</translation>
    </message>
    <message>
        <source>Turn its direction around</source>
        <translation>反转方向</translation>
    </message>
    <message>
        <source>Point of an object that counts: the middle of the lower edge of its box, where feet are, or the center</source>
        <translation>物体的位置：方框底边的中点（脚所在处），或中心</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>center</source>
        <translation>中心</translation>
    </message>
    <message>
        <source>lies at</source>
        <translation>位于</translation>
    </message>
    <message>
        <source>lower edge</source>
        <translation>底边</translation>
    </message>
    <message>
        <source>{name}: {forward} forward, {backward} backward</source>
        <translation>{name}：正向 {forward}，反向 {backward}</translation>
    </message>
    <message>
        <source>{name}: {inside} inside, {entered} entered, {left} left, {mean} each</source>
        <translation>{name}：区内 {inside}，进入 {entered}，离开 {left}，平均 {mean}</translation>
    </message>
</context>
<context>
    <name>_LayerTree</name>
    <message>
        <source>Layers, the uppermost first</source>
        <translation>图层，最上面的在前</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Automate...</source>
        <translation>自动化...</translation>
    </message>
    <message>
        <source>Automated by: {0}</source>
        <translation>自动化来源：{0}</translation>
    </message>
    <message>
        <source>Click to switch it off.</source>
        <translation>点击以关闭。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dismiss all</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>Edit the automation...</source>
        <translation>编辑自动化...</translation>
    </message>
    <message>
        <source>It is off.</source>
        <translation>已关闭。</translation>
    </message>
    <message>
        <source>Next notice</source>
        <translation>下一条通知</translation>
    </message>
    <message>
        <source>Record key frames</source>
        <translation>录制关键帧</translation>
    </message>
    <message>
        <source>Remove the automation</source>
        <translation>移除自动化</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the folder of {0}</source>
        <translation>显示 {0} 所在的文件夹</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>Switch the automation off</source>
        <translation>关闭自动化</translation>
    </message>
    <message>
        <source>Switch the automation on</source>
        <translation>打开自动化</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>_Text</name>
    <message>
        <source>Text of the notice</source>
        <translation>通知内容</translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message>
        <source> ({count} passes, textures up to {width} x {height})</source>
        <translation> ({count} 个通道，纹理最大 {width} x {height})</translation>
    </message>
    <message>
        <source> ({origin} has {names} for {outputs} and was left out)</source>
        <translation> （{origin} 有 {names}，而网络有 {outputs}，已忽略）</translation>
    </message>
    <message>
        <source>% of height</source>
        <translation>% 高度</translation>
    </message>
    <message>
        <source>% of width</source>
        <translation>% 宽度</translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n 帧</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gaps</source>
        <translation>
            <numerusform>%n 处间断</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more candidates</source>
        <translation>
            <numerusform>另外 %n 个候选项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n names</source>
        <translation>
            <numerusform>%n 个名称</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n networks</source>
        <translation>
            <numerusform>%n 个网络</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outputs</source>
        <translation>
            <numerusform>%n 个输出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsupported nodes</source>
        <translation>
            <numerusform>%n 个不支持的节点</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Interpolate frames</source>
        <translation>插帧(&amp;I)</translation>
    </message>
    <message>
        <source>&apos;addresses&apos; must name at least one</source>
        <translation>&apos;addresses&apos; 必须至少列出一个</translation>
    </message>
    <message>
        <source>&apos;bytes&apos; must be from 1 to 33554432 (32 MiB)</source>
        <translation>&apos;bytes&apos; 必须在 1 到 33554432 (32 MiB) 之间</translation>
    </message>
    <message>
        <source>&apos;colors&apos; must be one of {choices}</source>
        <translation>&apos;colors&apos; 必须是 {choices} 之一</translation>
    </message>
    <message>
        <source>&apos;enabled&apos; of the filter &apos;{spec_id}&apos; is neither true nor false and was left out.</source>
        <translation>滤镜 &apos;{spec_id}&apos; 的 &apos;enabled&apos; 既不是 true 也不是 false，已忽略。</translation>
    </message>
    <message>
        <source>&apos;filter&apos; is not written as [[filter]] and was left out.</source>
        <translation>&apos;filter&apos; 没有写成 [[filter]]，已忽略。</translation>
    </message>
    <message>
        <source>&apos;interpolation&apos; has no model and was left out.</source>
        <translation>“interpolation”没有网络，已略去。</translation>
    </message>
    <message>
        <source>&apos;scale&apos; must be above 0 and at most 2</source>
        <translation>&apos;scale&apos; 必须大于 0 且不超过 2</translation>
    </message>
    <message>
        <source>&apos;step&apos; is below zero</source>
        <translation>&apos;step&apos; 小于零</translation>
    </message>
    <message>
        <source>&apos;tasks&apos; belongs to a model, and is a list of some of {tasks}</source>
        <translation>&apos;tasks&apos; 只用于模型，是由 {tasks} 中若干项组成的列表</translation>
    </message>
    <message>
        <source>&apos;type&apos; is not a WGSL type such as array&lt;atomic&lt;u32&gt;, 256&gt;</source>
        <translation>&apos;type&apos; 不是像 array&lt;atomic&lt;u32&gt;, 256&gt; 这样的 WGSL 类型</translation>
    </message>
    <message>
        <source>&apos;use&apos; names more than {max_used} files</source>
        <translation>&apos;use&apos; 列出的文件超过 {max_used} 个</translation>
    </message>
    <message>
        <source>&apos;when&apos; of &apos;{param_name}&apos;: &apos;{other}&apos; takes {expects}</source>
        <translation>&apos;{param_name}&apos; 的 &apos;when&apos;：&apos;{other}&apos; 接受{expects}</translation>
    </message>
    <message>
        <source>&apos;{entry_id}&apos; is the name of a device on Windows</source>
        <translation>&apos;{entry_id}&apos; 在 Windows 上是设备名</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has control characters</source>
        <translation>&apos;{key}&apos; 含有控制字符</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has the wrong type</source>
        <translation>&apos;{key}&apos; 的类型不对</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is missing</source>
        <translation>缺少 &apos;{key}&apos;</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a number that can be used</source>
        <translation>&apos;{key}&apos; 不是可用的数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known</source>
        <translation>&apos;{key}&apos; 未知</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known and was left out.</source>
        <translation>&apos;{key}&apos; 未知，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known here</source>
        <translation>&apos;{key}&apos; 在此处未知</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a list of texts</source>
        <translation>&apos;{key}&apos; 必须是文本列表</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a table [{key}]</source>
        <translation>&apos;{key}&apos; 必须是表 [{key}]</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a text</source>
        <translation>&apos;{key}&apos; 必须是文本</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be a whole number from {low} to {high}</source>
        <translation>&apos;{key}&apos; 必须是 {low} 到 {high} 之间的整数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be one of {allowed}</source>
        <translation>&apos;{key}&apos; 必须是 {allowed} 之一</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be two whole numbers from 1 to {limit}</source>
        <translation>&apos;{key}&apos; 必须是两个 1 到 {limit} 之间的整数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be written as [[{key}]]</source>
        <translation>&apos;{key}&apos; 必须写成 [[{key}]]</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be {what}</source>
        <translation>&apos;{key}&apos; 必须是 {what}</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must name a parameter of type {kind}</source>
        <translation>&apos;{key}&apos; 必须指明一个 {kind} 类型的参数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must name a parameter of type {kind} with the choices {choices}</source>
        <translation>&apos;{key}&apos; 必须指明一个 {kind} 类型、选项为 {choices} 的参数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the filter &apos;{entry}&apos; is not known and was left out.</source>
        <translation>滤镜 &apos;{entry}&apos; 的 &apos;{key}&apos; 未知，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the network is not known and was left out.</source>
        <translation>网络的 &apos;{key}&apos; 未知，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has the element type {dtype}, which the wgpu engine does not hold; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; 的元素类型为 {dtype}，wgpu 引擎不支持；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; holds an integer beyond 32 bits, which WebGPU&apos;s shaders do not have; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; 含有超过 32 位的整数，WebGPU 的着色器不支持；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; holds integers where only floats are supported; use the onnxruntime backend.</source>
        <translation>&apos;{name}&apos; 含有整数，而此处只支持浮点数；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is computed twice</source>
        <translation>&apos;{name}&apos; 被计算了两次</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not the name of a shared shader file; see shaders/common.</source>
        <translation>&apos;{name}&apos; 不是共享着色器文件的名称；参见 shaders/common。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; must be a table of texts, numbers and lists of numbers</source>
        <translation>&apos;{name}&apos; 必须是由文本、数和数的列表组成的表</translation>
    </message>
    <message>
        <source>&apos;{unknown}&apos; in [network.preprocess] is not known</source>
        <translation>[network.preprocess] 中的 &apos;{unknown}&apos; 未知</translation>
    </message>
    <message>
        <source>&apos;{value}&apos; is not a value for &apos;{name}&apos;; it takes {expects}.</source>
        <translation>&apos;{value}&apos; 不是 &apos;{name}&apos; 的有效值；它接受{expects}。</translation>
    </message>
    <message>
        <source>0 is a gray relief, 1 the picture with the relief on it.</source>
        <translation>0 为灰色浮雕，1 为叠加浮雕的画面。</translation>
    </message>
    <message>
        <source>1 takes only light and dark from the network, and the colors from the picture.</source>
        <translation>1 表示只从网络取明暗，颜色取自画面。</translation>
    </message>
    <message>
        <source>1001 outputs are TensorFlow&apos;s ImageNet with background first, so RGB in -1..1.</source>
        <translation>1001 个输出是 TensorFlow 的 ImageNet（背景在首位），因此为 -1..1 的 RGB。</translation>
    </message>
    <message>
        <source>3-clause BSD (OpenMMLab header)</source>
        <translation>3 条款 BSD（OpenMMLab 文件头）</translation>
    </message>
    <message>
        <source>3D LUT</source>
        <translation>3D LUT</translation>
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
        <translation>；已收到的部分会保留</translation>
    </message>
    <message>
        <source>A .cube file.</source>
        <translation>一个 .cube 文件。</translation>
    </message>
    <message>
        <source>A broken signal: displaced blocks, separated colors, dark lines; the same for the same frame number and seed.</source>
        <translation>受损的信号：错位的块、分离的颜色、暗线；相同的帧号和种子得到相同的结果。</translation>
    </message>
    <message>
        <source>A camera that films its own screen: the frame before comes back enlarged, turned and in another hue, again and again.</source>
        <translation>摄像机拍摄自己的屏幕：上一帧被放大、旋转并改变色相后一次又一次地回来。</translation>
    </message>
    <message>
        <source>A chain holds at most {max_stages} filters; remove one first.</source>
        <translation>一条滤镜链最多有 {max_stages} 个滤镜；请先移除一个。</translation>
    </message>
    <message>
        <source>A first network of a tutorial: ten kinds of things in tiny pictures.</source>
        <translation>教程中的第一个网络：微小图片中的十类物体。</translation>
    </message>
    <message>
        <source>A flip shows everything; a half is repeated on the other side.</source>
        <translation>翻转显示全部；半边则在另一侧重复。</translation>
    </message>
    <message>
        <source>A loop&apos;s end must come after its start; set them the other way round.</source>
        <translation>循环的终点必须在起点之后；请将两者对调。</translation>
    </message>
    <message>
        <source>A mask of 21 kinds of things; people are kind 15.</source>
        <translation>21 类物体的蒙版；人是第 15 类。</translation>
    </message>
    <message>
        <source>An image cannot be shown for {seconds:g} s: give 0.04 to 3600.</source>
        <translation>无法将一张图片显示 {seconds:g} 秒：请给出 0.04 到 3600 之间的值。</translation>
    </message>
    <message>
        <source>An image is uint8 of shape (height, width, 3), not {dtype}{shape}.</source>
        <translation>图像应为 uint8，形状为 (height, width, 3)，而不是 {dtype}{shape}。</translation>
    </message>
    <message>
        <source>A frame was lost with the GPU that held it; try again.</source>
        <translation>一帧画面随持有它的 GPU 一起丢失；请重试。</translation>
    </message>
    <message>
        <source>A point that the band in focus runs through.</source>
        <translation>清晰带穿过的一点。</translation>
    </message>
    <message>
        <source>A style in the box, or an .onnx file that gives a picture.</source>
        <translation>随附的风格，或输出画面的 .onnx 文件。</translation>
    </message>
    <message>
        <source>A tube monitor: curved glass, scan lines, a mask of red, green and blue stripes and darker corners, in linear light.</source>
        <translation>显像管显示器：弧形玻璃、扫描线、红绿蓝条纹荫罩和变暗的四角，在线性光下计算。</translation>
    </message>
    <message>
        <source>ASCII</source>
        <translation>ASCII</translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them.</source>
        <translation>大于 1 提亮中间调，小于 1 压暗。</translation>
    </message>
    <message>
        <source>Above 1 lifts the midtones, below 1 darkens them; black and white stay.</source>
        <translation>大于 1 提亮中间调，小于 1 压暗；黑与白保持不变。</translation>
    </message>
    <message>
        <source>Adapts the picture from the light it was taken in to daylight of 6500 K (Bradford transform in linear light).</source>
        <translation>把画面从拍摄时的光线校正到 6500 K 日光（线性光下的 Bradford 变换）。</translation>
    </message>
    <message>
        <source>Added to every channel; 1 is the step from black to white.</source>
        <translation>加到每个通道；1 相当于从黑到白。</translation>
    </message>
    <message>
        <source>Addresses that begin with {scheme}:// can&apos;t be opened: use one of {known}.</source>
        <translation>无法打开以 {scheme}:// 开头的地址：请使用 {known} 之一。</translation>
    </message>
    <message>
        <source>Adds grain that changes with every frame and is the same whenever the same frame is shown.</source>
        <translation>添加逐帧变化的颗粒；同一帧每次显示时颗粒相同。</translation>
    </message>
    <message>
        <source>Adds or removes the barrel and pincushion distortion of a lens (radial terms of the Brown-Conrady model).</source>
        <translation>添加或消除镜头的桶形和枕形畸变（Brown-Conrady 模型的径向项）。</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Amplitude</source>
        <translation>振幅</translation>
    </message>
    <message>
        <source>An .onnx file that gives a depth map.</source>
        <translation>输出深度图的 .onnx 文件。</translation>
    </message>
    <message>
        <source>An attribute is not a number; use the onnxruntime backend.</source>
        <translation>某个属性不是数；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>Angle of the screen; cyan and magenta are turned by 30° against black and yellow by 45°.</source>
        <translation>网屏角度；青和品红相对黑版旋转 30°，黄旋转 45°。</translation>
    </message>
    <message>
        <source>Angle of the turn; 0 changes nothing.</source>
        <translation>旋转角度；0 不作改变。</translation>
    </message>
    <message>
        <source>Another number gives another grain.</source>
        <translation>不同的数字给出不同的颗粒。</translation>
    </message>
    <message>
        <source>Another number gives another sequence.</source>
        <translation>不同的数字给出不同的序列。</translation>
    </message>
    <message>
        <source>Apache-2.0</source>
        <translation>Apache-2.0</translation>
    </message>
    <message>
        <source>Apache-2.0 (its repository&apos;s)</source>
        <translation>Apache-2.0（其代码库的许可）</translation>
    </message>
    <message>
        <source>Applies a look-up table in the .cube format; drop the file on the window.</source>
        <translation>应用 .cube 格式的查找表；把文件拖到窗口上即可。</translation>
    </message>
    <message>
        <source>At 1 the horizon&apos;s circle fills the frame&apos;s height.</source>
        <translation>为 1 时，地平线圆充满画面高度。</translation>
    </message>
    <message>
        <source>Averages each pixel over time where nothing moves, and lets go where something does.</source>
        <translation>在静止处对每个像素作时间平均，在运动处放开。</translation>
    </message>
    <message>
        <source>Avoid</source>
        <translation>避免</translation>
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
        <translation>布景</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>背景</translation>
    </message>
    <message>
        <source>Bends the picture around a ball and looks at it from above (stereographic); made for 360° panoramas, fun with any picture.</source>
        <translation>把画面弯成球面并从上方观看（球极投影）；为 360° 全景而作，用于任何画面都有趣。</translation>
    </message>
    <message>
        <source>Bends the tones of all channels along a smooth curve through five points.</source>
        <translation>沿一条经过五个点的平滑曲线调整所有通道的色调。</translation>
    </message>
    <message>
        <source>Bilateral smoothing</source>
        <translation>双边平滑</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>黑版</translation>
    </message>
    <message>
        <source>Black and white</source>
        <translation>黑白</translation>
    </message>
    <message>
        <source>Blacks</source>
        <translation>黑点</translation>
    </message>
    <message>
        <source>Blend</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Bloom</source>
        <translation>泛光</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>Boost</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>Borders</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>下</translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things.</source>
        <translation>给 80 类物体画框。</translation>
    </message>
    <message>
        <source>Boxes around 80 kinds of things; very small.</source>
        <translation>给 80 类物体画框；非常小。</translation>
    </message>
    <message>
        <source>Boxes around faces, of any size of picture.</source>
        <translation>给人脸画框，适用于任何画面尺寸。</translation>
    </message>
    <message>
        <source>Boxes around faces.</source>
        <translation>给人脸画框。</translation>
    </message>
    <message>
        <source>Brightens dark areas and darkens bright ones; what is dark or bright is decided by the surroundings, so that detail stays.</source>
        <translation>提亮暗部、压暗亮部；明暗由周围决定，因此细节得以保留。</translation>
    </message>
    <message>
        <source>Brightens dark pictures.</source>
        <translation>提亮昏暗的画面。</translation>
    </message>
    <message>
        <source>Brightens dark pictures; the smallest network here.</source>
        <translation>提亮昏暗的画面；这里最小的网络。</translation>
    </message>
    <message>
        <source>Brightens or darkens as a camera&apos;s exposure does, in linear light.</source>
        <translation>像相机曝光一样在线性光下提亮或压暗。</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>亮度</translation>
    </message>
    <message>
        <source>Brightness and contrast</source>
        <translation>亮度与对比度</translation>
    </message>
    <message>
        <source>Brightness of the edges; at 1 a step from black to white is white.</source>
        <translation>边缘的亮度；为 1 时从黑到白的跳变显示为白。</translation>
    </message>
    <message>
        <source>Brightness of the picture behind.</source>
        <translation>背后画面的亮度。</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>CIFAR-10 tutorial</source>
        <translation>CIFAR-10 教程</translation>
    </message>
    <message>
        <source>COCO, 80 kinds of things</source>
        <translation>COCO，80 类物体</translation>
    </message>
    <message>
        <source>CRT</source>
        <translation>显像管</translation>
    </message>
    <message>
        <source>Candy</source>
        <translation>Candy</translation>
    </message>
    <message>
        <source>Canny edges</source>
        <translation>Canny 边缘</translation>
    </message>
    <message>
        <source>Cartoon</source>
        <translation>卡通</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Center</source>
        <translation>中心</translation>
    </message>
    <message>
        <source>Change of the 3 x 3 mean (root of the squared sum over R&apos;, G&apos;, B&apos;) that counts as motion.</source>
        <translation>3 x 3 均值的变化量（R&apos;、G&apos;、B&apos; 平方和的根）达到此值即视为运动。</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Characters in the picture&apos;s colors, or in one.</source>
        <translation>字符取画面的颜色，或取单一颜色。</translation>
    </message>
    <message>
        <source>Chroma key</source>
        <translation>色键抠像</translation>
    </message>
    <message>
        <source>Chromatic aberration</source>
        <translation>色差</translation>
    </message>
    <message>
        <source>Cinema</source>
        <translation>电影</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation>分类器</translation>
    </message>
    <message>
        <source>Clean webcam</source>
        <translation>清晰网络摄像头</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Clockwise turn at the center.</source>
        <translation>中心处的顺时针旋转。</translation>
    </message>
    <message>
        <source>Clockwise turn from frame to frame.</source>
        <translation>逐帧的顺时针旋转。</translation>
    </message>
    <message>
        <source>Clockwise.</source>
        <translation>顺时针。</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Color grain</source>
        <translation>彩色颗粒</translation>
    </message>
    <message>
        <source>Color range</source>
        <translation>颜色范围</translation>
    </message>
    <message>
        <source>Color behind the characters.</source>
        <translation>字符背后的颜色。</translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n convolutions and products</source>
        <translation>
            <numerusform>%n 个卷积和乘积</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cuts</source>
        <translation>
            <numerusform>%n 处镜头切换</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the last playlist are missing because they cannot be stored: cameras, the sample, addresses with a password, or unusual file names; add them again.</source>
        <translation>
            <numerusform>上次播放列表中的 %n 个条目缺失，因为它们无法保存：摄像头、示例、带密码的地址或不寻常的文件名；请重新添加。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n faults</source>
        <translation>
            <numerusform>%n 处错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n 张图像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inputs</source>
        <translation>
            <numerusform>%n 个输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes are too long to show.</source>
        <translation>
            <numerusform>%n 条说明过长，无法显示。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued events</source>
        <translation>
            <numerusform>%n 个排队的事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n 个来源</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n times</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n 个视频</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n whole images</source>
        <translation>
            <numerusform>%n 张完整图像</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Sources</source>
        <translation>来源(&amp;S)</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; is no option of an address; the only one is the frame rate, as in #fps=10.</source>
        <translation>&apos;#{name}&apos; 不是地址的选项；唯一的选项是帧率，例如 #fps=10。</translation>
    </message>
    <message>
        <source>&apos;?{name}&apos; is no option of {scheme} addresses; did you mean &apos;{near}&apos;?</source>
        <translation>&apos;?{name}&apos; 不是 {scheme} 地址的选项；您是指 &apos;{near}&apos; 吗？</translation>
    </message>
    <message>
        <source>&apos;?{name}&apos; is no option of {scheme} addresses; leave it out, or choose one of {known}.</source>
        <translation>&apos;?{name}&apos; 不是 {scheme} 地址的选项；请去掉它，或从 {known} 中选择。</translation>
    </message>
    <message>
        <source>&apos;automation&apos; of &apos;{filter}&apos; is not written as [[filter.automation]].</source>
        <translation>“{filter}”的“automation”没有写成 [[filter.automation]]。</translation>
    </message>
    <message>
        <source>&apos;inverted&apos; of the mask &apos;{kind}&apos; is neither true nor false; give one of them.</source>
        <translation>蒙版“{kind}”的“inverted”既不是 true 也不是 false；请给出其中之一。</translation>
    </message>
    <message>
        <source>&apos;join&apos; of the mask &apos;{kind}&apos; is {value}; give one of {joins}.</source>
        <translation>蒙版“{kind}”的“join”是 {value}；请给出 {joins} 之一。</translation>
    </message>
    <message>
        <source>&apos;mask&apos; is not a table; write it as [filter.mask].</source>
        <translation>“mask”不是表；请写成 [filter.mask]。</translation>
    </message>
    <message>
        <source>&apos;mask.part&apos; is not a list; write each part as [[filter.mask.part]].</source>
        <translation>“mask.part”不是列表；请将每个部分写成 [[filter.mask.part]]。</translation>
    </message>
    <message>
        <source>&apos;source&apos; must be one of {sources}</source>
        <translation>&apos;source&apos; 必须是 {sources} 之一</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is no address of an ONVIF camera; give one such as http://192.168.1.20/onvif/device_service.</source>
        <translation>“{address}”不是 ONVIF 摄像机的地址；请给出类似 http://192.168.1.20/onvif/device_service 的地址。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; behind the @ of the filter {text} is not known; there are: {keys}.</source>
        <translation>滤镜 {text} 的 @ 之后的“{key}”未知；可用的有：{keys}。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has more than {most} entries; the others were left out.</source>
        <translation>“{key}”的条目多于 {most} 个；其余的已略去。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a list of tables and was left out; begin each with a line in double brackets.</source>
        <translation>“{key}”不是表的列表，已忽略；每个表以双方括号的一行开头。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not one line of at most {most} characters and was left out.</source>
        <translation>“{key}”不是一行最多 {most} 个字符的文本，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; must be true or false</source>
        <translation>“{key}”必须为 true 或 false</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; can&apos;t be {value} and was left out; give {expects}.</source>
        <translation>“{name}”的“{key}”不能是 {value}，已忽略；请填写{expects}。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is for &apos;{when}&apos; only and was left out.</source>
        <translation>“{name}”的“{key}”仅用于“{when}”，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is not known and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>“{name}”的“{key}”未知，已忽略；是否指“{near}”？</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of an automation is &apos;{text}&apos;; give a number.</source>
        <translation>自动化的“{key}”为“{text}”；请给出一个数字。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the filter &apos;{filter}&apos; has no effect without a mask; add mask=, or leave &apos;{key}&apos; out.</source>
        <translation>滤镜“{filter}”的“{key}”在没有蒙版时不起作用；请加上 mask=，或去掉“{key}”。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of the automation &apos;{source}&apos;; there are: {names}.</source>
        <translation>“{name}”不是自动化“{source}”的设置；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of {owner}; did you mean &apos;{near}&apos;?</source>
        <translation>“{name}”不是{owner}的设置；是否指“{near}”？</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows the audio of a video file, and there is none; remove that automation.</source>
        <translation>“{filter}”的“{name}”跟随视频文件的音频，但没有视频文件；请删除该自动化。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>“{filter}”的“{name}”跟随分析网络的检测结果，但没有分析网络；请选择一个（--model）。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows {source}, which only the window receives; remove that automation, or give it key frames.</source>
        <translation>“{filter}”的“{name}”跟随 {source}，只有窗口才能接收；请删除该自动化，或改用关键帧。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the automation of &apos;{target}&apos; is {value}; give a number from {min:g} to {max:g}.</source>
        <translation>“{target}”的自动化的“{name}”为 {value}；请给出 {min:g} 到 {max:g} 之间的数字。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the filter &apos;{filter}&apos; is no number that can be automated; there are: {names}.</source>
        <translation>滤镜“{filter}”的“{name}”不是可以自动化的数值；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;when&apos; is {value}, and &apos;{zone}&apos; is a {kind}; give {known}.</source>
        <translation>“{name}”已忽略：其“when”为 {value}，而“{zone}”的类型是 {kind}；可用：{known}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is missing; give {known}.</source>
        <translation>“{name}”已忽略：缺少“{key}”；可用：{known}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is {value}; did you mean &apos;{near}&apos;?</source>
        <translation>“{name}”已忽略：其“{key}”为 {value}；是否指“{near}”？</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: its &apos;{key}&apos; is {value}; give {known}.</source>
        <translation>“{name}”已忽略：其“{key}”为 {value}；可用：{known}。</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;, nor other settings; leave it out.</source>
        <translation>“{of}”没有“{name}”，也没有其他设置；请删除。</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;; did you mean &apos;{near}&apos;?</source>
        <translation>“{of}”没有“{name}”；是否指“{near}”？</translation>
    </message>
    <message>
        <source>&apos;{of}&apos; has no &apos;{name}&apos;; it has: {names}.</source>
        <translation>“{of}”没有“{name}”；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{owner}&apos; names the class &apos;{name}&apos;, which the network does not have; choose one such as {known}.</source>
        <translation>“{owner}”指定了类别“{name}”，而网络没有该类别；请选择如 {known} 之类的类别。</translation>
    </message>
    <message>
        <source>&apos;{owner}&apos; names the class &apos;{name}&apos;, which the network does not have; did you mean &apos;{near}&apos;?</source>
        <translation>“{owner}”指定了类别“{name}”，而网络没有该类别；是否指“{near}”？</translation>
    </message>
    <message>
        <source>&apos;{prefix}&apos; is no discovery prefix; give the one of Home Assistant, by default homeassistant</source>
        <translation>“{prefix}”不是发现前缀；请填写 Home Assistant 的前缀，默认为 homeassistant</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; of {folder} has elements of type {dtype}, where a pipeline has floating-point numbers in planes; choose the backend onnxruntime.</source>
        <translation>{folder} 的“{tensor}”元素类型为 {dtype}，而管线需要按平面排列的浮点数；请选择后端 onnxruntime。</translation>
    </message>
    <message>
        <source>&apos;{term}&apos; in the mask of the filter {text} is not a kind, with values in parentheses such as ellipse(width=30).</source>
        <translation>滤镜 {text} 的蒙版中的“{term}”不是一种带括号值的类型，例如 ellipse(width=30)。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no OSC address; give one that begins with a slash.</source>
        <translation>&apos;{text}&apos; 不是 OSC 地址；请给出以斜杠开头的地址。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no frame rate; write one of 0.1 to 1000 frames per second, as in #fps=10.</source>
        <translation>“{text}”不是帧率；请写每秒 0.1 到 1000 帧，例如 #fps=10。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no length of a segment; write a time such as 10m, or a size such as 500MB.</source>
        <translation>“{text}”不是分段的长度；请写时长（如 10m）或大小（如 500MB）。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no length of time; write one such as 90s, 10m, 1h30m or 7d.</source>
        <translation>“{text}”不是时长；请写成 90s、10m、1h30m 或 7d 这样的形式。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no port for OSC; give a number such as 9000, or HOST:PORT.</source>
        <translation>“{text}”不是 OSC 端口；请给出 9000 这样的数字，或 HOST:PORT。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no size; write one such as 500MB or 50GB.</source>
        <translation>“{text}”不是大小；请写成 500MB 或 50GB 这样的形式。</translation>
    </message>
    <message>
        <source>-1 to 1 over the input</source>
        <translation>在整个输入上从 -1 到 1</translation>
    </message>
    <message>
        <source>66 maps with their offsets, or 66 points</source>
        <translation>66 张图及其偏移，或 66 个点</translation>
    </message>
    <message>
        <source>A brown print from the attic: soft, grainy, darker towards the corners.</source>
        <translation>阁楼里翻出的棕色老照片：柔和、有颗粒，四角偏暗。</translation>
    </message>
    <message>
        <source>A chain has at most {most} automations; leave some out.</source>
        <translation>一条效果链最多有 {most} 个自动化；请去掉一些。</translation>
    </message>
    <message>
        <source>A closed outline of straight lines. Draw it in the video.</source>
        <translation>由直线组成的封闭轮廓。在视频中绘制。</translation>
    </message>
    <message>
        <source>A note gives its velocity while it is held.</source>
        <translation>按住音符时给出其力度。</translation>
    </message>
    <message>
        <source>A part of the mask has no kind; give one, such as person.</source>
        <translation>蒙版的一个部分没有类型；请给出一种，例如 person。</translation>
    </message>
    <message>
        <source>A poster in blue and coral, printed from two stencils.</source>
        <translation>蓝与珊瑚红两色套印的海报。</translation>
    </message>
    <message>
        <source>A rectangle, with round corners if you like.</source>
        <translation>矩形，可带圆角。</translation>
    </message>
    <message>
        <source>A tape that was copied too often: bleeding colors, noise and torn lines.</source>
        <translation>翻录太多次的录像带：颜色溢出、噪点和撕裂的行。</translation>
    </message>
    <message>
        <source>A trial image gives {low:.3g} to {high:.3g}, so logits; a sigmoid makes the mask of them.</source>
        <translation>试算一张图片得到 {low:.3g} 到 {high:.3g}，因此是 logits；由 sigmoid 转换为蒙版。</translation>
    </message>
    <message>
        <source>A trial image gives {low:.3g} to {high:.3g}, so probabilities, which are the mask.</source>
        <translation>试算一张图片得到 {low:.3g} 到 {high:.3g}，因此是概率，即蒙版本身。</translation>
    </message>
    <message>
        <source>A trial run shows that its outputs are those of {title}.</source>
        <translation>试运行表明其输出与 {title} 的输出一致。</translation>
    </message>
    <message>
        <source>A trial run shows that the boxes are {units}.</source>
        <translation>试运行表明框的坐标是{units}。</translation>
    </message>
    <message>
        <source>A tube screen with scan lines, color fringes and curved glass.</source>
        <translation>显像管屏幕：扫描线、彩边和弧面玻璃。</translation>
    </message>
    <message>
        <source>A zone that objects are counted in.</source>
        <translation>用于统计物体的区域。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add light</source>
        <translation>光线相加</translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation>添加到处理链</translation>
    </message>
    <message>
        <source>Add to the playlist</source>
        <translation>添加到播放列表</translation>
    </message>
    <message>
        <source>After a playlist&apos;s last entry</source>
        <translation>播放列表最后一项之后</translation>
    </message>
    <message>
        <source>An automation has no &apos;of&apos;; name a number of the effect there.</source>
        <translation>自动化没有 &apos;of&apos;；请在那里给出效果的一个数值。</translation>
    </message>
    <message>
        <source>An automation of &apos;{filter}&apos; of a layer follows the main video; give it key frames, or lfo.</source>
        <translation>图层中 &apos;{filter}&apos; 的自动化跟随主视频；请改用关键帧或 lfo。</translation>
    </message>
    <message>
        <source>An ellipse.</source>
        <translation>椭圆。</translation>
    </message>
    <message>
        <source>An image entity for each event, with the frame in which it happened.</source>
        <translation>每个事件一个图像实体，内容为事件发生时的画面。</translation>
    </message>
    <message>
        <source>An image, with its transparency.</source>
        <translation>图像，保留其透明度。</translation>
    </message>
    <message>
        <source>Another effect</source>
        <translation>另一个效果</translation>
    </message>
    <message>
        <source>Another program records to {path} at the moment; stop it, or choose another name.</source>
        <translation>另一个程序正在录制到 {path}；请停止它，或选择其他名称。</translation>
    </message>
    <message>
        <source>Apply this look</source>
        <translation>应用此风格</translation>
    </message>
    <message>
        <source>As a share of the image&apos;s height; 0 keeps the proportions.</source>
        <translation>占画面高度的比例；0 保持长宽比。</translation>
    </message>
    <message>
        <source>As a share of the image&apos;s width; 0 keeps the proportions.</source>
        <translation>占画面宽度的比例；0 保持长宽比。</translation>
    </message>
    <message>
        <source>At its end</source>
        <translation>结束时</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>Audio spectrum</source>
        <translation>音频频谱</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>柱形</translation>
    </message>
    <message>
        <source>Begin a new file</source>
        <translation>开始新文件</translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Behind the text; transparent by default.</source>
        <translation>文字后面；默认透明。</translation>
    </message>
    <message>
        <source>Black and white as through a red glass: dark skies, bright skin, deep shadows.</source>
        <translation>如透过红色滤镜的黑白：暗的天空、亮的皮肤、深的阴影。</translation>
    </message>
    <message>
        <source>Black dots on gray paper, as a newspaper prints photographs.</source>
        <translation>灰纸上的黑色网点，如报纸印刷的照片。</translation>
    </message>
    <message>
        <source>Blend mode</source>
        <translation>混合模式</translation>
    </message>
    <message>
        <source>Blueprint</source>
        <translation>蓝图</translation>
    </message>
    <message>
        <source>Blurs what is behind you, with a network.</source>
        <translation>用神经网络虚化人物身后的背景。</translation>
    </message>
    <message>
        <source>Brightness range</source>
        <translation>亮度范围</translation>
    </message>
    <message>
        <source>Brings out detail in haze, in shadows and in flat light.</source>
        <translation>在雾霾、阴影和平淡光线中显出细节。</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>画笔</translation>
    </message>
    <message>
        <source>Brush lines and diluted ink on paper, with a network.</source>
        <translation>纸上的笔线与淡墨，由神经网络绘制。</translation>
    </message>
    <message>
        <source>By how much it is turned, clockwise.</source>
        <translation>顺时针旋转的角度。</translation>
    </message>
    <message>
        <source>By other programs, and by a page for browsers; each needs the code.</source>
        <translation>由其他程序或浏览器页面控制；都需要代码。</translation>
    </message>
    <message>
        <source>C&amp;lear the effects</source>
        <translation>清空效果(&amp;L)</translation>
    </message>
    <message>
        <source>COCO&apos;s categories, by their numbers from 1 to 90</source>
        <translation>COCO 的类别，按其编号 1 到 90</translation>
    </message>
    <message>
        <source>COCO&apos;s categories, by their numbers less 1</source>
        <translation>COCO 的类别，按其编号减 1</translation>
    </message>
    <message>
        <source>Cameras, the sample, addresses with a password, and unusual file names.</source>
        <translation>摄像头、示例、带密码的地址以及不寻常的文件名。</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>居中</translation>
    </message>
    <message>
        <source>Clear view</source>
        <translation>清晰视野</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Color behind the picture.</source>
        <translation>画面背后的颜色。</translation>
    </message>
    <message>
        <source>Color burn</source>
        <translation>颜色加深</translation>
    </message>
    <message>
        <source>Color class 0</source>
        <translation>类别 0 着色</translation>
    </message>
    <message>
        <source>Color difference that counts as an edge and is kept; smaller ones are smoothed away.</source>
        <translation>达到此色差即视为边缘并保留；更小的被平滑掉。</translation>
    </message>
    <message>
        <source>Color dodge</source>
        <translation>颜色减淡</translation>
    </message>
    <message>
        <source>Color fringes that grow towards the corners, as a lens leaves them when it enlarges red and blue differently.</source>
        <translation>向四角增大的彩边，如同镜头对红蓝放大率不同所致。</translation>
    </message>
    <message>
        <source>Color of black.</source>
        <translation>黑色所用的颜色。</translation>
    </message>
    <message>
        <source>Color of the bars.</source>
        <translation>柱形的颜色。</translation>
    </message>
    <message>
        <source>Color of the characters.</source>
        <translation>字符的颜色。</translation>
    </message>
    <message>
        <source>Color of the glow.</source>
        <translation>光晕的颜色。</translation>
    </message>
    <message>
        <source>Color of the ink.</source>
        <translation>油墨的颜色。</translation>
    </message>
    <message>
        <source>Color of the lines.</source>
        <translation>线条的颜色。</translation>
    </message>
    <message>
        <source>Color of the paper.</source>
        <translation>纸张的颜色。</translation>
    </message>
    <message>
        <source>Color of the screen.</source>
        <translation>幕布的颜色。</translation>
    </message>
    <message>
        <source>Color of white.</source>
        <translation>白色所用的颜色。</translation>
    </message>
    <message>
        <source>Color temperature of the light in the scene; a higher one makes the picture warmer.</source>
        <translation>场景光线的色温；越高画面越暖。</translation>
    </message>
    <message>
        <source>Color the first class too, which is the background of most networks.</source>
        <translation>也给第一个类别着色；在多数网络中它是背景。</translation>
    </message>
    <message>
        <source>Colors from far to near.</source>
        <translation>由远到近的颜色。</translation>
    </message>
    <message>
        <source>Colors of the window. The text size is that of the desktop.</source>
        <translation>窗口的颜色。文字大小与桌面一致。</translation>
    </message>
    <message>
        <source>Comic</source>
        <translation>漫画</translation>
    </message>
    <message>
        <source>Commands used lately</source>
        <translation>最近使用的命令</translation>
    </message>
    <message>
        <source>Compare with {network}</source>
        <translation>用 {network} 进行比较</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connecting...</source>
        <translation>正在连接...</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Contrast about middle gray, then brightness, then gamma, on the displayed values.</source>
        <translation>先以中灰为中心调对比度，再调亮度和伽马，作用于显示值。</translation>
    </message>
    <message>
        <source>Contrast of luma around the middle; 1 keeps it.</source>
        <translation>亮度信号围绕中间值的对比度；1 保持不变。</translation>
    </message>
    <message>
        <source>Contrast-limited adaptive histogram equalization of luma: brings out detail in dark and bright parts alike.</source>
        <translation>限制对比度的自适应直方图均衡（亮度信号）：同时显出暗部和亮部的细节。</translation>
    </message>
    <message>
        <source>Controller for the next look</source>
        <translation>下一个风格预设的控制器</translation>
    </message>
    <message>
        <source>Controller for the previous look</source>
        <translation>上一个风格预设的控制器</translation>
    </message>
    <message>
        <source>Cool shadows and warm skin, the grade of action cinema.</source>
        <translation>冷色阴影与暖色皮肤，动作电影的调色。</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>Corners</source>
        <translation>四角</translation>
    </message>
    <message>
        <source>Counted from 0.</source>
        <translation>从 0 开始计数。</translation>
    </message>
    <message>
        <source>Counts from the next video on.</source>
        <translation>从下一个视频起生效。</translation>
    </message>
    <message>
        <source>Crests that pass in a second; rings run outwards.</source>
        <translation>每秒经过的波峰数；圆环向外传播。</translation>
    </message>
    <message>
        <source>Crop and zoom</source>
        <translation>裁剪与缩放</translation>
    </message>
    <message>
        <source>Cross-fade of looks</source>
        <translation>风格预设的交叉淡化</translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation>弧度</translation>
    </message>
    <message>
        <source>Cut off at the bottom.</source>
        <translation>从下方裁去。</translation>
    </message>
    <message>
        <source>Cut off at the left.</source>
        <translation>从左侧裁去。</translation>
    </message>
    <message>
        <source>Cut off at the right.</source>
        <translation>从右侧裁去。</translation>
    </message>
    <message>
        <source>Cut off at the top.</source>
        <translation>从上方裁去。</translation>
    </message>
    <message>
        <source>Cut out</source>
        <translation>抠出</translation>
    </message>
    <message>
        <source>Cuts off the edges, zooms and pans, and scales what is left to the frame.</source>
        <translation>裁去边缘、缩放和平移，再把剩余部分缩放到画面大小。</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark characters on light paper: dense where the picture is dark.</source>
        <translation>浅色纸上的深色字符：画面暗处字符密。</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Darken</source>
        <translation>变暗</translation>
    </message>
    <message>
        <source>Darkens all but a soft oval in the middle.</source>
        <translation>除中间的柔和椭圆外全部变暗。</translation>
    </message>
    <message>
        <source>Darkens the frame around the objects that the network detects, with a soft ellipse of light on each.</source>
        <translation>使网络检测到的对象周围变暗，每个对象上有一个柔和的椭圆光。</translation>
    </message>
    <message>
        <source>Darkens the picture towards its corners, as a lens does, in linear light.</source>
        <translation>像镜头一样在线性光下使画面四角变暗。</translation>
    </message>
    <message>
        <source>Darkness of every other pair of lines.</source>
        <translation>每隔一对扫描线的暗度。</translation>
    </message>
    <message>
        <source>Darkness of the lines.</source>
        <translation>线条的暗度。</translation>
    </message>
    <message>
        <source>Dawn, chosen for {model}, finds no adapter called &apos;{name}&apos; (it finds: {names}); set LIGHTLOOM_WEBGPU=wgpu to look with wgpu-native.</source>
        <translation>为 {model} 选用的 Dawn 找不到名为“{name}”的适配器（已找到：{names}）；设置 LIGHTLOOM_WEBGPU=wgpu 可改用 wgpu-native 查找。</translation>
    </message>
    <message>
        <source>Daydream</source>
        <translation>白日梦</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Decoding of videos</source>
        <translation>视频解码</translation>
    </message>
    <message>
        <source>DeepLab v3, MobileNetV2</source>
        <translation>DeepLab v3, MobileNetV2</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Depth of field</source>
        <translation>景深</translation>
    </message>
    <message>
        <source>Depth of the dark gaps between scan lines.</source>
        <translation>扫描线之间暗缝的深度。</translation>
    </message>
    <message>
        <source>Depth of the stripes of the three primaries, each one pixel wide.</source>
        <translation>三原色条纹的深度，每条宽一个像素。</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Detected objects</source>
        <translation>检测到的物体</translation>
    </message>
    <message>
        <source>Detections</source>
        <translation>检测结果</translation>
    </message>
    <message>
        <source>Devices in the local network</source>
        <translation>本地网络中的设备</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Differences in luma below this stay as they are, so that noise is not sharpened.</source>
        <translation>低于此值的亮度差保持不变，以免锐化噪点。</translation>
    </message>
    <message>
        <source>Diffusion has no network; choose the folder of a Stable Diffusion pipeline, such as SD-Turbo or an LCM, or the .onnx file of a denoiser (docs/live-diffusion.md).</source>
        <translation>扩散没有网络；请选择 Stable Diffusion 流水线的文件夹（如 SD-Turbo 或 LCM），或去噪网络的 .onnx 文件（docs/live-diffusion.md）。</translation>
    </message>
    <message>
        <source>Dim</source>
        <translation>变暗</translation>
    </message>
    <message>
        <source>Discovery prefix</source>
        <translation>发现前缀</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Distance between grains.</source>
        <translation>颗粒间距。</translation>
    </message>
    <message>
        <source>Distance from crest to crest.</source>
        <translation>波峰之间的距离。</translation>
    </message>
    <message>
        <source>Distance from dot to dot.</source>
        <translation>网点之间的距离。</translation>
    </message>
    <message>
        <source>Distance from the band to the full blur.</source>
        <translation>从清晰带到完全模糊的距离。</translation>
    </message>
    <message>
        <source>Distance in Cb and Cr (each reaches from -0.5 to 0.5) up to which a pixel is screen.</source>
        <translation>在 Cb 和 Cr（各为 -0.5 到 0.5）中，不超过此距离的像素视为幕布。</translation>
    </message>
    <message>
        <source>Distortion</source>
        <translation>畸变</translation>
    </message>
    <message>
        <source>Dither</source>
        <translation>抖动</translation>
    </message>
    <message>
        <source>Draws every edge as a glowing tube in its own color, on black.</source>
        <translation>在黑底上把每条边缘画成其本色的发光灯管。</translation>
    </message>
    <message>
        <source>Draws glowing lines along the edges over a darkened picture, as neon tubes.</source>
        <translation>在变暗的画面上沿边缘画出发光的线，如霓虹灯管。</translation>
    </message>
    <message>
        <source>Draws the spectrum of the video&apos;s audio as bars over the frame.</source>
        <translation>将视频音频的频谱以柱形绘制在画面上。</translation>
    </message>
    <message>
        <source>Duotone</source>
        <translation>双色调</translation>
    </message>
    <message>
        <source>Dusk sky</source>
        <translation>黄昏天空</translation>
    </message>
    <message>
        <source>E&amp;vents</source>
        <translation>事件(&amp;V)</translation>
    </message>
    <message>
        <source>E&amp;xport look as one file...</source>
        <translation>将风格预设导出为一个文件(&amp;X)...</translation>
    </message>
    <message>
        <source>EV</source>
        <translation>EV</translation>
    </message>
    <message>
        <source>Each entry again and again</source>
        <translation>反复播放每一项</translation>
    </message>
    <message>
        <source>Each entry is played once before any comes again.</source>
        <translation>每一项都播放一次之后才会重复。</translation>
    </message>
    <message>
        <source>Edge contrast</source>
        <translation>边缘对比</translation>
    </message>
    <message>
        <source>Edge glow</source>
        <translation>边缘发光</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Effects</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Ellipse</source>
        <translation>椭圆</translation>
    </message>
    <message>
        <source>Emboss</source>
        <translation>浮雕</translation>
    </message>
    <message>
        <source>End</source>
        <translation>终点</translation>
    </message>
    <message>
        <source>End at scene cuts</source>
        <translation>在镜头切换处结束</translation>
    </message>
    <message>
        <source>Enlarge the mask, or shrink it; in percent of the frame&apos;s height.</source>
        <translation>扩大或缩小蒙版；以画面高度的百分比计。</translation>
    </message>
    <message>
        <source>Enlargement from frame to frame.</source>
        <translation>逐帧的放大。</translation>
    </message>
    <message>
        <source>Enlarges on top of that.</source>
        <translation>在此之上再放大。</translation>
    </message>
    <message>
        <source>Enlarges the change.</source>
        <translation>放大变化量。</translation>
    </message>
    <message>
        <source>Enlarges what the edges leave.</source>
        <translation>放大裁边后剩余的部分。</translation>
    </message>
    <message>
        <source>Enlarges what the slices show.</source>
        <translation>放大扇区中显示的内容。</translation>
    </message>
    <message>
        <source>Enlarges, to hide empty corners.</source>
        <translation>放大以遮住空白的角。</translation>
    </message>
    <message>
        <source>Entries of the playlist that are not stored</source>
        <translation>未保存的播放列表条目</translation>
    </message>
    <message>
        <source>Entry of the playlist that is in turn</source>
        <translation>播放列表中轮到的项</translation>
    </message>
    <message>
        <source>Equalize</source>
        <translation>均衡化</translation>
    </message>
    <message>
        <source>Estimates how near things are with a neural network, and shows it in colors or blurs what is out of focus.</source>
        <translation>用神经网络估计物体远近，以颜色显示，或模糊焦外部分。</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Every 10 minutes</source>
        <translation>每 10 分钟</translation>
    </message>
    <message>
        <source>Every 30 minutes</source>
        <translation>每 30 分钟</translation>
    </message>
    <message>
        <source>Every hour</source>
        <translation>每小时</translation>
    </message>
    <message>
        <source>Every minute</source>
        <translation>每分钟</translation>
    </message>
    <message>
        <source>Exclusion</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>曝光</translation>
    </message>
    <message>
        <source>Exposure of bright areas.</source>
        <translation>亮部的曝光。</translation>
    </message>
    <message>
        <source>Exposure of dark areas.</source>
        <translation>暗部的曝光。</translation>
    </message>
    <message>
        <source>Extra saturation that fades to none for colors that are already saturated.</source>
        <translation>额外的饱和度；对已经饱和的颜色逐渐减弱。</translation>
    </message>
    <message>
        <source>Face points</source>
        <translation>人脸关键点</translation>
    </message>
    <message>
        <source>Face points: jaw, brows, nose, eyes and mouth</source>
        <translation>人脸关键点：下颌、眉毛、鼻子、眼睛和嘴</translation>
    </message>
    <message>
        <source>Factor about middle gray (0.5); 0 leaves a flat gray.</source>
        <translation>围绕中灰（0.5）的系数；0 为平坦的灰。</translation>
    </message>
    <message>
        <source>Factor for all colors; 0 is black and white.</source>
        <translation>所有颜色的系数；0 为黑白。</translation>
    </message>
    <message>
        <source>Factor of the difference that is added; 0 changes nothing.</source>
        <translation>所加差值的系数；0 不作改变。</translation>
    </message>
    <message>
        <source>Factor on the light, against the loss in lines and mask.</source>
        <translation>光的系数，补偿扫描线和荫罩的损失。</translation>
    </message>
    <message>
        <source>Faded summer</source>
        <translation>褪色夏日</translation>
    </message>
    <message>
        <source>Falloff</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>False colors from cold to hot, by brightness.</source>
        <translation>按亮度显示由冷到热的伪彩色。</translation>
    </message>
    <message>
        <source>Far</source>
        <translation>远</translation>
    </message>
    <message>
        <source>FastestDet</source>
        <translation>FastestDet</translation>
    </message>
    <message>
        <source>Favorite looks</source>
        <translation>收藏的风格预设</translation>
    </message>
    <message>
        <source>Feather</source>
        <translation>羽化</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>反馈</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fill, and cut off</source>
        <translation>填满并裁切</translation>
    </message>
    <message>
        <source>Film grain</source>
        <translation>胶片颗粒</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适配</translation>
    </message>
    <message>
        <source>Fit it into the frame, cover the frame, stretch to it, or leave it where it was.</source>
        <translation>缩放至画面之内、覆盖画面、拉伸至画面，或留在原处。</translation>
    </message>
    <message>
        <source>Fitting: the object&apos;s own mask if the network gives one, an ellipse around a face, else its box.</source>
        <translation>贴合：若网络给出则用物体自身的蒙版，人脸用椭圆，否则用其方框。</translation>
    </message>
    <message>
        <source>Flat tones, dark outlines and printed dots, as in a comic book.</source>
        <translation>平涂色调、深色轮廓和印刷网点，如漫画书。</translation>
    </message>
    <message>
        <source>Flat, loud colors with black outlines and coarse dots, as a screen print has them.</source>
        <translation>平涂的鲜艳颜色、黑色轮廓和粗网点，如丝网印刷。</translation>
    </message>
    <message>
        <source>Flattens the picture into brush-like patches with firm edges (Kuwahara filter).</source>
        <translation>把画面平涂成边缘分明的笔触块（Kuwahara 滤波）。</translation>
    </message>
    <message>
        <source>Flips the picture, or mirrors one half onto the other.</source>
        <translation>翻转画面，或把一半镜像到另一半。</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>对焦</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Follow edges</source>
        <translation>贴合边缘</translation>
    </message>
    <message>
        <source>Follows a knob, fader or key of a MIDI device.</source>
        <translation>跟随 MIDI 设备的旋钮、推子或琴键。</translation>
    </message>
    <message>
        <source>Follows a value that another program sends by Open Sound Control.</source>
        <translation>跟随其他程序通过 Open Sound Control 发送的数值。</translation>
    </message>
    <message>
        <source>Follows what the analysis network finds.</source>
        <translation>跟随分析网络的检测结果。</translation>
    </message>
    <message>
        <source>Four process inks, or one ink on paper.</source>
        <translation>四色油墨，或纸上单色油墨。</translation>
    </message>
    <message>
        <source>Frame difference</source>
        <translation>帧差</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>From the third start on it may ask about new versions.</source>
        <translation>从第三次启动起可以询问新版本。</translation>
    </message>
    <message>
        <source>Full on one side of the frame, falling to nothing on the other.</source>
        <translation>在画面一侧为全部，向另一侧减至无。</translation>
    </message>
    <message>
        <source>Further distance over which it becomes opaque.</source>
        <translation>变为不透明所需的再一段距离。</translation>
    </message>
    <message>
        <source>GPL-3.0 (its repository&apos;s)</source>
        <translation>GPL-3.0（其代码库的许可）</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>伽马</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>间距</translation>
    </message>
    <message>
        <source>Gaussian blur</source>
        <translation>高斯模糊</translation>
    </message>
    <message>
        <source>Gentle contrast, a soft glow and fine grain, as in a movie theater.</source>
        <translation>柔和的对比、淡淡的辉光和细颗粒，如在影院。</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>几何</translation>
    </message>
    <message>
        <source>Gives bright parts at the top, such as a sky, the colors of dusk.</source>
        <translation>为上方的明亮部分（例如天空）加上黄昏的色彩。</translation>
    </message>
    <message>
        <source>Gives each channel the median of its neighborhood: removes specks and keeps edges.</source>
        <translation>对每个通道取邻域中值：去除斑点并保留边缘。</translation>
    </message>
    <message>
        <source>Glitch</source>
        <translation>故障效果</translation>
    </message>
    <message>
        <source>Global shortcut: next look</source>
        <translation>全局热键：下一个风格预设</translation>
    </message>
    <message>
        <source>Global shortcut: play or pause</source>
        <translation>全局热键：播放或暂停</translation>
    </message>
    <message>
        <source>Global shortcut: previous look</source>
        <translation>全局热键：上一个风格预设</translation>
    </message>
    <message>
        <source>Global shortcut: recording</source>
        <translation>全局热键：录制</translation>
    </message>
    <message>
        <source>Global shortcut: snapshot</source>
        <translation>全局热键：快照</translation>
    </message>
    <message>
        <source>Global shortcut: undo</source>
        <translation>全局热键：撤销</translation>
    </message>
    <message>
        <source>Global shortcuts</source>
        <translation>全局热键</translation>
    </message>
    <message>
        <source>Glow</source>
        <translation>光晕</translation>
    </message>
    <message>
        <source>Glowing outlines over a bluish night.</source>
        <translation>泛蓝夜色上的发光轮廓。</translation>
    </message>
    <message>
        <source>Goes to and fro by itself.</source>
        <translation>自动来回变化。</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>渐变</translation>
    </message>
    <message>
        <source>Gradient of luma (Sobel, a hard edge from black to white is 1) below which there is no line.</source>
        <translation>亮度梯度（Sobel，从黑到白的硬边为 1）低于此值时没有线条。</translation>
    </message>
    <message>
        <source>Greatest number</source>
        <translation>最大数量</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿</translation>
    </message>
    <message>
        <source>Green (below 0) or magenta (above 0) correction; one step is 1/3000 in CIE 1960 uv across the Planckian locus.</source>
        <translation>绿色（小于 0）或品红（大于 0）校正；一级为 CIE 1960 uv 中垂直于普朗克轨迹的 1/3000。</translation>
    </message>
    <message>
        <source>Green characters on a dark tube, for text screens of the eighties.</source>
        <translation>暗色显像管上的绿色字符，如八十年代的文本屏幕。</translation>
    </message>
    <message>
        <source>Grow</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导强度</translation>
    </message>
    <message>
        <source>Guided smoothing</source>
        <translation>引导平滑</translation>
    </message>
    <message>
        <source>Half the range of probability over which the mask fades.</source>
        <translation>蒙版淡出所跨概率范围的一半。</translation>
    </message>
    <message>
        <source>Half width of the square window.</source>
        <translation>方形窗口宽度的一半。</translation>
    </message>
    <message>
        <source>Halftone</source>
        <translation>半色调</translation>
    </message>
    <message>
        <source>Hard light</source>
        <translation>强光</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>硬度</translation>
    </message>
    <message>
        <source>Have the effect where the mask is not.</source>
        <translation>在蒙版之外应用效果。</translation>
    </message>
    <message>
        <source>Heat camera</source>
        <translation>热成像摄像机</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Height of a line, as a share of the image&apos;s height.</source>
        <translation>一行的高度，占画面高度的比例。</translation>
    </message>
    <message>
        <source>Height of a row of blocks; a block is four to sixteen times as wide.</source>
        <translation>一行块的高度；块宽为其四至十六倍。</translation>
    </message>
    <message>
        <source>Height of a scan line.</source>
        <translation>一条扫描线的高度。</translation>
    </message>
    <message>
        <source>Height of the loudest bar.</source>
        <translation>最响柱形的高度。</translation>
    </message>
    <message>
        <source>Height of the relief.</source>
        <translation>浮雕的高度。</translation>
    </message>
    <message>
        <source>Hide it</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Hide the events</source>
        <translation>隐藏事件</translation>
    </message>
    <message>
        <source>Hide the layers</source>
        <translation>隐藏图层面板</translation>
    </message>
    <message>
        <source>Hide the scopes</source>
        <translation>隐藏示波器</translation>
    </message>
    <message>
        <source>Hide the set list</source>
        <translation>隐藏演出列表</translation>
    </message>
    <message>
        <source>Hide the shader editor</source>
        <translation>隐藏着色器编辑器</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>隐藏来源</translation>
    </message>
    <message>
        <source>Hide the zones</source>
        <translation>隐藏区域面板</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>High dynamic range ({name}) is kept as it is coded.</source>
        <translation>高动态范围（{name}）按原编码保留。</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); keep HDR, with the codec {codec}, to leave it as it is (--hdr keep --codec {codec}).</source>
        <translation>高动态范围会变为标准范围 (BT.709)；选择保留 HDR 并使用编解码器 {codec} 可保持原样 (--hdr keep --codec {codec})。</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); keep HDR to leave it as it is (--hdr keep).</source>
        <translation>高动态范围会变为标准范围 (BT.709)；选择保留 HDR 可保持原样 (--hdr keep)。</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); leave out slow motion and frame interpolation to keep it.</source>
        <translation>高动态范围将变为标准范围（BT.709）；若要保留，请不要使用慢动作和插帧。</translation>
    </message>
    <message>
        <source>High dynamic range becomes standard range (BT.709); write one of {kinds} and keep HDR to leave it as it is (--hdr keep).</source>
        <translation>高动态范围会变为标准范围 (BT.709)；写成 {kinds} 之一并选择保留 HDR 可保持原样 (--hdr keep)。</translation>
    </message>
    <message>
        <source>Highlights</source>
        <translation>高光</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>保持</translation>
    </message>
    <message>
        <source>Hold until the next one</source>
        <translation>保持到下一个</translation>
    </message>
    <message>
        <source>How abruptly one step changes to the next.</source>
        <translation>一级过渡到下一级的陡峭程度。</translation>
    </message>
    <message>
        <source>How edges are drawn.</source>
        <translation>边缘的绘制方式。</translation>
    </message>
    <message>
        <source>How edges are drawn; &apos;direction&apos; gives each direction of the slope a hue, &apos;over_picture&apos; adds the edges to the picture.</source>
        <translation>边缘的绘制方式；“方向”给每个坡向一种色相，“叠加到画面”把边缘加到画面上。</translation>
    </message>
    <message>
        <source>How far a character&apos;s color is raised to full brightness, since its shape alone gives the tone.</source>
        <translation>字符颜色向全亮度提升的程度，因为字形本身已给出色调。</translation>
    </message>
    <message>
        <source>How far a hue may be from it on either side.</source>
        <translation>色相向两侧可偏离多远。</translation>
    </message>
    <message>
        <source>How far apart the two points are whose luma is compared.</source>
        <translation>作亮度比较的两点相距多远。</translation>
    </message>
    <message>
        <source>How far around the focus things are sharp.</source>
        <translation>焦点周围多大范围是清晰的。</translation>
    </message>
    <message>
        <source>How far away things are, steady over time.</source>
        <translation>物体有多远，随时间保持稳定。</translation>
    </message>
    <message>
        <source>How far the border is drawn to the picture&apos;s own edges: half width of the window in blocks of 4 pixels; 0 leaves the mask as it is.</source>
        <translation>边界向画面自身边缘靠拢的程度：以 4 像素块计的半窗宽；0 保持蒙版不变。</translation>
    </message>
    <message>
        <source>How far the glass bulges.</source>
        <translation>玻璃鼓起的程度。</translation>
    </message>
    <message>
        <source>How far the lines take on the picture&apos;s colors.</source>
        <translation>线条采用画面颜色的程度。</translation>
    </message>
    <message>
        <source>How far the picture&apos;s blocks shine through behind the characters.</source>
        <translation>画面色块透过字符显出的程度。</translation>
    </message>
    <message>
        <source>How far the twist reaches.</source>
        <translation>扭曲所及的范围。</translation>
    </message>
    <message>
        <source>How it goes from the least value to the greatest and back.</source>
        <translation>从最小值到最大值再返回的方式。</translation>
    </message>
    <message>
        <source>How long a disturbance stands still.</source>
        <translation>一次干扰停留的时间。</translation>
    </message>
    <message>
        <source>How long an image is shown, of a playlist or of a folder in it.</source>
        <translation>播放列表或其中文件夹里的一张图片显示多久。</translation>
    </message>
    <message>
        <source>How long one look takes to become the next. 0 for a cut.</source>
        <translation>一个风格预设变为下一个所需的时间。0 表示直接切换。</translation>
    </message>
    <message>
        <source>How long one prompt takes to become the next.</source>
        <translation>一个提示词过渡到下一个所需的时间。</translation>
    </message>
    <message>
        <source>How many for each of the source&apos;s; screen: as many as the screen shows.</source>
        <translation>来源的每一帧对应多少帧；屏幕：与屏幕显示的一样多。</translation>
    </message>
    <message>
        <source>How much darker the corners are.</source>
        <translation>四角变暗的程度。</translation>
    </message>
    <message>
        <source>How much more the prompt counts; up to 1 what is not to be seen is not looked at, which takes half of the time. 0 is what is usual for the folder.</source>
        <translation>提示词的权重；不超过 1 时不考虑负面提示词，只需一半时间。0 表示采用该文件夹的常用值。</translation>
    </message>
    <message>
        <source>How much of the scattered light is added.</source>
        <translation>加入多少散射光。</translation>
    </message>
    <message>
        <source>How much the colors cover the picture.</source>
        <translation>颜色覆盖画面的程度。</translation>
    </message>
    <message>
        <source>How soon a gradient gives a line of full brightness.</source>
        <translation>梯度多快达到全亮度的线条。</translation>
    </message>
    <message>
        <source>How strongly the calmest window wins; low values blend them.</source>
        <translation>最平静的窗口占优的程度；低值则相互混合。</translation>
    </message>
    <message>
        <source>How the effect&apos;s result is combined with the image before it.</source>
        <translation>效果的结果如何与之前的画面结合。</translation>
    </message>
    <message>
        <source>How the layer is combined with what lies under it.</source>
        <translation>图层与其下方内容的混合方式。</translation>
    </message>
    <message>
        <source>How the network&apos;s outputs are read, where the file does not tell it rightly.</source>
        <translation>在文件没有正确说明时，如何读取网络的输出。</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>色相</translation>
    </message>
    <message>
        <source>Hue range</source>
        <translation>色相范围</translation>
    </message>
    <message>
        <source>Hz</source>
        <translation>Hz</translation>
    </message>
    <message>
        <source>ICtCp is read as the default matrix</source>
        <translation>ICtCp 按默认矩阵读取</translation>
    </message>
    <message>
        <source>IPT-C2 is read as the default matrix</source>
        <translation>IPT-C2 按默认矩阵读取</translation>
    </message>
    <message>
        <source>If the mask is missing</source>
        <translation>蒙版缺失时</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>ImageNet</source>
        <translation>ImageNet</translation>
    </message>
    <message>
        <source>ImageNet with background first</source>
        <translation>ImageNet，背景排在首位</translation>
    </message>
    <message>
        <source>ImageNet, 1,000 kinds of things</source>
        <translation>ImageNet，1000 类物体</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Images of the current frame with each effect, or one row for each.</source>
        <translation>以图像显示当前帧应用各效果的样子，或每项一行。</translation>
    </message>
    <message>
        <source>In a temporary folder, until Lightloom ends; save the ones that matter.</source>
        <translation>保存在临时文件夹中，直到 Lightloom 结束；请另存重要的片段。</translation>
    </message>
    <message>
        <source>In braces: time, timecode, frame, file, date, clock, fps, count, count:CLASS, class, score, zone:NAME. \n begins a new line.</source>
        <translation>大括号中：time、timecode、frame、file、date、clock、fps、count、count:CLASS、class、score、zone:NAME。\n 开始新的一行。</translation>
    </message>
    <message>
        <source>In clips that the list of events plays and saves.</source>
        <translation>用于事件列表播放和保存的片段。</translation>
    </message>
    <message>
        <source>Ink</source>
        <translation>油墨</translation>
    </message>
    <message>
        <source>Ink and wash</source>
        <translation>水墨</translation>
    </message>
    <message>
        <source>Input &apos;{name}&apos; of {name2} takes {dtype}{shape}, not {dtype2}{shape2}.</source>
        <translation>{name2} 的输入 &apos;{name}&apos; 接受 {dtype}{shape}，而不是 {dtype2}{shape2}。</translation>
    </message>
    <message>
        <source>Input &apos;{node_name}&apos; of {name} has the shape {shape}, not {given}; give it a shape that fits.</source>
        <translation>{name} 的输入 &apos;{node_name}&apos; 的形状为 {shape}，而不是 {given}；请给出匹配的形状。</translation>
    </message>
    <message>
        <source>Input black</source>
        <translation>输入黑点</translation>
    </message>
    <message>
        <source>Input colors</source>
        <translation>输入颜色</translation>
    </message>
    <message>
        <source>Input range</source>
        <translation>输入范围</translation>
    </message>
    <message>
        <source>Input value that becomes output black.</source>
        <translation>成为输出黑的输入值。</translation>
    </message>
    <message>
        <source>Input value that becomes output white.</source>
        <translation>成为输出白的输入值。</translation>
    </message>
    <message>
        <source>Input white</source>
        <translation>输入白点</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Install the newest driver of the graphics card&apos;s maker (NVIDIA, AMD, Intel), and Windows&apos; updates.</source>
        <translation>请安装显卡厂商（NVIDIA、AMD、Intel）的最新驱动程序以及 Windows 更新。</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Intersect</source>
        <translation>相交</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反相</translation>
    </message>
    <message>
        <source>Invert part</source>
        <translation>反转此部分</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>It begins with no ISF header (JSON in a comment) and has no mainImage() of Shadertoy; add one of them.</source>
        <translation>开头没有 ISF 头（注释中的 JSON），也没有 Shadertoy 的 mainImage()；请添加其中之一。</translation>
    </message>
    <message>
        <source>It has no function main(); add it.</source>
        <translation>没有函数 main()；请添加。</translation>
    </message>
    <message>
        <source>It has no function {wanted}; write it so.</source>
        <translation>没有函数 {wanted}；请照此编写。</translation>
    </message>
    <message>
        <source>It has {count} declarations, which are more than {max_declarations}; use fewer.</source>
        <translation>它有 {count} 个声明，超过 {max_declarations} 个；请减少。</translation>
    </message>
    <message>
        <source>It has {functions} functions, which are more than {max_functions}; use fewer.</source>
        <translation>它有 {functions} 个函数，超过 {max_functions} 个；请减少。</translation>
    </message>
    <message>
        <source>It imports the image &apos;{path}&apos;, which is not in its folder; put it there.</source>
        <translation>它导入的图像“{path}”不在其文件夹中；请放到那里。</translation>
    </message>
    <message>
        <source>It is a transition between two sources (&apos;{name}&apos;), and a filter has one; use another file.</source>
        <translation>这是两个源之间的转场（“{name}”），而滤镜只有一个源；请换用其他文件。</translation>
    </message>
    <message>
        <source>It is taken for {title}: {reason}.</source>
        <translation>被视为 {title}：{reason}。</translation>
    </message>
    <message>
        <source>It is taken to be for {task}: {reason}.</source>
        <translation>视其用途为{task}：{reason}。</translation>
    </message>
    <message>
        <source>It is visible where the main image is transparent, or does not reach.</source>
        <translation>在主画面透明或未覆盖之处可见。</translation>
    </message>
    <message>
        <source>It processes each frame {count} times: whole, and in overlapping tiles.</source>
        <translation>每个画面处理 {count} 次：整体一次，以及各重叠分块。</translation>
    </message>
    <message>
        <source>It reads the varying &apos;{name}&apos;, which no vertex shader {path} beside it sets; add the file.</source>
        <translation>它读取变量“{name}”，但旁边没有顶点着色器 {path} 设置它；请添加该文件。</translation>
    </message>
    <message>
        <source>It runs on wgpu up to {last}; the node behind it, {decider}, runs on the CPU, because its shape follows from what the network computes (it is cut at {tensors}).</source>
        <translation>它在 wgpu 上运行到 {last}；其后的节点 {decider} 在 CPU 上运行，因为它的形状取决于网络的计算结果（在 {tensors} 处切分）。</translation>
    </message>
    <message>
        <source>It runs on wgpu up to {last}; the {nodes} behind it, from {decider} on, run on the CPU, because their shapes follow from what the network computes (it is cut at {tensors}).</source>
        <translation>它在 wgpu 上运行到 {last}；其后的 {nodes}（从 {decider} 起）在 CPU 上运行，因为它们的形状取决于网络的计算结果（在 {tensors} 处切分）。</translation>
    </message>
    <message>
        <source>Its center.</source>
        <translation>其中心。</translation>
    </message>
    <message>
        <source>Its corners in fractions of the frame, such as 0.25/0.25 0.75/0.25 0.5/0.75; a ; begins another polygon.</source>
        <translation>其角点，以画面的分数计，例如 0.25/0.25 0.75/0.25 0.5/0.75；分号 ; 开始另一个多边形。</translation>
    </message>
    <message>
        <source>Its height, in percent of the frame&apos;s.</source>
        <translation>其高度，以画面高度的百分比计。</translation>
    </message>
    <message>
        <source>Its input turns with the frames: {long}x{short}, and {short}x{long} for frames higher than wide.</source>
        <translation>输入随画面转向：{long}x{short}，高度大于宽度的画面为 {short}x{long}。</translation>
    </message>
    <message>
        <source>Its time at the beginning of the main video; negative, it begins later.</source>
        <translation>主视频开始时它所处的时间；负值表示稍后开始。</translation>
    </message>
    <message>
        <source>Its width, in percent of the frame&apos;s.</source>
        <translation>其宽度，以画面宽度的百分比计。</translation>
    </message>
    <message>
        <source>Its {buffers} buffers take {count} textures, two for a persistent one, and {most} is most; use fewer.</source>
        <translation>它的 {buffers} 个缓冲区占用 {count} 个纹理（持久缓冲区占两个），最多 {most} 个；请减少。</translation>
    </message>
    <message>
        <source>Keep clips of the events of live sources</source>
        <translation>保留实时来源事件的片段</translation>
    </message>
    <message>
        <source>Keep the last image</source>
        <translation>保持最后一幅图像</translation>
    </message>
    <message>
        <source>Key frames</source>
        <translation>关键帧</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Kind of file of the last export</source>
        <translation>上次导出的文件类型</translation>
    </message>
    <message>
        <source>La&amp;yers and text</source>
        <translation>图层与文字(&amp;Y)</translation>
    </message>
    <message>
        <source>Large dots in few colors, as an early home computer showed them.</source>
        <translation>少数颜色的大像素点，如早期家用电脑的画面。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>图层</translation>
    </message>
    <message>
        <source>Layers are SDR, so HDR cannot be kept with them or a moved main image; leave them out, or let HDR become SDR (--hdr tonemap).</source>
        <translation>图层是 SDR，因此有图层或移动了主图像时无法保留 HDR；请去掉它们，或让 HDR 变为 SDR（--hdr tonemap）。</translation>
    </message>
    <message>
        <source>Leaves people in color and turns all else gray.</source>
        <translation>人物保留彩色，其余变为灰色。</translation>
    </message>
    <message>
        <source>Left edge, as a share of the image&apos;s width.</source>
        <translation>左边缘，占画面宽度的比例。</translation>
    </message>
    <message>
        <source>Less noise, livelier colors and sharper edges for a cheap camera.</source>
        <translation>为廉价摄像头减少噪点、增强色彩并锐化边缘。</translation>
    </message>
    <message>
        <source>Light that is left around the objects.</source>
        <translation>对象周围保留的光。</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light trails</source>
        <translation>光迹</translation>
    </message>
    <message>
        <source>Lighten</source>
        <translation>变亮</translation>
    </message>
    <message>
        <source>Line width</source>
        <translation>行宽</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Longer lines are broken, as a share of the image&apos;s width; 0 is all of it.</source>
        <translation>更长的行会换行，占画面宽度的比例；0 为整个宽度。</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>风格预设</translation>
    </message>
    <message>
        <source>Looks used lately</source>
        <translation>最近使用的风格预设</translation>
    </message>
    <message>
        <source>Loudness is in decibels, from -60 to 0. Onsets and beats are short pulses.</source>
        <translation>响度以分贝为单位，从 -60 到 0。起音和节拍是短脉冲。</translation>
    </message>
    <message>
        <source>Luma of R&apos;G&apos;B&apos; (BT.709), or alpha.</source>
        <translation>R&apos;G&apos;B&apos; 的亮度 (BT.709)，或 alpha。</translation>
    </message>
    <message>
        <source>Luminosity</source>
        <translation>明度</translation>
    </message>
    <message>
        <source>MIDI</source>
        <translation>MIDI</translation>
    </message>
    <message>
        <source>MIDI cannot be used here ({reason}); check the system&apos;s MIDI service.</source>
        <translation>此处无法使用 MIDI（{reason}）；请检查系统的 MIDI 服务。</translation>
    </message>
    <message>
        <source>MIDI devices</source>
        <translation>MIDI 设备</translation>
    </message>
    <message>
        <source>MIDI needs the packages mido and python-rtmidi, which are not installed: {command}.</source>
        <translation>MIDI 需要 mido 和 python-rtmidi 软件包，它们尚未安装：{command}。</translation>
    </message>
    <message>
        <source>Magnif&amp;y pixels</source>
        <translation>放大像素(&amp;Y)</translation>
    </message>
    <message>
        <source>Makes a street or a landscape seen from above look like a model.</source>
        <translation>让俯瞰的街道或风景看起来像模型。</translation>
    </message>
    <message>
        <source>Makes the frame transparent: with a mask, what it covers is cut out.</source>
        <translation>使画面透明：使用遮罩时，抠出其覆盖的部分。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Miniature</source>
        <translation>微缩景观</translation>
    </message>
    <message>
        <source>Monochrome</source>
        <translation>黑白</translation>
    </message>
    <message>
        <source>Moonlight</source>
        <translation>月光</translation>
    </message>
    <message>
        <source>Move the line to the &amp;left</source>
        <translation>分界线左移(&amp;L)</translation>
    </message>
    <message>
        <source>Move the line to the &amp;right</source>
        <translation>分界线右移(&amp;R)</translation>
    </message>
    <message>
        <source>Move the mask&apos;s edge to the nearest edges in the image, such as hair.</source>
        <translation>将蒙版边缘移到画面中最近的边缘，例如头发。</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>正片叠底</translation>
    </message>
    <message>
        <source>Name of the device in Home Assistant, one for each camera; {{source}} stands for the source.</source>
        <translation>Home Assistant 中的设备名称，每台摄像机一个；{{source}} 代表来源。</translation>
    </message>
    <message>
        <source>Name of the event of a zone; empty for any.</source>
        <translation>区域事件的名称；留空表示任意事件。</translation>
    </message>
    <message>
        <source>Name of the zone that the objects are in; empty for the whole frame.</source>
        <translation>对象所在区域的名称；留空表示整个画面。</translation>
    </message>
    <message>
        <source>Name of the zone; empty for all.</source>
        <translation>区域名称；留空表示全部。</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all</source>
        <translation>类别名称，用逗号分隔；留空表示全部</translation>
    </message>
    <message>
        <source>Names of classes with commas between them; empty for all.</source>
        <translation>类别名称，以逗号分隔；留空表示全部。</translation>
    </message>
    <message>
        <source>Names of files end in the time at which each begins. GIF and WebP remain one file.</source>
        <translation>文件名以各文件开始的时间结尾。GIF 和 WebP 仍为一个文件。</translation>
    </message>
    <message>
        <source>Near</source>
        <translation>近</translation>
    </message>
    <message>
        <source>Neon lines</source>
        <translation>霓虹线条</translation>
    </message>
    <message>
        <source>Networks are trained on SDR, so HDR cannot be kept with one; switch it off, or let HDR become SDR (--hdr tonemap).</source>
        <translation>网络是用 SDR 训练的，因此使用网络时无法保留 HDR；请关闭它，或让 HDR 变为 SDR（--hdr tonemap）。</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Newspaper</source>
        <translation>报纸</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Next look of the set list</source>
        <translation>演出列表的下一个风格预设</translation>
    </message>
    <message>
        <source>Night vision</source>
        <translation>夜视</translation>
    </message>
    <message>
        <source>No ONVIF camera answers; check that ONVIF and discovery are on in its settings and that it is in this network, or give its address to --streams.</source>
        <translation>没有 ONVIF 摄像机应答；请检查其设置中是否已启用 ONVIF 和发现功能、是否在此网络中，或用 --streams 给出其地址。</translation>
    </message>
    <message>
        <source>No audio input can be used, so effects do not follow it; connect one, or allow Lightloom to use it.</source>
        <translation>没有可用的音频输入，因此效果不会跟随它；请连接一个，或允许 Lightloom 使用它。</translation>
    </message>
    <message>
        <source>No connection; trying again</source>
        <translation>无连接；正在重试</translation>
    </message>
    <message>
        <source>No encoder for {suffix} files with 10 bits a color works here; choose 8, or a file that has one: {kinds}.</source>
        <translation>这里没有可用于每种颜色 10 位的 {suffix} 文件的编码器；请选择 8 位，或有编码器的文件类型：{kinds}。</translation>
    </message>
    <message>
        <source>No network is chosen; choose an .onnx or .tflite file, or get a network on the Networks page.</source>
        <translation>未选择网络；请选择 .onnx 或 .tflite 文件，或在“网络”页面获取一个网络。</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Nothing is received yet; name a device or port in the preferences.</source>
        <translation>尚未接收任何内容；请在首选项中填写设备或端口。</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Number of bars, from 40 to 12000 Hz.</source>
        <translation>柱形数量，从 40 到 12000 Hz。</translation>
    </message>
    <message>
        <source>Number of starts</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>Number of the controller or the note.</source>
        <translation>控制器或音符的编号。</translation>
    </message>
    <message>
        <source>Number of the effect in the chain; it must stand before this one.</source>
        <translation>效果在链中的编号；必须位于此效果之前。</translation>
    </message>
    <message>
        <source>OSC</source>
        <translation>OSC</translation>
    </message>
    <message>
        <source>OSC cannot be received at {text}: {reason}; choose another port.</source>
        <translation>无法在 {text} 接收 OSC：{reason}；请选择其他端口。</translation>
    </message>
    <message>
        <source>OSC cannot be sent to {text}: {reason}; check the address.</source>
        <translation>无法将 OSC 发送到 {text}：{reason}；请检查地址。</translation>
    </message>
    <message>
        <source>OSC needs the package python-osc, which is not installed: {command}.</source>
        <translation>OSC 需要 python-osc 软件包，它尚未安装：{command}。</translation>
    </message>
    <message>
        <source>OSC port</source>
        <translation>OSC 端口</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>物体</translation>
    </message>
    <message>
        <source>Objects that are less certain are left out.</source>
        <translation>把握较小的物体会被忽略。</translation>
    </message>
    <message>
        <source>Objects with a lower score get no light.</source>
        <translation>得分更低的对象没有光。</translation>
    </message>
    <message>
        <source>Of the letters.</source>
        <translation>字母的颜色。</translation>
    </message>
    <message>
        <source>Of the set list: midi/1/note/36, midi/1/control/64 or osc/next.</source>
        <translation>用于演出列表：midi/1/note/36、midi/1/control/64 或 osc/next。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Oil painting</source>
        <translation>油画</translation>
    </message>
    <message>
        <source>Old photograph</source>
        <translation>老照片</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>One object by its number, wherever it moves. Click it in the video to choose it.</source>
        <translation>按编号跟随一个物体，无论其如何移动。在视频中点击即可选择。</translation>
    </message>
    <message>
        <source>Open a loo&amp;k...</source>
        <translation>打开风格预设(&amp;K)...</translation>
    </message>
    <message>
        <source>OpenEXR, a file for each frame</source>
        <translation>OpenEXR，每帧一个文件</translation>
    </message>
    <message>
        <source>Oscillator</source>
        <translation>振荡器</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>PNG, JPEG, WebP, AVIF, TIFF or BMP.</source>
        <translation>PNG、JPEG、WebP、AVIF、TIFF 或 BMP。</translation>
    </message>
    <message>
        <source>PNG, a file for each frame</source>
        <translation>PNG，每帧一个文件</translation>
    </message>
    <message>
        <source>Page of the library</source>
        <translation>库的页面</translation>
    </message>
    <message>
        <source>Panels appear at once, and the images of the library stand still.</source>
        <translation>面板立即出现，库中的图像保持静止。</translation>
    </message>
    <message>
        <source>Part of a device&apos;s name, or &apos;all&apos;; what automations follow.</source>
        <translation>设备名称的一部分，或“all”；供自动化跟随。</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pencil on paper: outlines, a little shading and no color.</source>
        <translation>纸上铅笔：轮廓、少许明暗，没有颜色。</translation>
    </message>
    <message>
        <source>Pencil sketch</source>
        <translation>铅笔素描</translation>
    </message>
    <message>
        <source>People, or another class, found by a segmentation network.</source>
        <translation>由分割网络找到的人物或其他类别。</translation>
    </message>
    <message>
        <source>Person in color</source>
        <translation>彩色人物</translation>
    </message>
    <message>
        <source>Person or class</source>
        <translation>人物或类别</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>相位</translation>
    </message>
    <message>
        <source>Pic&amp;k a color</source>
        <translation>拾取颜色(&amp;K)</translation>
    </message>
    <message>
        <source>Pixel game</source>
        <translation>像素游戏</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Points of the strokes in fractions of the frame, such as 0.2/0.2 0.4/0.3; a ; begins another stroke.</source>
        <translation>笔画的点，以画面的分数计，例如 0.2/0.2 0.4/0.3；分号 ; 开始另一笔。</translation>
    </message>
    <message>
        <source>Polygon</source>
        <translation>多边形</translation>
    </message>
    <message>
        <source>Pop art</source>
        <translation>波普艺术</translation>
    </message>
    <message>
        <source>Port of remote control</source>
        <translation>远程控制的端口</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Positions and sizes are shares of the frame, of the object with the number or else of the largest one.</source>
        <translation>位置和大小为画面的比例，取指定编号的对象，否则取最大的对象。</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Previous look of the set list</source>
        <translation>演出列表的上一个风格预设</translation>
    </message>
    <message>
        <source>Programs on this computer</source>
        <translation>此计算机上的程序</translation>
    </message>
    <message>
        <source>Publish to Home Assistant</source>
        <translation>发布到 Home Assistant</translation>
    </message>
    <message>
        <source>Quality of the last export</source>
        <translation>上次导出的质量</translation>
    </message>
    <message>
        <source>Radius of the corners, in percent of half of the shorter side.</source>
        <translation>圆角半径，以短边一半的百分比计。</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation>矩形</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动态效果</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Remote co&amp;ntrol...</source>
        <translation>远程控制(&amp;N)...</translation>
    </message>
    <message>
        <source>Remote control</source>
        <translation>远程控制</translation>
    </message>
    <message>
        <source>Remote control cannot use port {port}: {reason}; choose another one.</source>
        <translation>远程控制无法使用端口 {port}：{reason}；请选择其他端口。</translation>
    </message>
    <message>
        <source>S&amp;hader editor</source>
        <translation>着色器编辑器(&amp;H)</translation>
    </message>
    <message>
        <source>Sa&amp;ve look...</source>
        <translation>保存风格预设(&amp;V)...</translation>
    </message>
    <message>
        <source>Same as source</source>
        <translation>与源相同</translation>
    </message>
    <message>
        <source>Sc&amp;enes</source>
        <translation>场景(&amp;E)</translation>
    </message>
    <message>
        <source>Scene &amp;cuts</source>
        <translation>镜头切换(&amp;C)</translation>
    </message>
    <message>
        <source>Scene &amp;{number}</source>
        <translation>场景 &amp;{number}</translation>
    </message>
    <message>
        <source>Sco&amp;pes</source>
        <translation>示波器(&amp;P)</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>示波器</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Seconds after an event</source>
        <translation>事件之后的秒数</translation>
    </message>
    <message>
        <source>Seconds before an event</source>
        <translation>事件之前的秒数</translation>
    </message>
    <message>
        <source>Send OSC to</source>
        <translation>OSC 发送到</translation>
    </message>
    <message>
        <source>Set l&amp;ist</source>
        <translation>演出列表(&amp;I)</translation>
    </message>
    <message>
        <source>Set list</source>
        <translation>演出列表</translation>
    </message>
    <message>
        <source>Shader</source>
        <translation>着色器</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Share of a bar&apos;s width that is left free.</source>
        <translation>柱宽中留空的比例。</translation>
    </message>
    <message>
        <source>Share of the effect&apos;s result; the rest is the image before it.</source>
        <translation>效果结果所占的比例；其余为之前的画面。</translation>
    </message>
    <message>
        <source>Share of the layer; the rest is what lies under it.</source>
        <translation>图层所占的比例；其余为其下方的内容。</translation>
    </message>
    <message>
        <source>Show all of it</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Size of the ellipses, relative to the objects.</source>
        <translation>椭圆相对于对象的大小。</translation>
    </message>
    <message>
        <source>Size of the last export</source>
        <translation>上次导出的尺寸</translation>
    </message>
    <message>
        <source>Small objects are looked for in N x N overlapping tiles as well as in the whole frame; 2 takes five times as long.</source>
        <translation>除整个画面外，还在 N x N 个重叠的分块中查找小物体；设为 2 时耗时为五倍。</translation>
    </message>
    <message>
        <source>Smaller file</source>
        <translation>文件较小</translation>
    </message>
    <message>
        <source>Smallest file</source>
        <translation>文件最小</translation>
    </message>
    <message>
        <source>Smoothly to the next one</source>
        <translation>平滑过渡到下一个</translation>
    </message>
    <message>
        <source>Smooths skin, keeps eyes and hair sharp, and lights a face softly.</source>
        <translation>平滑皮肤，保持眼睛和头发清晰，并柔和地照亮面部。</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Soft light</source>
        <translation>柔光</translation>
    </message>
    <message>
        <source>Soft light that spreads from everything bright.</source>
        <translation>从所有明亮处扩散开的柔光。</translation>
    </message>
    <message>
        <source>Soft portrait</source>
        <translation>柔和人像</translation>
    </message>
    <message>
        <source>Softness of the mask&apos;s edge; in percent of the frame&apos;s height.</source>
        <translation>蒙版边缘的柔和度；以画面高度的百分比计。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Stabili&amp;ze live sources</source>
        <translation>对实时来源防抖(&amp;Z)</translation>
    </message>
    <message>
        <source>Stabilize live sources</source>
        <translation>对实时来源防抖</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Stats</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>Straight to the next one</source>
        <translation>直线过渡到下一个</translation>
    </message>
    <message>
        <source>Stretch</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>Strokes</source>
        <translation>笔画</translation>
    </message>
    <message>
        <source>Subtract</source>
        <translation>相减</translation>
    </message>
    <message>
        <source>Such as Ctrl+Alt+P; also while another program has the focus.</source>
        <translation>如 Ctrl+Alt+P；其他程序处于焦点时也有效。</translation>
    </message>
    <message>
        <source>Take what is outside of this part.</source>
        <translation>取此部分之外的区域。</translation>
    </message>
    <message>
        <source>Takes the shaking out of cameras and streams: frames are enlarged by a tenth, and shown ten frames later.</source>
        <translation>消除摄像头和流的抖动：画面放大十分之一，并延后十帧显示。</translation>
    </message>
    <message>
        <source>Teal and orange</source>
        <translation>青与橙</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>The ISF header is wrong: {what}; correct it.</source>
        <translation>ISF 头有误：{what}；请更正。</translation>
    </message>
    <message>
        <source>The Python library cannot draw text layers; remove it, or use `lightloom process`.</source>
        <translation>Python 库无法绘制文字图层；请将其移除，或使用 `lightloom process`。</translation>
    </message>
    <message>
        <source>The access log {path} cannot be written: {reason}; choose another file.</source>
        <translation>无法写入访问日志 {path}：{reason}；请选择其他文件。</translation>
    </message>
    <message>
        <source>The address of the network seems to have a user name and a password, since there is an @ behind the host; remove them, and store the token in the system&apos;s key ring. If the @ belongs to the network&apos;s name, write the host as an IP address or with its domain.</source>
        <translation>网络的地址似乎包含用户名和密码，因为主机之后有 @；请将其删除，并将令牌保存在系统密钥环中。如果 @ 属于网络名称，请将主机写成 IP 地址或带域名的形式。</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded and is left out; set another audio codec in the camera or sender.</source>
        <translation>无法解码 {name} 的音频，已将其略去；请在摄像机或发送端设置其他音频编解码器。</translation>
    </message>
    <message>
        <source>The host or the port of the address {scheme}://{host} is not valid: a host has no spaces, and a port is a number from 1 to 65535; correct it.</source>
        <translation>地址 {scheme}://{host} 的主机或端口无效：主机不含空格，端口是 1 到 65535 的数字；请更正。</translation>
    </message>
    <message>
        <source>The attachment of a mask is invalid; give an identity from 1 on, and the extents of a box in the frame.</source>
        <translation>蒙版的 attachment 无效；请给出从 1 开始的编号，以及画面中一个矩形的范围。</translation>
    </message>
    <message>
        <source>The audio input is open while an effect follows it.</source>
        <translation>只要有效果跟随，音频输入就保持打开。</translation>
    </message>
    <message>
        <source>The audio input was disconnected, so effects do not follow it; choose another one.</source>
        <translation>音频输入已断开，因此效果不再跟随它；请选择其他输入。</translation>
    </message>
    <message>
        <source>The audio input {name} cannot be used, so effects do not follow it; connect it, or choose another one.</source>
        <translation>无法使用音频输入 {name}，因此效果不会跟随它；请连接它或选择其他输入。</translation>
    </message>
    <message>
        <source>The author is missing or too long; give a name of up to {most} letters.</source>
        <translation>缺少作者或过长；请给出最多 {most} 个字符的姓名。</translation>
    </message>
    <message>
        <source>The blend mode &apos;{blend}&apos; of &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; choose &apos;normal&apos;, or let HDR become SDR (--hdr tonemap).</source>
        <translation>&apos;{filter}&apos; 的混合模式 &apos;{blend}&apos; 以 SDR 为前提，因此无法保留 HDR；请选择 &apos;normal&apos;，或让 HDR 变为 SDR（--hdr tonemap）。</translation>
    </message>
    <message>
        <source>The buffer &apos;{name}&apos; is neither of fixed size nor a scaled frame, as a filter&apos;s are; change its WIDTH and HEIGHT.</source>
        <translation>缓冲区“{name}”既不是固定尺寸，也不是按比例缩放的画面尺寸，而滤镜的缓冲区只能如此；请修改 WIDTH 和 HEIGHT。</translation>
    </message>
    <message>
        <source>The camera {host} does not answer ({reason}); check that it is on and in this network, and its user and password.</source>
        <translation>摄像机 {host} 没有应答 ({reason})；请检查其是否已开启并在此网络中，以及用户和密码。</translation>
    </message>
    <message>
        <source>The camera {host} gives an answer that is not ONVIF; check its address.</source>
        <translation>摄像机 {host} 的应答不是 ONVIF；请检查其地址。</translation>
    </message>
    <message>
        <source>The camera {host} offers no stream; set up a profile on its page.</source>
        <translation>摄像机 {host} 没有提供流；请在其网页上设置配置文件。</translation>
    </message>
    <message>
        <source>The camera {host} refuses ({reason}); check user and password, and that ONVIF is on.</source>
        <translation>摄像机 {host} 拒绝 ({reason})；请检查用户和密码，以及 ONVIF 是否已启用。</translation>
    </message>
    <message>
        <source>The chain has no effects; choose a look below.</source>
        <translation>链中没有效果；请在下方选择风格预设。</translation>
    </message>
    <message>
        <source>The chosen decoder is {title}.</source>
        <translation>指定为 {title}。</translation>
    </message>
    <message>
        <source>Its outputs are those of {title}.</source>
        <translation>其输出与 {title} 的输出一致。</translation>
    </message>
    <message>
        <source>Its outputs are those of {title}: {reason}.</source>
        <translation>其输出与 {title} 的输出一致：{reason}。</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>Kaleidoscope</source>
        <translation>万花筒</translation>
    </message>
    <message>
        <source>Keep colors</source>
        <translation>保留颜色</translation>
    </message>
    <message>
        <source>Keep the brighter of the two, or mix them.</source>
        <translation>保留两者中较亮的，或混合它们。</translation>
    </message>
    <message>
        <source>Keep the scale, enlarge until no corner is empty, or shrink until everything is in the frame.</source>
        <translation>保持比例、放大到没有空角，或缩小到全部在画面之内。</translation>
    </message>
    <message>
        <source>Keeps a band in focus and blurs the rest, which makes a scene look like a miniature.</source>
        <translation>保持一条带清晰并模糊其余部分，使场景看起来像微缩模型。</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>抠像</translation>
    </message>
    <message>
        <source>Knee</source>
        <translation>拐点</translation>
    </message>
    <message>
        <source>Labels: {origin}.</source>
        <translation>标签：{origin}。</translation>
    </message>
    <message>
        <source>Largest change of a channel that still counts as still.</source>
        <translation>通道变化不超过此值仍视为静止。</translation>
    </message>
    <message>
        <source>Largest displacement.</source>
        <translation>最大位移。</translation>
    </message>
    <message>
        <source>Largest distance between red and blue.</source>
        <translation>红与蓝之间的最大距离。</translation>
    </message>
    <message>
        <source>Leaves a fading trail behind everything that moves.</source>
        <translation>在一切运动物体后留下渐隐的拖尾。</translation>
    </message>
    <message>
        <source>Leaves a few evenly spaced values of each channel.</source>
        <translation>每个通道只留下少数等距的值。</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Length of a streak as a share of the distance from the center.</source>
        <translation>条纹长度占到中心距离的比例。</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>镜头</translation>
    </message>
    <message>
        <source>Lens distortion</source>
        <translation>镜头畸变</translation>
    </message>
    <message>
        <source>Lets bright parts glow, as light scattered in a lens does; computed in linear light on a pyramid of smaller pictures.</source>
        <translation>让亮部发光，如同镜头中的散射光；在线性光下用逐级缩小的画面金字塔计算。</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>色阶</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>光线</translation>
    </message>
    <message>
        <source>Light lost outside of the soft edge; below 0 the corners get brighter.</source>
        <translation>柔边之外损失的光；小于 0 时四角变亮。</translation>
    </message>
    <message>
        <source>Lightloom computes on {used} now.</source>
        <translation>Lightloom 现在在 {used} 上计算。</translation>
    </message>
    <message>
        <source>Lightloom needs Metal, which macOS 11 and later have; install macOS&apos; updates.</source>
        <translation>Lightloom 需要 Metal，macOS 11 及更高版本才有；请安装 macOS 更新。</translation>
    </message>
    <message>
        <source>Lights</source>
        <translation>亮调</translation>
    </message>
    <message>
        <source>Lights the picture from one side as if its luma were a relief.</source>
        <translation>把亮度当作浮雕，从一侧照亮画面。</translation>
    </message>
    <message>
        <source>Line {line}: the name &apos;{word}&apos; begins with &apos;lightloom_&apos;, which is reserved; choose another.</source>
        <translation>第 {line} 行：名称 &apos;{word}&apos; 以保留的 &apos;lightloom_&apos; 开头；请另选名称。</translation>
    </message>
    <message>
        <source>Line {line}: {what}.</source>
        <translation>第 {line} 行：{what}。</translation>
    </message>
    <message>
        <source>Linear light above which a pixel glows; 1 is white.</source>
        <translation>线性光超过此值的像素会发光；1 为白。</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>线条</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>正在加载 {model}</translation>
    </message>
    <message>
        <source>Local contrast (CLAHE)</source>
        <translation>局部对比度 (CLAHE)</translation>
    </message>
    <message>
        <source>Longer side of what the network sees, where it takes any size: larger is finer and slower.</source>
        <translation>网络所见画面的长边（网络接受任意尺寸时）：越大越精细，也越慢。</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Luma that gets the coldest color.</source>
        <translation>取最冷颜色的亮度。</translation>
    </message>
    <message>
        <source>Luma that gets the hottest color.</source>
        <translation>取最热颜色的亮度。</translation>
    </message>
    <message>
        <source>MIT</source>
        <translation>MIT</translation>
    </message>
    <message>
        <source>MIT (its repository&apos;s)</source>
        <translation>MIT（其代码库的许可）</translation>
    </message>
    <message>
        <source>MNIST digits</source>
        <translation>MNIST 手写数字</translation>
    </message>
    <message>
        <source>Maps a range of input values to a range of output values with a gamma between; values outside are clipped.</source>
        <translation>把一段输入值映射到一段输出值，其间用伽马；范围外的值被截断。</translation>
    </message>
    <message>
        <source>Maps luma from one color in the shadows to another in the lights.</source>
        <translation>把亮度从暗部的一种颜色映射到亮部的另一种颜色。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>蒙版</translation>
    </message>
    <message>
        <source>Mean and deviation are from the metadata.</source>
        <translation>均值和标准差来自元数据。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中值</translation>
    </message>
    <message>
        <source>Metrics need the package prometheus-client, which is not installed: {command}.</source>
        <translation>指标需要 prometheus-client 包，但它尚未安装：{command}。</translation>
    </message>
    <message>
        <source>Middle of the bright area.</source>
        <translation>亮区的中心。</translation>
    </message>
    <message>
        <source>Midtones</source>
        <translation>中间调</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Mirrored pairs of slices around the point.</source>
        <translation>围绕该点的镜像扇区对数。</translation>
    </message>
    <message>
        <source>Mix of the picture and the equalized one; 0 changes nothing.</source>
        <translation>画面与均衡化画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the map.</source>
        <translation>画面与深度图的混合。</translation>
    </message>
    <message>
        <source>Mixes red, green and blue to one gray, as color filters before a black-and-white film do.</source>
        <translation>把红绿蓝混合成一种灰，如同黑白胶片前的滤色镜。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Mosaic, small</source>
        <translation>马赛克，小型</translation>
    </message>
    <message>
        <source>Most that a value may occur, as a multiple of an even histogram; a higher limit gives more contrast and more noise.</source>
        <translation>一个值出现次数的上限，以均匀直方图的倍数计；上限越高，对比度和噪点越多。</translation>
    </message>
    <message>
        <source>Motion trails</source>
        <translation>运动拖尾</translation>
    </message>
    <message>
        <source>Moving waves, as of water: straight ones that shear the picture, or rings around a point.</source>
        <translation>如水面的运动波纹：使画面错切的直波，或围绕一点的圆环。</translation>
    </message>
    <message>
        <source>Names 1,000 kinds of things; small and quick, computed in half precision.</source>
        <translation>识别 1000 类物体；小而快，以半精度计算。</translation>
    </message>
    <message>
        <source>Names what it sees: the 1,000 classes of ImageNet.</source>
        <translation>说出所见之物：ImageNet 的 1000 个类别。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Networks by gRPC need the package tritonclient, which is not installed: {command}; or use http://.</source>
        <translation>通过 gRPC 的网络需要软件包 tritonclient，但它尚未安装：{command}；或使用 http://。</translation>
    </message>
    <message>
        <source>Night city</source>
        <translation>夜色城市</translation>
    </message>
    <message>
        <source>No GPU adapter can be used; their drivers could not create what is needed ({each}); update them, or install another one.</source>
        <translation>没有可用的 GPU 适配器；其驱动程序无法创建所需的对象（{each}）；请更新驱动程序，或安装其他驱动程序。</translation>
    </message>
    <message>
        <source>No GPU adapter is called &apos;{name}&apos;; this machine has: {names}.</source>
        <translation>没有名为 &apos;{name}&apos; 的图形适配器；本机有：{names}。</translation>
    </message>
    <message>
        <source>No GPU adapter was found; install a Vulkan driver (on Debian and Ubuntu: apt install mesa-vulkan-drivers) and start Lightloom again.</source>
        <translation>没有找到图形适配器；请安装 Vulkan 驱动程序（Debian 和 Ubuntu：apt install mesa-vulkan-drivers），然后重新启动 Lightloom。</translation>
    </message>
    <message>
        <source>No camera is connected: plug one in.</source>
        <translation>没有连接摄像头：请接入一个。</translation>
    </message>
    <message>
        <source>No decoder here reads the image in {name}: convert it.</source>
        <translation>此处没有解码器能读取 {name} 中的图像：请转换它。</translation>
    </message>
    <message>
        <source>No decoder here reads the video in {name}; convert it to H.264 first.</source>
        <translation>此处没有解码器能读取 {name} 中的视频；请先转换为 H.264。</translation>
    </message>
    <message>
        <source>No display can be opened; start Lightloom from a desktop session, or use &apos;lightloom process&apos;, which needs none.</source>
        <translation>无法打开显示；请在桌面会话中启动 Lightloom，或使用不需要显示的 &apos;lightloom process&apos;。</translation>
    </message>
    <message>
        <source>No face is shown: the image scores {score}, less than the minimum score.</source>
        <translation>没有显示人脸：画面得分 {score}，低于最低分数。</translation>
    </message>
    <message>
        <source>No model states its crop; the customary center crop of {crop_fraction} is assumed.</source>
        <translation>模型没有说明裁剪方式；假定采用常用的居中裁剪 {crop_fraction}。</translation>
    </message>
    <message>
        <source>No frame in {name} can be decoded; try another copy of it.</source>
        <translation>{name} 中没有可解码的画面；请尝试另一份副本。</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这样的文件或文件夹</translation>
    </message>
    <message>
        <source>None of {pictures} in {name} opens: {first}</source>
        <translation>{name} 中的 {pictures} 都无法打开：{first}</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>这不是文件夹</translation>
    </message>
    <message>
        <source>Not supported: {what}; use the onnxruntime backend.</source>
        <translation>不支持：{what}；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Nothing in the file says the input&apos;s range</source>
        <translation>文件中没有说明输入的取值范围</translation>
    </message>
    <message>
        <source>Nothing in the file says the input&apos;s range.</source>
        <translation>文件中没有说明输入的取值范围。</translation>
    </message>
    <message>
        <source>Nothing says the color order; RGB is assumed.</source>
        <translation>没有说明颜色顺序；假定为 RGB。</translation>
    </message>
    <message>
        <source>Nothing says the range of the gray values; 0..1 is assumed.</source>
        <translation>没有说明灰度值的取值范围；假定为 0..1。</translation>
    </message>
    <message>
        <source>Nothing says the range; ImageNet&apos;s mean and deviation are assumed.</source>
        <translation>没有说明取值范围；假定采用 ImageNet 的均值和标准差。</translation>
    </message>
    <message>
        <source>The file does not state the range; mean 0.5 and deviation 0.5 (small images) are assumed.</source>
        <translation>没有说明取值范围；假定均值为 0.5、标准差为 0.5（小图像）。</translation>
    </message>
    <message>
        <source>Nothing tells whether the boxes are pixels or shares of the input; pixels are assumed.</source>
        <translation>没有说明框的坐标是像素还是占输入的比例；假定为像素。</translation>
    </message>
    <message>
        <source>Nothing was recorded: no frame came while the recording ran; record while the source plays.</source>
        <translation>没有录到任何内容：录制期间没有画面到来；请在来源播放时录制。</translation>
    </message>
    <message numerus="yes">
        <source>Of %n audio tracks only this one is copied: {name}.</source>
        <translation>
            <numerusform>%n 条音轨中只保留这一条：{name}。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of {count} outputs that cover the image, &apos;{output}&apos; is taken.</source>
        <translation>在覆盖画面的 {count} 个输出中，采用 &apos;{output}&apos;。</translation>
    </message>
    <message>
        <source>Oil paint</source>
        <translation>油画</translation>
    </message>
    <message>
        <source>Oil strokes</source>
        <translation>油画笔触</translation>
    </message>
    <message>
        <source>Old television</source>
        <translation>老电视</translation>
    </message>
    <message>
        <source>One EV doubles the light.</source>
        <translation>一个 EV 使光加倍。</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>操作不被允许</translation>
    </message>
    <message>
        <source>Output black</source>
        <translation>输出黑点</translation>
    </message>
    <message>
        <source>Output range</source>
        <translation>输出范围</translation>
    </message>
    <message>
        <source>Output value of black (0).</source>
        <translation>黑 (0) 的输出值。</translation>
    </message>
    <message>
        <source>Output value of bright tones (0.75).</source>
        <translation>亮调 (0.75) 的输出值。</translation>
    </message>
    <message>
        <source>Output value of dark tones (0.25).</source>
        <translation>暗调 (0.25) 的输出值。</translation>
    </message>
    <message>
        <source>Output value of middle tones (0.5).</source>
        <translation>中间调 (0.5) 的输出值。</translation>
    </message>
    <message>
        <source>Output value of white (1).</source>
        <translation>白 (1) 的输出值。</translation>
    </message>
    <message>
        <source>Output white</source>
        <translation>输出白点</translation>
    </message>
    <message>
        <source>Own color</source>
        <translation>自身颜色</translation>
    </message>
    <message>
        <source>PASCAL VOC, 20 kinds of things and background</source>
        <translation>PASCAL VOC，20 类物体和背景</translation>
    </message>
    <message>
        <source>PNDM does not take networks that predict the image (prediction_type sample); choose another scheduler.</source>
        <translation>PNDM 不支持直接输出画面的网络（prediction_type sample）；请选择其他调度器。</translation>
    </message>
    <message>
        <source>PNDM&apos;s Runge-Kutta steps do not run here; set skip_prk_steps to true in scheduler_config.json or choose another scheduler.</source>
        <translation>此处不支持 PNDM 的龙格-库塔步；请在 scheduler_config.json 中将 skip_prk_steps 设为 true，或选择其他调度器。</translation>
    </message>
    <message>
        <source>Paints the picture as a mosaic.</source>
        <translation>把画面绘成马赛克。</translation>
    </message>
    <message>
        <source>Paints the picture in the style of sweets.</source>
        <translation>以糖果风格绘制画面。</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>调色板</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>纸张</translation>
    </message>
    <message>
        <source>Pen hatching over blue and brown washes on paper.</source>
        <translation>纸上蓝褐色淡彩加钢笔排线。</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Person mask</source>
        <translation>人物蒙版</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>画面</translation>
    </message>
    <message>
        <source>Images of a playlist stay</source>
        <translation>播放列表图片停留时间</translation>
    </message>
    <message>
        <source>&amp;Find scene cuts</source>
        <translation>查找镜头切换(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New effect</source>
        <translation>新效果(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next cut</source>
        <translation>下一个镜头切换(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous cut</source>
        <translation>上一个镜头切换(&amp;P)</translation>
    </message>
    <message>
        <source>&apos;#define&apos; names no macro; write a name after it</source>
        <translation>“#define”没有给出宏名；请在其后写上名称</translation>
    </message>
    <message>
        <source>&apos;#if&apos; has no condition; write one</source>
        <translation>“#if”没有条件；请写上条件</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; cannot be translated; remove it</source>
        <translation>“#{name}”无法转换；请删除</translation>
    </message>
    <message>
        <source>&apos;#{name}&apos; has no &apos;#if&apos;; remove it</source>
        <translation>“#{name}”没有对应的“#if”；请删除</translation>
    </message>
    <message>
        <source>&apos;inputs&apos; takes {inputs}, each once</source>
        <translation>“inputs”只接受 {inputs}，每个一次</translation>
    </message>
    <message>
        <source>&apos;layer&apos; is not written as [[layer]] and was left out.</source>
        <translation>&apos;layer&apos; 没有写成 [[layer]]，已忽略。</translation>
    </message>
    <message>
        <source>&apos;low&apos; and &apos;high&apos; have no effect on &apos;{source}&apos;, which has values of the parameter itself; leave them out.</source>
        <translation>&apos;low&apos; 和 &apos;high&apos; 对 &apos;{source}&apos; 不起作用，它有参数自身的值；请去掉它们。</translation>
    </message>
    <message>
        <source>&apos;switch&apos; takes an integer; convert the value by int()</source>
        <translation>“switch”需要整数；请用 int() 转换该值</translation>
    </message>
    <message>
        <source>&apos;values&apos; of a layer is no table, or &apos;enabled&apos; neither true nor false; correct that.</source>
        <translation>图层的 &apos;values&apos; 不是表，或 &apos;enabled&apos; 既非 true 也非 false；请更正。</translation>
    </message>
    <message>
        <source>&apos;values&apos; of an automation is no table, or &apos;enabled&apos; neither true nor false; correct that.</source>
        <translation>自动化的 &apos;values&apos; 不是表，或 &apos;enabled&apos; 既不是 true 也不是 false；请更正。</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; of a layer reads the audio or objects of the main video; put it into the main chain.</source>
        <translation>图层的“{filter}”读取主视频的音频或对象；请将其放入主滤镜链。</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; reads the audio of a video file, and there is none; remove that filter.</source>
        <translation>“{filter}”读取视频文件的音频，但没有音频；请移除该滤镜。</translation>
    </message>
    <message>
        <source>&apos;{filter}&apos; reads what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>“{filter}”读取分析网络的结果，但没有分析网络；请选择一个（--model）。</translation>
    </message>
    <message>
        <source>&apos;{item}&apos; in {text} is not of the form key=value.</source>
        <translation>{text} 中的 &apos;{item}&apos; 不是 key=value 的形式。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; has more than {most} entries</source>
        <translation>“{key}”的条目超过 {most} 个</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a list of tables</source>
        <translation>“{key}”不是表的列表</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of an input is not a number</source>
        <translation>某个输入的“{key}”不是数字</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the buffer &apos;{name}&apos; is not a number</source>
        <translation>缓冲区“{name}”的“{key}”不是数字</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the layer {text} is not known; there are: {names}.</source>
        <translation>图层 {text} 的 &apos;{key}&apos; 未知；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the place {text} is not known; there are: {names}.</source>
        <translation>位置 {text} 的 &apos;{key}&apos; 未知；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; stands twice in {text}; give it once.</source>
        <translation>{text} 中 &apos;{key}&apos; 出现了两次；请只写一次。</translation>
    </message>
    <message>
        <source>&apos;{license}&apos; is not a license that can be written; choose one of {licenses}.</source>
        <translation>“{license}”不是可写入的许可证；请从 {licenses} 中选择。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has a type that a variable cannot have; give it another</source>
        <translation>“{name}”的类型不能用于变量；请换用其他类型</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; has another number of members; give a value for each</source>
        <translation>“{name}”的成员数量不同；请为每个成员给出值</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is an image; read it with a function</source>
        <translation>“{name}”是图像；请用函数读取</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is an input or a constant and is assigned; assign to a copy</source>
        <translation>“{name}”是输入或常量却被赋值；请对副本赋值</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is declared nowhere; correct the name</source>
        <translation>“{name}”未声明；请更正名称</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is defined twice; rename one</source>
        <translation>“{name}”定义了两次；请重命名其中一个</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no setting of {owner}; there are: {names}.</source>
        <translation>&apos;{name}&apos; 不是{owner}的设置；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is no variable of a text; there are: {names}. A brace itself is written twice.</source>
        <translation>&apos;{name}&apos; 不是文字的变量；可用的有：{names}。大括号本身需写两次。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a name</source>
        <translation>“{name}”不是有效名称</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a name for a package; use lower-case words with &apos;-&apos; between them, such as lightloom-glow.</source>
        <translation>“{name}”不是软件包名称；请使用以“-”连接的小写单词，例如 lightloom-glow。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a type that is translated; use another</source>
        <translation>“{name}”不是可转换的类型；请换用其他类型</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not a type; correct the name</source>
        <translation>“{name}”不是类型；请更正名称</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not how that variable of a text is written; there are: {names}.</source>
        <translation>该文字变量不能写成 &apos;{name}&apos;；可用的有：{names}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is not translated; leave it out</source>
        <translation>“{name}”不会被转换；请去掉</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of {owner} is {value}; give {allowed}.</source>
        <translation>{owner}的 &apos;{name}&apos; 是 {value}；请给出 {allowed}。</translation>
    </message>
    <message>
        <source>&apos;{op}&apos; between {left} and {right} is not translated; convert one of them</source>
        <translation>{left} 与 {right} 之间的“{op}”不会被转换；请转换其中一个</translation>
    </message>
    <message>
        <source>&apos;{op}&apos; is before something other than a number; correct it</source>
        <translation>“{op}”后面不是数字；请更正</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no controller; give one such as midi/1/note/36, midi/1/control/64 or osc/next.</source>
        <translation>&apos;{text}&apos; 不是控制器；请输入如 midi/1/note/36、midi/1/control/64 或 osc/next。</translation>
    </message>
    <message>
        <source>&apos;{wanted}&apos; is missing before &apos;{found}&apos;; correct it</source>
        <translation>“{found}”之前缺少“{wanted}”；请更正</translation>
    </message>
    <message>
        <source>&apos;~&apos; is for integers only; convert the value</source>
        <translation>“~”仅用于整数；请转换该值</translation>
    </message>
    <message>
        <source>A file or folder, &apos;sample:&apos;, &apos;camera:&apos; and its name, or an address.</source>
        <translation>文件或文件夹、&apos;sample:&apos;、&apos;camera:&apos; 加名称，或地址。</translation>
    </message>
    <message>
        <source>A layer has no kind; give one, such as text.</source>
        <translation>图层没有种类；请给出一个，例如 text。</translation>
    </message>
    <message>
        <source>A text, with variables such as {{timecode}} and {{count}}.</source>
        <translation>文字，可含 {{timecode}} 和 {{count}} 等变量。</translation>
    </message>
    <message>
        <source>A video, a camera, an address or a folder of images.</source>
        <translation>视频、摄像头、地址或图像文件夹。</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Allow remote control</source>
        <translation>允许远程控制</translation>
    </message>
    <message>
        <source>Also says which edge of the text the position is of.</source>
        <translation>同时决定位置指的是文字的哪一边。</translation>
    </message>
    <message>
        <source>An .onnx file that tells classes of pixels apart, or the bundled person mask.</source>
        <translation>区分像素类别的 .onnx 文件，或随附的人物蒙版网络。</translation>
    </message>
    <message>
        <source>An effect follows the audio, which only a video file has; {title} is none. Choose an audio input for automations in the preferences.</source>
        <translation>有效果跟随音频，而只有视频文件才有音频；{title} 不是。请在首选项中选择用于自动化的音频输入。</translation>
    </message>
    <message>
        <source>Another program has the global shortcut {key}; choose another one, or end that program.</source>
        <translation>其他程序占用了全局热键 {key}；请选择其他热键，或结束该程序。</translation>
    </message>
    <message>
        <source>Audio input for automations</source>
        <translation>用于自动化的音频输入</translation>
    </message>
    <message>
        <source>Finds people, to blur, dim or replace what is behind them.</source>
        <translation>找到人物，以模糊、压暗或替换其背后的内容。</translation>
    </message>
    <message>
        <source>Follows the audio of the video or of an audio input: how loud it is, a frequency band, onsets or beats.</source>
        <translation>跟随视频或音频输入的声音：响度、频段、起音或节拍。</translation>
    </message>
    <message>
        <source>Global shortcuts do not work in a Wayland session; have a shortcut of the desktop run curl with a request of remote control instead.</source>
        <translation>全局热键在 Wayland 会话中无效；请改为让桌面的快捷键运行 curl 发送远程控制请求。</translation>
    </message>
    <message>
        <source>Global shortcuts need libxcb, which cannot be loaded; install the package libxcb1.</source>
        <translation>全局热键需要 libxcb，但无法加载；请安装 libxcb1 包。</translation>
    </message>
    <message>
        <source>It has more than {limit} tokens, macros expanded; shorten it.</source>
        <translation>展开宏后超过 {limit} 个记号；请缩短。</translation>
    </message>
    <message>
        <source>It has {count} tokens; {max_tokens} is most.</source>
        <translation>它有 {count} 个记号；最多 {max_tokens} 个。</translation>
    </message>
    <message>
        <source>Nothing reads the access log any more; start its reader again.</source>
        <translation>已没有程序读取访问日志；请重新启动读取它的程序。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Other users of this computer could read the code of remote control in {path}; make a new code if they must not have it.</source>
        <translation>本机的其他用户曾能读取 {path} 中的远程控制代码；如不应让其知晓，请生成新代码。</translation>
    </message>
    <message>
        <source>Pictures that are averaged; long streaks need more to be smooth.</source>
        <translation>参与平均的画面数；长条纹需要更多才能平滑。</translation>
    </message>
    <message>
        <source>Pixelate</source>
        <translation>像素化</translation>
    </message>
    <message>
        <source>Playback speed {factor:g} is not possible: give a factor from {slowest} to {fastest:g}.</source>
        <translation>播放速度 {factor:g} 不可用：请给出 {slowest} 到 {fastest:g} 之间的倍数。</translation>
    </message>
    <message>
        <source>Posterize</source>
        <translation>色调分离</translation>
    </message>
    <message>
        <source>Preprocessing &apos;crop&apos; is {crop}; give a fraction from 0.01 to 1.</source>
        <translation>预处理的 &apos;crop&apos; 为 {crop}；请给出 0.01 到 1 之间的比例。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;pad&apos; is {pad}; give a level from 0 to 1.</source>
        <translation>预处理的 &apos;pad&apos; 为 {pad}；请给出 0 到 1 之间的值。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;std&apos; has a zero; give numbers other than 0.</source>
        <translation>预处理的 &apos;std&apos; 含有零；请给出不为 0 的数。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; does not take {value}.</source>
        <translation>预处理的 &apos;{name}&apos; 不接受 {value}。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {list}; give {channels} finite numbers.</source>
        <translation>预处理的 &apos;{name}&apos; 为 {list}；请给出 {channels} 个有限的数。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {value}; choose one of {allowed}.</source>
        <translation>预处理的 &apos;{name}&apos; 为 {value}；请选择 {allowed} 之一。</translation>
    </message>
    <message>
        <source>Preprocessing &apos;{name}&apos; is {value}; give 1 to {largest} pixels.</source>
        <translation>预处理的 &apos;{name}&apos; 为 {value}；请给出 1 到 {largest} 像素。</translation>
    </message>
    <message>
        <source>Prints the picture as a screen of dots whose area gives the tone, in one ink or in cyan, magenta, yellow and black.</source>
        <translation>把画面印成网点，以网点面积表现色调，用一种油墨或青、品红、黄、黑四色。</translation>
    </message>
    <message>
        <source>Probability from which on a pixel belongs to the person.</source>
        <translation>达到此概率的像素属于人物。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts need the package tokenizers, which is not installed: {command}.</source>
        <translation>提示词需要 tokenizers 包，但它尚未安装：{command}。</translation>
    </message>
    <message>
        <source>Put a color behind, make it transparent, or show the matte.</source>
        <translation>在背后放一种颜色、使其透明，或显示遮罩。</translation>
    </message>
    <message>
        <source>PyTorch is not installed: {command}.</source>
        <translation>未安装 PyTorch：{command}。</translation>
    </message>
    <message>
        <source>RGB</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>Radial coefficient, with the corner at radius 1: above zero bulges like a barrel, below zero pulls in like a pincushion.</source>
        <translation>径向系数，角处半径为 1：大于零如桶形鼓起，小于零如枕形收缩。</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>半径</translation>
    </message>
    <message>
        <source>Ray is not installed ({reason}): {command}.</source>
        <translation>未安装 Ray（{reason}）：{command}。</translation>
    </message>
    <message>
        <source>Reach of that light; its standard deviation is half of it.</source>
        <translation>该光的范围；标准差为其一半。</translation>
    </message>
    <message>
        <source>Reach of the blur where it is strongest; its standard deviation is half of it.</source>
        <translation>最强处模糊的范围；标准差为其一半。</translation>
    </message>
    <message>
        <source>Reach of the kernel; its standard deviation is half of it.</source>
        <translation>卷积核的范围；标准差为其一半。</translation>
    </message>
    <message>
        <source>Reach of the round window; 0 changes nothing.</source>
        <translation>圆形窗口的范围；0 不作改变。</translation>
    </message>
    <message>
        <source>Reach of the smoothing, which is done twice.</source>
        <translation>平滑的范围；平滑进行两次。</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统为只读</translation>
    </message>
    <message>
        <source>Reads one handwritten digit, light on dark.</source>
        <translation>读出一个手写数字，深底浅字。</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红</translation>
    </message>
    <message>
        <source>Reduces the picture to a few colors with an ordered 8 x 8 pattern, as old displays and printers did.</source>
        <translation>用有序的 8 x 8 图案把画面减少到几种颜色，如同旧显示器和打印机。</translation>
    </message>
    <message>
        <source>Repaints the picture out of noise in a few steps, with a network that takes noise out of pictures, or by a prompt with a folder of Stable Diffusion.</source>
        <translation>用去噪网络在几步之内从噪声重绘画面，或用 Stable Diffusion 文件夹按提示词重绘。</translation>
    </message>
    <message>
        <source>Repaints the picture with a neural network: a style, or any network that turns a picture into a picture.</source>
        <translation>用神经网络重绘画面：一种风格，或任何把画面变成画面的网络。</translation>
    </message>
    <message>
        <source>Repeats one slice of the picture around a point, every other one mirrored.</source>
        <translation>围绕一点重复画面的一个扇区，每隔一个作镜像。</translation>
    </message>
    <message>
        <source>Replaces every block by its mean color.</source>
        <translation>把每个块换成其平均颜色。</translation>
    </message>
    <message>
        <source>Restore the last session</source>
        <translation>恢复上次会话</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Rings around the center, or straight waves.</source>
        <translation>围绕中心的圆环，或直波。</translation>
    </message>
    <message>
        <source>Ripple</source>
        <translation>波纹</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>SCI</source>
        <translation>SCI</translation>
    </message>
    <message>
        <source>SMPTE ST 2085 is read as the default matrix</source>
        <translation>SMPTE ST 2085 按默认矩阵读取</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样数</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>饱和度</translation>
    </message>
    <message>
        <source>Scales the distance of each color from the gray of its luma; vibrance does so most where there is little color.</source>
        <translation>按比例改变每种颜色与其亮度灰的距离；自然饱和度在颜色少处作用最大。</translation>
    </message>
    <message>
        <source>Second coefficient (fourth power of the radius), which acts on the corners.</source>
        <translation>第二系数（半径的四次方），作用于四角。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Segmentation</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>扇区数</translation>
    </message>
    <message>
        <source>Selfie segmentation</source>
        <translation>自拍分割</translation>
    </message>
    <message>
        <source>Separate grain for red, green and blue.</source>
        <translation>红绿蓝各用独立的颗粒。</translation>
    </message>
    <message>
        <source>Sepia</source>
        <translation>棕褐色</translation>
    </message>
    <message>
        <source>Set by {origin}: {names}.</source>
        <translation>由 {origin} 设定：{names}。</translation>
    </message>
    <message>
        <source>Shadows</source>
        <translation>阴影</translation>
    </message>
    <message>
        <source>Shadows and highlights</source>
        <translation>阴影与高光</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shape of a dot.</source>
        <translation>网点的形状。</translation>
    </message>
    <message>
        <source>Share of blue in the gray.</source>
        <translation>蓝在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of green in the gray.</source>
        <translation>绿在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of red in the gray.</source>
        <translation>红在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of the frame before that comes back; 0 switches it off.</source>
        <translation>上一帧返回的比例；0 关闭此效果。</translation>
    </message>
    <message>
        <source>Share of the gray in a color that is printed in black ink instead of cyan, magenta and yellow.</source>
        <translation>颜色中的灰以黑墨代替青、品红、黄印出的比例。</translation>
    </message>
    <message>
        <source>Share of the light that goes on to the next wider level.</source>
        <translation>传到下一更宽层的光的比例。</translation>
    </message>
    <message>
        <source>Share of the past in a still pixel; 0 switches it off, 0.9 averages about 19 frames.</source>
        <translation>静止像素中过去画面的比例；0 关闭，0.9 约平均 19 帧。</translation>
    </message>
    <message>
        <source>Share of the rows of blocks that are displaced; 0 leaves them in place.</source>
        <translation>发生位移的块行比例；0 保持原位。</translation>
    </message>
    <message>
        <source>Share of the screen&apos;s hue that is taken from what stays.</source>
        <translation>从保留部分去除的幕布色相比例。</translation>
    </message>
    <message>
        <source>Share of the trail that is left after one frame.</source>
        <translation>一帧之后拖尾剩余的比例。</translation>
    </message>
    <message>
        <source>Sharpen</source>
        <translation>锐化</translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation>锐度</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Shift of hue from frame to frame.</source>
        <translation>逐帧的色相偏移。</translation>
    </message>
    <message>
        <source>Shift of red outwards and of blue inwards in the corners; it is in proportion to the distance from the center.</source>
        <translation>四角处红向外、蓝向内的偏移；与到中心的距离成正比。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show as subtitles</source>
        <translation>作为字幕显示</translation>
    </message>
    <message>
        <source>Show the map in colors, or blur what is out of focus.</source>
        <translation>用颜色显示深度图，或模糊焦外部分。</translation>
    </message>
    <message>
        <source>Shows how steeply luma changes (3 x 3 Sobel operator).</source>
        <translation>显示亮度变化的陡峭程度（3 x 3 Sobel 算子）。</translation>
    </message>
    <message>
        <source>Shows luma in the false colors of a thermal camera.</source>
        <translation>以热像仪的伪彩色显示亮度。</translation>
    </message>
    <message>
        <source>Shows the classes that a neural network finds in the picture, each in a color of its own.</source>
        <translation>显示神经网络在画面中找到的类别，每类一种颜色。</translation>
    </message>
    <message>
        <source>Shows what changed since the frame before.</source>
        <translation>显示自上一帧以来的变化。</translation>
    </message>
    <message>
        <source>Shuffle playlists</source>
        <translation>随机播放列表</translation>
    </message>
    <message>
        <source>Side of a block.</source>
        <translation>块的边长。</translation>
    </message>
    <message>
        <source>Side of a character&apos;s dots; a character is 6 dots wide and 8 high.</source>
        <translation>字符点的边长；一个字符宽 6 点、高 8 点。</translation>
    </message>
    <message>
        <source>Side of a dot; the picture is reduced to dots of this size.</source>
        <translation>点的边长；画面缩减为此大小的点。</translation>
    </message>
    <message>
        <source>Side of the four windows around a pixel, less one.</source>
        <translation>像素周围四个窗口的边长减一。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Size of the change, change around gray, white where it passes the threshold, or the picture dimmed where nothing moves.</source>
        <translation>变化的大小、围绕灰的变化、超过阈值处显示白，或把静止处压暗的画面。</translation>
    </message>
    <message>
        <source>Size of the neighborhood in pixels.</source>
        <translation>以像素计的邻域大小。</translation>
    </message>
    <message>
        <source>Skeleton</source>
        <translation>骨架</translation>
    </message>
    <message>
        <source>Skip similar</source>
        <translation>跳过相似画面</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>扇区</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Smoothness</source>
        <translation>平滑度</translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges with a guided filter; its cost does not grow with the radius.</source>
        <translation>用引导滤波平滑表面并保留边缘；耗时不随半径增长。</translation>
    </message>
    <message>
        <source>Smooths surfaces and keeps edges: a mean of near pixels of like color.</source>
        <translation>平滑表面并保留边缘：颜色相近的邻近像素的平均。</translation>
    </message>
    <message>
        <source>Smooths surfaces while keeping edges, reduces the tones to a few steps and draws dark lines along the edges.</source>
        <translation>平滑表面并保留边缘，把色调减少到几级，并沿边缘画暗线。</translation>
    </message>
    <message>
        <source>Smooths with a Gaussian kernel, rows first, then columns.</source>
        <translation>用高斯核平滑，先行后列。</translation>
    </message>
    <message>
        <source>Sobel edges</source>
        <translation>Sobel 边缘</translation>
    </message>
    <message>
        <source>Softness</source>
        <translation>柔和度</translation>
    </message>
    <message>
        <source>Softness of the border: half the range of probability over which the person fades.</source>
        <translation>边界的柔和度：人物渐隐的概率范围的一半。</translation>
    </message>
    <message>
        <source>Softness of the threshold, as a share of it.</source>
        <translation>阈值的柔和度，以其比例计。</translation>
    </message>
    <message>
        <source>Something went wrong inside Lightloom ({error}); the log file has the details.</source>
        <translation>Lightloom 内部出错 ({error})；详情见日志文件。</translation>
    </message>
    <message>
        <source>Source, chain, network and zones come back when Lightloom is started without a file. After a crash it asks first.</source>
        <translation>不带文件启动 Lightloom 时，恢复来源、滤镜链、网络和区域。崩溃之后会先询问。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Spill</source>
        <translation>溢色</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分离</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>扩散</translation>
    </message>
    <message>
        <source>Spreads the luma of the whole picture evenly from black to white (histogram equalization).</source>
        <translation>把整个画面的亮度从黑到白均匀展开（直方图均衡化）。</translation>
    </message>
    <message>
        <source>SqueezeNet</source>
        <translation>SqueezeNet</translation>
    </message>
    <message>
        <source>Standard deviation of the blur before the search; more finds fewer, larger outlines.</source>
        <translation>搜索前模糊的标准差；越大找到的轮廓越少越大。</translation>
    </message>
    <message>
        <source>Standard deviation of the blur that tells surroundings from detail.</source>
        <translation>区分周围与细节的模糊的标准差。</translation>
    </message>
    <message>
        <source>Standard deviation of the blur.</source>
        <translation>模糊的标准差。</translation>
    </message>
    <message>
        <source>Standard deviation of the blurred copy: the size of the detail that is sharpened.</source>
        <translation>模糊副本的标准差：被锐化细节的大小。</translation>
    </message>
    <message>
        <source>Standard deviation of the grain in middle gray; dark and bright parts get less.</source>
        <translation>中灰处颗粒的标准差；暗部和亮部较少。</translation>
    </message>
    <message>
        <source>Standard deviation of the weight for color, over the sum of the differences of the three channels.</source>
        <translation>颜色权重的标准差，按三通道差值之和计。</translation>
    </message>
    <message>
        <source>Standard deviation of the weight for distance.</source>
        <translation>距离权重的标准差。</translation>
    </message>
    <message>
        <source>Standard deviation within the window that still counts as texture and is smoothed; more is an edge and stays.</source>
        <translation>窗口内标准差不超过此值仍视为纹理并被平滑；更大则为边缘并保留。</translation>
    </message>
    <message>
        <source>Steepness that begins an edge, in the same measure; below the low threshold it counts as that.</source>
        <translation>开始一条边缘的陡度，单位相同；低于低阈值时按低阈值计。</translation>
    </message>
    <message>
        <source>Steepness that continues an edge: length of the 3 x 3 Sobel gradient of luma from 0 to 255.</source>
        <translation>延续一条边缘的陡度：0 到 255 亮度的 3 x 3 Sobel 梯度长度。</translation>
    </message>
    <message>
        <source>Steps of each channel.</source>
        <translation>每个通道的级数。</translation>
    </message>
    <message>
        <source>Steps of each primary, of luma, or from one color to another.</source>
        <translation>每种原色、亮度或从一种颜色到另一种颜色的级数。</translation>
    </message>
    <message>
        <source>Steps of luma.</source>
        <translation>亮度的级数。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>挡数</translation>
    </message>
    <message>
        <source>Streaks towards a point, as from zooming during the exposure.</source>
        <translation>朝向一点的条纹，如同曝光时变焦。</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Strength of the colors; 1 keeps them.</source>
        <translation>颜色的强度；1 保持不变。</translation>
    </message>
    <message>
        <source>Strength of the light around the lines.</source>
        <translation>线条周围光的强度。</translation>
    </message>
    <message>
        <source>Strength of the lines between classes.</source>
        <translation>类别之间线条的强度。</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>风格</translation>
    </message>
    <message>
        <source>Stylize</source>
        <translation>风格化</translation>
    </message>
    <message>
        <source>Swirl</source>
        <translation>旋涡</translation>
    </message>
    <message>
        <source>TCMonoDepth, small</source>
        <translation>TCMonoDepth，小型</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>色表</translation>
    </message>
    <message>
        <source>Take large values for far.</source>
        <translation>数值大表示远。</translation>
    </message>
    <message>
        <source>Takes out a green or blue screen by its distance in chroma, and its cast from what stays.</source>
        <translation>按色度距离去除绿幕或蓝幕，并去除其留下的偏色。</translation>
    </message>
    <message>
        <source>Tells the person before the camera from the background.</source>
        <translation>区分镜头前的人物与背景。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>色温</translation>
    </message>
    <message>
        <source>Temporal denoise</source>
        <translation>时间降噪</translation>
    </message>
    <message>
        <source>TensorFlow Lite&apos;s operator for detections at its end</source>
        <translation>末端为 TensorFlow Lite 的检测算子</translation>
    </message>
    <message>
        <source>The GPU has not answered for {wait_seconds:.0f} s; it or its driver has stopped.</source>
        <translation>GPU 已有 {wait_seconds:.0f} 秒没有响应；它或其驱动程序已停止工作。</translation>
    </message>
    <message>
        <source>The GPU has not enough memory for a frame of {width} x {height} pixels; choose a smaller one.</source>
        <translation>GPU 内存不足以处理 {width} x {height} 像素的画面；请选择较小的画面。</translation>
    </message>
    <message>
        <source>The GPU refused to draw the frame: {reason}.</source>
        <translation>GPU 拒绝绘制画面：{reason}。</translation>
    </message>
    <message>
        <source>The GPU was lost {max_losses} times within {loss_seconds:.0f} s; switch off the filter or network that overloads it, or update its driver, and start Lightloom again.</source>
        <translation>GPU 在 {loss_seconds:.0f} 秒内丢失了 {max_losses} 次；请关闭使其过载的滤镜或网络，或更新其驱动程序，然后重新启动 Lightloom。</translation>
    </message>
    <message>
        <source>The GPU {name} stopped working; its driver was reset or it was unplugged.</source>
        <translation>GPU {name} 停止工作；其驱动程序被重置，或者它已被拔出。</translation>
    </message>
    <message>
        <source>The X display cannot be opened for global shortcuts; start Lightloom from a desktop.</source>
        <translation>无法为全局热键打开 X 显示；请从桌面启动 Lightloom。</translation>
    </message>
    <message>
        <source>The X display has ended the global shortcuts; start Lightloom again to use them.</source>
        <translation>X 显示已终止全局热键；请重新启动 Lightloom 以使用。</translation>
    </message>
    <message numerus="yes">
        <source>The actions of its %n events are switched off; switch them on once you have checked these actions.</source>
        <translation>
            <numerusform>其 %n 个事件的操作已关闭;请在检查这些操作后再打开。</numerusform>
        </translation>
    </message>
    <message>
        <source>The address {public_address} names no host: write it as {scheme}://host/path.</source>
        <translation>地址 {public_address} 没有主机名：请写成 {scheme}://host/path。</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded, so the slow motion has none; convert the file to keep it.</source>
        <translation>无法解码 {name} 的音频，因此慢动作没有音频；如需保留，请转换该文件。</translation>
    </message>
    <message>
        <source>The automation &apos;{text}&apos; is not of the form 1.radius=lfo(period=2); write it like that.</source>
        <translation>自动化 &apos;{text}&apos; 的格式不是 1.radius=lfo(period=2)；请这样写。</translation>
    </message>
    <message>
        <source>The automation &apos;{text}&apos; is of the effect {number}, and the chain has {count}; give another number.</source>
        <translation>自动化 &apos;{text}&apos; 针对效果 {number}，而链有 {count} 个；请给出另一个编号。</translation>
    </message>
    <message>
        <source>The automation of &apos;{name}&apos; has no source; give one, such as lfo.</source>
        <translation>&apos;{name}&apos; 的自动化没有来源；请给出一个，例如 lfo。</translation>
    </message>
    <message>
        <source>The backend wgpu was chosen, but there is no GPU device; choose onnxruntime.</source>
        <translation>选择了 wgpu 后端，但没有 GPU 设备；请选择 onnxruntime。</translation>
    </message>
    <message>
        <source>The backend {backend} does not compute in {precision}; choose the precision &apos;auto&apos; or another backend.</source>
        <translation>后端 {backend} 不支持以 {precision} 计算；请选择精度“auto”或其他后端。</translation>
    </message>
    <message>
        <source>The bundled person mask, or an .onnx file that gives a mask or classes of pixels.</source>
        <translation>随附的人物蒙版网络，或输出蒙版或像素类别的 .onnx 文件。</translation>
    </message>
    <message>
        <source>The bundled person mask, or an .onnx file that gives a mask.</source>
        <translation>随附的人物蒙版网络，或输出蒙版的 .onnx 文件。</translation>
    </message>
    <message>
        <source>The class &apos;{name}&apos; has an apostrophe before it in the file, so that a spreadsheet does not take it for a formula.</source>
        <translation>文件中类别“{name}”前加了撇号，以免电子表格把它当作公式。</translation>
    </message>
    <message>
        <source>The code is in the window of Lightloom: Edit, Remote control. It is kept until this tab is closed.</source>
        <translation>代码在 Lightloom 窗口中：编辑，远程控制。它会保留到此标签页关闭。</translation>
    </message>
    <message>
        <source>The code of remote control cannot be read from {path}: {reason}; delete the file, then a new code is made.</source>
        <translation>无法从 {path} 读取远程控制的代码：{reason}；请删除该文件，随后会生成新代码。</translation>
    </message>
    <message>
        <source>The code of remote control cannot be stored in {path}: {reason}; make the folder writable.</source>
        <translation>无法将远程控制的代码存入 {path}：{reason}；请使该文件夹可写。</translation>
    </message>
    <message>
        <source>The code of remote control in {path} was damaged, and there is a new one; give it to all clients.</source>
        <translation>{path} 中的远程控制代码已损坏，现已换新；请将新代码提供给所有客户端。</translation>
    </message>
    <message>
        <source>The default of &apos;{param}&apos; is a file, which the package would not have; make it empty.</source>
        <translation>“{param}”的默认值是一个文件，而软件包中不会包含它；请将其留空。</translation>
    </message>
    <message>
        <source>The driver of {info} could not create {what} ({reason}); update it, or choose another adapter (--adapter): {others}.</source>
        <translation>{info} 的驱动程序无法创建{what}（{reason}）；请更新它，或选择其他适配器（--adapter）：{others}。</translation>
    </message>
    <message>
        <source>The driver of {info}, the only adapter here, could not create {what} ({reason}); update it, or install another driver.</source>
        <translation>{info} 是此处唯一的适配器，其驱动程序无法创建{what}（{reason}）；请更新它，或安装其他驱动程序。</translation>
    </message>
    <message>
        <source>The driver of {refused} could not create {what} ({reason}), so {used} is used instead; update that driver, or choose an adapter.</source>
        <translation>{refused} 的驱动程序无法创建{what}（{reason}），因此改用 {used}；请更新该驱动程序，或选择适配器。</translation>
    </message>
    <message>
        <source>The effect is not there any more; add another one.</source>
        <translation>该效果已不存在；请添加另一个。</translation>
    </message>
    <message>
        <source>The file of {name} does not tell how its outputs are read, and a trial run took more than {seconds} seconds; choose the decoder and the units of the boxes (--decoder, --units).</source>
        <translation>{name} 的文件没有说明如何读取其输出，试运行又超过了 {seconds} 秒；请选择解码器和框的单位 (--decoder, --units)。</translation>
    </message>
    <message>
        <source>The filter of a layer {text} does not begin with the layer&apos;s number, as in 1=sepia; write it like that.</source>
        <translation>图层滤镜 {text} 没有以图层编号开头，如 1=sepia；请这样书写。</translation>
    </message>
    <message>
        <source>The filter {text} is of the layer {number}, and there are {count}; give another number.</source>
        <translation>滤镜 {text} 属于图层 {number}，而图层共有 {count} 个；请给出其他编号。</translation>
    </message>
    <message>
        <source>The green image of a light amplifier, which brightens dark places.</source>
        <translation>微光增强仪的绿色画面，能照亮暗处。</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is unknown and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>{file} 中的键“{name}”未知，已忽略；是否指“{near}”？</translation>
    </message>
    <message>
        <source>The layer &apos;{name}&apos; is not drawn. {message}</source>
        <translation>图层 &apos;{name}&apos; 未绘制。{message}</translation>
    </message>
    <message>
        <source>The layer was switched off, because the GPU refused it: {reason}; choose a smaller source.</source>
        <translation>图层已关闭，因为 GPU 拒绝了它：{reason}；请选择较小的来源。</translation>
    </message>
    <message>
        <source>The layer {number} has no file; give one.</source>
        <translation>图层 {number} 没有文件；请给出一个。</translation>
    </message>
    <message>
        <source>The layer {text} has no file; write {name}= and its name.</source>
        <translation>图层 {text} 没有文件；请写 {name}= 及其名称。</translation>
    </message>
    <message>
        <source>The layer&apos;s source has no frame; choose another file.</source>
        <translation>图层的来源没有任何画面；请选择其他文件。</translation>
    </message>
    <message>
        <source>The list of cuts can&apos;t be written to {path}: its ending names no format; choose one of {suffixes}.</source>
        <translation>无法将镜头切换列表写入 {path}：扩展名不对应任何格式；请选择 {suffixes} 之一。</translation>
    </message>
    <message>
        <source>The list of cuts can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>无法将镜头切换列表写入 {path}：{reason}；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The list of exports cannot be saved in {folder}: {reason}. Exports continue, but those that are not done when Lightloom closes are lost; free disk space, or make the folder writable.</source>
        <translation>无法将导出列表保存到 {folder}：{reason}。导出会继续，但 Lightloom 关闭时未完成的导出会丢失；请释放磁盘空间，或使该文件夹可写。</translation>
    </message>
    <message>
        <source>The list of exports is damaged or was written by a newer version, so that some exports are missing; add them again.</source>
        <translation>导出列表已损坏或由更新的版本写入，因此缺少部分导出；请重新添加。</translation>
    </message>
    <message>
        <source>The list of exports is damaged or was written by a newer version, so that some exports are missing; add them again. A copy of the list is {kept}.</source>
        <translation>导出列表已损坏或由更新的版本写入，因此缺少部分导出；请重新添加。列表的副本为 {kept}。</translation>
    </message>
    <message>
        <source>The look has a layer with the video {path}, which does not go into one file; save it as .toml, which names the video.</source>
        <translation>该风格有一个使用视频 {path} 的图层，无法放入单个文件；请另存为 .toml，其中会记录该视频的路径。</translation>
    </message>
    <message>
        <source>The look has layers, and the page cannot do that; remove them from it first.</source>
        <translation>该风格含有图层，而网页不支持；请先将其移除。</translation>
    </message>
    <message>
        <source>The look, counts, classes and events, to a port such as 9001, or HOST:PORT.</source>
        <translation>将风格预设、计数、类别和事件发送到端口（如 9001）或 HOST:PORT。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a range of brightness from {low} to {high}; exchange them.</source>
        <translation>&apos;{filter}&apos; 的蒙版的亮度范围是 {low} 到 {high}；请交换两者。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has no stroke; paint one.</source>
        <translation>&apos;{filter}&apos; 的蒙版没有笔画；请画一笔。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; of a layer uses what is found in the main image; choose another mask.</source>
        <translation>图层中 &apos;{filter}&apos; 的蒙版使用了在主画面中检测到的内容；请选择其他蒙版。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; reads an effect that does not stand before it; move one of them, or choose another.</source>
        <translation>&apos;{filter}&apos; 的蒙版读取的效果不在它之前；请移动其中一个，或选择另一个。</translation>
    </message>
    <message>
        <source>The message&apos;s address; it begins with a slash.</source>
        <translation>消息的地址；以斜杠开头。</translation>
    </message>
    <message>
        <source>The motion can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>无法将运动数据写入 {path}：{reason}；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The motion in {path} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>无法读取 {path} 中的运动数据：{reason}；请检查文件名和权限。</translation>
    </message>
    <message>
        <source>The motion of the frame at {seconds:.3f} s is not known: the motion is of another video, or of another part; read it again without a motion file.</source>
        <translation>{seconds:.3f} 秒处的帧没有运动数据：数据属于另一个视频或另一部分；请不使用运动文件重新读取。</translation>
    </message>
    <message>
        <source>The network returned NaN in {count} of {frames} frames, so objects may be missing; use fp32 (--precision fp32) or another network.</source>
        <translation>网络在 {frames} 帧中的 {count} 帧里返回了 NaN，因此可能缺少对象；请使用 fp32 (--precision fp32) 或其他网络。</translation>
    </message>
    <message>
        <source>The network returned NaN, so objects may be missing; use fp32 (--precision fp32) or another network.</source>
        <translation>网络返回了 NaN，因此可能缺少对象；请使用 fp32 (--precision fp32) 或其他网络。</translation>
    </message>
    <message>
        <source>The package {package} {version} offers the plug-in &apos;{name}&apos;, which is code and is not used so far.</source>
        <translation>软件包 {package} {version} 提供插件“{name}”，它是代码，目前尚未使用。</translation>
    </message>
    <message>
        <source>The image cannot be converted ({reason}); convert it to yuv420p.</source>
        <translation>无法转换画面（{reason}）；请将其转换为 yuv420p。</translation>
    </message>
    <message>
        <source>The plug-in &apos;{name}&apos; is left out: {why}</source>
        <translation>已略去插件“{name}”：{why}</translation>
    </message>
    <message>
        <source>The rate of frame interpolation can&apos;t be {value}; choose one of {rates}.</source>
        <translation>插帧的倍率不能是 {value}；请选择 {rates} 之一。</translation>
    </message>
    <message>
        <source>The server does not state whether the scores are probabilities; those of a gray image sum to 1, so they are taken for such.</source>
        <translation>服务器未说明这些分数是否为概率；灰色图像的分数之和为 1，因此按概率处理。</translation>
    </message>
    <message>
        <source>There is no backend {value}; choose one of {choices}.</source>
        <translation>没有后端 {value}；请选择 {choices} 之一。</translation>
    </message>
    <message>
        <source>This build of Lightloom has no update site, so it cannot check for a newer version; look where you got it from.</source>
        <translation>此 Lightloom 构建没有更新站点，因此无法检查新版本；请到获取它的地方查看。</translation>
    </message>
    <message>
        <source>What computes the network.</source>
        <translation>由什么计算网络。</translation>
    </message>
    <message>
        <source>Writing {path} failed partway: its encoder or its format refused a frame or a packet of audio ({reason}); choose another codec or another file format.</source>
        <translation>写入 {path} 中途失败：编码器或格式拒绝了某帧画面或某段声音（{reason}）；请选择其他编解码器或其他文件类型。</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a name would lead to another folder of the address; rename the zone or event</source>
        <translation>某个名称会指向该地址的其他文件夹；请重命名区域或事件</translation>
    </message>
    <message>
        <source>a render pipeline</source>
        <translation>渲染管线</translation>
    </message>
    <message>
        <source>interlaced frames are shown as they are</source>
        <translation>隔行画面按原样显示</translation>
    </message>
    <message>
        <source>loading the network</source>
        <translation>正在加载网络</translation>
    </message>
    <message>
        <source>outputs with the names and shapes of this family</source>
        <translation>输出具有该系列的名称和形状</translation>
    </message>
    <message>
        <source>outputs with the names of this family</source>
        <translation>输出具有该系列的名称</translation>
    </message>
    <message>
        <source>screen</source>
        <translation>屏幕</translation>
    </message>
    <message>
        <source>sends frames that cannot be decoded</source>
        <translation>发送的画面无法解码</translation>
    </message>
    <message>
        <source>the network of the frame interpolation</source>
        <translation>插帧的网络</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, with {behind} of {whole} behind it</source>
        <translation>其结果的形状取决于网络的计算结果，其后还有 {whole} 中的 {behind}</translation>
    </message>
    <message>
        <source>the source has as many frames as the screen shows</source>
        <translation>来源的帧数与屏幕显示的一样多</translation>
    </message>
    <message>
        <source>too slow: {ms:.0f} ms a frame where {there:.0f} ms are there; the source&apos;s own frames are shown</source>
        <translation>太慢：每帧 {ms:.0f} 毫秒，而只有 {there:.0f} 毫秒；显示来源自身的帧</translation>
    </message>
    <message>
        <source>waits for the next frame</source>
        <translation>等待下一帧画面</translation>
    </message>
    <message>
        <source>{before} → {after} fps, {ms} ms a frame</source>
        <translation>{before} → {after} fps，每帧 {ms} 毫秒</translation>
    </message>
    <message>
        <source>{before} → {after} fps, {ms} ms a frame, shown {later} ms later</source>
        <translation>{before} → {after} fps，每帧 {ms} 毫秒，延迟 {later} 毫秒显示</translation>
    </message>
    <message>
        <source>{name} ends after {reached:.2f} s, although its header states {stated:.2f} s: it was cut off, or is damaged; try another copy of it.</source>
        <translation>{name} 在 {reached:.2f} 秒后结束，而其文件头标明 {stated:.2f} 秒：它被截断或已损坏；请尝试另一份副本。</translation>
    </message>
    <message>
        <source>{name} gives boxes relative to anchors (&apos;{output}&apos;), and the file does not hold the anchors; export it with its postprocessing, so that it gives detection_boxes, detection_classes and detection_scores.</source>
        <translation>{name} 给出相对于锚框的框（“{output}”），而文件中没有锚框；请连同后处理一起导出，使其给出 detection_boxes、detection_classes 和 detection_scores。</translation>
    </message>
    <message numerus="yes">
        <source>{name} is damaged in %n places: frames are missing or wrong there; try another copy of it.</source>
        <translation>
            <numerusform>{name} 有 %n 处损坏：那里的画面缺失或有误；请尝试另一份副本。</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} gives a result of {made} where images of {wanted} are needed, as large as its inputs; choose another export of it, which does not enlarge or pad them.</source>
        <translation>{name} 生成 {made} 的结果，而需要的是与输入同样大小的 {wanted} 画面；请选择另一个不放大、不填充的导出。</translation>
    </message>
    <message>
        <source>{name} takes only some sizes: in-between frames are scaled to {width} x {height} pixels and back.</source>
        <translation>{name} 只接受某些尺寸：中间画面缩放到 {width} x {height} 像素再还原。</translation>
    </message>
    <message>
        <source>{path} was changed while the look was being written; save the look again.</source>
        <translation>写入风格预设时 {path} 发生了更改；请重新保存风格预设。</translation>
    </message>
    <message>
        <source>{title} sends frames that cannot be decoded: check what it sends.</source>
        <translation>{title} 发送的画面无法解码：请检查其发送的内容。</translation>
    </message>
    <message>
        <source>{word} in the address is no placeholder; only {{zone}} and {{event}} are</source>
        <translation>地址中的 {word} 不是占位符;只有 {{zone}} 和 {{event}} 是</translation>
    </message>
    <message>
        <source>The camera {camera_name} does not take {chosen}: choose another format.</source>
        <translation>摄像头 {camera_name} 不接受 {chosen}：请选择其他格式。</translation>
    </message>
    <message>
        <source>The camera {name} {happened}: {hint}.</source>
        <translation>摄像头 {name} {happened}：{hint}。</translation>
    </message>
    <message>
        <source>The catalogue has no network &apos;{name}&apos;; &apos;lightloom models list&apos; shows what there is.</source>
        <translation>目录中没有网络 &apos;{name}&apos;；&apos;lightloom models list&apos; 会列出现有的网络。</translation>
    </message>
    <message>
        <source>The catalogue {name} has two networks &apos;{entry_id}&apos;; rename one of them.</source>
        <translation>目录 {name} 有两个网络 &apos;{entry_id}&apos;；请重命名其中一个。</translation>
    </message>
    <message>
        <source>The catalogue {name} is not TOML: {error}; choose another.</source>
        <translation>目录 {name} 不是 TOML：{error}；请另选一个。</translation>
    </message>
    <message>
        <source>The catalogue {path} cannot be read: {reason}; choose another.</source>
        <translation>无法读取目录 {path}：{reason}；请另选一个。</translation>
    </message>
    <message>
        <source>The catalogue {where} has no table [[network]]; choose another catalogue.</source>
        <translation>目录 {where} 没有表 [[network]]；请另选目录。</translation>
    </message>
    <message>
        <source>The catalogue {where}: {what}; docs/model-library.md lists the keys.</source>
        <translation>目录 {where}：{what}；各键见 docs/model-library.md。</translation>
    </message>
    <message>
        <source>The center of the twist.</source>
        <translation>扭曲的中心。</translation>
    </message>
    <message>
        <source>The channel that is changed.</source>
        <translation>所改变的通道。</translation>
    </message>
    <message>
        <source>The colors from cold to hot.</source>
        <translation>由冷到热的颜色。</translation>
    </message>
    <message>
        <source>The detector has {anchors} anchors and {classes} classes; the GPU path takes {most_anchors} and {most_classes}, choose onnxruntime.</source>
        <translation>该检测器有 {anchors} 个锚点和 {classes} 个类别；GPU 路径最多支持 {most_anchors} 和 {most_classes}，请选择 onnxruntime。</translation>
    </message>
    <message>
        <source>The detector&apos;s outputs are {types}; the GPU path takes float32 or float16, choose onnxruntime.</source>
        <translation>该检测器的输出为 {types}；GPU 路径支持 float32 或 float16，请选择 onnxruntime。</translation>
    </message>
    <message>
        <source>The file comes from Caffe</source>
        <translation>文件来自 Caffe</translation>
    </message>
    <message>
        <source>The file comes from TensorFlow, so RGB in -1..1.</source>
        <translation>文件来自 TensorFlow，因此为 -1..1 的 RGB。</translation>
    </message>
    <message>
        <source>The file leaves the input&apos;s size free; its position embeddings are those of {size}x{size}.</source>
        <translation>文件未固定输入尺寸;其位置嵌入对应 {size}x{size}。</translation>
    </message>
    <message>
        <source>The filter &apos;{id}&apos; has no parameter &apos;{name}&apos;; it has: {names}.</source>
        <translation>滤镜 &apos;{id}&apos; 没有参数 &apos;{name}&apos;；它有：{names}。</translation>
    </message>
    <message>
        <source>The filter file {name} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取滤镜文件 {name}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The filter file {name} is not text in UTF-8; save it as that.</source>
        <translation>滤镜文件 {name} 不是 UTF-8 文本；请以 UTF-8 保存。</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean 0 and a deviation below 0.8, so -1..1.</source>
        <translation>第一层对均值为 0、标准差小于 0.8 的输入做归一化，因此为 -1..1。</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean 0 and a deviation of some tens</source>
        <translation>第一层对均值为 0、标准差为几十的输入做归一化</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean {mean:.0f}, so 0..255.</source>
        <translation>第一层对均值为 {mean:.0f} 的输入做归一化，因此为 0..255。</translation>
    </message>
    <message>
        <source>The first layer normalizes inputs of mean {mean:.2g}, so 0..1.</source>
        <translation>第一层对均值为 {mean:.2g} 的输入做归一化，因此为 0..1。</translation>
    </message>
    <message>
        <source>The first layer&apos;s weights are sized for raw values, so 0..255.</source>
        <translation>第一层的权重大小适合原始值，因此为 0..255。</translation>
    </message>
    <message>
        <source>The first one again</source>
        <translation>回到第一项</translation>
    </message>
    <message>
        <source>The folder {name} can&apos;t be read ({reason}): check its permissions.</source>
        <translation>无法读取文件夹 {name} ({reason})：请检查其权限。</translation>
    </message>
    <message>
        <source>The folder {name} holds no images: choose one with images in it.</source>
        <translation>文件夹 {name} 中没有图片：请选择含有图片的文件夹。</translation>
    </message>
    <message>
        <source>The graph ends in values of {said}.</source>
        <translation>计算图以 {said} 范围的值结束。</translation>
    </message>
    <message>
        <source>The graph itself normalizes values of 0..1.</source>
        <translation>计算图自身对 0..1 的值做归一化。</translation>
    </message>
    <message>
        <source>The graph itself scales raw values, so 0..255.</source>
        <translation>计算图自身缩放原始值，因此为 0..255。</translation>
    </message>
    <message>
        <source>The graph shows that the boxes are {units}.</source>
        <translation>计算图表明边框是{units}。</translation>
    </message>
    <message>
        <source>The input &apos;{input}&apos; of {name} does not take the shape {shape}; give one that fits.</source>
        <translation>{name} 的输入 &apos;{input}&apos; 不接受形状 {shape}；请给出匹配的形状。</translation>
    </message>
    <message>
        <source>The input &apos;{input}&apos; of {name} takes {expected}, not {dtype}.</source>
        <translation>{name} 的输入 &apos;{input}&apos; 接受 {expected}，而不是 {dtype}。</translation>
    </message>
    <message>
        <source>The input &apos;{name}&apos; takes {dtype} of shape {shape}, not {dtype2} of shape {array_shape}.</source>
        <translation>输入 &apos;{name}&apos; 接受形状为 {shape} 的 {dtype}，而不是形状为 {array_shape} 的 {dtype2}。</translation>
    </message>
    <message>
        <source>The input cannot be uploaded: {error}</source>
        <translation>无法上传输入：{error}</translation>
    </message>
    <message>
        <source>The input is small, so the whole center square is used instead of 0.875 of it.</source>
        <translation>输入较小，因此使用整个居中正方形，而不是其 0.875。</translation>
    </message>
    <message>
        <source>The input takes bytes, so 0..255.</source>
        <translation>输入接受字节，因此为 0..255。</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; {size}x{size} is assumed.</source>
        <translation>输入尺寸不固定；假定为 {size}x{size}。</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; {width}x{height} is assumed.</source>
        <translation>输入尺寸不固定；假定为 {width}x{height}。</translation>
    </message>
    <message>
        <source>The label file {name} is not UTF-8 text; save it as UTF-8.</source>
        <translation>标签文件 {name} 不是 UTF-8 文本；请以 UTF-8 保存。</translation>
    </message>
    <message>
        <source>The label file {path} cannot be read: {reason}; give a text with one name a line.</source>
        <translation>无法读取标签文件 {path}：{reason}；请给出每行一个名称的文本。</translation>
    </message>
    <message>
        <source>The language changes when Lightloom is started again.</source>
        <translation>重新启动 Lightloom 后语言才会更改。</translation>
    </message>
    <message>
        <source>The lens&apos;s axis, where nothing is shifted.</source>
        <translation>镜头的光轴，此处没有偏移。</translation>
    </message>
    <message>
        <source>The loop is shorter than one frame: set its end after its start.</source>
        <translation>循环短于一帧：请将终点设在起点之后。</translation>
    </message>
    <message>
        <source>The metadata is Ultralytics&apos;, so RGB in 0..1.</source>
        <translation>元数据来自 Ultralytics，因此为 0..1 的 RGB。</translation>
    </message>
    <message>
        <source>The metadata says BGR.</source>
        <translation>元数据标明为 BGR。</translation>
    </message>
    <message>
        <source>The metadata says RGB.</source>
        <translation>元数据标明为 RGB。</translation>
    </message>
    <message>
        <source>The metadata says the range is {scale}.</source>
        <translation>元数据标明取值范围为 {scale}。</translation>
    </message>
    <message>
        <source>The middle of the rings.</source>
        <translation>圆环的中心。</translation>
    </message>
    <message>
        <source>The mirror &apos;{mirror}&apos; is not an http or https address; correct or clear it.</source>
        <translation>镜像 &apos;{mirror}&apos; 不是 http 或 https 地址；请更正或清除。</translation>
    </message>
    <message>
        <source>The model cannot run on wgpu: {reasons}; use the onnxruntime backend.</source>
        <translation>模型无法在 wgpu 上运行：{reasons}；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>The model needs a buffer of {size} bytes, more than {adapter} allows; choose a smaller one or another backend.</source>
        <translation>模型需要 {size} 字节的缓冲区，超过 {adapter} 允许的大小；请选择更小的模型或其他后端。</translation>
    </message>
    <message>
        <source>The model needs a tensor of {size:.0f} MiB, but this adapter binds at most {limit:.0f} MiB; use a smaller input or the onnxruntime backend.</source>
        <translation>模型需要 {size:.0f} MiB 的张量，但此适配器最多绑定 {limit:.0f} MiB；请使用较小的输入或 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>The model {path} cannot be read: {reason}; check the path.</source>
        <translation>无法读取模型 {path}：{reason}；请检查路径。</translation>
    </message>
    <message>
        <source>The network cannot be loaded ({reason}); try another one.</source>
        <translation>无法加载网络 ({reason})；请尝试另一个。</translation>
    </message>
    <message>
        <source>The network ends in logits; softmax makes probabilities of them.</source>
        <translation>网络以 logits 结束；由 softmax 转换为概率。</translation>
    </message>
    <message>
        <source>The network gave an output of {shape} instead of {expected}; choose another one.</source>
        <translation>网络给出的输出为 {shape}，而不是 {expected}；请另选一个。</translation>
    </message>
    <message>
        <source>The network gave no answer within {timeout:.0f} s; choose a smaller one.</source>
        <translation>网络在 {timeout:.0f} 秒内没有给出结果；请选择更小的网络。</translation>
    </message>
    <message>
        <source>The network takes one size only, so that the working size changes nothing.</source>
        <translation>该网络只接受一种尺寸，因此工作尺寸不起作用。</translation>
    </message>
    <message>
        <source>The network takes the inputs {inputs}, not {given}.</source>
        <translation>网络接受输入 {inputs}，而不是 {given}。</translation>
    </message>
    <message>
        <source>The network was closed and its tensors are gone; load it again.</source>
        <translation>网络已关闭，其张量已不存在；请重新加载。</translation>
    </message>
    <message>
        <source>The network {name} cannot be loaded ({reason}); choose another one.</source>
        <translation>无法加载网络 {name} ({reason})；请另选一个。</translation>
    </message>
    <message>
        <source>The network&apos;s input could not be read back from the GPU: {error}; load the network again.</source>
        <translation>无法从 GPU 读回网络的输入：{error}；请重新加载网络。</translation>
    </message>
    <message>
        <source>The network&apos;s output has elements of type {dtype}, which are no pixels; choose another network.</source>
        <translation>网络输出的元素类型为 {dtype}，不是像素；请选择其他网络。</translation>
    </message>
    <message>
        <source>The network&apos;s output is {dtype}; the GPU path takes float32 and float16, choose onnxruntime.</source>
        <translation>网络的输出为 {dtype}；GPU 路径支持 float32 和 float16，请选择 onnxruntime。</translation>
    </message>
    <message>
        <source>The network&apos;s output of {size} MiB is more than {adapter} takes; choose a smaller working size.</source>
        <translation>网络输出为 {size} MiB，超过 {adapter} 的上限；请选择较小的工作尺寸。</translation>
    </message>
    <message>
        <source>The network&apos;s output of {width} x {height} pixels is larger than this GPU&apos;s textures of {most}; choose a smaller working size.</source>
        <translation>网络输出为 {width} x {height} 像素，超过此 GPU 纹理的上限 {most}；请选择较小的工作尺寸。</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; binds more buffers than this adapter has a stage.</source>
        <translation>节点 &apos;{node}&apos; 绑定的缓冲区多于此适配器每阶段的数量。</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; needs {count} workgroups in a row, but this adapter takes {max_groups}; use a smaller input or the onnxruntime backend.</source>
        <translation>节点 &apos;{node}&apos; 需要一行 {count} 个工作组，但此适配器最多 {max_groups} 个；请使用较小的输入或 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>The node &apos;{node}&apos; needs {rounds} rounds of a loop in one thread, which this software adapter does not make; use a smaller input or the onnxruntime backend.</source>
        <translation>节点 &apos;{node}&apos; 需要在一个线程中循环 {rounds} 次，此软件适配器无法完成；请使用较小的输入或 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>The one class that is colored; -1 colors all.</source>
        <translation>唯一要着色的类别；-1 为全部着色。</translation>
    </message>
    <message>
        <source>The output &apos;{name}&apos; must end in {suffixes} for {title}; choose another name.</source>
        <translation>对于 {title}，输出“{name}”必须以 {suffixes} 结尾；请选择另一个名称。</translation>
    </message>
    <message>
        <source>The page has no secondary network; take it out of the look, or export without it.</source>
        <translation>网页不支持进一步查看的第二个网络；请从风格预设中移除，或不带它导出。</translation>
    </message>
    <message>
        <source>The image {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取图片 {path}：{reason}；请检查名称和权限。</translation>
    </message>
    <message>
        <source>The image {path} is of a kind that browsers do not show; save it as one of {kinds}.</source>
        <translation>图片 {path} 的格式浏览器无法显示；请另存为 {kinds} 之一。</translation>
    </message>
    <message>
        <source>The look follows or counts what a network finds, and the page cannot do that; take [scene] out of it first.</source>
        <translation>风格预设会跟踪或计数网络找到的内容，网页做不到；请先移除 [scene]。</translation>
    </message>
    <message>
        <source>The look hides what a network finds, and the page cannot do that; take [anonymize] out of it first.</source>
        <translation>风格预设会隐藏网络找到的内容，网页做不到；请先移除 [anonymize]。</translation>
    </message>
    <message>
        <source>The results cannot be written to {name} ({reason}); make room, or choose another place.</source>
        <translation>无法将结果写入 {name}（{reason}）；请腾出空间，或选择另一个位置。</translation>
    </message>
    <message>
        <source>The site {folder} cannot be written: {reason}; check its name and permissions.</source>
        <translation>无法写入网站 {folder}：{reason}；请检查名称和权限。</translation>
    </message>
    <message>
        <source>The zones in {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取 {path} 中的区域：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>There is neither a filter nor a network in it, so there is nothing to export.</source>
        <translation>其中既没有滤镜也没有网络，因此没有可导出的内容。</translation>
    </message>
    <message>
        <source>What becomes of the background; cut out makes it transparent, mask shows where the person is in white.</source>
        <translation>如何处理背景；“抠图”使其透明，“蒙版”以白色显示人物所在之处。</translation>
    </message>
    <message>
        <source>What is faster here</source>
        <translation>本机上更快的方式</translation>
    </message>
    <message>
        <source>the input &apos;{input}&apos; decides shapes</source>
        <translation>输入“{input}”决定形状</translation>
    </message>
    <message>
        <source>the input &apos;{input}&apos; has a free width and height</source>
        <translation>输入“{input}”的宽和高未固定</translation>
    </message>
    <message>
        <source>the name of a built-in network or the path of an .onnx or .tflite file</source>
        <translation>内置网络的名称，或 .onnx 或 .tflite 文件的路径</translation>
    </message>
    <message>
        <source>the tensor &apos;{name}&apos; has scales or zero points that are none</source>
        <translation>张量“{name}”的缩放或零点无效</translation>
    </message>
    <message>
        <source>the tensor &apos;{name}&apos; has {count} dimensions or more</source>
        <translation>张量“{name}”有 {count} 个或更多维度</translation>
    </message>
    <message>
        <source>the tensor &apos;{tensor}&apos; is of a type that is not computed with</source>
        <translation>张量“{tensor}”的类型不支持计算</translation>
    </message>
    <message>
        <source>{backend} does not read {format} files</source>
        <translation>{backend} 不读取 {format} 文件</translation>
    </message>
    <message>
        <source>{backend} on {device}, {precision}</source>
        <translation>{backend}，{device}，{precision}</translation>
    </message>
    <message>
        <source>{container} with {codec} holds no transparency; choose a file that does ({kinds}), or do not keep it.</source>
        <translation>使用 {codec} 的 {container} 不能保存透明度;请选择可以保存的文件类型({kinds}),或不保留透明度。</translation>
    </message>
    <message>
        <source>{folder} has files in it that are not of an exported site; choose an empty folder or a new one.</source>
        <translation>{folder} 中有不属于导出网站的文件；请选择空文件夹或新文件夹。</translation>
    </message>
    <message>
        <source>{folder} is a file; give the name of a folder for the site.</source>
        <translation>{folder} 是文件；请给出网站的文件夹名称。</translation>
    </message>
    <message>
        <source>{name} cannot be exported, because a browser has no CPU backend for what the engine does not take: {reason}; choose another network.</source>
        <translation>无法导出 {name}，因为浏览器没有 CPU 后端来运行引擎不支持的部分：{reason}；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu: its inputs {inputs} decide shapes, so they need a value when it is loaded; choose another backend.</source>
        <translation>{name} 无法在 wgpu 上运行：其输入 {inputs} 决定形状，因此加载时需要给出值；请选择其他后端。</translation>
    </message>
    <message>
        <source>{name} does not run on {last}; choose another network ({reason}).</source>
        <translation>{name} 无法在 {last} 上运行；请选择其他网络（{reason}）。</translation>
    </message>
    <message>
        <source>{name} gives no points of a face: its outputs are {shapes}, where [1, 198, height, width] or [66, 3] is expected; choose another network.</source>
        <translation>{name} 不输出人脸关键点：其输出为 {shapes}，而应为 [1, 198, 高, 宽] 或 [66, 3]；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} gives scores of type {dtype}, which the page does not read.</source>
        <translation>{name} 给出 {dtype} 类型的分数，网页无法读取。</translation>
    </message>
    <message>
        <source>{name} is a network for {task}, and the page shows nothing of that kind; export a classifier, or a network that a filter of the chain uses.</source>
        <translation>{name} 是用于{task}的网络，网页不显示此类内容；请导出分类器，或链中滤镜使用的网络。</translation>
    </message>
    <message>
        <source>{name} is a {format} file, which {suited} does not read.</source>
        <translation>{name} 是 {format} 文件，{suited} 不读取它。</translation>
    </message>
    <message>
        <source>{name} is not a valid TensorFlow Lite model: {what}; download or convert it again.</source>
        <translation>{name} 不是有效的 TensorFlow Lite 模型：{what}；请重新下载或转换。</translation>
    </message>
    <message>
        <source>{name} leaves width and height of its input &apos;{input}&apos; free ({shape}), and nothing states them; write a size beside it (docs/models.md) or into the look.</source>
        <translation>{name} 的输入“{input}”的宽和高未固定（{shape}），且没有任何说明；请在旁边写明尺寸（docs/models.md）或写入风格预设。</translation>
    </message>
    <message>
        <source>{name} produces an image ({task}), so it belongs in the chain; drop it on the window, give it to a filter (--filter {filter}:model={path}), or choose another task for it.</source>
        <translation>{name} 生成画面 ({task})，因此属于滤镜链；请将其拖到窗口上，或交给一个滤镜（--filter {filter}:model={path}），或为它选择其他任务。</translation>
    </message>
    <message>
        <source>{name} runs neither on {others} nor on {last}; choose another network ({reason}).</source>
        <translation>{name} 在 {others} 和 {last} 上都无法运行；请选择其他网络（{reason}）。</translation>
    </message>
    <message>
        <source>The order of the network&apos;s channels, where what was inferred is wrong.</source>
        <translation>网络的通道顺序，用于推断有误时。</translation>
    </message>
    <message numerus="yes">
        <source>%n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>%n 个事件未送达；日志中有记录。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more images are left out.</source>
        <translation>
            <numerusform>还有 %n 张图片被略过。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other settings in it were left out.</source>
        <translation>
            <numerusform>其中另有 %n 项已被略去。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n objects were not processed by the secondary network; raise the limit.</source>
        <translation>
            <numerusform>有 %n 个物体没有仔细查看；请增加查看的数量。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Count from nothing</source>
        <translation>重新计数(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Deinterlace</source>
        <translation>去隔行(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Draw a zone</source>
        <translation>绘制区域(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Track objects</source>
        <translation>跟踪物体(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Heat map</source>
        <translation>热图(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>结果(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Zones and events</source>
        <translation>区域和事件(&amp;Z)</translation>
    </message>
    <message>
        <source>&apos;Authorization&apos; has letters that no request can hold</source>
        <translation>“Authorization”含有请求无法携带的字符</translation>
    </message>
    <message>
        <source>&apos;live&apos; must name parameters of the types {types}</source>
        <translation>“live”必须是类型为 {types} 的参数名</translation>
    </message>
    <message>
        <source>&apos;when&apos; of &apos;{param_name}&apos; must name another parameter, a bool, a choice or a model</source>
        <translation>&apos;{param_name}&apos; 的 &apos;when&apos; 必须指明另一个 bool、choice 或 model 类型的参数</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is neither true nor false and was left out.</source>
        <translation>“{key}”既不是 true 也不是 false，已略去。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not a table and was left out.</source>
        <translation>&apos;{key}&apos; 不是表，已忽略。</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of &apos;{name}&apos; is not known and was left out.</source>
        <translation>“{name}”的“{key}”未知，已略去。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is one network</source>
        <translation>&apos;{name}&apos; 是单个网络</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is the folder of a pipeline (Stable Diffusion, say)</source>
        <translation>&apos;{name}&apos; 是管线的文件夹（例如 Stable Diffusion）</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of the filter &apos;{filter}&apos; has no effect unless {wanted}; choose that, or leave &apos;{name}&apos; out.</source>
        <translation>滤镜 &apos;{filter}&apos; 的 &apos;{name}&apos; 只在 {wanted} 时起作用；请这样选择，或去掉 &apos;{name}&apos;。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; was left out: {why}.</source>
        <translation>“{name}”已略去：{why}。</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; has elements of type {dtype}, where a denoiser has floating-point numbers; choose another network.</source>
        <translation>“{tensor}”的元素类型为 {dtype}，而去噪网络应为浮点数；请选择其他网络。</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; is computed twice</source>
        <translation>“{tensor}”被计算了两次</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; names no screen: write it as screen:2, screen:100,50,640,480 (left, top, width, height) or screen:window=TITLE.</source>
        <translation>“{text}”不是屏幕：请写成 screen:2、screen:100,50,640,480（左、上、宽、高）或 screen:window=标题。</translation>
    </message>
    <message>
        <source>&apos;{topic}&apos; is no topic to publish to</source>
        <translation>“{topic}”不是可以发布的主题</translation>
    </message>
    <message>
        <source>A MOTChallenge file is of one input; for several name a folder in the place of {name}.</source>
        <translation>一个 MOTChallenge 文件只对应一个输入；如有多个，请用文件夹代替 {name}。</translation>
    </message>
    <message>
        <source>A Wayland desktop shows its screen to no program by itself: log in with X11, or share it by the virtual camera of OBS Studio and open that camera. Windows of X11 programs can be captured (screen:window=...).</source>
        <translation>Wayland 桌面不会直接向程序显示其屏幕：请以 X11 登录，或通过 OBS Studio 的虚拟摄像头共享屏幕并打开该摄像头。X11 程序的窗口可以捕获（screen:window=...）。</translation>
    </message>
    <message>
        <source>A file beside the network states the size of its input, so the working size has no effect.</source>
        <translation>网络旁边的文件给出了其输入尺寸,因此工作尺寸不起作用。</translation>
    </message>
    <message>
        <source>A folder on a web server with the files of the list under their names.</source>
        <translation>网络服务器上的文件夹，其中的文件与列表同名。</translation>
    </message>
    <message>
        <source>A picture in which nothing has changed by this share keeps the last result; 0 repaints every picture.</source>
        <translation>画面中没有任何变化达到此比例时保留上一个结果；0 表示重绘每个画面。</translation>
    </message>
    <message>
        <source>A point that is less certain is not shown, nor the lines to it.</source>
        <translation>可信度更低的点及其连线不显示。</translation>
    </message>
    <message>
        <source>An object keeps its class: a car is never taken for the truck that it was called before.</source>
        <translation>物体保持其类别：汽车绝不会被当作先前被认作的卡车。</translation>
    </message>
    <message>
        <source>A window</source>
        <translation>一个窗口</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Address of a mirror</source>
        <translation>镜像地址</translation>
    </message>
    <message>
        <source>All that was seen is in {name}.</source>
        <translation>所见的一切都在 {name} 中。</translation>
    </message>
    <message>
        <source>Also with streams that have no audio.</source>
        <translation>没有声音的流也适用。</translation>
    </message>
    <message>
        <source>An .onnx file that takes a picture with noise, its sketch and the share of noise, and gives the picture; or a folder of Stable Diffusion, SD-Turbo or an LCM.</source>
        <translation>一个 .onnx 文件，输入带噪声的画面、其草图和噪声比例，输出画面；或 Stable Diffusion、SD-Turbo、LCM 的文件夹。</translation>
    </message>
    <message>
        <source>An event&apos;s action &apos;{kind}&apos; is not done: its field &apos;{field}&apos; is empty.</source>
        <translation>事件的操作“{kind}”未执行：其字段“{field}”为空。</translation>
    </message>
    <message>
        <source>An event&apos;s action &apos;{kind}&apos; is not known and is not done.</source>
        <translation>事件的操作“{kind}”未知，不会执行。</translation>
    </message>
    <message>
        <source>Another number is other noise, and so another picture.</source>
        <translation>换一个数字就是另一种噪声，画面也随之不同。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>询问我</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Audio device</source>
        <translation>音频设备</translation>
    </message>
    <message>
        <source>Authorization</source>
        <translation>Authorization</translation>
    </message>
    <message>
        <source>Backlight compensation</source>
        <translation>背光补偿</translation>
    </message>
    <message>
        <source>Begin from score</source>
        <translation>起始分数</translation>
    </message>
    <message>
        <source>Begin with a network</source>
        <translation>启动时使用网络</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Blue balance</source>
        <translation>蓝色平衡</translation>
    </message>
    <message>
        <source>Boxes, masks, names and trails over the video in the window.</source>
        <translation>窗口画面上的方框、蒙版、名称和轨迹。</translation>
    </message>
    <message>
        <source>Broker</source>
        <translation>代理服务器</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU 时间</translation>
    </message>
    <message>
        <source>Call an address</source>
        <translation>调用地址</translation>
    </message>
    <message>
        <source>Camera c&amp;ontrols</source>
        <translation>摄像头控制(&amp;O)</translation>
    </message>
    <message>
        <source>Camera controls</source>
        <translation>摄像头控制</translation>
    </message>
    <message>
        <source>Classes of pixels</source>
        <translation>像素类别</translation>
    </message>
    <message>
        <source>Classes of pixels: colors with a legend, and how much each covers</source>
        <translation>像素类别：带图例的颜色，以及各类别所占的比例</translation>
    </message>
    <message>
        <source>Clean output</source>
        <translation>纯净输出</translation>
    </message>
    <message>
        <source>Clean output in a second window</source>
        <translation>在第二个窗口中显示纯净输出</translation>
    </message>
    <message>
        <source>Codec of recordings</source>
        <translation>录像的编解码器</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Dawn found no GPU adapter that it can use; install a newer Vulkan driver (of Mesa 25.0 or later), or take wgpu (LIGHTLOOM_WEBGPU=wgpu).</source>
        <translation>Dawn 未找到可用的图形适配器；请安装较新的 Vulkan 驱动程序（Mesa 25.0 或更高版本），或改用 wgpu（LIGHTLOOM_WEBGPU=wgpu）。</translation>
    </message>
    <message>
        <source>Dawn is wished for ({variable}=dawn) and cannot be loaded ({reason}); install wgpudawn again, or take the wish away.</source>
        <translation>要求使用 Dawn（{variable}=dawn），但无法加载（{reason}）；请重新安装 wgpudawn，或取消该设置。</translation>
    </message>
    <message>
        <source>Dawn is wished for ({variable}=dawn), and this process has imported wgpu before Lightloom; import desktop first.</source>
        <translation>要求使用 Dawn（{variable}=dawn），但此进程在 Lightloom 之前导入了 wgpu；请先导入 desktop。</translation>
    </message>
    <message>
        <source>Deinterlace</source>
        <translation>去隔行</translation>
    </message>
    <message>
        <source>Diffusion</source>
        <translation>扩散</translation>
    </message>
    <message>
        <source>Diffusion: an image repainted out of noise, in a few steps</source>
        <translation>扩散：用几个步骤从噪声中重绘画面</translation>
    </message>
    <message>
        <source>Downloads no network.</source>
        <translation>不下载网络。</translation>
    </message>
    <message>
        <source>Draw a &amp;line</source>
        <translation>绘制线(&amp;L)</translation>
    </message>
    <message>
        <source>Draws boxes, masks, names and trails there too.</source>
        <translation>在那里也绘制方框、蒙版、名称和轨迹。</translation>
    </message>
    <message>
        <source>Draws what a network sees into snapshots and recordings.</source>
        <translation>将网络所见绘制到快照和录像中。</translation>
    </message>
    <message>
        <source>Empty: the folder of all snapshots.</source>
        <translation>留空：所有快照的文件夹。</translation>
    </message>
    <message>
        <source>Encode on the graphics card</source>
        <translation>用显卡编码</translation>
    </message>
    <message>
        <source>Export results...</source>
        <translation>导出结果...</translation>
    </message>
    <message>
        <source>Exposure may slow the rate</source>
        <translation>曝光可降低帧率</translation>
    </message>
    <message>
        <source>Exposure time</source>
        <translation>曝光时间</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Finds people, or another class, with a neural network, and blurs, replaces, dims or cuts out what is behind them.</source>
        <translation>用神经网络找到人物或其他类别，模糊、替换、压暗或抠除其背后的内容。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder in which files were opened last</source>
        <translation>上次打开文件的文件夹</translation>
    </message>
    <message>
        <source>Folder of networks</source>
        <translation>网络文件夹</translation>
    </message>
    <message>
        <source>Folder of recordings</source>
        <translation>录像文件夹</translation>
    </message>
    <message>
        <source>Folder of snapshots</source>
        <translation>快照文件夹</translation>
    </message>
    <message>
        <source>Format of snapshots</source>
        <translation>快照格式</translation>
    </message>
    <message>
        <source>Frame interpolation has no value &apos;{name}&apos;.</source>
        <translation>插帧没有名为“{name}”的值。</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Frames can&apos;t be interpolated ({reason}); choose another network.</source>
        <translation>无法插帧（{reason}）；请选择其他网络。</translation>
    </message>
    <message>
        <source>GPU timestamps</source>
        <translation>GPU 时间戳</translation>
    </message>
    <message>
        <source>Graphics adapter</source>
        <translation>图形适配器</translation>
    </message>
    <message>
        <source>Hear nothing</source>
        <translation>静音</translation>
    </message>
    <message>
        <source>A network&apos;s file is needed here, not the address of a network on a server; give its path.</source>
        <translation>此处需要网络文件，而不是服务器上网络的地址；请给出其路径。</translation>
    </message>
    <message>
        <source>Hide the camera controls</source>
        <translation>隐藏摄像头控制</translation>
    </message>
    <message>
        <source>Hide the results</source>
        <translation>隐藏结果</translation>
    </message>
    <message>
        <source>How long an object that is hidden or gone is still expected to return as the same one.</source>
        <translation>被遮挡或消失的物体在多长时间内仍被期待作为同一物体返回。</translation>
    </message>
    <message>
        <source>How many objects are shown, the most certain first.</source>
        <translation>显示多少个对象，可信度最高的在前。</translation>
    </message>
    <message>
        <source>How much a box must overlap the expected position of its object; lower for objects that move fast.</source>
        <translation>边框与物体预期位置须重叠多少；移动很快的物体可取较小值。</translation>
    </message>
    <message>
        <source>How much noise there is at first: 0 changes nothing, at 1 only a coarse sketch is left of the picture.</source>
        <translation>开始时的噪声量：0 不作改变，1 时画面只剩下粗略的草图。</translation>
    </message>
    <message>
        <source>How often the network looks at it: more are finer and slower.</source>
        <translation>网络处理的次数：越多越精细，也越慢。</translation>
    </message>
    <message>
        <source>Minimum score for an object to get a number; one that has it may have a lower score.</source>
        <translation>网络须有多大把握，物体才得到编号；已有编号的物体可以把握较小。</translation>
    </message>
    <message>
        <source>If it can; of recordings and exports. It is quicker, and makes larger files.</source>
        <translation>若显卡支持；用于录像和导出。速度更快，但文件更大。</translation>
    </message>
    <message>
        <source>In how many consecutive results an object must be detected to get a number.</source>
        <translation>物体须在连续多少个结果中被找到才得到编号。</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Instance masks</source>
        <translation>实例蒙版</translation>
    </message>
    <message>
        <source>Instance masks: objects and their pixels</source>
        <translation>实例蒙版：物体及其像素</translation>
    </message>
    <message>
        <source>It keeps states from frame to frame ({names}); they are zeros at first, and again after a cut or a seek.</source>
        <translation>它在图像之间保留状态({names});开始时以及在切换镜头或跳转之后均为零。</translation>
    </message>
    <message>
        <source>Its result &apos;{name}&apos; is a sequence of tensors; have it join them, or give each as a result.</source>
        <translation>它的结果“{name}”是张量序列；请在网络中将它们合并，或将每个张量作为单独的结果输出。</translation>
    </message>
    <message>
        <source>Key points</source>
        <translation>关键点</translation>
    </message>
    <message>
        <source>Key points: the joints of bodies, hands, faces</source>
        <translation>关键点：身体、手和脸的关节</translation>
    </message>
    <message>
        <source>Kind of file of recordings</source>
        <translation>录像的文件类型</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Last look for a new version</source>
        <translation>上次检查新版本</translation>
    </message>
    <message>
        <source>Least overlap</source>
        <translation>最小重叠</translation>
    </message>
    <message>
        <source>Lightloom ended</source>
        <translation>Lightloom 已结束</translation>
    </message>
    <message>
        <source>Line {line} of {name} is damaged; remove that line and all behind it, or leave --resume out.</source>
        <translation>{name} 的第 {line} 行已损坏；请删除该行及其后的所有内容，或不使用 --resume。</translation>
    </message>
    <message>
        <source>Lines are added at its end, one object each.</source>
        <translation>各行追加到文件末尾，每行一个对象。</translation>
    </message>
    <message>
        <source>Lines are added at its end; the first one has the columns&apos; names.</source>
        <translation>各行追加到文件末尾；第一行是列名。</translation>
    </message>
    <message>
        <source>Look for a new version once a week</source>
        <translation>每周检查一次新版本</translation>
    </message>
    <message>
        <source>MOTChallenge files hold tracked objects; turn on tracking (--track).</source>
        <translation>MOTChallenge 文件保存逐帧跟踪的内容；请启用跟踪（--track）。</translation>
    </message>
    <message>
        <source>Makes interlaced videos whole.</source>
        <translation>使隔行视频变得完整。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Minimum of a point</source>
        <translation>单点最低值</translation>
    </message>
    <message>
        <source>Mirror it</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Mirror the clean output</source>
        <translation>镜像纯净输出</translation>
    </message>
    <message>
        <source>Monitor {number}</source>
        <translation>显示器 {number}</translation>
    </message>
    <message>
        <source>Network at the start</source>
        <translation>启动时的网络</translation>
    </message>
    <message>
        <source>Networks used lately</source>
        <translation>最近使用的网络</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>No results of {model} from {server}: {what}; see that the server runs, and begin again.</source>
        <translation>没有从 {server} 得到 {model} 的结果：{what}；请确认服务器正在运行，然后重新开始。</translation>
    </message>
    <message>
        <source>None: everything is silent</source>
        <translation>无：全部静音</translation>
    </message>
    <message>
        <source>Not saved in looks; the variable {variable} does as well.</source>
        <translation>不会保存在风格预设中；也可以使用变量 {variable}。</translation>
    </message>
    <message>
        <source>Nothing about you is sent, and nothing is downloaded or installed.</source>
        <translation>不会发送您的任何信息，也不会下载或安装任何内容。</translation>
    </message>
    <message>
        <source>Of JPEG and WebP, from 1 to 100; 100 is WebP without loss.</source>
        <translation>适用于 JPEG 和 WebP，1 到 100；100 为无损 WebP。</translation>
    </message>
    <message>
        <source>Of how many seconds the way is drawn; 0 draws none.</source>
        <translation>画出多少秒的轨迹；0 表示不画。</translation>
    </message>
    <message>
        <source>On the sample; until a network is removed, and again once one is used.</source>
        <translation>用于示例；移除网络后停止，再次使用网络后恢复。</translation>
    </message>
    <message>
        <source>Only within a class</source>
        <translation>仅在同一类别内</translation>
    </message>
    <message>
        <source>Open a folder of Stable Di&amp;ffusion...</source>
        <translation>打开 Stable Diffusion 文件夹(&amp;F)...</translation>
    </message>
    <message>
        <source>Open the screen or a &amp;window...</source>
        <translation>打开屏幕或窗口(&amp;W)...</translation>
    </message>
    <message>
        <source>Oriented boxes</source>
        <translation>旋转框</translation>
    </message>
    <message>
        <source>Oriented boxes: objects at any angle</source>
        <translation>旋转框：任意角度的物体</translation>
    </message>
    <message>
        <source>PNG keeps every pixel as it is.</source>
        <translation>PNG 保留每个像素的原样。</translation>
    </message>
    <message>
        <source>POST sends the event as JSON, GET adds its values to the address.</source>
        <translation>POST 以 JSON 发送事件，GET 将其值附加到地址。</translation>
    </message>
    <message>
        <source>Parquet files are written by pyarrow, which is not installed; choose CSV, or install it: {command}.</source>
        <translation>Parquet 文件由 pyarrow 写入，但它尚未安装；请选择 CSV，或安装它：{command}。</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Performance overlay</source>
        <translation>性能信息</translation>
    </message>
    <message>
        <source>Place and size of the clean output</source>
        <translation>纯净输出的位置和大小</translation>
    </message>
    <message>
        <source>Place and size of the window</source>
        <translation>窗口的位置和大小</translation>
    </message>
    <message>
        <source>Places of the panels</source>
        <translation>面板的位置</translation>
    </message>
    <message>
        <source>Playback and audio</source>
        <translation>播放和声音</translation>
    </message>
    <message>
        <source>Points: {name}.</source>
        <translation>点：{name}。</translation>
    </message>
    <message>
        <source>Power-line frequency</source>
        <translation>电源频率</translation>
    </message>
    <message>
        <source>Prefere&amp;nces...</source>
        <translation>首选项(&amp;N)...</translation>
    </message>
    <message>
        <source>Publish to MQTT</source>
        <translation>发布到 MQTT</translation>
    </message>
    <message>
        <source>PyTorch 2.8 or an older one wrote it, which pickles weights</source>
        <translation>它由 PyTorch 2.8 或更早的版本写成，权重以 pickle 保存</translation>
    </message>
    <message>
        <source>Qt cannot open a window here ({reason}); start Lightloom as the user whose desktop session this is, install what is missing, or use &apos;lightloom process&apos;, which needs no display.</source>
        <translation>Qt 无法在此打开窗口（{reason}）；请以该桌面会话的用户身份启动 Lightloom，安装缺少的组件，或使用不需要显示的 &apos;lightloom process&apos;。</translation>
    </message>
    <message>
        <source>Quality of recordings</source>
        <translation>录像质量</translation>
    </message>
    <message>
        <source>Quality of snapshots</source>
        <translation>快照质量</translation>
    </message>
    <message>
        <source>Rate of recordings</source>
        <translation>录像帧率</translation>
    </message>
    <message>
        <source>Rate, latency and dropped frames, over the video.</source>
        <translation>在画面上显示帧率、延迟和丢弃情况。</translation>
    </message>
    <message>
        <source>Record the microphone with a camera</source>
        <translation>使用摄像头时录制麦克风</translation>
    </message>
    <message>
        <source>Record audio</source>
        <translation>录制声音</translation>
    </message>
    <message>
        <source>Recordings and exports</source>
        <translation>录像和导出</translation>
    </message>
    <message>
        <source>Red balance</source>
        <translation>红色平衡</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住的内容</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Results in a row</source>
        <translation>连续结果数</translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation>保存快照</translation>
    </message>
    <message>
        <source>Save results &amp;with the image</source>
        <translation>随画面保存所见内容(&amp;W)</translation>
    </message>
    <message>
        <source>Save results with the image</source>
        <translation>将所见内容与画面一起保存</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>屏幕</translation>
    </message>
    <message>
        <source>Settings of the outputs</source>
        <translation>输出的设置</translation>
    </message>
    <message>
        <source>Show a notification</source>
        <translation>显示通知</translation>
    </message>
    <message>
        <source>Single windows can&apos;t be captured on this system: choose a monitor or a region.</source>
        <translation>此系统无法捕获单个窗口：请选择显示器或区域。</translation>
    </message>
    <message>
        <source>Size of recordings</source>
        <translation>录像尺寸</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Sources opened lately</source>
        <translation>最近打开的来源</translation>
    </message>
    <message>
        <source>Steady noise</source>
        <translation>稳定噪声</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>字幕</translation>
    </message>
    <message>
        <source>The address of a network names the server that computes it.</source>
        <translation>网络的地址指明由哪台服务器计算它。</translation>
    </message>
    <message>
        <source>The backend {backend} does not read {format} files; choose {others}.</source>
        <translation>后端 {backend} 不读取 {format} 文件；请选择 {others}。</translation>
    </message>
    <message>
        <source>The best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>The boxes are read as {units}, as chosen.</source>
        <translation>按照选择,边框按{units}读取。</translation>
    </message>
    <message>
        <source>The camera {camera} did not take {value} for {control}: try another value.</source>
        <translation>摄像头 {camera} 不接受将 {control} 设为 {value}：请尝试其他值。</translation>
    </message>
    <message>
        <source>The bundled classifier</source>
        <translation>自带的分类器</translation>
    </message>
    <message>
        <source>The file leaves the channels free; the first layer takes {channels}.</source>
        <translation>文件没有固定通道数；第一层接受 {channels} 个。</translation>
    </message>
    <message>
        <source>The first hint was shown</source>
        <translation>已显示首次提示</translation>
    </message>
    <message>
        <source>The graph ends in probabilities, which are the mask.</source>
        <translation>计算图以概率结束，即蒙版本身。</translation>
    </message>
    <message>
        <source>The graph ends in scores; softmax makes probabilities of them.</source>
        <translation>计算图以分数结束；由 softmax 转换为概率。</translation>
    </message>
    <message>
        <source>The header of this name, as in &apos;Bearer ...&apos;. It is not saved in looks.</source>
        <translation>同名的请求头，例如“Bearer ...”。不会保存在风格预设中。</translation>
    </message>
    <message>
        <source>The input &apos;{name}&apos; is given {value:.4g}, as is usual for images of this size.</source>
        <translation>输入 &apos;{name}&apos; 取 {value:.4g}，这是此尺寸画面的常用值。</translation>
    </message>
    <message>
        <source>The input&apos;s size is free; the metadata say {width}x{height}.</source>
        <translation>输入尺寸不固定；元数据标明为 {width}x{height}。</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is not for {task} and was left out.</source>
        <translation>{file} 中的键 &apos;{name}&apos; 不适用于{task}，已忽略。</translation>
    </message>
    <message>
        <source>The key &apos;{name}&apos; in {file} is unknown and was left out.</source>
        <translation>{file} 中的键 &apos;{name}&apos; 未知，已忽略。</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be read ({reason}) and is kept as {name}; hosts that were in it are asked about anew.</source>
        <translation>无法读取允许的主机列表 {path}（{reason}），已将其保留为 {name}；其中的主机将重新询问。</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be read ({reason}), so no host receives images; repair it, or allow a host, which begins a new list.</source>
        <translation>无法读取允许的主机列表 {path}（{reason}），因此没有主机会收到画面；请修正该文件，或允许一台主机，这会开始新的列表。</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, assumed to be the person because nothing names the {count}; where all is taken for background, choose another Class.</source>
        <translation>蒙版取自类别 {channel}，假定它是人物，因为没有说明{count}的名称；若全部被当作背景，请选择其他类别。</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, because nothing says which of the {channels} classes is a person; choose another Class.</source>
        <translation>蒙版取自类别 {channel}，因为没有说明 {channels} 个类别中哪一个是人物；请选择其他类别。</translation>
    </message>
    <message>
        <source>The mask is of class {channel}, which the network&apos;s labels call a person.</source>
        <translation>蒙版取自类别 {channel}，网络的类别名称将其称为人物。</translation>
    </message>
    <message>
        <source>The mirror must be an http or https address.</source>
        <translation>镜像必须是 http 或 https 地址。</translation>
    </message>
    <message>
        <source>The network</source>
        <translation>该网络</translation>
    </message>
    <message>
        <source>The network gives {count} points of an object, more than the GPU path takes; choose onnxruntime.</source>
        <translation>网络为一个对象输出 {count} 个点，超出 GPU 路径的上限；请选择 onnxruntime。</translation>
    </message>
    <message>
        <source>The network was switched off, because the GPU refused it: {reason}; choose another network or backend.</source>
        <translation>网络已关闭，因为 GPU 拒绝了它：{reason}；请选择其他网络或后端。</translation>
    </message>
    <message>
        <source>The network {name} cannot be read ({reason}); check that the file exists and may be read.</source>
        <translation>无法读取网络 {name}（{reason}）；请检查该文件是否存在以及是否可读。</translation>
    </message>
    <message>
        <source>The network&apos;s input of {size} MiB is more than {adapter} takes; choose a smaller working size.</source>
        <translation>网络的输入为 {size} MiB，超出 {adapter} 的上限；请选择较小的工作尺寸。</translation>
    </message>
    <message>
        <source>The network&apos;s masks of {width} x {height} texels are too large to be kept; choose another network.</source>
        <translation>该网络的蒙版为 {width} x {height} 纹素，过大而无法保存；请选择其他网络。</translation>
    </message>
    <message>
        <source>The network&apos;s outputs ({text}) are not those of {title}; choose another decoder or none.</source>
        <translation>网络的输出 ({text}) 与 {title} 不符；请选择其他解码器或不选。</translation>
    </message>
    <message>
        <source>The output &apos;{after}&apos;, which becomes the input &apos;{before}&apos; of the next frame, has another shape or type; choose another network.</source>
        <translation>输出 &apos;{after}&apos; 在下一帧作为输入 &apos;{before}&apos;，但其形状或类型不同；请选择其他网络。</translation>
    </message>
    <message>
        <source>The output &apos;{input}&apos; of {name} has the shape {shape}, which is no map over its input of {width} x {height}; choose a network that gives one.</source>
        <translation>{name} 的输出 &apos;{input}&apos; 的形状为 {shape}，不是覆盖 {width} x {height} 输入的图；请选择能给出这种图的网络。</translation>
    </message>
    <message>
        <source>The output &apos;{name}&apos; must end in {suffixes}; for {others} say so with --format.</source>
        <translation>输出“{name}”必须以 {suffixes} 结尾；对于 {others}，请用 --format 说明。</translation>
    </message>
    <message>
        <source>The outputs of {name} ({text}) are not those of {title}; choose another decoder or none.</source>
        <translation>{name} 的输出 ({text}) 与 {title} 不符；请选择其他解码器或不选。</translation>
    </message>
    <message>
        <source>The page has no network that enlarges the image, compares it with the one before or removes noise from it in steps ({name}); take its filter out of the look.</source>
        <translation>该网页不支持放大画面、与前一画面比较或分步去除噪声的网络（{name}）；请从风格预设中移除其滤镜。</translation>
    </message>
    <message>
        <source>The frame fills {filled} of it; its edge is repeated around it.</source>
        <translation>画面占其中的 {filled}；四周重复其边缘。</translation>
    </message>
    <message>
        <source>The frame has no size; the file is damaged, try another copy.</source>
        <translation>画面没有尺寸；文件已损坏，请尝试另一份副本。</translation>
    </message>
    <message>
        <source>The image has {width}x{height} pixels; this GPU takes {most} a side.</source>
        <translation>画面为 {width}x{height} 像素；此 GPU 每边最多 {most}。</translation>
    </message>
    <message>
        <source>The image of {width} x {height} pixels could not be encoded as {suffix}; choose another format.</source>
        <translation>无法将 {width} x {height} 像素的画面编码为 {suffix}；请选择其他格式。</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than any video codec&apos;s levels allow; the file is damaged or must be scaled down.</source>
        <translation>{width} x {height} 像素的画面超过任何视频编解码器级别的上限；文件已损坏或必须缩小。</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than the {limit} x {limit} that can be shown; scale it down first.</source>
        <translation>{width} x {height} 像素的画面超过可显示的 {limit} x {limit}；请先缩小。</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels is larger than this GPU&apos;s limit of {limit} a side; scale it down first.</source>
        <translation>{width} x {height} 像素的画面超过此 GPU 每边 {limit} 的上限；请先缩小。</translation>
    </message>
    <message>
        <source>The frame of {width} x {height} pixels with three channels does not fit this GPU&apos;s limit of {limit} a side; scale it down first.</source>
        <translation>{width} x {height} 像素的三通道画面超过此 GPU 每边 {limit} 的上限；请先缩小。</translation>
    </message>
    <message>
        <source>The pixel format {name} cannot be read; convert the video to yuv420p first.</source>
        <translation>无法读取像素格式 {name}；请先将视频转换为 yuv420p。</translation>
    </message>
    <message>
        <source>The point that stays where it is; cover and fit are reckoned for the middle.</source>
        <translation>保持不动的点；覆盖和适合按画面中心计算。</translation>
    </message>
    <message>
        <source>The point that the slices meet at.</source>
        <translation>各扇区相交的点。</translation>
    </message>
    <message>
        <source>The point that the streaks run to.</source>
        <translation>条纹指向的点。</translation>
    </message>
    <message>
        <source>The point that the tunnel leads to.</source>
        <translation>隧道通向的点。</translation>
    </message>
    <message>
        <source>The preprocessing field &apos;{name}&apos; is unknown and was left out.</source>
        <translation>预处理字段 &apos;{name}&apos; 未知，已忽略。</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network takes {value}; set the preprocessing to the network&apos;s input.</source>
        <translation>预处理生成 {dtype}{shape}，但网络接受 {value}；请按网络的输入设置预处理。</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network&apos;s input &apos;{input}&apos; takes {input_dtype}{input_shape}.</source>
        <translation>预处理生成 {dtype}{shape}，但网络的输入 &apos;{input}&apos; 接受 {input_dtype}{input_shape}。</translation>
    </message>
    <message>
        <source>The preprocessing makes {dtype}{shape}, but the network&apos;s input is {dtype2}{shape2}; set the preprocessing to the network&apos;s input.</source>
        <translation>预处理生成 {dtype}{shape}，但网络的输入为 {dtype2}{shape2}；请按网络的输入设置预处理。</translation>
    </message>
    <message>
        <source>The look needs the folder {path}, which does not go into one file; save it as .toml, which names the folder.</source>
        <translation>该风格预设需要文件夹 {path}，它无法放入单个文件；请保存为 .toml，其中会记下该文件夹。</translation>
    </message>
    <message>
        <source>The look needs {path}, which cannot be read: {reason}; check its name and permissions.</source>
        <translation>风格预设需要 {path}，但无法读取：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The look needs {path}, whose name is not UTF-8; rename that file.</source>
        <translation>风格预设需要 {path}，但其文件名不是 UTF-8；请重命名该文件。</translation>
    </message>
    <message>
        <source>The look {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取风格预设 {path}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The look {path} cannot be unpacked into {folder}: {reason}; check that this folder can be written to.</source>
        <translation>无法将风格预设 {path} 解压到 {folder}：{reason}；请检查该文件夹是否可写。</translation>
    </message>
    <message>
        <source>The prompt has bytes that are no text in UTF-8; write it in UTF-8.</source>
        <translation>提示词中有不是 UTF-8 文本的字节；请用 UTF-8 书写。</translation>
    </message>
    <message>
        <source>The quantized input holds {low:.4g} to {high:.4g}</source>
        <translation>量化输入的取值为 {low:.4g} 到 {high:.4g}</translation>
    </message>
    <message>
        <source>The range of the network&apos;s input, where what was inferred is wrong; ImageNet is 0..1 less its mean, over its deviation.</source>
        <translation>网络的输入范围，用于推断有误时；ImageNet 为 0..1 减均值后除以标准差。</translation>
    </message>
    <message>
        <source>The range of the picture that comes out, where what was inferred is wrong.</source>
        <translation>输出画面的数值范围，用于推断有误时。</translation>
    </message>
    <message>
        <source>The recording {name} stopped ({error}).</source>
        <translation>录像 {name} 已停止 ({error})。</translation>
    </message>
    <message>
        <source>The region does not lie on monitor {number}, which has {width}x{height} pixels: choose another one.</source>
        <translation>该区域不在显示器 {number}（{width}x{height} 像素）上：请选择其他区域。</translation>
    </message>
    <message>
        <source>The region does not lie on the screen, which has {width}x{height} pixels: choose another one.</source>
        <translation>该区域不在屏幕（{width}x{height} 像素）上：请选择其他区域。</translation>
    </message>
    <message>
        <source>The region has no pixels: give it a width and a height.</source>
        <translation>该区域没有像素：请给出宽度和高度。</translation>
    </message>
    <message>
        <source>The report {name} cannot be written ({reason}); choose another folder.</source>
        <translation>无法写入报告 {name} ({reason})；请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The run that {name} is of was another one ({what}); give the same inputs and options, or leave --resume out.</source>
        <translation>{name} 属于另一次运行（{what}）；请给出相同的输入和选项，或去掉 --resume。</translation>
    </message>
    <message>
        <source>The same noise for every picture, so that what stands still looks still; off, it boils.</source>
        <translation>每个画面使用相同的噪声，静止的内容看起来也静止；关闭后画面会翻腾。</translation>
    </message>
    <message>
        <source>The sample can&apos;t be {width}x{height}: give even sides from 64 to {largest} pixels.</source>
        <translation>示例不能为 {width}x{height}：请给出 64 到 {largest} 像素之间的偶数边长。</translation>
    </message>
    <message>
        <source>The sample can&apos;t run at {rate} frames a second: give a rate from 1 to 240.</source>
        <translation>示例不能以每秒 {rate} 帧运行：请给出 1 到 240 之间的帧率。</translation>
    </message>
    <message>
        <source>The screen can&apos;t be captured {rate} times a second: give a rate from 1 to {fastest}.</source>
        <translation>屏幕无法每秒捕获 {rate} 次：请给出 1 到 {fastest} 之间的帧率。</translation>
    </message>
    <message>
        <source>The screen {name} can&apos;t be read: check that its X server runs, lets you in, and that libxcb is installed.</source>
        <translation>无法读取屏幕 {name}：请检查其 X 服务器是否运行并允许您访问，以及是否安装了 libxcb。</translation>
    </message>
    <message>
        <source>The second screen, or a window</source>
        <translation>第二个屏幕，否则为窗口</translation>
    </message>
    <message>
        <source>The setting &apos;{name}&apos; is not for {task} and was left out.</source>
        <translation>设置 &apos;{name}&apos; 不适用于{task}，已忽略。</translation>
    </message>
    <message>
        <source>The setting &apos;{name}&apos; is {value}; give {allowed}.</source>
        <translation>设置“{name}”为 {value}；应为：{allowed}。</translation>
    </message>
    <message>
        <source>The settings in {folder} cannot be read or written, so changes last until the window is closed; give the folder to your user.</source>
        <translation>无法读取或写入 {folder} 中的设置，因此更改只在窗口关闭前有效；请让您的用户拥有该文件夹。</translation>
    </message>
    <message>
        <source>The settings were damaged and begin anew; the old file is kept as {kept}.</source>
        <translation>设置已损坏，现重新开始；旧文件保留为 {kept}。</translation>
    </message>
    <message>
        <source>The settings {name} are not TOML: {error}; correct them in a text editor.</source>
        <translation>设置 {name} 不是 TOML：{error}；请用文本编辑器修正。</translation>
    </message>
    <message>
        <source>The settings {name} have no table [preprocess]; correct them in a text editor.</source>
        <translation>设置 {name} 没有表 [preprocess]；请用文本编辑器修正。</translation>
    </message>
    <message>
        <source>The settings {path} are damaged and cannot be moved away ({reason}); delete the file.</source>
        <translation>设置 {path} 已损坏且无法移开 ({reason})；请删除该文件。</translation>
    </message>
    <message>
        <source>The settings {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取设置 {path}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The settings {where}: {what}; docs/models.md lists the keys.</source>
        <translation>设置 {where}：{what}；各键见 docs/models.md。</translation>
    </message>
    <message>
        <source>The audio begins {seconds:.1f} s before the first frame; until then the video shows nothing.</source>
        <translation>声音比第一帧早开始 {seconds:.1f} 秒；在此之前视频没有画面。</translation>
    </message>
    <message>
        <source>The audio of {name} {why}.</source>
        <translation>{name} 的声音{why}。</translation>
    </message>
    <message>
        <source>The source has transparency, and {codec} holds none: it becomes black; keep transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>来源含有透明度，而 {codec} 不支持：会变为黑色；可在 .webm、.mkv 和 .mov 中保留透明度 (--alpha)。</translation>
    </message>
    <message>
        <source>The speed {factor:g} is not between {slowest:g} and {fastest:g}; choose one that is.</source>
        <translation>速度 {factor:g} 不在 {slowest:g} 和 {fastest:g} 之间；请选择范围内的值。</translation>
    </message>
    <message>
        <source>The table {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取查找表 {path}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The tensor &apos;{name}&apos; does not exist in this network; look its name up in the model.</source>
        <translation>此网络中没有张量 &apos;{name}&apos;；请在模型中查找其名称。</translation>
    </message>
    <message>
        <source>The tensor &apos;{name}&apos; is fused away or shares its memory with later ones; load the network with keep=[&apos;{name}&apos;].</source>
        <translation>张量 &apos;{name}&apos; 已被融合，或与后面的张量共用内存；请用 keep=[&apos;{name}&apos;] 加载网络。</translation>
    </message>
    <message>
        <source>The text encoder of {folder} did not read the prompt ({reason}); choose another prompt or folder.</source>
        <translation>{folder} 的文本编码器未能读取提示词（{reason}）；请选择其他提示词或文件夹。</translation>
    </message>
    <message>
        <source>The time {seconds} is not a number of seconds; give one from 0 on.</source>
        <translation>时间 {seconds} 不是秒数；请给出不小于 0 的值。</translation>
    </message>
    <message>
        <source>The tuning {file} cannot be written: {reason}; make room or set LIGHTLOOM_CACHE to another folder.</source>
        <translation>无法写入调优结果 {file}：{reason}；请腾出空间，或将 LIGHTLOOM_CACHE 设为其他文件夹。</translation>
    </message>
    <message>
        <source>The tunings in {folder} cannot be deleted: {reason}; delete the folder.</source>
        <translation>无法删除 {folder} 中的调优结果：{reason}；请删除该文件夹。</translation>
    </message>
    <message>
        <source>The whole of a screen, or a window.</source>
        <translation>整个屏幕，或一个窗口。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>There are labels in {folder} already; choose another folder, or move them away.</source>
        <translation>{folder} 中已有标签；请选择另一个文件夹，或将它们移走。</translation>
    </message>
    <message>
        <source>There are no units &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>没有单位 &apos;{wanted}&apos;；请选择 {names} 之一。</translation>
    </message>
    <message>
        <source>There is no camera called {wanted}: plug it in or choose another.</source>
        <translation>没有名为 {wanted} 的摄像头：请接入它或另选一个。</translation>
    </message>
    <message>
        <source>There is no decoder &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>没有解码器 &apos;{wanted}&apos;；请选择 {names} 之一。</translation>
    </message>
    <message>
        <source>There is no file {path}: check its name.</source>
        <translation>没有文件 {path}：请检查其名称。</translation>
    </message>
    <message>
        <source>There is no filter called &apos;{filter_id}&apos;; &apos;lightloom filters&apos; lists them.</source>
        <translation>没有名为 &apos;{filter_id}&apos; 的滤镜；&apos;lightloom filters&apos; 会列出所有滤镜。</translation>
    </message>
    <message>
        <source>There is no folder {folder}: check its name.</source>
        <translation>没有文件夹 {folder}：请检查其名称。</translation>
    </message>
    <message>
        <source>There is no memory for an image in {name}: scale it down.</source>
        <translation>内存不足以打开 {name} 中的图片：请缩小它。</translation>
    </message>
    <message>
        <source>There is no memory for a sample of {width}x{height}: choose a smaller one.</source>
        <translation>内存不足以生成 {width}x{height} 的示例：请选择较小的尺寸。</translation>
    </message>
    <message>
        <source>There is no memory for {name}: scale it down.</source>
        <translation>内存不足以打开 {name}：请缩小它。</translation>
    </message>
    <message>
        <source>There is no memory for {name}; scale it down.</source>
        <translation>内存不足以打开 {name}；请缩小它。</translation>
    </message>
    <message>
        <source>There is no network &apos;{shown}&apos;: it is no file, and the built-in ones are {names}; choose another.</source>
        <translation>没有网络 &apos;{shown}&apos;：它不是文件，而内置的有 {names}；请另选一个。</translation>
    </message>
    <message>
        <source>There is no video in {name}; choose a file with a video track.</source>
        <translation>{name} 中没有画面；请选择带有视频轨的文件。</translation>
    </message>
    <message>
        <source>There is no image to save yet; open a source first.</source>
        <translation>还没有可保存的画面；请先打开一个来源。</translation>
    </message>
    <message>
        <source>There is no look {name}; give the path of a .toml or .lightloom file, or one of {names}.</source>
        <translation>没有风格预设 {name}；请给出 .toml 或 .lightloom 文件的路径，或以下之一：{names}。</translation>
    </message>
    <message>
        <source>There is no run to go on with: {name} is not there; leave --resume out.</source>
        <translation>没有可以继续的运行：{name} 不存在；请去掉 --resume。</translation>
    </message>
    <message>
        <source>There is no sample &apos;{text}&apos;: write it as sample:640x360@30.</source>
        <translation>没有示例“{text}”：请写成 sample:640x360@30。</translation>
    </message>
    <message>
        <source>There is no screen to capture (DISPLAY is not set): start Lightloom on a desktop.</source>
        <translation>没有可捕获的屏幕（未设置 DISPLAY）：请在桌面环境中启动 Lightloom。</translation>
    </message>
    <message>
        <source>There is no shared shader file called &apos;{name}&apos;; see shaders/common.</source>
        <translation>没有名为 &apos;{name}&apos; 的共享着色器文件；参见 shaders/common。</translation>
    </message>
    <message>
        <source>There is no skeleton &apos;{wanted}&apos;; choose one of {names}.</source>
        <translation>没有骨架 &apos;{wanted}&apos;；请选择 {names} 之一。</translation>
    </message>
    <message>
        <source>There is no task &apos;{task}&apos;; choose one of {names}.</source>
        <translation>没有任务“{task}”；请选择其中之一：{names}。</translation>
    </message>
    <message>
        <source>There is no window called {wanted}: open it or choose another.</source>
        <translation>没有名为 {wanted} 的窗口：请打开它或选择其他窗口。</translation>
    </message>
    <message>
        <source>The input has no frame, so nothing was written; choose another file or range.</source>
        <translation>输入中没有任何帧，因此没有写入任何内容；请选择其他文件或范围。</translation>
    </message>
    <message>
        <source>A GIF has no half-transparent pixels, so those of {name} became opaque or transparent; keep them in .webp, or transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>GIF 没有半透明像素，因此 {name} 中的这些像素变为不透明或全透明；.webp 会保留它们，在 .webm、.mkv 和 .mov 中保留透明度亦可 (--alpha)。</translation>
    </message>
    <message>
        <source>The label file {name} has a line of more than {longest} characters; give one name a line.</source>
        <translation>标签文件 {name} 中有一行超过 {longest} 个字符；请每行只写一个名称。</translation>
    </message>
    <message>
        <source>Thermal</source>
        <translation>热成像</translation>
    </message>
    <message>
        <source>Thick bristle strokes that follow the picture&apos;s forms.</source>
        <translation>顺着画面形体的粗鬃毛笔触。</translation>
    </message>
    <message>
        <source>Thin, connected outlines: blur, gradient, non-maximum suppression, two thresholds, hysteresis.</source>
        <translation>细而相连的轮廓：模糊、梯度、非极大值抑制、双阈值、滞后。</translation>
    </message>
    <message>
        <source>Objects processed per frame, at most: {most}.</source>
        <translation>一张图片中最多查看的物体数：{most}。</translation>
    </message>
    <message>
        <source>This build of FFmpeg has no encoder for {suffix} files; choose another format.</source>
        <translation>此 FFmpeg 版本没有 {suffix} 文件的编码器；请选择其他格式。</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>分块数</translation>
    </message>
    <message>
        <source>Tiles across and down that each get a curve of their own; 1 equalizes the picture as a whole.</source>
        <translation>横向和纵向各自拥有曲线的分块数；1 对整个画面作均衡。</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>倾斜</translation>
    </message>
    <message>
        <source>Tilt-shift</source>
        <translation>移轴</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time over which the nearest and the farthest value are averaged, against flicker.</source>
        <translation>对最近值和最远值作平均的时间，防止闪烁。</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>时序</translation>
    </message>
    <message>
        <source>Tint</source>
        <translation>色调</translation>
    </message>
    <message>
        <source>Tiny planet</source>
        <translation>小行星</translation>
    </message>
    <message>
        <source>Title and chapters are left out: {container} holds none.</source>
        <translation>标题和章节不会保留：{container} 不能保存它们。</translation>
    </message>
    <message>
        <source>Tokens are kept by the package keyring, which is not installed: {command}.</source>
        <translation>令牌由软件包 keyring 保存，但它尚未安装：{command}。</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Tone curve</source>
        <translation>色调曲线</translation>
    </message>
    <message>
        <source>Tones the picture brown like an old print.</source>
        <translation>把画面染成旧照片的棕色。</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>上</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Trail</source>
        <translation>轨迹</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>过渡</translation>
    </message>
    <message>
        <source>Transparency as a &amp;checkerboard</source>
        <translation>以棋盘格显示透明部分(&amp;C)</translation>
    </message>
    <message>
        <source>Treat the person instead of the background.</source>
        <translation>处理人物而不是背景。</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>Turns all hues by an angle in the Cb/Cr plane of BT.709, so that the luma of every pixel stays as it is.</source>
        <translation>在 BT.709 的 Cb/Cr 平面上把所有色相旋转一个角度，每个像素的亮度保持不变。</translation>
    </message>
    <message>
        <source>Turns the ball.</source>
        <translation>转动球体。</translation>
    </message>
    <message>
        <source>Turns the band clockwise; at 0 it is level.</source>
        <translation>顺时针旋转清晰带；0 为水平。</translation>
    </message>
    <message>
        <source>Turns the picture by any angle, with bilinear sampling.</source>
        <translation>以任意角度旋转画面，双线性采样。</translation>
    </message>
    <message>
        <source>Turns the picture into its negative.</source>
        <translation>把画面变成负片。</translation>
    </message>
    <message>
        <source>Turns the whole figure.</source>
        <translation>转动整个图形。</translation>
    </message>
    <message>
        <source>Twists the picture around a point, most in the middle and not at all at the rim.</source>
        <translation>围绕一点扭曲画面，中心最强，边缘处为零。</translation>
    </message>
    <message>
        <source>UltraFace RFB 320</source>
        <translation>UltraFace RFB 320</translation>
    </message>
    <message>
        <source>Ultralytics&apos; classifiers see the whole center square.</source>
        <translation>Ultralytics 的分类器看到的是整个居中正方形。</translation>
    </message>
    <message>
        <source>Ultralytics&apos; metadata</source>
        <translation>Ultralytics 的元数据</translation>
    </message>
    <message>
        <source>Unsharp mask: adds the difference between the picture and a blurred copy.</source>
        <translation>反锐化蒙版：加上画面与其模糊副本之差。</translation>
    </message>
    <message>
        <source>Until its chain is changed once.</source>
        <translation>直到其滤镜链被更改。</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Value that black is given; above output white it inverts.</source>
        <translation>黑所取的值；高于输出白点时反相。</translation>
    </message>
    <message>
        <source>Value that white is given.</source>
        <translation>白所取的值。</translation>
    </message>
    <message>
        <source>Values that each channel may take.</source>
        <translation>每个通道可取的值。</translation>
    </message>
    <message>
        <source>Vibrance</source>
        <translation>自然饱和度</translation>
    </message>
    <message>
        <source>Video call</source>
        <translation>视频通话</translation>
    </message>
    <message>
        <source>Videos begin with those that they carry, or that are beside them.</source>
        <translation>视频开始时显示其自带或旁边的字幕。</translation>
    </message>
    <message>
        <source>Vignette</source>
        <translation>暗角</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>音量</translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>A trial image gives values in {said}.</source>
        <translation>试算一张图片所得的值在 {said} 范围内。</translation>
    </message>
    <message>
        <source>What is heard while the recording runs.</source>
        <translation>录像期间听到的声音。</translation>
    </message>
    <message>
        <source>What is left of the background&apos;s light.</source>
        <translation>背景的光剩余多少。</translation>
    </message>
    <message>
        <source>What is put in its place.</source>
        <translation>放在其位置上的内容。</translation>
    </message>
    <message>
        <source>What is put in its place; it fills the frame, what stands over is cut off.</source>
        <translation>放在其位置上的内容；它充满画面，超出部分被裁去。</translation>
    </message>
    <message>
        <source>What is sharp, from the farthest (0) to the nearest (1).</source>
        <translation>清晰之处，从最远 (0) 到最近 (1)。</translation>
    </message>
    <message>
        <source>What is shown where the picture does not reach.</source>
        <translation>画面未及之处显示什么。</translation>
    </message>
    <message>
        <source>What the network sees in the clean output</source>
        <translation>在纯净输出中显示网络所见</translation>
    </message>
    <message>
        <source>What the network&apos;s coordinates are in, where the file does not tell it rightly.</source>
        <translation>在文件没有正确说明时，网络的坐标采用何种单位。</translation>
    </message>
    <message>
        <source>What the picture is not to show; it counts where the guidance is above 1.</source>
        <translation>画面不应出现的内容；引导强度大于 1 时才起作用。</translation>
    </message>
    <message>
        <source>What the picture is to show, in words; for a folder of Stable Diffusion.</source>
        <translation>用文字描述画面应呈现的内容；用于 Stable Diffusion 文件夹。</translation>
    </message>
    <message>
        <source>What the points are, where the file does not tell it.</source>
        <translation>在文件没有说明时，这些点是什么。</translation>
    </message>
    <message>
        <source>What was recorded until then is in {file}.</source>
        <translation>此前录制的内容在 {file} 中。</translation>
    </message>
    <message>
        <source>What was set on cameras</source>
        <translation>对摄像头的设置</translation>
    </message>
    <message>
        <source>Where in the remaining picture the zoom looks; 0 and 1 are its edges.</source>
        <translation>缩放看向剩余画面的何处；0 和 1 为其边缘。</translation>
    </message>
    <message>
        <source>Where one looks: -90 is down on the planet, 0 ahead, 90 up into a tunnel of sky.</source>
        <translation>视线方向：-90 俯视星球，0 平视，90 仰望天空隧道。</translation>
    </message>
    <message>
        <source>Where results come later than their pictures: the newest result with the newest picture, or each picture with its own result, later.</source>
        <translation>当结果晚于画面时：将最新结果用于最新画面，或让每幅画面等待其自身的结果，稍后显示。</translation>
    </message>
    <message>
        <source>Where the clean output is</source>
        <translation>纯净输出的位置</translation>
    </message>
    <message>
        <source>Where the darkening begins; 0 is the center, 1 the corner.</source>
        <translation>变暗开始之处；0 为中心，1 为角。</translation>
    </message>
    <message>
        <source>Where the kind of file takes it; the usual one elsewhere.</source>
        <translation>文件类型支持时使用；否则用常用的。</translation>
    </message>
    <message>
        <source>Where the light comes from: 0 is right, -90 is above.</source>
        <translation>光的来向：0 为右，-90 为上。</translation>
    </message>
    <message>
        <source>Where the network is computed; auto takes the GPU where there is one.</source>
        <translation>网络在何处计算；自动在有 GPU 时使用 GPU。</translation>
    </message>
    <message>
        <source>Where the playlist is was shown</source>
        <translation>已提示播放列表的位置</translation>
    </message>
    <message>
        <source>Where the waves run to: 0 is right, 90 is down.</source>
        <translation>波的去向：0 为右，90 为下。</translation>
    </message>
    <message>
        <source>Where they are downloaded to. Those that are in another folder stay there.</source>
        <translation>下载到此处。其他文件夹中的网络保持不动。</translation>
    </message>
    <message>
        <source>Which channel or class of the network is the mask; -1 takes the person&apos;s.</source>
        <translation>网络的哪个通道或类别是蒙版；-1 取人物的。</translation>
    </message>
    <message>
        <source>Which direction of the picture the slices show.</source>
        <translation>扇区显示画面的哪个方向。</translation>
    </message>
    <message>
        <source>White balance</source>
        <translation>白平衡</translation>
    </message>
    <message>
        <source>Whites</source>
        <translation>白点</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Width of the band that is sharp.</source>
        <translation>清晰带的宽度。</translation>
    </message>
    <message>
        <source>Width of the lines.</source>
        <translation>线条的宽度。</translation>
    </message>
    <message>
        <source>Width of the soft edge, in the same measure.</source>
        <translation>柔边的宽度，单位相同。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>With what the network sees</source>
        <translation>包含网络所见</translation>
    </message>
    <message>
        <source>Work offline</source>
        <translation>离线工作</translation>
    </message>
    <message>
        <source>Working size</source>
        <translation>工作尺寸</translation>
    </message>
    <message>
        <source>Write a line of CSV</source>
        <translation>写入一行 CSV</translation>
    </message>
    <message>
        <source>Write a line of JSON</source>
        <translation>写入一行 JSON</translation>
    </message>
    <message>
        <source>Writes the picture in characters that are as bright as what they replace.</source>
        <translation>用与所替换内容同样明亮的字符书写画面。</translation>
    </message>
    <message>
        <source>YOLO names a label file like its image without the suffix, so {one} and {other} would have the same file {name}; rename one of them, or choose another format.</source>
        <translation>YOLO 的标注文件以图片去掉扩展名后的名称命名，因此 {one} 和 {other} 会使用同一个文件 {name}；请重命名其中一个，或选择其他格式。</translation>
    </message>
    <message>
        <source>YOLOX-Nano</source>
        <translation>YOLOX-Nano</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
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
        <translation>区域</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Zoom blur</source>
        <translation>变焦模糊</translation>
    </message>
    <message>
        <source>a Caffe network</source>
        <translation>Caffe 网络</translation>
    </message>
    <message>
        <source>a Core ML network</source>
        <translation>Core ML 网络</translation>
    </message>
    <message>
        <source>a Darknet network</source>
        <translation>Darknet 网络</translation>
    </message>
    <message>
        <source>a Keras or HDF5 file</source>
        <translation>Keras 或 HDF5 文件</translation>
    </message>
    <message>
        <source>a Paddle network</source>
        <translation>Paddle 网络</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>a TensorFlow graph or SavedModel</source>
        <translation>TensorFlow 计算图或 SavedModel</translation>
    </message>
    <message>
        <source>a TensorFlow.js network</source>
        <translation>TensorFlow.js 网络</translation>
    </message>
    <message>
        <source>a TensorRT engine, which is made for one kind of GPU</source>
        <translation>TensorRT 引擎，它只为一种 GPU 生成</translation>
    </message>
    <message>
        <source>a box and the classes&apos; scores for each cell</source>
        <translation>每个单元格一个框和各类别的分数</translation>
    </message>
    <message>
        <source>a box with five points, two scores and an IoU for each of its priors</source>
        <translation>每个先验框一个带五个点的框、两个分数和一个 IoU</translation>
    </message>
    <message>
        <source>a color such as #00b140</source>
        <translation>像 #00b140 这样的颜色</translation>
    </message>
    <message>
        <source>a column for each cell, with box and scores</source>
        <translation>每个单元格一列，含框和分数</translation>
    </message>
    <message>
        <source>a constant luminance matrix is read as the default one</source>
        <translation>恒定亮度矩阵按默认矩阵读取</translation>
    </message>
    <message>
        <source>a file of weights alone</source>
        <translation>只含权重的文件</translation>
    </message>
    <message>
        <source>a file of weights alone (safetensors)</source>
        <translation>只含权重的文件 (safetensors)</translation>
    </message>
    <message>
        <source>a file of weights for llama.cpp (GGUF)</source>
        <translation>llama.cpp 的权重文件 (GGUF)</translation>
    </message>
    <message>
        <source>a filter without a name was left out.</source>
        <translation>一个没有名称的滤镜已忽略。</translation>
    </message>
    <message>
        <source>a gray image comes out, as one goes in</source>
        <translation>输入一张灰度图，输出也是一张灰度图</translation>
    </message>
    <message>
        <source>a line of text</source>
        <translation>一行文本</translation>
    </message>
    <message>
        <source>a list of boxes with scores, and one of labels</source>
        <translation>一个带分数的框列表和一个标签列表</translation>
    </message>
    <message>
        <source>a list of boxes, and the inputs of its family beside the image</source>
        <translation>一个框列表，以及画面之外该系列特有的输入</translation>
    </message>
    <message>
        <source>a list of {count} boxes with score and class</source>
        <translation>{count} 个带分数和类别的框的列表</translation>
    </message>
    <message>
        <source>a map for each of its grids, with three anchors a cell</source>
        <translation>每个网格一张图，每个单元格三个锚点</translation>
    </message>
    <message>
        <source>a mask&apos;s two sides</source>
        <translation>蒙版的两侧</translation>
    </message>
    <message>
        <source>a matrix derived from the primaries is read as the default one</source>
        <translation>由原色导出的矩阵按默认矩阵读取</translation>
    </message>
    <message>
        <source>a matte, and the colors of the foreground beside it</source>
        <translation>一个遮罩，以及前景的颜色</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>一个名称</translation>
    </message>
    <message>
        <source>a name in it is not UTF-8</source>
        <translation>其中有名称不是 UTF-8</translation>
    </message>
    <message>
        <source>a network compiled for one device</source>
        <translation>为某一设备编译的网络</translation>
    </message>
    <message>
        <source>a number from {min:g} to {max:g}{unit}</source>
        <translation>{min:g} 到 {max:g}{unit} 之间的数</translation>
    </message>
    <message>
        <source>a packed archive</source>
        <translation>压缩包</translation>
    </message>
    <message>
        <source>an image comes out that is {factor} times as large</source>
        <translation>输出的画面是输入的 {factor} 倍大</translation>
    </message>
    <message>
        <source>a frame of {width} x {height} pixels{work}</source>
        <translation>一幅 {width} x {height} 像素的画面{work}</translation>
    </message>
    <message numerus="yes">
        <source>%n files of the playlist are on another machine: Lightloom leaves them out when it opens the saved list.</source>
        <translation>
            <numerusform>播放列表中有 %n 个文件在其他计算机上：Lightloom 打开保存的列表时会忽略它们。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further notes are left out.</source>
        <translation>
            <numerusform>还有 %n 条提示未列出。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n objects have an outline in several parts, of which the longest was read.</source>
        <translation>
            <numerusform>%n 个对象的轮廓由多个部分组成，仅读取了其中最长的部分。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n regions of several objects (iscrowd) were left out.</source>
        <translation>
            <numerusform>已忽略 %n 个包含多个对象的区域（iscrowd）。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Copy all effects</source>
        <translation>复制所有效果(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste effects</source>
        <translation>粘贴效果(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pick a look</source>
        <translation>选择风格预设(&amp;P)</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is not known and was left out; did you mean &apos;{near}&apos;?</source>
        <translation>“{key}”未知,已忽略;是否指“{near}”?</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; is outside &apos;scene&apos; and was left out; move it into &apos;scene&apos;.</source>
        <translation>“{key}”在“scene”之外,已忽略;请移入其中。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; counts in a zone, and there is none; load some (--zones).</source>
        <translation>“{filter}”的“{name}”在某个区域中计数，但没有任何区域；请载入区域（--zones）。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; counts in the zone &apos;{zone}&apos;, which does not exist; there are: {zones}.</source>
        <translation>“{filter}”的“{name}”在区域“{zone}”中计数,但该区域不存在;现有:{zones}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows a tracked object, and tracking is off; switch it on (--track).</source>
        <translation>“{filter}”的“{name}”跟随被跟踪的对象,但跟踪已关闭;请打开(--track)。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows events, and there is none; load some with their zones (--zones).</source>
        <translation>“{filter}”的“{name}”跟随事件,但没有任何事件;请随区域一起载入(--zones)。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; of &apos;{filter}&apos; follows the event &apos;{event}&apos;, which does not exist; there are: {events}.</source>
        <translation>“{filter}”的“{name}”跟随事件“{event}”,但该事件不存在;现有:{events}。</translation>
    </message>
    <message>
        <source>&apos;{wanted}&apos; matches the names of {count} cameras; give the id of one: {ids}.</source>
        <translation>“{wanted}”是 {count} 台摄像头的名称或名称的一部分;请给出其中一台的标识:{ids}。</translation>
    </message>
    <message>
        <source>A copy of the list is {kept}.</source>
        <translation>列表的副本为 {kept}。</translation>
    </message>
    <message>
        <source>A woodblock print in Prussian blue and cream, after Hokusai.</source>
        <translation>普鲁士蓝与奶油色的木版画，仿葛饰北斋。</translation>
    </message>
    <message>
        <source>A woodblock print in blue and cream, with a network.</source>
        <translation>蓝色与奶油色的木版画，由网络绘制。</translation>
    </message>
    <message>
        <source>Begin with an effect on the sample</source>
        <translation>启动时在示例上使用效果</translation>
    </message>
    <message>
        <source>Bright shapes and black lines, after Kandinsky.</source>
        <translation>鲜艳的形状与黑色线条，仿康定斯基。</translation>
    </message>
    <message>
        <source>Compare before and after</source>
        <translation>比较前后效果</translation>
    </message>
    <message>
        <source>Composition</source>
        <translation>构成</translation>
    </message>
    <message>
        <source>Effe&amp;cts</source>
        <translation>效果(&amp;C)</translation>
    </message>
    <message>
        <source>Effects used lately</source>
        <translation>最近使用的效果</translation>
    </message>
    <message>
        <source>Favorite effects</source>
        <translation>收藏的效果</translation>
    </message>
    <message>
        <source>Favorite networks</source>
        <translation>收藏的网络</translation>
    </message>
    <message>
        <source>Great wave</source>
        <translation>巨浪</translation>
    </message>
    <message>
        <source>Large values are taken for near; if near and far are exchanged, choose Invert, or write near = &quot;low&quot; under [output] into {name}.</source>
        <translation>较大的值被视为近处；如果远近颠倒，请选择“反相”，或在 {name} 的 [output] 下写入 near = &quot;low&quot;。</translation>
    </message>
    <message>
        <source>Lightloom cannot note in {folder} that the exports go on at the next start ({reason}); free disk space, or close it again and continue them in the panel Exports after the next start.</source>
        <translation>无法在 {folder} 中记录导出要在下次启动时继续（{reason}）；请释放磁盘空间，或再次关闭 Lightloom，并在下次启动后于“导出”面板中继续。</translation>
    </message>
    <message>
        <source>Open the &amp;folder of my effects</source>
        <translation>打开我的效果文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Reading {title} stopped by a fault of Lightloom&apos;s own ({error}); report it with the log file.</source>
        <translation>读取 {title} 因 Lightloom 自身的错误（{error}）而停止：请附上日志文件报告。</translation>
    </message>
    <message>
        <source>Show the library as a lis&amp;t</source>
        <translation>以列表显示库(&amp;T)</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>聚光灯</translation>
    </message>
    <message>
        <source>Starry night</source>
        <translation>星夜</translation>
    </message>
    <message>
        <source>Such as 9000 for programs here, or 0.0.0.0:9000 for all that reach this machine.</source>
        <translation>例如 9000 供本机程序使用，或 0.0.0.0:9000 供能访问本机的所有设备使用。</translation>
    </message>
    <message>
        <source>Swirling brush strokes in blue and yellow, with a network.</source>
        <translation>蓝色与黄色的旋涡笔触，由网络绘制。</translation>
    </message>
    <message>
        <source>Swirling strokes in blue and yellow, after van Gogh.</source>
        <translation>蓝色与黄色的旋涡笔触，仿梵高。</translation>
    </message>
    <message>
        <source>The MIDI device {name} cannot be opened; end other programs that use it.</source>
        <translation>无法打开 MIDI 设备 {name}；请关闭正在使用它的其他程序。</translation>
    </message>
    <message>
        <source>The MIDI device {name} is gone; it is used again once it is back.</source>
        <translation>MIDI 设备 {name} 已断开；重新连接后会继续使用。</translation>
    </message>
    <message>
        <source>The Scream</source>
        <translation>呐喊</translation>
    </message>
    <message>
        <source>The access log cannot be written ({reason}); choose a file.</source>
        <translation>无法写入访问日志（{reason}）；请选择一个文件。</translation>
    </message>
    <message>
        <source>The access log cannot be written ({reason}); {advice}.</source>
        <translation>无法写入访问日志（{reason}）；{advice}。</translation>
    </message>
    <message>
        <source>The access log takes lines too slowly, so that requests are missing in it; check its disk, or what reads it.</source>
        <translation>访问日志接收行的速度太慢，因此其中缺少请求；请检查其磁盘，或读取它的程序。</translation>
    </message>
    <message>
        <source>The access log {path} is a named pipe that nothing reads; start its reader first.</source>
        <translation>访问日志 {path} 是没有程序读取的命名管道；请先启动读取它的程序。</translation>
    </message>
    <message>
        <source>The audio could not be read ({error}); convert the file.</source>
        <translation>无法读取音频（{error}）；请转换该文件。</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded; convert the file.</source>
        <translation>无法解码 {name} 的音频；请转换该文件。</translation>
    </message>
    <message>
        <source>The audio was closed while it was read; open it again.</source>
        <translation>音频在读取时被关闭；请重新打开。</translation>
    </message>
    <message>
        <source>The channel of the device.</source>
        <translation>设备的通道。</translation>
    </message>
    <message>
        <source>The clip {path} cannot be written: {reason}; free some disk space or check the folder.</source>
        <translation>无法写入片段 {path}：{reason}；请释放磁盘空间或检查文件夹。</translation>
    </message>
    <message>
        <source>The color of the frames changes at {seconds:.2f} s, and a file holds one dynamic range; let HDR become SDR (--hdr tonemap), or write a part (--range).</source>
        <translation>帧的颜色在 {seconds:.2f} 秒处改变，而一个文件只有一种动态范围；让 HDR 变为 SDR (--hdr tonemap)，或只写一部分 (--range)。</translation>
    </message>
    <message>
        <source>The encrypted connection to {address} cannot be established: check the server&apos;s log for TLS and DTLS, or use its RTMP address.</source>
        <translation>无法与 {address} 建立加密连接：请检查服务器日志中的 TLS 和 DTLS 信息，或使用其 RTMP 地址。</translation>
    </message>
    <message>
        <source>The events {path} cannot be read: {reason}; check its name and permissions.</source>
        <translation>无法读取事件文件 {path}：{reason}；请检查名称和权限。</translation>
    </message>
    <message>
        <source>The filter &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; leave it out, or let HDR become SDR (--hdr tonemap).</source>
        <translation>滤镜 &apos;{filter}&apos; 以 SDR 为前提，因此无法保留 HDR；请去掉它，或让 HDR 变为 SDR（--hdr tonemap）。</translation>
    </message>
    <message>
        <source>The greatest brightness.</source>
        <translation>最大亮度。</translation>
    </message>
    <message>
        <source>The hue: 0 is red, 60 yellow, 120 green, 180 cyan, 240 blue, 300 magenta (HSV).</source>
        <translation>色相：0 为红，60 为黄，120 为绿，180 为青，240 为蓝，300 为洋红 (HSV)。</translation>
    </message>
    <message>
        <source>The index {path} of the segments is a symbolic link, which is not followed; delete the link, or choose another name.</source>
        <translation>分段的索引 {path} 是符号链接，不会跟随；请删除该链接，或选择其他名称。</translation>
    </message>
    <message>
        <source>The input of {name} cannot be filled in tiles; set tiles to 1.</source>
        <translation>{name} 的输入无法按分块填充；请将分块设为 1。</translation>
    </message>
    <message>
        <source>The least brightness; luma of R&apos;G&apos;B&apos; (BT.709).</source>
        <translation>最小亮度；R&apos;G&apos;B&apos; 的亮度 (BT.709)。</translation>
    </message>
    <message>
        <source>The least saturation (HSV); grays have no hue.</source>
        <translation>最小饱和度 (HSV)；灰色没有色相。</translation>
    </message>
    <message>
        <source>The list of exports cannot be read ({reason}), so that exports of earlier starts are missing; add them again. The file is {kept}.</source>
        <translation>无法读取导出列表（{reason}），因此缺少以前启动时的导出；请重新添加。该文件为 {kept}。</translation>
    </message>
    <message>
        <source>The look has automations, and the page cannot do that; remove them from it first.</source>
        <translation>该外观含有自动化，而网页做不到；请先将其删除。</translation>
    </message>
    <message>
        <source>The look needs {path}, and a .lightloom file cannot hold files of its kind; save that image as PNG, or the look as .toml.</source>
        <translation>该风格预设需要 {path},此类文件不能放入单个文件;请将该图像存为 PNG,或将风格预设存为 .toml。</translation>
    </message>
    <message>
        <source>The look needs {path}, which has {size:.1f} MiB, more than the {limit} MiB that a file of its kind may have in a .lightloom file; make it smaller, or save the look as .toml.</source>
        <translation>该风格预设需要 {path}（{size:.1f} MiB），超过 .lightloom 文件中此类文件的上限 {limit} MiB；请缩小它，或将风格预设存为 .toml。</translation>
    </message>
    <message>
        <source>The look {path} cannot be deleted: {reason}; check that its folder can be written to.</source>
        <translation>无法删除风格 {path}：{reason}；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The look {path} cannot be renamed: {reason}; check that its folder can be written to.</source>
        <translation>无法重命名风格 {path}：{reason}；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The look {path} cannot be written: {reason}; {advice}.</source>
        <translation>无法写入风格预设 {path}：{reason}；{advice}。</translation>
    </message>
    <message>
        <source>The mask &apos;{kind}&apos; has no &apos;{name}&apos;; it has: {names}.</source>
        <translation>蒙版“{kind}”没有“{name}”；它有：{names}。</translation>
    </message>
    <message>
        <source>The mask &apos;{mask}&apos; of &apos;{filter}&apos; assumes SDR, so HDR cannot be kept with it; choose a shape, or let HDR become SDR (--hdr tonemap).</source>
        <translation>&apos;{filter}&apos; 的蒙版 &apos;{mask}&apos; 以 SDR 为前提，因此无法保留 HDR；请选择一个形状，或让 HDR 变为 SDR（--hdr tonemap）。</translation>
    </message>
    <message>
        <source>The mask has {count} parts; give at most {most}.</source>
        <translation>蒙版有 {count} 个部分；最多给出 {most} 个。</translation>
    </message>
    <message>
        <source>The mask in the filter {text} begins with {sign}; put a kind before it.</source>
        <translation>滤镜 {text} 中的蒙版以 {sign} 开头；请在它前面写一种类型。</translation>
    </message>
    <message>
        <source>The mask in the filter {text} has no part; give a kind, such as person.</source>
        <translation>滤镜 {text} 中的蒙版没有任何部分；请给出一种类型，例如 person。</translation>
    </message>
    <message>
        <source>The mask is of class {channel} ({name}), because none of the network&apos;s labels is a person; choose another Class.</source>
        <translation>蒙版属于类别 {channel}（{name}），因为该网络的标签中没有人物；请选择其他类别。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; follows a tracked object, and tracking is off; switch it on (--track).</source>
        <translation>“{filter}”的蒙版跟随一个被跟踪的对象，但跟踪已关闭；请打开它（--track）。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a polygon with fewer than three points; give more.</source>
        <translation>&apos;{filter}&apos; 的蒙版中的多边形少于三个点；请给出更多。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; has a range of distances from {near} to {far}, and {near} is farther; exchange them.</source>
        <translation>“{filter}”的蒙版的距离范围是 {near} 到 {far},而 {near} 更远;请对调。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; is a zone, and there is none; draw one, or load zones (--zones).</source>
        <translation>“{filter}”的蒙版是一个区域，但没有任何区域；请画一个，或载入区域（--zones）。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; is the zone &apos;{zone}&apos;, which does not exist; there are: {zones}.</source>
        <translation>“{filter}”的蒙版是区域“{zone}”，但它不存在；现有：{zones}。</translation>
    </message>
    <message>
        <source>The mask of &apos;{filter}&apos; uses what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>“{filter}”的蒙版使用分析网络找到的内容，但没有这样的网络；请选择一个（--model）。</translation>
    </message>
    <message>
        <source>The mask of the filter &apos;{filter}&apos; reads the effect {number}, which does not stand before it.</source>
        <translation>滤镜“{filter}”的蒙版读取效果 {number}，但它不在该滤镜之前。</translation>
    </message>
    <message>
        <source>The mask of {title} is the result of an effect that does not stand before {title}; choose another one.</source>
        <translation>{title} 的蒙版取自一个不在 {title} 之前的效果；请选择其他效果。</translation>
    </message>
    <message>
        <source>The mask of {title} refers to objects that a network finds or to zones, and the page has neither; give {title} another mask or take it out of the look first.</source>
        <translation>{title} 的蒙版涉及网络找到的对象或区域，而网页两者都没有；请先为 {title} 换一个蒙版，或将其从风格预设中移除。</translation>
    </message>
    <message>
        <source>The mask reads the effect {number}, which is not there; give the position of another.</source>
        <translation>蒙版读取效果 {number}，但它不存在；请给出另一个效果的位置。</translation>
    </message>
    <message>
        <source>The names of the classes in {name} cannot be read; write each on a line of its own below &apos;names:&apos;, such as &apos;  0: person&apos;.</source>
        <translation>无法读取 {name} 中的类别名称；请在 &apos;names:&apos; 下每行写一个，例如 &apos;  0: person&apos;。</translation>
    </message>
    <message>
        <source>The network cannot be searched for cameras: {reason}; check the connection and the firewall.</source>
        <translation>无法在网络中查找摄像机：{reason}；请检查连接和防火墙。</translation>
    </message>
    <message>
        <source>The network compares with {most} images at most; left out: {names}</source>
        <translation>该网络最多与 {most} 张图像比较；已忽略：{names}</translation>
    </message>
    <message>
        <source>The number of objects that gives the greatest value.</source>
        <translation>对应最大值的对象数量。</translation>
    </message>
    <message>
        <source>The number that tracking has given the object.</source>
        <translation>跟踪为该物体分配的编号。</translation>
    </message>
    <message>
        <source>The number that tracking has given the object; 0 for the largest object.</source>
        <translation>跟踪赋予对象的编号；0 表示最大的对象。</translation>
    </message>
    <message>
        <source>The old segment {path} cannot be deleted: {reason}; check the permissions of its folder.</source>
        <translation>无法删除旧分段 {path}：{reason}；请检查其文件夹的权限。</translation>
    </message>
    <message>
        <source>The one set in Home Assistant&apos;s MQTT integration, by default homeassistant.</source>
        <translation>Home Assistant 的 MQTT 集成中设置的前缀，默认为 homeassistant。</translation>
    </message>
    <message>
        <source>The parts of the image whose brightness is in a range.</source>
        <translation>画面中亮度在某一范围内的部分。</translation>
    </message>
    <message>
        <source>The parts of the image whose color is near a hue.</source>
        <translation>画面中颜色接近某一色相的部分。</translation>
    </message>
    <message>
        <source>The playlist cannot be kept for the next start: {reason}; free some disk space, or check the permissions of {folder}.</source>
        <translation>无法为下次启动保存播放列表：{reason}；请释放磁盘空间，或检查 {folder} 的权限。</translation>
    </message>
    <message>
        <source>The plug-in is in {path}; &apos;pip install {path}&apos; installs it, and &apos;lightloom plugins&apos; lists it.</source>
        <translation>插件位于 {path}；“pip install {path}”可安装它，“lightloom plugins”会列出它。</translation>
    </message>
    <message>
        <source>The quotation mark in {text} is not closed; put one behind the value.</source>
        <translation>{text} 中的引号没有闭合；请在值后面加上引号。</translation>
    </message>
    <message>
        <source>The received value that gives the greatest value.</source>
        <translation>对应最大值的接收值。</translation>
    </message>
    <message>
        <source>The received value that gives the least value.</source>
        <translation>对应最小值的接收值。</translation>
    </message>
    <message>
        <source>The response is unreadable; reload the page.</source>
        <translation>无法读取响应；请重新加载页面。</translation>
    </message>
    <message>
        <source>The result of an earlier effect of the chain, as a mask: its brightness, or how opaque it is.</source>
        <translation>以链中更早效果的结果作为蒙版：其亮度或不透明程度。</translation>
    </message>
    <message>
        <source>The results of {count} of {frames} frames are incomplete; in the worst of them: {hint}</source>
        <translation>{frames} 帧中有 {count} 帧的结果不完整；其中最严重的一帧：{hint}</translation>
    </message>
    <message>
        <source>The scopes that are shown</source>
        <translation>显示的示波器</translation>
    </message>
    <message>
        <source>The segment index {path} was damaged and no longer lists all segments. Segments that are not listed are not deleted automatically; delete them by hand.</source>
        <translation>分段索引 {path} 已损坏，不再列出全部分段。未列出的分段不会自动删除；请手动删除。</translation>
    </message>
    <message>
        <source>The set list</source>
        <translation>演出列表</translation>
    </message>
    <message>
        <source>The shader {path} cannot be copied: {reason}; rename it to {name}.</source>
        <translation>无法复制着色器 {path}：{reason}；请将其重命名为 {name}。</translation>
    </message>
    <message>
        <source>The size of the buffer &apos;{name}&apos; depends on an input, and a filter&apos;s does not; change its WIDTH and HEIGHT.</source>
        <translation>缓冲区“{name}”的尺寸取决于输入，而滤镜的不能如此；请修改 WIDTH 和 HEIGHT。</translation>
    </message>
    <message>
        <source>The stream to {address} ended by a fault of Lightloom&apos;s own ({error}); report it.</source>
        <translation>发往 {address} 的流因 Lightloom 自身的错误（{error}）而结束；请报告。</translation>
    </message>
    <message>
        <source>The text &apos;{text}&apos; tells what an analysis network finds, and there is none; choose one (--model).</source>
        <translation>文字 &apos;{text}&apos; 显示分析网络的检测结果，但没有网络；请选择一个 (--model)。</translation>
    </message>
    <message>
        <source>The text of a layer has {count} letters; give at most {most}.</source>
        <translation>图层的文字有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The time code is left out: {container} holds none.</source>
        <translation>时间码被省略：{container} 不能包含时间码。</translation>
    </message>
    <message>
        <source>The values of the mask &apos;{kind}&apos; are not a table; give names and values.</source>
        <translation>蒙版“{kind}”的值不是表；请给出名称和值。</translation>
    </message>
    <message>
        <source>The video has more than {most:,} frames, which are too many to stabilize at once; give a part of it.</source>
        <translation>视频超过 {most:,} 帧，无法一次完成防抖；请指定其中一部分。</translation>
    </message>
    <message>
        <source>There are at most {most} layers; remove one first.</source>
        <translation>最多 {most} 个图层；请先移除一个。</translation>
    </message>
    <message>
        <source>There are no {bits} bits a color; choose one of {depths}.</source>
        <translation>没有每种颜色 {bits} 位；请从 {depths} 中选择。</translation>
    </message>
    <message>
        <source>There is no MIDI device &apos;{name}&apos;; it is used once it is connected.</source>
        <translation>没有 MIDI 设备“{name}”；连接后即可使用。</translation>
    </message>
    <message>
        <source>There is no MIDI device; one that is connected later is used.</source>
        <translation>没有 MIDI 设备；之后连接的设备会被使用。</translation>
    </message>
    <message>
        <source>There is no automation called &apos;{name}&apos;; there are: {names}.</source>
        <translation>没有名为“{name}”的自动化；可用的有：{names}。</translation>
    </message>
    <message>
        <source>There is no file of the name given, which looks like an address; begin an address with its scheme, a colon and two slashes, as in rtsp://host/path.</source>
        <translation>没有该名称的文件，它看起来像一个地址；请以协议、冒号和两个斜杠开头，如 rtsp://host/path。</translation>
    </message>
    <message>
        <source>There is no folder {folder}; choose another one.</source>
        <translation>没有文件夹 {folder}；请选择另一个。</translation>
    </message>
    <message>
        <source>There is no look {name}; did you mean &apos;{near}&apos;?</source>
        <translation>没有名为 {name} 的外观；是否指“{near}”？</translation>
    </message>
    <message>
        <source>There is no mask called &apos;{kind}&apos;; there are: {kinds}.</source>
        <translation>没有名为 &apos;{kind}&apos; 的蒙版；可用的有：{kinds}。</translation>
    </message>
    <message>
        <source>There is no screen for the window; connect one or sign in to the desktop, or use &apos;lightloom process&apos;, which needs none.</source>
        <translation>没有可供窗口使用的屏幕；请连接屏幕或登录桌面，或使用不需要屏幕的 &apos;lightloom process&apos;。</translation>
    </message>
    <message>
        <source>There is no use of HDR &apos;{name}&apos;; choose from {names}.</source>
        <translation>没有名为 &apos;{name}&apos; 的 HDR 用法；请从 {names} 中选择。</translation>
    </message>
    <message>
        <source>There is not enough memory to load {name}; end other programs, or use a smaller network.</source>
        <translation>内存不足，无法加载 {name}；请关闭其他程序，或使用较小的网络。</translation>
    </message>
    <message>
        <source>Thick strokes with firm edges, lit from the side.</source>
        <translation>边缘分明的厚重笔触，侧光照亮。</translation>
    </message>
    <message>
        <source>This FFmpeg has no WHIP; use the server&apos;s RTMP address, such as rtmp://host/app.</source>
        <translation>此 FFmpeg 不支持 WHIP；请使用服务器的 RTMP 地址，例如 rtmp://host/app。</translation>
    </message>
    <message>
        <source>This code is not right; type the one in the window.</source>
        <translation>代码不正确；请输入窗口中的代码。</translation>
    </message>
    <message>
        <source>Tiles are for the first network and were left out.</source>
        <translation>分块仅用于第一个网络，已忽略。</translation>
    </message>
    <message>
        <source>Time in which it falls by half after a peak.</source>
        <translation>峰值之后下降一半所用的时间。</translation>
    </message>
    <message>
        <source>Time in which it falls by half after the event.</source>
        <translation>事件之后下降一半所用的时间。</translation>
    </message>
    <message>
        <source>Time of one round.</source>
        <translation>一个周期的时间。</translation>
    </message>
    <message>
        <source>Time of the key frame in the video.</source>
        <translation>关键帧在视频中的时间。</translation>
    </message>
    <message>
        <source>Time over which the mask is averaged, against flicker; large changes are let through at once where the picture moves, and it takes ten times as long where nothing does.</source>
        <translation>对蒙版作平均的时间，防止闪烁；画面有运动处，大的变化立即通过；画面静止处，平均时间为十倍。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Tracked object</source>
        <translation>跟踪的物体</translation>
    </message>
    <message>
        <source>Turns day into a blue night with glowing lights.</source>
        <translation>把白天变成灯光闪耀的蓝色夜晚。</translation>
    </message>
    <message>
        <source>Two inks</source>
        <translation>双色印刷</translation>
    </message>
    <message>
        <source>Two passes or inputs have the name &apos;{name}&apos;; rename one.</source>
        <translation>有两个通道或输入名为“{name}”；请重命名其中一个。</translation>
    </message>
    <message>
        <source>Under the main image</source>
        <translation>在主画面下方</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Upper edge, as a share of the image&apos;s height.</source>
        <translation>上边缘，占画面高度的比例。</translation>
    </message>
    <message>
        <source>Use as {parameter} of {filter}</source>
        <translation>用作“{filter}”的{parameter}</translation>
    </message>
    <message>
        <source>Use this network</source>
        <translation>使用此网络</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Value of the parameter at this time.</source>
        <translation>参数在此时间的值。</translation>
    </message>
    <message>
        <source>Value of the parameter where the automation is highest.</source>
        <translation>自动化处于最高点时参数的值。</translation>
    </message>
    <message>
        <source>Value of the parameter where the automation is lowest; it may be the greater one.</source>
        <translation>自动化处于最低点时参数的值；可以大于另一个值。</translation>
    </message>
    <message>
        <source>Values at times in seconds; :ease goes slowly in and out, :hold jumps.</source>
        <translation>以秒为单位的时间上的值；:ease 缓入缓出，:hold 跳变。</translation>
    </message>
    <message>
        <source>Values at times of the file, with a straight way, a smooth way or none between them.</source>
        <translation>文件各时间点的值，之间为直线、平滑或跳变。</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Video tape</source>
        <translation>录像带</translation>
    </message>
    <message>
        <source>View of the library</source>
        <translation>库的视图</translation>
    </message>
    <message>
        <source>WGSL</source>
        <translation>WGSL</translation>
    </message>
    <message>
        <source>Warm, pale colors of a holiday print that has hung in the sun.</source>
        <translation>在阳光下挂久了的度假照片，温暖而淡褪。</translation>
    </message>
    <message>
        <source>Wavy bands in orange and dark blue, after Munch.</source>
        <translation>橙色与深蓝色的波浪条带，仿蒙克。</translation>
    </message>
    <message>
        <source>What Twitch, YouTube and their like call so, and the bearer token of WHIP. It is neither saved nor shown; give it here and not in the address.</source>
        <translation>Twitch、YouTube 等服务所称的推流密钥，以及 WHIP 的持有者令牌（bearer token）。它既不保存也不显示；请填在这里，不要写进地址。</translation>
    </message>
    <message>
        <source>What effects and networks compute on. The chain is kept.</source>
        <translation>效果和网络在其上计算。滤镜链会保留。</translation>
    </message>
    <message>
        <source>What is done when the layer&apos;s video ends before the main one.</source>
        <translation>图层视频先于主视频结束时的处理方式。</translation>
    </message>
    <message>
        <source>What is done where width and height have other proportions than the layer.</source>
        <translation>宽高比与图层不同时的处理方式。</translation>
    </message>
    <message>
        <source>What is in a range of distances, found by a depth network.</source>
        <translation>由深度网络找到的某一距离范围内的内容。</translation>
    </message>
    <message>
        <source>What is shown while a network has no mask for a frame. To hide something, choose the effect everywhere or a black frame.</source>
        <translation>网络尚无某帧的蒙版时显示什么。若要隐藏内容，请选择处处应用效果或黑色画面。</translation>
    </message>
    <message>
        <source>What is weaker than this is 0.</source>
        <translation>低于此值的视为 0。</translation>
    </message>
    <message>
        <source>What the analysis network finds in the frame: all of it, or some classes.</source>
        <translation>分析网络在画面中找到的内容：全部或某些类别。</translation>
    </message>
    <message>
        <source>What you paint in the video.</source>
        <translation>在视频中涂绘的内容。</translation>
    </message>
    <message>
        <source>Whatever moves leaves a trail of light, as in a long exposure.</source>
        <translation>移动之物留下光迹，如长时间曝光。</translation>
    </message>
    <message>
        <source>Where another shot begins, objects get new numbers, also those at the same place; for edited videos.</source>
        <translation>新镜头开始时，目标会得到新的编号，即使位置相同；适用于剪辑过的视频。</translation>
    </message>
    <message>
        <source>Where in its round it begins; 180 is half a round.</source>
        <translation>从周期的何处开始；180 为半个周期。</translation>
    </message>
    <message>
        <source>Where the mask begins to fall; before this it is full.</source>
        <translation>蒙版开始减弱之处；在此之前为全部。</translation>
    </message>
    <message>
        <source>Where the mask ends.</source>
        <translation>蒙版结束之处。</translation>
    </message>
    <message>
        <source>Where the range begins: 100 is what is nearest.</source>
        <translation>范围起点：100 为最近处。</translation>
    </message>
    <message>
        <source>Where the range ends: 0 is what is farthest.</source>
        <translation>范围终点：0 为最远处。</translation>
    </message>
    <message>
        <source>White lines on blue paper, as in an engineer&apos;s drawing.</source>
        <translation>蓝纸上的白线，如工程图纸。</translation>
    </message>
    <message>
        <source>Who may connect</source>
        <translation>谁可以连接</translation>
    </message>
    <message>
        <source>Width of the black line around the letters, as a share of their size.</source>
        <translation>字母周围黑线的宽度，占字号的比例。</translation>
    </message>
    <message>
        <source>Width of the ramps beyond the range, in which the mask fades.</source>
        <translation>范围之外蒙版淡出的过渡宽度。</translation>
    </message>
    <message>
        <source>Width of the ramps outside the range, in which the mask fades.</source>
        <translation>范围外侧蒙版淡出的过渡宽度。</translation>
    </message>
    <message>
        <source>Width of the soft edge, as a share of the ellipse.</source>
        <translation>柔和边缘的宽度，占椭圆的比例。</translation>
    </message>
    <message>
        <source>Width of the strokes, in percent of the frame&apos;s height.</source>
        <translation>笔画宽度，以画面高度的百分比计。</translation>
    </message>
    <message>
        <source>Windows did not take the global shortcut in time; set it again, or start Lightloom again.</source>
        <translation>Windows 未及时接受全局热键；请重新设置，或重新启动 Lightloom。</translation>
    </message>
    <message>
        <source>Writing {path} failed partway: {reason}; {advice}.</source>
        <translation>写入 {path} 中途失败：{reason}；{advice}。</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>a &apos;case&apos; runs into the next one; end it with &apos;break&apos;</source>
        <translation>一个“case”会落入下一个；请用“break”结束</translation>
    </message>
    <message>
        <source>a block of declarations is not translated; use loose variables</source>
        <translation>声明块不会被转换；请使用单独的变量</translation>
    </message>
    <message>
        <source>a corner of &apos;{name}&apos; is outside the frame, whose coordinates are 0 to 1, and was moved to its edge.</source>
        <translation>“{name}”的一个角在画面（坐标为 0 到 1）之外，已移到其边缘。</translation>
    </message>
    <message>
        <source>a function without a result returns a value; leave it out</source>
        <translation>没有返回类型的函数返回了值；请去掉</translation>
    </message>
    <message>
        <source>a layer</source>
        <translation>图层</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list in braces is translated only as the value of an array; use a constructor</source>
        <translation>花括号列表只有作为数组的值时才会被转换；请使用构造函数</translation>
    </message>
    <message>
        <source>a list of names, such as [&quot;person&quot;]</source>
        <translation>名称列表，例如 [&quot;person&quot;]</translation>
    </message>
    <message>
        <source>a list of tables</source>
        <translation>表的列表</translation>
    </message>
    <message>
        <source>a name has more than {limit} characters; shorten it</source>
        <translation>某个名称超过 {limit} 个字符；请缩短</translation>
    </message>
    <message>
        <source>a name is missing before &apos;{found}&apos;; correct it</source>
        <translation>“{found}”之前缺少名称；请更正</translation>
    </message>
    <message>
        <source>a network that enlarges the frame does not go with the input &apos;mask&apos;</source>
        <translation>放大画面的网络不能与输入“mask”一起使用</translation>
    </message>
    <message>
        <source>a number from {low} to {high}</source>
        <translation>{low} 到 {high} 的数字</translation>
    </message>
    <message>
        <source>a parameter is void; give it a type</source>
        <translation>某个参数为 void；请给出类型</translation>
    </message>
    <message>
        <source>a place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>a pointer of Git LFS</source>
        <translation>Git LFS 指针</translation>
    </message>
    <message>
        <source>a row for each cell of strides 8, 16 and 32, and an exponential of the sizes</source>
        <translation>步长 8、16、32 的每个单元格一行，尺寸经过指数运算</translation>
    </message>
    <message>
        <source>a row for each cell of strides 8, 16 and 32, and no arithmetic behind the convolutions</source>
        <translation>步长 8、16、32 的每个单元格一行，卷积之后没有其他运算</translation>
    </message>
    <message>
        <source>a row for each cell, with box and scores and no objectness</source>
        <translation>每个单元格一行，含框和分数，没有目标置信度</translation>
    </message>
    <message>
        <source>a row for each cell, with box, objectness and scores</source>
        <translation>每个单元格一行，含框、目标置信度和分数</translation>
    </message>
    <message>
        <source>a row for each cell, with box, objectness and scores, decoded in the graph</source>
        <translation>每个单元格一行，含框、目标置信度和分数，已在计算图中解码</translation>
    </message>
    <message>
        <source>a row for each query, in a graph that samples its maps at free places (GridSample)</source>
        <translation>每个查询一行，且计算图在任意位置对特征图采样 (GridSample)</translation>
    </message>
    <message>
        <source>a row of logits and a box for each of {count} queries</source>
        <translation>{count} 个查询各有一行 logits 和一个框</translation>
    </message>
    <message>
        <source>a row of logits and a box for each query</source>
        <translation>每个查询一行 logits 和一个框</translation>
    </message>
    <message>
        <source>a row with box, objectness and scores for each cell of strides 8, 16 and 32</source>
        <translation>步长 8、16、32 的每个单元格一行，含框、目标置信度和分数</translation>
    </message>
    <message>
        <source>a struct inside a function is not translated; put it outside</source>
        <translation>函数内的 struct 不会被转换；请移到外面</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>a table of boxes and one of scores</source>
        <translation>一个框的表和一个分数的表</translation>
    </message>
    <message>
        <source>a table of boxes with coefficients, and prototypes of masks</source>
        <translation>一个带系数的框的表，以及蒙版原型</translation>
    </message>
    <message>
        <source>a table with box, objectness and scores, {count} rows for each cell</source>
        <translation>一个含框、目标置信度和分数的表，每个单元格 {count} 行</translation>
    </message>
    <message>
        <source>a task bundle of MediaPipe&apos;s</source>
        <translation>MediaPipe 的任务包</translation>
    </message>
    <message>
        <source>a text of at most {most} characters in one line</source>
        <translation>一行不超过 {most} 个字符的文本</translation>
    </message>
    <message>
        <source>a type has more than {limit} MiB; make its arrays smaller</source>
        <translation>某个类型超过 {limit} MiB；请缩小其数组</translation>
    </message>
    <message>
        <source>a value is missing before &apos;{found}&apos;; correct it</source>
        <translation>“{found}”之前缺少值；请更正</translation>
    </message>
    <message>
        <source>a value of type {given} is where {wanted} is expected; convert it</source>
        <translation>此处应为 {wanted}，却是 {given} 类型的值；请转换</translation>
    </message>
    <message>
        <source>a vector that is normalized, or comes from the pooling</source>
        <translation>一个经过归一化或来自池化的向量</translation>
    </message>
    <message>
        <source>a web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}</source>
        <translation>{low} 到 {high} 的整数</translation>
    </message>
    <message>
        <source>a whole number from {min:g} to {max:g}{unit}</source>
        <translation>{min:g} 到 {max:g}{unit} 之间的整数</translation>
    </message>
    <message>
        <source>add yourself to the group &apos;video&apos; (sudo usermod -aG video $USER) and log in again</source>
        <translation>请将自己加入 &apos;video&apos; 组 (sudo usermod -aG video $USER)，然后重新登录</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>allow it in Settings &gt; Privacy &amp; security &gt; Camera</source>
        <translation>请在“设置 &gt; 隐私和安全性 &gt; 相机”中允许</translation>
    </message>
    <message>
        <source>allow it in System Settings &gt; Privacy &amp; Security &gt; Camera and start Lightloom again</source>
        <translation>请在“系统设置 &gt; 隐私与安全性 &gt; 摄像头”中允许，然后重新启动 Lightloom</translation>
    </message>
    <message>
        <source>an OpenVINO network</source>
        <translation>OpenVINO 网络</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is missing; give {known}.</source>
        <translation>“{name}”的一个操作已略去：缺少“do”；请给出 {known}。</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is {value}; give {known}.</source>
        <translation>“{name}”的一个操作已略去：其“do”为 {value}；请给出 {known}。</translation>
    </message>
    <message>
        <source>an archive with an ONNX network in it</source>
        <translation>内含 ONNX 网络的压缩包</translation>
    </message>
    <message>
        <source>an array of these is not translated; use single ones</source>
        <translation>这种类型的数组不会被转换；请使用单个变量</translation>
    </message>
    <message>
        <source>an array of {count} has another number of values; give as many</source>
        <translation>含 {count} 个元素的数组的值数量不符；请给出同样多的值</translation>
    </message>
    <message>
        <source>an attribute or an input is of another kind than the operator takes</source>
        <translation>某个属性或输入的种类与算子接受的不符</translation>
    </message>
    <message>
        <source>an expression or a chain of &apos;else if&apos; is more than {max_depth} deep; split it</source>
        <translation>某个表达式或 &apos;else if&apos; 链的深度超过 {max_depth}；请拆分</translation>
    </message>
    <message>
        <source>an index follows something that has no elements; correct it</source>
        <translation>下标用在没有元素的值上；请更正</translation>
    </message>
    <message>
        <source>an index is not an integer; convert it by int()</source>
        <translation>下标不是整数；请用 int() 转换</translation>
    </message>
    <message>
        <source>an ncnn network</source>
        <translation>ncnn 网络</translation>
    </message>
    <message>
        <source>an object with at most {most} values by name</source>
        <translation>最多包含 {most} 个按名称给出的值的对象</translation>
    </message>
    <message>
        <source>an operator is of a kind that is not there</source>
        <translation>某个算子的种类不存在</translation>
    </message>
    <message>
        <source>an operator names a tensor that is not there</source>
        <translation>某个算子引用了不存在的张量</translation>
    </message>
    <message>
        <source>an output with the name of a depth map</source>
        <translation>一个名称为深度图的输出</translation>
    </message>
    <message>
        <source>an output with the name of a feature</source>
        <translation>一个名称为特征的输出</translation>
    </message>
    <message>
        <source>an output with the name of an image&apos;s embedding</source>
        <translation>一个名称为图像嵌入的输出</translation>
    </message>
    <message>
        <source>another event has this name</source>
        <translation>另一个事件已使用此名称</translation>
    </message>
    <message>
        <source>another zone is named &apos;{name}&apos;, so this is &apos;{new}&apos;.</source>
        <translation>另一个区域名为“{name}”，因此该区域名为“{new}”。</translation>
    </message>
    <message>
        <source>arrays of arrays are not translated; use one longer array</source>
        <translation>数组的数组不会被转换；请使用一个更长的数组</translation>
    </message>
    <message>
        <source>at most {max_params} parameters, {max_luts} of them tables</source>
        <translation>最多 {max_params} 个参数，其中查找表 {max_luts} 个</translation>
    </message>
    <message>
        <source>at most {max_textures} textures, 4 buffers and {max_passes} passes, and one pass at least</source>
        <translation>最多 {max_textures} 个纹理、4 个缓冲区和 {max_passes} 个通道，且至少一个通道</translation>
    </message>
    <message>
        <source>at most {most} points such as 0.25/0.75 with spaces between them, and a ; between lines</source>
        <translation>最多 {most} 个点，例如 0.25/0.75，以空格分隔，线之间用 ;</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>background</source>
        <translation>背景</translation>
    </message>
    <message>
        <source>bass (20 to 250 Hz)</source>
        <translation>低音（20 到 250 Hz）</translation>
    </message>
    <message>
        <source>beats</source>
        <translation>节拍</translation>
    </message>
    <message>
        <source>black</source>
        <translation>黑</translation>
    </message>
    <message>
        <source>black frame</source>
        <translation>黑色画面</translation>
    </message>
    <message>
        <source>black_hot</source>
        <translation>黑热</translation>
    </message>
    <message>
        <source>black_on_white</source>
        <translation>白底黑字</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>蓝</translation>
    </message>
    <message>
        <source>blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>bottom half</source>
        <translation>下半部</translation>
    </message>
    <message>
        <source>boxes of one class each, and a table of scores</source>
        <translation>各属一个类别的框，以及一个分数的表</translation>
    </message>
    <message>
        <source>boxes, scores, indices, and an input for the size of the image</source>
        <translation>框、分数、索引，以及一个画面尺寸的输入</translation>
    </message>
    <message>
        <source>brackets are nested more than {max_nesting} deep; use functions</source>
        <translation>括号嵌套超过 {max_nesting} 层；请使用函数</translation>
    </message>
    <message>
        <source>brackets or statements are nested more than {limit} deep; use functions</source>
        <translation>括号或语句嵌套超过 {limit} 层；请使用函数</translation>
    </message>
    <message>
        <source>brightness</source>
        <translation>亮度</translation>
    </message>
    <message>
        <source>broker.local, broker.local:1883, or mqtts://broker.local for TLS</source>
        <translation>broker.local、broker.local:1883，或使用 TLS 的 mqtts://broker.local</translation>
    </message>
    <message>
        <source>can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cannot be carried over ({text})</source>
        <translation>无法转入 ({text})</translation>
    </message>
    <message>
        <source>center crop {crop:g}</source>
        <translation>居中裁剪 {crop:g}</translation>
    </message>
    <message>
        <source>change its permissions, or {other}</source>
        <translation>更改其权限，或{other}</translation>
    </message>
    <message>
        <source>check that its folder can be written to</source>
        <translation>请检查其文件夹是否可写</translation>
    </message>
    <message>
        <source>check the network and try again{kept}</source>
        <translation>请检查网络连接并重试{kept}</translation>
    </message>
    <message>
        <source>check the proxy settings of the environment</source>
        <translation>请检查环境的代理设置</translation>
    </message>
    <message>
        <source>check this machine&apos;s clock and proxy</source>
        <translation>请检查本机的时钟和代理</translation>
    </message>
    <message>
        <source>choose another file</source>
        <translation>选择其他文件</translation>
    </message>
    <message>
        <source>choose another file, or move that one away</source>
        <translation>请选择其他文件，或将该文件移走</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>选择其他文件夹</translation>
    </message>
    <message>
        <source>choose another network</source>
        <translation>请选择其他网络</translation>
    </message>
    <message>
        <source>choose another path</source>
        <translation>请选择其他路径</translation>
    </message>
    <message>
        <source>choose the backend wgpu, which reads it</source>
        <translation>请选择能读取它的后端 wgpu</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>close the program that uses it</source>
        <translation>请关闭正在使用它的程序</translation>
    </message>
    <message>
        <source>color</source>
        <translation>彩色</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>columns for COCO&apos;s {count} classes</source>
        <translation>对应 COCO 的 {count} 个类别的列</translation>
    </message>
    <message>
        <source>compiling it for {adapter} crashes the driver ({end})</source>
        <translation>为 {adapter} 编译它会使驱动程序崩溃 ({end})</translation>
    </message>
    <message>
        <source>config.json says that the values are distances: small ones are near.</source>
        <translation>config.json 表明这些值是距离：较小的为近处。</translation>
    </message>
    <message>
        <source>constant luminance is read as non-constant</source>
        <translation>恒定亮度按非恒定亮度读取</translation>
    </message>
    <message>
        <source>controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>convert it to ONNX with its project&apos;s own script</source>
        <translation>请用其项目自带的脚本转换为 ONNX</translation>
    </message>
    <message>
        <source>convert it to ONNX, with caffe2onnx for instance</source>
        <translation>请转换为 ONNX，例如用 caffe2onnx</translation>
    </message>
    <message>
        <source>convert it with paddle2onnx</source>
        <translation>请用 paddle2onnx 转换</translation>
    </message>
    <message>
        <source>convert it with tf2onnx</source>
        <translation>请用 tf2onnx 转换</translation>
    </message>
    <message>
        <source>convert it with tf2onnx, or to a .tflite file</source>
        <translation>请用 tf2onnx 转换，或转换为 .tflite 文件</translation>
    </message>
    <message>
        <source>convert the network that it was made from with tf2onnx</source>
        <translation>请用 tf2onnx 转换生成它的网络</translation>
    </message>
    <message>
        <source>convolutions with {count} channels for the classes</source>
        <translation>为各类别设有 {count} 个通道的卷积</translation>
    </message>
    <message>
        <source>cover</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>create it, or choose another file</source>
        <translation>请创建它，或选择其他文件</translation>
    </message>
    <message>
        <source>create its folder, or {other}</source>
        <translation>创建其所在文件夹，或{other}</translation>
    </message>
    <message>
        <source>cut out</source>
        <translation>抠图</translation>
    </message>
    <message>
        <source>decoding it may take {need:,.1f} GiB of memory, more than {most}</source>
        <translation>解码可能需要 {need:,.1f} GiB 内存，超过 {most}</translation>
    </message>
    <message>
        <source>diamond</source>
        <translation>菱形</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>dim</source>
        <translation>变暗</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>download the file that the page leads to</source>
        <translation>请下载该网页所指向的文件</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>effect everywhere</source>
        <translation>处处应用效果</translation>
    </message>
    <message>
        <source>ember</source>
        <translation>余烬</translation>
    </message>
    <message>
        <source>faces</source>
        <translation>人脸</translation>
    </message>
    <message>
        <source>fetch the file itself with &apos;git lfs pull&apos;</source>
        <translation>请用 &apos;git lfs pull&apos; 获取文件本身</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>flip horizontally</source>
        <translation>水平翻转</translation>
    </message>
    <message>
        <source>flip vertically</source>
        <translation>垂直翻转</translation>
    </message>
    <message>
        <source>format &apos;{format}&apos; is not one of {formats}</source>
        <translation>格式 &apos;{format}&apos; 不是 {formats} 之一</translation>
    </message>
    <message>
        <source>four-way</source>
        <translation>四向</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>give the address that it is sent on to</source>
        <translation>请填写它所转到的地址</translation>
    </message>
    <message>
        <source>green</source>
        <translation>绿</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>灰</translation>
    </message>
    <message>
        <source>highest score</source>
        <translation>最高得分</translation>
    </message>
    <message>
        <source>highlight</source>
        <translation>突出</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>in ONNX Runtime&apos;s own format</source>
        <translation>ONNX Runtime 自有格式的文件</translation>
    </message>
    <message>
        <source>in YCbCr or Lab</source>
        <translation>（YCbCr 或 Lab）</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>原位</translation>
    </message>
    <message>
        <source>in step</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>in tiles</source>
        <translation>（分块存储）</translation>
    </message>
    <message>
        <source>inputs with the names of a noisy image and its noise</source>
        <translation>名称为含噪图像及其噪声的输入</translation>
    </message>
    <message>
        <source>install it with &apos;pip install paho-mqtt&apos;</source>
        <translation>请用“pip install paho-mqtt”安装</translation>
    </message>
    <message>
        <source>integers where the engine computes only floats</source>
        <translation>引擎只计算浮点数，而此处是整数</translation>
    </message>
    <message>
        <source>iron</source>
        <translation>铁红</translation>
    </message>
    <message>
        <source>is damaged and ends at {value:.1f} s ({text})</source>
        <translation>已损坏，在 {value:.1f} 秒处结束 ({text})</translation>
    </message>
    <message>
        <source>is in use by another program</source>
        <translation>正被另一个程序使用</translation>
    </message>
    <message>
        <source>is of a kind that no decoder here knows</source>
        <translation>的类型没有解码器能识别</translation>
    </message>
    <message>
        <source>it</source>
        <translation>它</translation>
    </message>
    <message>
        <source>it binds {bound} textures, tables, images and networks; {max_bound} together is most</source>
        <translation>它绑定了 {bound} 个纹理、查找表、图片和网络；合计最多 {max_bound} 个</translation>
    </message>
    <message>
        <source>it could not be tried, because the process for it did not start</source>
        <translation>无法试运行，因为用于试运行的进程没有启动</translation>
    </message>
    <message>
        <source>it does not begin as one</source>
        <translation>它的开头不是该格式</translation>
    </message>
    <message>
        <source>it does not say which opset of ONNX its operators are of</source>
        <translation>它没有说明其算子属于 ONNX 的哪个 opset</translation>
    </message>
    <message>
        <source>it fails with inputs of the sizes {sizes}</source>
        <translation>输入尺寸为 {sizes} 时失败</translation>
    </message>
    <message>
        <source>it hangs: {step} takes more than {seconds:g} s on {adapter}</source>
        <translation>它卡住了：{step} 在 {adapter} 上耗时超过 {seconds:g} 秒</translation>
    </message>
    <message>
        <source>it has more than {limit} macros; use fewer</source>
        <translation>宏超过 {limit} 个；请减少</translation>
    </message>
    <message>
        <source>it has more than {most} automations; the last {left} of &apos;{filter}&apos; were left out.</source>
        <translation>自动化超过 {most} 个；“{filter}”的最后 {left} 个已省略。</translation>
    </message>
    <message>
        <source>it has no output</source>
        <translation>它没有输出</translation>
    </message>
    <message>
        <source>it has sparse constants</source>
        <translation>它含有稀疏常量</translation>
    </message>
    <message>
        <source>it has {count} filters; those after the first {max_stages} were left out.</source>
        <translation>它有 {count} 个滤镜；第 {max_stages} 个之后的已忽略。</translation>
    </message>
    <message>
        <source>it has {count} layers; those after the first {most} were left out.</source>
        <translation>它有 {count} 个图层；前 {most} 个之后的已忽略。</translation>
    </message>
    <message>
        <source>it has {count} {what}</source>
        <translation>它有 {count} 个 {what}</translation>
    </message>
    <message>
        <source>it has {inputs}, not {bounds}</source>
        <translation>它有 {inputs}，而不是 {bounds}</translation>
    </message>
    <message>
        <source>it has {outputs}, not {bounds}</source>
        <translation>它有 {outputs}，而不是 {bounds}</translation>
    </message>
    <message>
        <source>it has {unsupported_nodes}: {kinds}</source>
        <translation>它有 {unsupported_nodes}：{kinds}</translation>
    </message>
    <message>
        <source>it holds no network</source>
        <translation>其中没有网络</translation>
    </message>
    <message>
        <source>it holds too much</source>
        <translation>其中内容过多</translation>
    </message>
    <message>
        <source>it is a choice, but &apos;choices&apos; is missing</source>
        <translation>它是 choice，但缺少 &apos;choices&apos;</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>it is damaged or cut off</source>
        <translation>它已损坏或被截断</translation>
    </message>
    <message>
        <source>it is larger than {size}</source>
        <translation>它大于 {size}</translation>
    </message>
    <message>
        <source>it is longer than {limit:,} pixels along a side</source>
        <translation>其一边超过 {limit:,} 像素</translation>
    </message>
    <message>
        <source>it is longer than {limit} KiB</source>
        <translation>超过 {limit} KiB</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>嵌套层次过深</translation>
    </message>
    <message>
        <source>it is no archive</source>
        <translation>它不是压缩包</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>这不是文件</translation>
    </message>
    <message>
        <source>it is not a table</source>
        <translation>不是表</translation>
    </message>
    <message>
        <source>it is not text in UTF-8</source>
        <translation>它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it is not valid JSON: {error}</source>
        <translation>不是有效的 JSON：{error}</translation>
    </message>
    <message>
        <source>it lacks &apos;{name}&apos;</source>
        <translation>它缺少 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>it lacks an input, an output or a dimension</source>
        <translation>它缺少一个输入、输出或维度</translation>
    </message>
    <message>
        <source>it names the same bytes too often</source>
        <translation>它过于频繁地引用相同的字节</translation>
    </message>
    <message>
        <source>it needs more than {limit} GiB of memory on {adapter}</source>
        <translation>它在 {adapter} 上需要超过 {limit} GiB 内存</translation>
    </message>
    <message>
        <source>it stops {adapter}: its driver gave up on it</source>
        <translation>它使 {adapter} 停止：驱动程序已放弃</translation>
    </message>
    <message>
        <source>it takes more than {seconds:g} s to be compiled and run once for 8 x 8 pixels{work} on {adapter}</source>
        <translation>编译它并在 {adapter} 上为 8 x 8 像素{work} 运行一次耗时超过 {seconds:g} 秒</translation>
    </message>
    <message>
        <source>it uses opset {opset}, and opsets {first} to {last} are supported</source>
        <translation>它使用 opset {opset}，而支持的是 opset {first} 到 {last}</translation>
    </message>
    <message>
        <source>it was written by a newer Lightloom; what is new in it is left out.</source>
        <translation>它由较新的 Lightloom 写成；其中的新内容已忽略。</translation>
    </message>
    <message>
        <source>its attributes and inputs do not fit each other</source>
        <translation>其属性与输入不相符</translation>
    </message>
    <message>
        <source>its bounds don&apos;t fit into a whole number of 32 bits</source>
        <translation>其界限超出 32 位整数</translation>
    </message>
    <message>
        <source>its constant result cannot be computed</source>
        <translation>无法计算其常量结果</translation>
    </message>
    <message>
        <source>its constants and results take {size}</source>
        <translation>其常量和结果需要 {size}</translation>
    </message>
    <message>
        <source>its grid runs more than {max_threads} threads</source>
        <translation>其网格运行超过 {max_threads} 个线程</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has free dimensions ({names}), so give a size for it</source>
        <translation>其输入 &apos;{input}&apos; 有不固定的维度 ({names})，因此请给出尺寸</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has the element type {dtype}</source>
        <translation>其输入 &apos;{input}&apos; 的元素类型为 {dtype}</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has the shape {shape}</source>
        <translation>其输入 &apos;{input}&apos; 的形状为 {shape}</translation>
    </message>
    <message>
        <source>its input &apos;{input}&apos; has {count} dimensions</source>
        <translation>其输入 &apos;{input}&apos; 有 {count} 个维度</translation>
    </message>
    <message>
        <source>its inputs and outputs {names}</source>
        <translation>其输入和输出 {names}</translation>
    </message>
    <message>
        <source>its inputs have shapes that do not broadcast</source>
        <translation>其各输入的形状无法广播</translation>
    </message>
    <message>
        <source>its last sample is not declared as transparency and is left out</source>
        <translation>最后一个通道未声明为透明度,已忽略</translation>
    </message>
    <message>
        <source>its metadata say &apos;{task}&apos;</source>
        <translation>其元数据标明为 &apos;{task}&apos;</translation>
    </message>
    <message>
        <source>its name is not a file name</source>
        <translation>其名称不是文件名</translation>
    </message>
    <message>
        <source>its points are not three or more pairs of numbers with an area</source>
        <translation>其点不是三个或更多围成面积的数对</translation>
    </message>
    <message>
        <source>its points are not two different pairs of numbers</source>
        <translation>其点不是两个不同的数对</translation>
    </message>
    <message>
        <source>its audio begins before its video</source>
        <translation>其声音早于画面开始</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; of the buffer &apos;{name}&apos; is longer than {limit} characters</source>
        <translation>缓冲区“{name}”的“{key}”超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no global shortcut; give one such as Ctrl+Alt+P, Super+Shift+F5 or F13.</source>
        <translation>&apos;{text}&apos; 不是全局热键；请输入如 Ctrl+Alt+P、Super+Shift+F5 或 F13。</translation>
    </message>
    <message>
        <source>The global shortcut {key} is set for two actions; change &apos;{setting}&apos;.</source>
        <translation>全局热键 {key} 设给了两个操作；请更改“{setting}”。</translation>
    </message>
    <message>
        <source>The global shortcuts have ended by a fault; start Lightloom again to use them.</source>
        <translation>全局热键因故障而终止；请重新启动 Lightloom 以使用。</translation>
    </message>
    <message>
        <source>The keyboard has no key for {key}; choose another global shortcut.</source>
        <translation>键盘没有 {key} 对应的键；请选择其他全局热键。</translation>
    </message>
    <message>
        <source>The motion in {path} is that of another video, or of this one before it was changed; name another file, or delete it, and it is written anew.</source>
        <translation>{path} 中的运动数据属于另一个视频，或属于修改前的此视频；请指定另一个文件，或将其删除以便重新写入。</translation>
    </message>
    <message>
        <source>The parentheses in {text} do not match; close each once.</source>
        <translation>{text} 中的括号不匹配；每个括号关闭一次。</translation>
    </message>
    <message>
        <source>There is no kind of layer called &apos;{name}&apos;; there are: {names}.</source>
        <translation>没有名为“{name}”的图层类型；可用的有：{names}。</translation>
    </message>
    <message>
        <source>This system has no global shortcuts that Lightloom knows; use remote control instead.</source>
        <translation>此系统没有 Lightloom 支持的全局热键；请改用远程控制。</translation>
    </message>
    <message>
        <source>Unsaved changes of {name} cannot be kept: {reason}; save it, or free some space.</source>
        <translation>无法保留 {name} 的未保存更改：{reason}；请保存它，或释放一些空间。</translation>
    </message>
    <message>
        <source>Unsaved changes of {name} cannot be read: {reason}; they are kept in {path}, and the saved text is shown.</source>
        <translation>无法读取 {name} 的未保存更改：{reason}；它们保留在 {path} 中，现显示已保存的文本。</translation>
    </message>
    <message>
        <source>What effects that follow the audio hear with cameras, streams and images; open only while one does.</source>
        <translation>对于摄像头、流和图像，跟随音频的效果所听的输入；仅在有效果跟随时打开。</translation>
    </message>
    <message>
        <source>Where masks come later than their frames: the newest mask with the newest frame, each frame with its own mask, later, or the newest mask moved to the newest frame by optical flow.</source>
        <translation>当蒙版晚于其画面时：最新的蒙版配最新的画面，每个画面配自己的蒙版但更晚，或用光流把最新的蒙版移动到最新的画面。</translation>
    </message>
    <message>
        <source>[given] is for built-in masks</source>
        <translation>[given] 只用于自带的蒙版</translation>
    </message>
    <message>
        <source>its points are outside the frame, whose coordinates are 0 to 1</source>
        <translation>其点在画面（坐标为 0 到 1）之外</translation>
    </message>
    <message>
        <source>its sparse tensors are of {size} MiB and more</source>
        <translation>它的稀疏张量达到 {size} MiB 以上</translation>
    </message>
    <message>
        <source>its tensors take {size}</source>
        <translation>其张量需要 {size}</translation>
    </message>
    <message>
        <source>its transparency is not decoded, so the video is opaque</source>
        <translation>其透明度没有解码，因此画面不透明</translation>
    </message>
    <message>
        <source>its workgroup has more than 256 threads</source>
        <translation>其工作组超过 256 个线程</translation>
    </message>
    <message>
        <source>its workgroup memory has more than {limit} KiB; use less</source>
        <translation>其工作组内存超过 {limit} KiB；请减少</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保持</translation>
    </message>
    <message>
        <source>kind &apos;{kind}&apos; is neither &apos;pixel&apos; nor &apos;raw&apos;</source>
        <translation>kind &apos;{kind}&apos; 既不是 &apos;pixel&apos; 也不是 &apos;raw&apos;</translation>
    </message>
    <message>
        <source>left half</source>
        <translation>左半部</translation>
    </message>
    <message>
        <source>letterboxed</source>
        <translation>加边适配</translation>
    </message>
    <message>
        <source>lighten</source>
        <translation>变亮</translation>
    </message>
    <message>
        <source>line</source>
        <translation>线形</translation>
    </message>
    <message>
        <source>lists of boxes, classes and scores, and the size of the image</source>
        <translation>框、类别和分数的列表，以及画面尺寸</translation>
    </message>
    <message>
        <source>lists of boxes, labels and scores; labels count from 1</source>
        <translation>框、标签和分数的列表；标签从 1 开始编号</translation>
    </message>
    <message>
        <source>lists of boxes, scores and classes; classes count from 0</source>
        <translation>框、分数和类别的列表；类别从 0 开始编号</translation>
    </message>
    <message>
        <source>lists of classes, scores and boxes, and an input for the size</source>
        <translation>类别、分数和框的列表，以及一个尺寸的输入</translation>
    </message>
    <message>
        <source>logits and boxes with {count} points, a row for each anchor of its grids</source>
        <translation>logits 和带 {count} 个点的框，其网格的每个锚点一行</translation>
    </message>
    <message>
        <source>logits and distances in pixels for each of its grids</source>
        <translation>每个网格的 logits 和以像素计的距离</translation>
    </message>
    <message>
        <source>loudness</source>
        <translation>响度</translation>
    </message>
    <message>
        <source>macros are nested more than {limit} deep; use functions</source>
        <translation>宏嵌套超过 {limit} 层；请使用函数</translation>
    </message>
    <message>
        <source>main() takes and returns nothing; declare it as void main()</source>
        <translation>main() 没有参数和返回值；请声明为 void main()</translation>
    </message>
    <message>
        <source>make room, or choose another folder</source>
        <translation>请腾出空间，或选择其他文件夹</translation>
    </message>
    <message>
        <source>make room, or {other}</source>
        <translation>腾出空间，或{other}</translation>
    </message>
    <message>
        <source>maps of heat, sizes and offsets at a quarter of the image</source>
        <translation>四分之一画面尺寸的热图、尺寸图和偏移图</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>蒙版</translation>
    </message>
    <message>
        <source>matte</source>
        <translation>遮罩</translation>
    </message>
    <message>
        <source>may not be used</source>
        <translation>不允许使用</translation>
    </message>
    <message>
        <source>mean {numbers}</source>
        <translation>均值 {numbers}</translation>
    </message>
    <message>
        <source>middle (250 to 2000 Hz)</source>
        <translation>中音（250 到 2000 Hz）</translation>
    </message>
    <message>
        <source>min {min:g} is not below max {max:g}</source>
        <translation>min {min:g} 不小于 max {max:g}</translation>
    </message>
    <message>
        <source>mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>mix</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>mono</source>
        <translation>单色</translation>
    </message>
    <message>
        <source>more than {limit} operators or branches follow each other; split them</source>
        <translation>连续的运算符或分支超过 {limit} 个；请拆分</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>按运动移动</translation>
    </message>
    <message>
        <source>moves the corners of the image (gl_Position), which a filter cannot do; move the coordinates in the .fs</source>
        <translation>移动图像的角（gl_Position），滤镜做不到；请在 .fs 中移动坐标</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>newest result</source>
        <translation>最新结果</translation>
    </message>
    <message>
        <source>no pass writes &apos;output&apos;</source>
        <translation>没有通道写入 &apos;output&apos;</translation>
    </message>
    <message>
        <source>none stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>none: each network&apos;s own web page</source>
        <translation>无：各网络自己的网页</translation>
    </message>
    <message>
        <source>note</source>
        <translation>音符</translation>
    </message>
    <message>
        <source>nothing computes an output of it</source>
        <translation>没有任何算子计算它的某个输出</translation>
    </message>
    <message>
        <source>nothing computes its output &apos;{name}&apos;</source>
        <translation>没有节点计算其输出 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>nothing computes the result &apos;{name}&apos; of a subgraph of {node}</source>
        <translation>没有节点计算 {node} 子图的结果 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>number of objects</source>
        <translation>对象数量</translation>
    </message>
    <message>
        <source>numbers, because the model has no names</source>
        <translation>编号，因为模型没有名称</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>one map of a sixteenth of the input, with scores and boxes in its channels</source>
        <translation>一张为输入十六分之一的图，各通道为分数和框</translation>
    </message>
    <message>
        <source>one map over the image, of an unknown kind</source>
        <translation>一张覆盖画面的图，没有说明它是什么</translation>
    </message>
    <message>
        <source>one map over the image, with the name or the values of a mask</source>
        <translation>一张覆盖画面的图，名称或数值与蒙版相符</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>{choices} 之一</translation>
    </message>
    <message>
        <source>one parameter of type model goes with a table [network], and none without</source>
        <translation>一个 model 类型的参数须与表 [network] 同时出现，没有该参数时则不得有此表</translation>
    </message>
    <message>
        <source>one row of {count} numbers</source>
        <translation>一行 {count} 个数</translation>
    </message>
    <message>
        <source>only the first image is shown</source>
        <translation>只显示第一幅画面</translation>
    </message>
    <message>
        <source>onnxruntime</source>
        <translation>onnxruntime</translation>
    </message>
    <message>
        <source>onnxruntime lacks something that {name} is made of; choose another network ({text}).</source>
        <translation>onnxruntime 缺少 {name} 所用的某些部分；请选择其他网络 ({text})。</translation>
    </message>
    <message>
        <source>onsets</source>
        <translation>起音</translation>
    </message>
    <message>
        <source>opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>open the .onnx file that they belong to</source>
        <translation>请打开它们所属的 .onnx 文件</translation>
    </message>
    <message>
        <source>outputs of {title}</source>
        <translation>{title} 的输出</translation>
    </message>
    <message>
        <source>outputs with the names and shapes of its grids</source>
        <translation>输出的名称和形状与其网格相符</translation>
    </message>
    <message>
        <source>over_picture</source>
        <translation>叠加到画面</translation>
    </message>
    <message>
        <source>pass &apos;{entry}&apos; writes or covers a texture that is not declared</source>
        <translation>通道 &apos;{entry}&apos; 写入或覆盖了未声明的纹理</translation>
    </message>
    <message>
        <source>passes the buffer &apos;{name}&apos; to a function; read it where it is named, or by a macro</source>
        <translation>把缓冲区“{name}”传给函数；请直接读取，或用宏读取</translation>
    </message>
    <message>
        <source>pip install &apos;.[{extra}]&apos; in a checkout of Lightloom&apos;s source</source>
        <translation>在 Lightloom 源代码目录中执行 pip install &apos;.[{extra}]&apos;</translation>
    </message>
    <message>
        <source>pip install &apos;.[{extra}]&apos; in a checkout of Lightloom&apos;s source, as this bundle takes no packages</source>
        <translation>在 Lightloom 源代码目录中执行 pip install &apos;.[{extra}]&apos;，因为此打包版本不能加装软件包</translation>
    </message>
    <message>
        <source>pip install &apos;{package}[{extra}]&apos;</source>
        <translation>pip install &apos;{package}[{extra}]&apos;</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>pixels of the input</source>
        <translation>输入的像素</translation>
    </message>
    <message>
        <source>plug it in again</source>
        <translation>请重新接入</translation>
    </message>
    <message>
        <source>position across</source>
        <translation>水平位置</translation>
    </message>
    <message>
        <source>position down</source>
        <translation>垂直位置</translation>
    </message>
    <message>
        <source>probabilities of {count} classes</source>
        <translation>{count} 个类别的概率</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>rainbow</source>
        <translation>彩虹</translation>
    </message>
    <message>
        <source>random steps</source>
        <translation>随机阶跃</translation>
    </message>
    <message>
        <source>red</source>
        <translation>红</translation>
    </message>
    <message>
        <source>redaction</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>right half</source>
        <translation>右半部</translation>
    </message>
    <message>
        <source>rings</source>
        <translation>圆环</translation>
    </message>
    <message>
        <source>round</source>
        <translation>圆形</translation>
    </message>
    <message>
        <source>rows of seven columns, and an output that is named as the family&apos;s</source>
        <translation>七列的行，且有一个按该系列命名的输出</translation>
    </message>
    <message>
        <source>rtmp://host/app, whip://host/path, udp://host:port, srt://host:port, or a folder for HLS</source>
        <translation>rtmp://host/app、whip://host/path、udp://host:port、srt://host:port，或用于 HLS 的文件夹</translation>
    </message>
    <message>
        <source>running it crashes the driver of {adapter} ({end})</source>
        <translation>运行它会使 {adapter} 的驱动程序崩溃 ({end})</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>sawtooth</source>
        <translation>锯齿波</translation>
    </message>
    <message>
        <source>scores and four distributions for each cell of its grids</source>
        <translation>其网格的每个单元格有分数和四个分布</translation>
    </message>
    <message>
        <source>scores, boxes and points of faces for each of its grids</source>
        <translation>每个网格的分数、框和人脸关键点</translation>
    </message>
    <message>
        <source>sea</source>
        <translation>海洋</translation>
    </message>
    <message>
        <source>sends no frames any more</source>
        <translation>不再发送画面</translation>
    </message>
    <message>
        <source>several rows of seven columns for one image</source>
        <translation>一张画面有多行七列的数据</translation>
    </message>
    <message>
        <source>shares of the input</source>
        <translation>占输入的比例</translation>
    </message>
    <message>
        <source>shares of the input, 0 to 1</source>
        <translation>占输入的比例，0 到 1</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>有符号</translation>
    </message>
    <message>
        <source>sine</source>
        <translation>正弦波</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>something is assigned to that is not a variable; correct it</source>
        <translation>赋值的对象不是变量；请更正</translation>
    </message>
    <message>
        <source>square</source>
        <translation>方波</translation>
    </message>
    <message>
        <source>std {numbers}</source>
        <translation>标准差 {numbers}</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>stretched</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>table</source>
        <translation>查找表</translation>
    </message>
    <message>
        <source>tensors overlap in its external data &apos;{name}&apos;</source>
        <translation>其外部数据 &apos;{name}&apos; 中的张量重叠</translation>
    </message>
    <message>
        <source>that is {megapixels:,.0f} megapixels, more than {most}</source>
        <translation>这有 {megapixels:,.0f} 百万像素，超过 {most}</translation>
    </message>
    <message>
        <source>the GPU refuses to run it: {reason}</source>
        <translation>GPU 拒绝运行它：{reason}</translation>
    </message>
    <message>
        <source>the address &apos;{address}&apos; must begin with https:// and name a host</source>
        <translation>地址 &apos;{address}&apos; 必须以 https:// 开头并含有主机名</translation>
    </message>
    <message>
        <source>the address holds a name or a password; give them under &apos;Authorization&apos; instead</source>
        <translation>地址中含有用户名或密码；请改填在“Authorization”中</translation>
    </message>
    <message>
        <source>the address does not begin with http:// or https://</source>
        <translation>该地址不是以 http:// 或 https:// 开头的地址</translation>
    </message>
    <message>
        <source>the answer is no version</source>
        <translation>答复不是版本号</translation>
    </message>
    <message>
        <source>the arguments of &apos;{name}&apos; fit none of its definitions; convert them</source>
        <translation>“{name}”的参数与其任何定义都不符；请转换</translation>
    </message>
    <message>
        <source>the arguments of the macro have no &apos;)&apos;; add it</source>
        <translation>宏的参数缺少“)”；请补上</translation>
    </message>
    <message>
        <source>the arguments of {kind}() do not fit it; count their components</source>
        <translation>{kind}() 的参数不符；请核对分量数</translation>
    </message>
    <message>
        <source>the arguments of {name}() do not fit it; see the reference of GLSL</source>
        <translation>{name}() 的参数不符；请参阅 GLSL 参考</translation>
    </message>
    <message>
        <source>the arrays and structs of one invocation have more than {limit} KiB; use smaller ones, a [[buffer]] or a [[texture]]</source>
        <translation>一次调用的数组和结构超过 {limit} KiB；请使用更小的，或使用 [[buffer]] 或 [[texture]]</translation>
    </message>
    <message>
        <source>the attribute &apos;{attribute_name}&apos; has no type</source>
        <translation>属性 &apos;{attribute_name}&apos; 没有类型</translation>
    </message>
    <message>
        <source>the broker sends more and more</source>
        <translation>代理不断发送更多消息</translation>
    </message>
    <message>
        <source>the broker&apos;s address holds a name; give it under &apos;User&apos; and &apos;Password&apos; instead</source>
        <translation>代理服务器地址中含有用户名；请改填在“用户”和“密码”中</translation>
    </message>
    <message>
        <source>the broker&apos;s address is not one such as broker.local:1883</source>
        <translation>代理服务器地址不是 broker.local:1883 这样的形式</translation>
    </message>
    <message>
        <source>the certificate of {host} is not valid ({verify_message})</source>
        <translation>{host} 的证书无效 ({verify_message})</translation>
    </message>
    <message>
        <source>the character {character} is not valid in GLSL; remove it</source>
        <translation>字符 {character} 在 GLSL 中无效；请删除</translation>
    </message>
    <message>
        <source>the condition of &apos;#if&apos; is not a constant; simplify it</source>
        <translation>“#if”的条件不是常量；请简化</translation>
    </message>
    <message>
        <source>the connection broke off</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>the connection to {host} broke</source>
        <translation>与 {host} 的连接中断</translation>
    </message>
    <message>
        <source>the connection to {host} failed ({first_line})</source>
        <translation>与 {host} 的连接失败 ({first_line})</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; cannot be read ({error})</source>
        <translation>无法读取常量 &apos;{tensor_name}&apos; ({error})</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has element type {data_type}</source>
        <translation>常量 &apos;{tensor_name}&apos; 的元素类型为 {data_type}</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has the shape {dims}</source>
        <translation>常量 &apos;{tensor_name}&apos; 的形状为 {dims}</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has {count} bytes for the shape {dims}</source>
        <translation>常量 &apos;{tensor_name}&apos; 的形状为 {dims}，却有 {count} 字节</translation>
    </message>
    <message>
        <source>the constant &apos;{tensor_name}&apos; has {count} dimensions</source>
        <translation>常量 &apos;{tensor_name}&apos; 有 {count} 个维度</translation>
    </message>
    <message>
        <source>the data of &apos;{name}&apos; do not fit the file</source>
        <translation>“{name}”的数据超出文件范围</translation>
    </message>
    <message>
        <source>the data of &apos;{name}&apos; lie in a buffer that is not there</source>
        <translation>“{name}”的数据位于不存在的缓冲区</translation>
    </message>
    <message>
        <source>the default {default} does not fit, it takes {expects}</source>
        <translation>默认值 {default} 不合适，它接受{expects}</translation>
    </message>
    <message>
        <source>the driver refuses its shader</source>
        <translation>驱动程序拒绝其着色器</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; does not fit the file &apos;{location}&apos;</source>
        <translation>&apos;{tensor_name}&apos; 的外部数据与文件 &apos;{location}&apos; 不符</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; has a damaged address</source>
        <translation>&apos;{tensor_name}&apos; 的外部数据地址已损坏</translation>
    </message>
    <message>
        <source>the external data of &apos;{tensor_name}&apos; lies outside the model&apos;s folder (&apos;{location}&apos;)</source>
        <translation>&apos;{tensor_name}&apos; 的外部数据位于模型文件夹之外 (&apos;{location}&apos;)</translation>
    </message>
    <message>
        <source>the file at {host} changes while it is downloaded</source>
        <translation>{host} 上的文件在下载过程中发生变化</translation>
    </message>
    <message>
        <source>the file at {host} has {theirs} and the catalogue&apos;s has {size:,}</source>
        <translation>{host} 上的文件有 {theirs}，而目录中为 {size:,}</translation>
    </message>
    <message>
        <source>the file beside the network says so</source>
        <translation>网络旁边的文件如此说明</translation>
    </message>
    <message>
        <source>the file has gone</source>
        <translation>文件已不存在</translation>
    </message>
    <message>
        <source>the file of a layer</source>
        <translation>图层的文件</translation>
    </message>
    <message>
        <source>the function &apos;{name}&apos; comes to more than {call_budget} calls of functions in functions; call fewer</source>
        <translation>函数 &apos;{name}&apos; 的嵌套函数调用合计超过 {call_budget} 次；请减少调用</translation>
    </message>
    <message>
        <source>the function &apos;{name}&apos; comes to more than {loop_copies} loops, those of the functions that it calls included; use fewer</source>
        <translation>函数 &apos;{name}&apos; 的循环（包括其所调用函数的循环）超过 {loop_copies} 个；请减少</translation>
    </message>
    <message>
        <source>the input &apos;{name}&apos; has the unknown type &apos;{kind}&apos;</source>
        <translation>输入“{name}”的类型“{kind}”未知</translation>
    </message>
    <message>
        <source>the last mask</source>
        <translation>最后的蒙版</translation>
    </message>
    <message>
        <source>the layer with {source} was switched off, since a look does not open cameras and addresses by itself; switch it on to use it.</source>
        <translation>使用 {source} 的图层已关闭，因为风格不会自行打开摄像头和地址；如需使用请将其开启。</translation>
    </message>
    <message>
        <source>the macro &apos;{name}&apos; takes {count} arguments; write as many</source>
        <translation>宏“{name}”需要 {count} 个参数；请写上同样多</translation>
    </message>
    <message>
        <source>the macro joins words by &apos;##&apos;, which is not translated; write them out</source>
        <translation>宏用“##”连接词，这不会被转换；请写全</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>蒙版</translation>
    </message>
    <message>
        <source>the mask of the filter {name} depends on earlier frames</source>
        <translation>滤镜 {name} 的蒙版依赖于之前的帧</translation>
    </message>
    <message>
        <source>the model&apos;s metadata &apos;{key}&apos;</source>
        <translation>模型元数据 &apos;{key}&apos;</translation>
    </message>
    <message>
        <source>the name &apos;{name}&apos; is used twice or belongs to Lightloom</source>
        <translation>名称 &apos;{name}&apos; 被使用了两次或属于 Lightloom</translation>
    </message>
    <message>
        <source>the name &apos;{path_stem}&apos; must be lower-case letters, digits and &apos;_&apos;</source>
        <translation>名称 &apos;{path_stem}&apos; 只能由小写字母、数字和 &apos;_&apos; 组成</translation>
    </message>
    <message>
        <source>the name {host} is not known on this network</source>
        <translation>在此网络上找不到名称 {host}</translation>
    </message>
    <message>
        <source>the network has no model and was left out.</source>
        <translation>网络没有模型，已忽略。</translation>
    </message>
    <message>
        <source>the network&apos;s model</source>
        <translation>网络的模型</translation>
    </message>
    <message>
        <source>the network&apos;s {key} can&apos;t be {repr}; the usual one is used.</source>
        <translation>网络的 {key} 不能为 {repr}；改用通常的值。</translation>
    </message>
    <message>
        <source>the number {number} does not fit into 32 bits; use a smaller one</source>
        <translation>数字 {number} 超出 32 位；请使用较小的数</translation>
    </message>
    <message>
        <source>the output &apos;{name}&apos; has the shape {shape}</source>
        <translation>输出“{name}”的形状为 {shape}</translation>
    </message>
    <message>
        <source>the output &apos;{name}&apos; is not a vec4; make it one</source>
        <translation>输出“{name}”不是 vec4；请改为 vec4</translation>
    </message>
    <message>
        <source>the package paho-mqtt is missing</source>
        <translation>缺少软件包 paho-mqtt</translation>
    </message>
    <message>
        <source>the parameters of the macro have no &apos;)&apos;; add it</source>
        <translation>宏的形参缺少“)”；请补上</translation>
    </message>
    <message>
        <source>the path of a .cube file</source>
        <translation>.cube 文件的路径</translation>
    </message>
    <message>
        <source>the path of an image</source>
        <translation>图片的路径</translation>
    </message>
    <message>
        <source>the look</source>
        <translation>风格预设</translation>
    </message>
    <message>
        <source>the request was refused</source>
        <translation>请求被拒绝</translation>
    </message>
    <message>
        <source>the result &apos;{name}&apos; is a sequence</source>
        <translation>结果“{name}”是一个序列</translation>
    </message>
    <message>
        <source>the result of {node} takes {size}</source>
        <translation>{node} 的结果需要 {size}</translation>
    </message>
    <message>
        <source>the second network has no model and was left out.</source>
        <translation>第二个网络没有模型，已略去。</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes</source>
        <translation>其结果的形状取决于网络的计算结果</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, and there is no convolution or product before it</source>
        <translation>其结果的形状取决于网络的计算结果，且其前没有卷积或乘积</translation>
    </message>
    <message>
        <source>the shape of its result follows from what the network computes, and what lies behind it does not run by itself ({reason})</source>
        <translation>其结果的形状取决于网络的计算结果，而其后的部分无法单独运行（{reason}）</translation>
    </message>
    <message>
        <source>the values of the filter &apos;{entry}&apos; are not a table and were left out.</source>
        <translation>滤镜 &apos;{entry}&apos; 的值不是表，已忽略。</translation>
    </message>
    <message>
        <source>the weights of an ONNX network</source>
        <translation>ONNX 网络的权重</translation>
    </message>
    <message>
        <source>the {kind} of &apos;{filter}&apos;</source>
        <translation>&apos;{filter}&apos; 的{kind}</translation>
    </message>
    <message>
        <source>there is another file of this name</source>
        <translation>已有同名的其他文件</translation>
    </message>
    <message>
        <source>there is another filter called &apos;{name}&apos; here, which is used; rename one of them.</source>
        <translation>此处已有另一个名为 &apos;{name}&apos; 的滤镜并会使用它；请重命名其中一个。</translation>
    </message>
    <message>
        <source>there is no GPU device.</source>
        <translation>没有 GPU 设备。</translation>
    </message>
    <message>
        <source>there is no zone in it.</source>
        <translation>其中没有区域。</translation>
    </message>
    <message>
        <source>there was no frame</source>
        <translation>没有画面</translation>
    </message>
    <message>
        <source>three maps over the image, its colors</source>
        <translation>三张覆盖画面的图，即其颜色</translation>
    </message>
    <message>
        <source>too many wait</source>
        <translation>等待的过多</translation>
    </message>
    <message>
        <source>top half</source>
        <translation>上半部</translation>
    </message>
    <message>
        <source>tracking</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>transparent</source>
        <translation>透明</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>try again later</source>
        <translation>请稍后重试</translation>
    </message>
    <message>
        <source>try again then{kept}</source>
        <translation>请届时重试{kept}</translation>
    </message>
    <message>
        <source>turn by 180°</source>
        <translation>旋转 180°</translation>
    </message>
    <message>
        <source>two colors</source>
        <translation>双色</translation>
    </message>
    <message>
        <source>two maps of three boxes a cell, which share their classes</source>
        <translation>两张图，每个单元格三个框，共用类别</translation>
    </message>
    <message>
        <source>two numbers from 0 to 1, written as 0.25/0.75</source>
        <translation>两个 0 到 1 之间的数，写成 0.25/0.75</translation>
    </message>
    <message>
        <source>two of its choices have the same name</source>
        <translation>其两个选项同名</translation>
    </message>
    <message>
        <source>two parameters have the same name</source>
        <translation>两个参数同名</translation>
    </message>
    <message>
        <source>two images go in, and two maps come out</source>
        <translation>输入两幅画面，输出两张图</translation>
    </message>
    <message>
        <source>The password in the {scheme}:// address contains #, / or ?, which ends the host name; write # as %23, / as %2F and ? as %3F. If the @ belongs to the path, write it as %40.</source>
        <translation>{scheme}:// 地址中的密码含有 #、/ 或 ?，会截断主机名；请将 # 写为 %23，/ 写为 %2F，? 写为 %3F。如果 @ 属于路径，请将其写为 %40。</translation>
    </message>
    <message>
        <source>an action of &apos;{name}&apos; was left out: its &apos;do&apos; is {value}; did you mean &apos;{near}&apos;?</source>
        <translation>“{name}”的一个操作已忽略：其“do”为 {value}；是否指“{near}”？</translation>
    </message>
    <message>
        <source>an entry of &apos;{key}&apos; is not a table and was left out.</source>
        <translation>“{key}”中有一项不是表，已忽略。</translation>
    </message>
    <message>
        <source>an entry of &apos;{key}&apos; was left out: its name is missing, or no line of {most} letters at most; give it one.</source>
        <translation>“{key}”中有一项已忽略：缺少名称，或名称不是最多 {most} 个字符的一行；请填写名称。</translation>
    </message>
    <message>
        <source>it without quotation marks</source>
        <translation>不带引号的值</translation>
    </message>
    <message>
        <source>its zone &apos;{zone}&apos; was left out</source>
        <translation>其区域“{zone}”已被忽略</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>secondary networks</source>
        <translation>次级网络</translation>
    </message>
    <message>
        <source>served networks</source>
        <translation>由服务器提供的网络</translation>
    </message>
    <message>
        <source>stretched, center {crop:g} of both sides</source>
        <translation>拉伸，取两边中间的 {crop:g}</translation>
    </message>
    <message>
        <source>the server sends more than is allowed</source>
        <translation>服务器发送的内容超过允许的大小</translation>
    </message>
    <message>
        <source>the size of an array must be a constant from 1 to {most}</source>
        <translation>数组大小必须是 1 到 {most} 的常量</translation>
    </message>
    <message>
        <source>the size of the buffer &apos;{name}&apos; is not from 1 to 4096</source>
        <translation>缓冲区“{name}”的尺寸不在 1 到 4096 之间</translation>
    </message>
    <message>
        <source>the struct &apos;{name}&apos; has no members, or ones of void or images; correct them</source>
        <translation>struct“{name}”没有成员，或成员为 void 或图像；请更正</translation>
    </message>
    <message>
        <source>the text ends too early; close what is open</source>
        <translation>文本结束得太早；请补全未闭合的部分</translation>
    </message>
    <message>
        <source>the uniform &apos;{name}&apos; is not an input of the header; declare it there</source>
        <translation>uniform“{name}”不是头中的输入；请在那里声明</translation>
    </message>
    <message>
        <source>the values of the input &apos;{name}&apos; are not a list of at most {most}</source>
        <translation>输入“{name}”的值不是最多 {most} 项的列表</translation>
    </message>
    <message>
        <source>the values of the input &apos;{name}&apos; are not integers</source>
        <translation>输入“{name}”的值不是整数</translation>
    </message>
    <message>
        <source>there is no folder {path}</source>
        <translation>没有文件夹 {path}</translation>
    </message>
    <message>
        <source>there is no member &apos;{name}&apos; here; correct it</source>
        <translation>此处没有成员“{name}”；请更正</translation>
    </message>
    <message>
        <source>there is no zone</source>
        <translation>没有区域</translation>
    </message>
    <message>
        <source>this &apos;#if&apos; has no &apos;#endif&apos;; add one at its end</source>
        <translation>此“#if”没有“#endif”；请在末尾补上</translation>
    </message>
    <message>
        <source>time since an event</source>
        <translation>距某事件的时间</translation>
    </message>
    <message>
        <source>treble (2 to 16 kHz)</source>
        <translation>高音（2 到 16 kHz）</translation>
    </message>
    <message>
        <source>triangle</source>
        <translation>三角波</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: only ONNX files turn with the frames; leave it out.</source>
        <translation>{settings} 中 [input] 下的 turns = true 无效：只有 ONNX 文件随画面旋转；请删除。</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: the input is as wide as high; leave it out.</source>
        <translation>{settings} 中 [input] 下的 turns = true 无效：输入的宽与高相等；请删除。</translation>
    </message>
    <message>
        <source>turns = true under [input] in {settings} has no effect: {networks} do not turn.</source>
        <translation>{settings} 中 [input] 下的 turns = true 无效：{networks}不会旋转。</translation>
    </message>
    <message>
        <source>two inputs have the same name</source>
        <translation>两个输入同名</translation>
    </message>
    <message>
        <source>two scores and a box for each anchor of its grids</source>
        <translation>其网格的每个锚点有两个分数和一个框</translation>
    </message>
    <message>
        <source>two scores, a box and five points for each of its priors</source>
        <translation>每个先验框有两个分数、一个框和五个点</translation>
    </message>
    <message>
        <source>type &apos;{kind}&apos; is not one of {types}</source>
        <translation>类型 &apos;{kind}&apos; 不是 {types} 之一</translation>
    </message>
    <message>
        <source>unpack it and open the .onnx file</source>
        <translation>请解压并打开 .onnx 文件</translation>
    </message>
    <message>
        <source>unpack it and open the network in it</source>
        <translation>请解压并打开其中的网络</translation>
    </message>
    <message>
        <source>unpack it as a zip archive and open a .tflite file of it</source>
        <translation>请将其作为 zip 压缩包解压，并打开其中的 .tflite 文件</translation>
    </message>
    <message>
        <source>use a mirror</source>
        <translation>请使用镜像</translation>
    </message>
    <message>
        <source>use a mirror, or look for a newer version of Lightloom</source>
        <translation>请使用镜像，或查看是否有更新的 Lightloom</translation>
    </message>
    <message>
        <source>use the .onnx file that it was made from</source>
        <translation>请使用生成它的 .onnx 文件</translation>
    </message>
    <message>
        <source>uses &apos;discard&apos; outside of main(); return from main() instead</source>
        <translation>在 main() 之外使用“discard”；请改为从 main() 返回</translation>
    </message>
    <message>
        <source>uses DATE, and the date is not the same in a second export; use TIME</source>
        <translation>使用 DATE，而再次导出时日期会不同；请使用 TIME</translation>
    </message>
    <message>
        <source>uses iDate, and the date is not the same in a second export; use iTime</source>
        <translation>使用 iDate，而再次导出时日期会不同；请使用 iTime</translation>
    </message>
    <message>
        <source>uses the rectangle of an image, which is of version 1 of ISF; use IMG_SIZE()</source>
        <translation>使用 ISF 第 1 版的图像矩形；请使用 IMG_SIZE()</translation>
    </message>
    <message>
        <source>uses {name}() with a level other than 0, and images here have one; pass 0.0</source>
        <translation>{name}() 使用了 0 以外的层级，而这里的图像只有一层；请传入 0.0</translation>
    </message>
    <message>
        <source>uses {name}(), differences between neighboring pixels, which filters do not have; sample the neighbors</source>
        <translation>使用 {name}()（相邻像素之差），滤镜没有；请读取相邻像素</translation>
    </message>
    <message>
        <source>uses {name}(), which drivers do not compute; write a noise function</source>
        <translation>使用 {name}()，驱动程序不计算它；请编写噪声函数</translation>
    </message>
    <message>
        <source>uses {name}(), which is not translated; use texture()</source>
        <translation>使用 {name}()，它不会被转换；请使用 texture()</translation>
    </message>
    <message>
        <source>values at times in seconds such as 0=1 2.5=4:ease 3=0:hold, at most {most}</source>
        <translation>以秒为单位的时间上的值，例如 0=1 2.5=4:ease 3=0:hold，最多 {most} 个</translation>
    </message>
    <message>
        <source>was unplugged</source>
        <translation>已被拔出</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>波</translation>
    </message>
    <message>
        <source>wgpu</source>
        <translation>wgpu</translation>
    </message>
    <message>
        <source>what {host} sent is not the file that the catalogue names (its checksum is another one)</source>
        <translation>{host} 发来的不是目录所列的文件（校验和不同）</translation>
    </message>
    <message>
        <source>where you got it from</source>
        <translation>您获取它的地方</translation>
    </message>
    <message>
        <source>white_hot</source>
        <translation>白热</translation>
    </message>
    <message>
        <source>white_on_black</source>
        <translation>黑底白字</translation>
    </message>
    <message>
        <source>whole image</source>
        <translation>整幅画面</translation>
    </message>
    <message>
        <source>with JPEG or another format inside</source>
        <translation>（内含 JPEG 或其他格式）</translation>
    </message>
    <message>
        <source>with floating-point samples other than 32-bit color</source>
        <translation>（浮点样本，且不是 32 位彩色）</translation>
    </message>
    <message>
        <source>with parameters at the ends of their ranges it</source>
        <translation>参数取范围两端时，它</translation>
    </message>
    <message>
        <source>write it in ASCII</source>
        <translation>请只使用 ASCII 字符</translation>
    </message>
    <message>
        <source>write it whole, such as http://192.168.1.5/bell, with a port from 1 to 65535 if any</source>
        <translation>请写完整，例如 http://192.168.1.5/bell；如有端口，须为 1 到 65535</translation>
    </message>
    <message>
        <source>write its host, and its port from 1 to 65535 if it is not the usual one</source>
        <translation>请写出主机；若端口不是常用端口，再写出 1 到 65535 的端口</translation>
    </message>
    <message>
        <source>write one without +, # and control characters</source>
        <translation>请写不含 +、# 和控制字符的主题</translation>
    </message>
    <message>
        <source>write the full path</source>
        <translation>请写出完整路径</translation>
    </message>
    <message>
        <source>write them behind it</source>
        <translation>请写在主机名之后</translation>
    </message>
    <message>
        <source>writes gl_FragColor; set the first parameter of mainImage()</source>
        <translation>写入 gl_FragColor；请设置 mainImage() 的第一个参数</translation>
    </message>
    <message>
        <source>writes several images at once (gl_FragData), which a filter cannot do; use PASSES</source>
        <translation>同时写入多个图像（gl_FragData），滤镜做不到；请使用 PASSES</translation>
    </message>
    <message>
        <source>you do not allow its host any more</source>
        <translation>该主机已不再被允许</translation>
    </message>
    <message>
        <source>{adapter} did not finish the network ({error}); restart it.</source>
        <translation>{adapter} 没有完成网络的计算 ({error})；请重新启动它。</translation>
    </message>
    <message>
        <source>{adapter} has no 16-bit floats in shaders; choose fp32 or auto.</source>
        <translation>{adapter} 的着色器不支持 16 位浮点数；请选择 fp32 或 auto。</translation>
    </message>
    <message>
        <source>{adapter} has no memory for the model ({error}); close other programs.</source>
        <translation>{adapter} 没有足够内存容纳该模型 ({error})；请关闭其他程序。</translation>
    </message>
    <message>
        <source>{address} asks for a name and password: write user:password@ before the host.</source>
        <translation>{address} 要求用户名和密码：请在主机名前写上 user:password@。</translation>
    </message>
    <message>
        <source>{address} broke the connection off: check the server.</source>
        <translation>{address} 中断了连接：请检查服务器。</translation>
    </message>
    <message>
        <source>{address} does not answer: check the address, the network and the firewall.</source>
        <translation>{address} 没有响应：请检查地址、网络和防火墙。</translation>
    </message>
    <message>
        <source>{address} does not exist on the server (404): check the path.</source>
        <translation>服务器上没有 {address} (404)：请检查路径。</translation>
    </message>
    <message>
        <source>{address} failed (HTTP status 5xx): check the server&apos;s log.</source>
        <translation>{address} 出错（HTTP 状态 5xx）：请检查服务器的日志。</translation>
    </message>
    <message>
        <source>{address} failed on the server&apos;s side: try again later.</source>
        <translation>{address} 在服务器端失败：请稍后重试。</translation>
    </message>
    <message>
        <source>{address} has nothing at this path: check the whole address.</source>
        <translation>{address} 在此路径下没有内容：请检查完整地址。</translation>
    </message>
    <message>
        <source>{address} may not be read (403): ask its owner for access.</source>
        <translation>不允许读取 {address} (403)：请向其所有者申请访问权限。</translation>
    </message>
    <message>
        <source>{address} refuses the connection: check that the server runs and that the port is right.</source>
        <translation>{address} 拒绝连接：请检查服务器是否在运行以及端口是否正确。</translation>
    </message>
    <message>
        <source>{address} refuses the request: check that the address is one for WHIP.</source>
        <translation>{address} 拒绝了请求：请检查该地址是否为 WHIP 地址。</translation>
    </message>
    <message>
        <source>{address} refuses the stream key: check the key.</source>
        <translation>{address} 拒绝了推流密钥：请检查密钥。</translation>
    </message>
    <message>
        <source>{address} was refused by the server: check the address.</source>
        <translation>{address} 被服务器拒绝：请检查地址。</translation>
    </message>
    <message>
        <source>{backend} on a software adapter (slow), because {other} does not take the model: {refused}</source>
        <translation>{backend} 在软件适配器上运行（较慢），因为 {other} 不接受该模型：{refused}</translation>
    </message>
    <message>
        <source>{backend} on the CPU, because {other} does not take the model: {refused}</source>
        <translation>{backend} 在 CPU 上运行，因为 {other} 不接受该模型：{refused}</translation>
    </message>
    <message>
        <source>{backend} was chosen by the user.</source>
        <translation>{backend} 由用户选择。</translation>
    </message>
    <message>
        <source>{bits} bits a color become 10.</source>
        <translation>每种颜色 {bits} 位变为 10 位。</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; choose more bits and the codec {codec} to keep 10 (--bits 10 --codec {codec}).</source>
        <translation>每种颜色 {bits} 位会变为 8 位；选择更多位数和编解码器 {codec} 可保留 10 位 (--bits 10 --codec {codec})。</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; choose more bits to keep 10 (--bits 10).</source>
        <translation>每种颜色 {bits} 位会变为 8 位；选择更多位数可保留 10 位 (--bits 10)。</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; leave out slow motion and frame interpolation to keep 10.</source>
        <translation>每种颜色 {bits} 位将变为 8 位；若要保留 10 位，请不要使用慢动作和插帧。</translation>
    </message>
    <message>
        <source>{bits} bits a color become 8; write one of {kinds} and choose more bits to keep 10 (--bits 10).</source>
        <translation>每种颜色 {bits} 位会变为 8 位；写成 {kinds} 之一并选择更多位数可保留 10 位 (--bits 10)。</translation>
    </message>
    <message>
        <source>{codec} is written with 8 bits a color; for 10 choose one of {codecs}.</source>
        <translation>{codec} 以每种颜色 8 位写入；要 10 位请从 {codecs} 中选择。</translation>
    </message>
    <message>
        <source>{codec} is written without the data of the mastering display and the light levels: its encoder takes none; HEVC and AV1 have them.</source>
        <translation>{codec} 写入时不含母版显示器数据和亮度级别：其编码器不接受；HEVC 和 AV1 支持。</translation>
    </message>
    <message>
        <source>{columns} columns, {classes} classes and four distributions of {bins}</source>
        <translation>{columns} 列，{classes} 个类别和四个 {bins} 档的分布</translation>
    </message>
    <message>
        <source>{container} holds no HDR beside transparency; choose standard range, or one of {kinds}.</source>
        <translation>{container} 不能同时保存透明度和 HDR；请选择标准范围，或 {kinds} 之一。</translation>
    </message>
    <message>
        <source>{container} holds no HDR; choose standard range, or one of {kinds}.</source>
        <translation>{container} 不支持 HDR；请选择标准范围，或 {kinds} 之一。</translation>
    </message>
    <message>
        <source>{container} is not written with {bits} bits a color; choose 8, or one of {kinds} with 10.</source>
        <translation>{container} 不能以每种颜色 {bits} 位写入；请选择 8 位，或以 10 位写入 {kinds} 之一。</translation>
    </message>
    <message>
        <source>{count} audio tracks: {tracks}</source>
        <translation>{count} 条音轨：{tracks}</translation>
    </message>
    <message>
        <source>{count} maps over the image, one a class</source>
        <translation>{count} 张覆盖画面的图，每个类别一张</translation>
    </message>
    <message>
        <source>{count} names of classes</source>
        <translation>{count} 个类别名称</translation>
    </message>
    <message>
        <source>{count} requests are missing in the access log, because it could not be written; make room, or choose another file.</source>
        <translation>访问日志缺少 {count} 个请求，因为无法写入日志；请腾出空间，或选择其他文件。</translation>
    </message>
    <message>
        <source>{count} requests are missing in the access log, because it was written too slowly; put it on a faster disk.</source>
        <translation>访问日志缺少 {count} 个请求，因为写入太慢；请将其放到更快的磁盘上。</translation>
    </message>
    <message>
        <source>{error} &apos;{filter}&apos; acts on the whole frame, so that nothing shows that is to be hidden.</source>
        <translation>{error} “{filter}”作用于整个画面，以免露出应当隐藏的内容。</translation>
    </message>
    <message>
        <source>{error} &apos;{filter}&apos;, whose mask it is part of, was switched off.</source>
        <translation>{error} 已关闭该蒙版所属的“{filter}”。</translation>
    </message>
    <message>
        <source>{error} Nothing says the input&apos;s size, so {width}x{height} was assumed; state width and height under [preprocess] in {sidecar}.</source>
        <translation>{error} 没有说明输入尺寸，因此假定为 {width}x{height}；请在 {sidecar} 的 [preprocess] 下注明 width 和 height。</translation>
    </message>
    <message>
        <source>{error} The automation of &apos;{filter}&apos; was left out.</source>
        <translation>{error} “{filter}”的自动化已省略。</translation>
    </message>
    <message>
        <source>{error} The layer was left out.</source>
        <translation>{error} 该图层已忽略。</translation>
    </message>
    <message>
        <source>{error} The usual one is used.</source>
        <translation>{error} 使用通常的值。</translation>
    </message>
    <message>
        <source>{error} and asks to come back in {minutes}</source>
        <translation>{error}，并要求在 {minutes}后再试</translation>
    </message>
    <message>
        <source>{error}, {failures} times in a row</source>
        <translation>{error}，连续 {failures} 次</translation>
    </message>
    <message>
        <source>{event}: {count} in {zone}</source>
        <translation>{event}：{zone} 内有 {count} 个</translation>
    </message>
    <message>
        <source>{event}: {thing} crosses {zone} backward</source>
        <translation>{event}：{thing} 反向越过 {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} crosses {zone} forward</source>
        <translation>{event}：{thing} 正向越过 {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} enters {zone}</source>
        <translation>{event}：{thing} 进入 {zone}</translation>
    </message>
    <message>
        <source>{event}: {thing} has been in {zone} for {seconds:.0f} s</source>
        <translation>{event}：{thing} 已在 {zone} 停留 {seconds:.0f} 秒</translation>
    </message>
    <message>
        <source>{event}: {thing} leaves {zone}</source>
        <translation>{event}：{thing} 离开 {zone}</translation>
    </message>
    <message>
        <source>{first}
Secondary network: {second}</source>
        <translation>{first}
再看一眼：{second}</translation>
    </message>
    <message>
        <source>{folder} cannot be written: {reason}; choose another one.</source>
        <translation>无法写入 {folder}：{reason}；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{folder} is no whole path; begin with the root.</source>
        <translation>{folder} 不是完整路径；请从根目录开始。</translation>
    </message>
    <message>
        <source>{folder} is not a folder; choose another one.</source>
        <translation>{folder} 不是文件夹；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{folder} is not there any more.</source>
        <translation>{folder} 已不存在。</translation>
    </message>
    <message>
        <source>{folder} is not there; it is made when it is needed.</source>
        <translation>{folder} 不存在；需要时会创建。</translation>
    </message>
    <message>
        <source>{folder} was exported for images of {width} x {height} pixels alone; at most {most} a side can be made.</source>
        <translation>{folder} 只为 {width} x {height} 像素的图片导出；每边最多 {most} 像素。</translation>
    </message>
    <message>
        <source>{folder}: {scheduler}; images are decoded by {decoder}.</source>
        <translation>{folder}：{scheduler}；画面由 {decoder} 解码。</translation>
    </message>
    <message>
        <source>{format} holds boxes, and {network} classifies whole images; choose CSV, JSON lines or Parquet, or a detector.</source>
        <translation>{format} 保存的是方框，而 {network} 只描述整个画面；请选择 CSV、JSON lines 或 Parquet，或选择检测器。</translation>
    </message>
    <message>
        <source>{head} and {tail}</source>
        <translation>{head} 和 {tail}</translation>
    </message>
    <message>
        <source>{hint}, or {privacy}</source>
        <translation>{hint}，或{privacy}</translation>
    </message>
    <message>
        <source>{host} answered {code} ({reason})</source>
        <translation>{host} 的答复为 {code} ({reason})</translation>
    </message>
    <message>
        <source>{host} answered {status} and no file</source>
        <translation>{host} 的答复为 {status}，没有文件</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({cause})</source>
        <translation>无法连接 {host} ({cause})</translation>
    </message>
    <message>
        <source>{host} does not answer</source>
        <translation>{host} 没有响应</translation>
    </message>
    <message>
        <source>{host} ended the connection early</source>
        <translation>{host} 提前结束了连接</translation>
    </message>
    <message>
        <source>{host} refuses ({reason})</source>
        <translation>{host} 拒绝（{reason}）</translation>
    </message>
    <message>
        <source>{host} sends more than the catalogue&apos;s {size:,} bytes</source>
        <translation>{host} 发送的数据超过目录所列的 {size:,} 字节</translation>
    </message>
    <message>
        <source>{host} sends the file in an encoding that was not requested</source>
        <translation>{host} 以未请求的编码发送文件</translation>
    </message>
    <message>
        <source>{host} sends the request on, and with it what it carries</source>
        <translation>{host} 把请求连同其内容转到了别处</translation>
    </message>
    <message>
        <source>{host} sends the request round and round</source>
        <translation>{host} 使请求循环重定向</translation>
    </message>
    <message>
        <source>{host} sent the request on to an address that is not https</source>
        <translation>{host} 将请求转到了非 https 的地址</translation>
    </message>
    <message>
        <source>{host} sent the request on to something that is no address</source>
        <translation>{host} 将请求转到了不是地址的内容</translation>
    </message>
    <message>
        <source>{host} stopped sending</source>
        <translation>{host} 停止了发送</translation>
    </message>
    <message>
        <source>{index} gave another file than the one that Lightloom knows</source>
        <translation>{index} 提供的文件与 Lightloom 已知的文件不同</translation>
    </message>
    <message>
        <source>{index} has no file {name}</source>
        <translation>{index} 没有文件 {name}</translation>
    </message>
    <message>
        <source>{key} &apos;{value}&apos; must be lower-case letters, digits and &apos;_&apos;</source>
        <translation>{key} &apos;{value}&apos; 只能由小写字母、数字和 &apos;_&apos; 组成</translation>
    </message>
    <message>
        <source>{labels_name} has {names} and the network tells {classes} classes apart; choose another file.</source>
        <translation>{labels_name} 有 {names}，而网络区分 {classes} 个类别；请选择其他文件。</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 到 {high}</translation>
    </message>
    <message>
        <source>{missing:.1f} GiB of memory are missing for {folder}: its networks together take at least {needed:.1f} GiB and {free:.1f} are free; close other programs, choose a smaller working size, or put a taesd_decoder into the folder.</source>
        <translation>{folder} 还缺 {missing:.1f} GiB 内存：其网络合计至少需要 {needed:.1f} GiB，可用 {free:.1f} GiB；请关闭其他程序，选择较小的工作尺寸，或在文件夹中放入 taesd_decoder。</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 等，另有 {count} 个</translation>
    </message>
    <message>
        <source>{names}, assumed because the file lists numbers of classes without names; write other names, one a line, into {labels}</source>
        <translation>{names}（假定，因为文件只给出类别编号而没有名称；请将其他名称逐行写入 {labels}）</translation>
    </message>
    <message>
        <source>{name} can be for {names}; choose one (--task NAME), or write task = &quot;NAME&quot; into {sidecar}.</source>
        <translation>{name} 可用于 {names}；请选择其一 (--task NAME)，或在 {sidecar} 中写入 task = &quot;NAME&quot;。</translation>
    </message>
    <message>
        <source>{name} can be read as {names}; choose one (--decoder NAME), or write decoder = &quot;NAME&quot; into {sidecar}.</source>
        <translation>{name} 可以按 {names} 读取；请选择其一 (--decoder NAME)，或在 {sidecar} 中写入 decoder = &quot;NAME&quot;。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read ({reason}): check its name and permissions.</source>
        <translation>无法读取 {name} ({reason})：请检查其名称和权限。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>无法读取 {name}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>{name} cannot be installed in {folder}: {reason}; check the folder&apos;s permissions and the free space.</source>
        <translation>无法将 {name} 安装到 {folder}：{reason}；请检查文件夹权限和可用空间。</translation>
    </message>
    <message>
        <source>{name} cannot be turned for frames of the other orientation ({reason}); state turns = false under [input] in {settings}.</source>
        <translation>{name} 无法为另一方向的画面转向（{reason}）；请在 {settings} 的 [input] 下写 turns = false。</translation>
    </message>
    <message>
        <source>{name} cannot be written to {parent} ({reason}); copy the network to a folder of your own.</source>
        <translation>无法将 {name} 写入 {parent} ({reason})；请将网络复制到您自己的文件夹。</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu as it is: {what}, or choose another backend.</source>
        <translation>{name} 这样无法在 wgpu 上运行：{what}，或选择其他后端。</translation>
    </message>
    <message>
        <source>{name} cannot run on wgpu: {what}; choose another backend.</source>
        <translation>{name} 无法在 wgpu 上运行：{what}；请选择其他后端。</translation>
    </message>
    <message>
        <source>{name} cannot run on {wanted}: onnxruntime started it on {running} instead; check that provider&apos;s driver, or choose the CPU.</source>
        <translation>{name} 无法在 {wanted} 上运行：onnxruntime 改用 {running} 启动了它；请检查该提供程序的驱动程序，或选择 CPU。</translation>
    </message>
    <message>
        <source>{name} could not be opened within {io_timeout:.0f} s; it is damaged or its disk does not answer.</source>
        <translation>{name} 未能在 {io_timeout:.0f} 秒内打开；文件已损坏或其磁盘没有响应。</translation>
    </message>
    <message>
        <source>{name} could not be read ({error}); try another copy of it.</source>
        <translation>无法读取 {name} ({error})；请尝试另一份副本。</translation>
    </message>
    <message>
        <source>{name} does not interpolate frames: it takes {inputs}, where two images and a time, or one input of six or seven channels, are needed; choose a network such as RIFE.</source>
        <translation>{name} 不能在两帧之间生成画面：它接受 {inputs}，而需要两帧画面和一个时间，或一个六或七通道的输入；请选择 RIFE 之类的网络。</translation>
    </message>
    <message>
        <source>{name} does not run on {last} for now; end other programs, or choose a smaller network ({reason}).</source>
        <translation>{name} 目前无法在 {last} 上运行；请结束其他程序，或选择更小的网络（{reason}）。</translation>
    </message>
    <message>
        <source>{name} does not take one image of 1 or 3 channels: {reason}; {advice}.</source>
        <translation>{name} 的输入不是一张 1 或 3 通道的图像：{reason}；{advice}。</translation>
    </message>
    <message>
        <source>{name} ends in logits; a sigmoid makes the mask of them.</source>
        <translation>{name} 以 logits 结束；由 sigmoid 转换为蒙版。</translation>
    </message>
    <message>
        <source>{name} failed in onnxruntime: {reason}; choose another backend or network.</source>
        <translation>{name} 在 onnxruntime 中失败：{reason}；请选择其他后端或网络。</translation>
    </message>
    <message>
        <source>{name} fails in onnxruntime with inputs of the sizes {sizes} ({reason}); choose other sizes or another backend.</source>
        <translation>输入尺寸为 {sizes} 时，{name} 在 onnxruntime 中失败（{reason}）；请选择其他尺寸或其他后端。</translation>
    </message>
    <message>
        <source>{name} fills in the part of an image that a mask covers, and its input &apos;{input}&apos; needs that mask, which no filter here makes; choose a network that takes an image alone.</source>
        <translation>{name} 填补画面中被蒙版覆盖的部分，其输入 &apos;{input}&apos; 需要该蒙版，而此处没有滤镜能生成它；请选择只接受画面的网络。</translation>
    </message>
    <message>
        <source>{name} detects no objects that a secondary network could process ({task}); choose a detector as the first.</source>
        <translation>{name} 在图片中不会发现第二个网络可以仔细查看的物体（{task}）；请选择一个检测器作为第一个网络。</translation>
    </message>
    <message>
        <source>{name} gives no boxes with mask coefficients and prototypes as YOLO networks for segmentation do: its outputs are {shapes}; choose another task.</source>
        <translation>{name} 不像 YOLO 分割网络那样给出带蒙版系数和原型的框：其输出为 {shapes}；请选择其他任务。</translation>
    </message>
    <message>
        <source>{name} gives no key points of a family that Lightloom decodes ({names}): its outputs are {shapes}; choose another network, or state a decoder beside it.</source>
        <translation>{name} 不输出 Lightloom 能解码的关键点类型 ({names})：其输出为 {shapes}；请选择其他网络，或在其旁注明解码器。</translation>
    </message>
    <message>
        <source>{name} gives no numbers for an image; choose another network.</source>
        <translation>{name} 对图片没有给出数值；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} gives no oriented boxes as YOLO networks do: its outputs are {shapes}; choose another task.</source>
        <translation>{name} 不像 YOLO 网络那样给出旋转框：其输出为 {shapes}；请选择其他任务。</translation>
    </message>
    <message>
        <source>{name} gives no image, mask or map: its outputs are {shapes}; use it as the analysis network.</source>
        <translation>{name} 不输出画面、蒙版或图：其输出为 {shapes}；请将它用作画面旁的网络。</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, so that there is no channel {channel}; choose one from 0 to {last}, or -1 for the network&apos;s own.</source>
        <translation>{name} 给出 {channels} 个通道，因此没有通道 {channel}；请选择 0 到 {last}，或用 -1 表示网络自己的通道。</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, where a depth map has one; choose a network for depth.</source>
        <translation>{name} 给出 {channels} 个通道，而深度图只有一个；请选择深度网络。</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, which are no image; add it as a Background or Depth stage, if it is one.</source>
        <translation>{name} 给出 {channels} 个通道，不是画面；如果它是背景或深度网络，请添加为相应的级。</translation>
    </message>
    <message>
        <source>{name} gives {count} masks and their classes apart (&apos;{classes}&apos;, &apos;{masks}&apos;), as Mask2Former does, and nothing here puts them together; export it with one output of classes for each pixel, or choose another network.</source>
        <translation>{name} 像 Mask2Former 那样分别输出 {count} 个蒙版及其类别（&apos;{classes}&apos;、&apos;{masks}&apos;），而此处无法将它们合并；请以每个像素一个类别的输出导出，或选择其他网络。</translation>
    </message>
    <message>
        <source>{name} has a DOMAIN_MIN and DOMAIN_MAX that are not three numbers each from -{max_bound:g} to {max_bound:g}, the second at least {min_width:g} above the first; correct them in a text editor.</source>
        <translation>{name} 的 DOMAIN_MIN 和 DOMAIN_MAX 不是各三个 -{max_bound:g} 到 {max_bound:g} 之间、且后者至少比前者大 {min_width:g} 的数；请用文本编辑器修正。</translation>
    </message>
    <message>
        <source>{name} has a file in it that no look has, {file}; it was not opened.</source>
        <translation>{name} 中有风格预设不会含有的文件 {file}；没有打开。</translation>
    </message>
    <message>
        <source>{name} has more than {max_entries} files in it, which no look of Lightloom has; choose another file.</source>
        <translation>{name} 中的文件超过 {max_entries} 个，Lightloom 的风格预设不会如此；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} has no LUT_3D_SIZE from 2 to {max_size_3d}, so it is not a usable .cube file; export it again.</source>
        <translation>{name} 没有 2 到 {max_size_3d} 的 LUT_3D_SIZE，因此不是可用的 .cube 文件；请重新导出。</translation>
    </message>
    <message>
        <source>{name} has no input &apos;{name2}&apos;; it has {known}.</source>
        <translation>{name} 没有输入 &apos;{name2}&apos;；它有 {known}。</translation>
    </message>
    <message>
        <source>{name} has no input or no output; it is not a network that can be run.</source>
        <translation>{name} 没有输入或没有输出；它不是可运行的网络。</translation>
    </message>
    <message>
        <source>{name} has no output &apos;{output_name}&apos;; it has {names}.</source>
        <translation>{name} 没有输出 &apos;{output_name}&apos;；它有 {names}。</translation>
    </message>
    <message>
        <source>{name} has no image in it; choose another file.</source>
        <translation>{name} 中没有画面；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} has no image input &apos;{wanted}&apos;; its first input is &apos;{input}&apos;.</source>
        <translation>{name} 没有图像输入 &apos;{wanted}&apos;；其第一个输入为 &apos;{input}&apos;。</translation>
    </message>
    <message>
        <source>{name} has no suffix of an image; use one of {image_suffixes}.</source>
        <translation>{name} 没有图片的扩展名；请使用 {image_suffixes} 之一。</translation>
    </message>
    <message>
        <source>{name} has no suffix of a video; use one of {video_suffixes}.</source>
        <translation>{name} 没有视频的扩展名；请使用 {video_suffixes} 之一。</translation>
    </message>
    <message>
        <source>{name} has no tensor called &apos;{name2}&apos;; look the name up in the model.</source>
        <translation>{name} 没有名为 &apos;{name2}&apos; 的张量；请在模型中查找其名称。</translation>
    </message>
    <message>
        <source>{name} has the inputs {inputs}, where a denoiser has an image of three channels, its sketch of the same shape and the share of noise, and gives such an image; choose another network.</source>
        <translation>{name} 的输入为 {inputs}，而去噪网络的输入应为三通道画面、同尺寸的草图和噪声比例，并输出同尺寸的画面；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}, where an image is the only one; choose another network.</source>
        <translation>{name} 的输入为 {names}，而此处只应有一张图像；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}; an image classifier has one.</source>
        <translation>{name} 的输入为 {names}；图像分类器只有一个输入。</translation>
    </message>
    <message>
        <source>{name} has transparency, which this build of FFmpeg does not decode; it is shown without it.</source>
        <translation>{name} 带有透明度，而此 FFmpeg 版本不能解码它；将不带透明度显示。</translation>
    </message>
    <message>
        <source>{name} has {size} MiB, and a look may have {limit}; choose another file.</source>
        <translation>{name} 有 {size} MiB，而风格预设最多 {limit}；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} holds colors that are no numbers from -{bound} to {bound}; the file is damaged.</source>
        <translation>{name} 含有不在 -{bound} 到 {bound} 范围内的颜色值；该文件已损坏。</translation>
    </message>
    <message>
        <source>{name} holds more colors than a table of {max_size_3d} points a side; it is not usable.</source>
        <translation>{name} 的颜色多于每边 {max_size_3d} 点的查找表；无法使用。</translation>
    </message>
    <message>
        <source>{name} holds more than {limit} MiB; it was not opened.</source>
        <translation>{name} 的内容超过 {limit} MiB；没有打开。</translation>
    </message>
    <message>
        <source>{name} holds no transparency, so transparent parts of its frames are over black; keep transparency in .webm, .mkv and .mov (--alpha).</source>
        <translation>{name} 不支持透明度，因此帧中的透明部分会叠加在黑色上；可在 .webm、.mkv 和 .mov 中保留透明度 (--alpha)。</translation>
    </message>
    <message>
        <source>{name} holds {count} colors where its size asks for {expected}; the file is cut off or damaged.</source>
        <translation>{name} 有 {count} 个颜色，而其尺寸要求 {expected} 个；文件被截断或已损坏。</translation>
    </message>
    <message>
        <source>{name} is a GPU.</source>
        <translation>{name} 是 GPU。</translation>
    </message>
    <message>
        <source>{name} is a HEIC image, which no decoder here takes: convert it to JPEG or AVIF.</source>
        <translation>{name} 是 HEIC 图片，此处没有解码器能读取：请转换为 JPEG 或 AVIF。</translation>
    </message>
    <message>
        <source>{name} is a PyTorch file, and PyTorch is not installed; install it ({command}; without a GPU PyTorch&apos;s CPU build first, docs/backends.md), or export the network with torch.onnx.export.</source>
        <translation>{name} 是 PyTorch 文件，而未安装 PyTorch；请安装它（{command}；没有 GPU 时请先安装 PyTorch 的 CPU 版本，见 docs/backends.md），或用 torch.onnx.export 导出网络。</translation>
    </message>
    <message>
        <source>{name} is a software adapter.</source>
        <translation>{name} 是软件适配器。</translation>
    </message>
    <message>
        <source>{name} is a {kind}, not a video or an image: open a video or an image first, and use it on that.</source>
        <translation>{name} 不是视频或图片（{kind}）：请打开视频或图片，再把它用在上面。</translation>
    </message>
    <message>
        <source>{name} is assumed to take R&apos;G&apos;B&apos; in 0..1, as networks of this kind do.</source>
        <translation>假定 {name} 接受 0..1 范围的 R&apos;G&apos;B&apos;,与此类网络一样。</translation>
    </message>
    <message>
        <source>{name} is closed; load it again.</source>
        <translation>{name} 已关闭；请重新加载。</translation>
    </message>
    <message>
        <source>{name} is computed in {own} and onnxruntime does not convert it to {asked}; choose &apos;auto&apos;, or the wgpu backend.</source>
        <translation>{name} 以 {own} 计算，onnxruntime 不会将其转换为 {asked}；请选择 &apos;auto&apos; 或 wgpu 后端。</translation>
    </message>
    <message>
        <source>{name} is damaged or of a variant that can&apos;t be decoded ({why}); try another copy of it.</source>
        <translation>{name} 已损坏，或属于无法解码的变体 ({why})；请换一份副本再试。</translation>
    </message>
    <message>
        <source>{name} is damaged or of a variant that can&apos;t be decoded: open and save it with an image editor.</source>
        <translation>{name} 已损坏，或属于无法解码的变体：请用图像编辑器打开并另存。</translation>
    </message>
    <message>
        <source>{name} is damaged, or no look; get it again.</source>
        <translation>{name} 已损坏或不是风格预设；请重新获取。</translation>
    </message>
    <message>
        <source>{name} is damaged: its header has no size; try another copy of it.</source>
        <translation>{name} 已损坏：其文件头没有尺寸；请换一份副本再试。</translation>
    </message>
    <message>
        <source>{name} is damaged: its list of files, {contents}, cannot be read ({error}); get it again.</source>
        <translation>{name} 已损坏：无法读取其文件列表 {contents}（{error}）；请重新获取。</translation>
    </message>
    <message>
        <source>{name} is damaged: there is no complete image in it; try another copy of it.</source>
        <translation>{name} 已损坏：其中没有完整的画面；请换一份副本再试。</translation>
    </message>
    <message>
        <source>{name} is empty; try another copy of it.</source>
        <translation>{name} 是空的；请尝试另一份副本。</translation>
    </message>
    <message>
        <source>{name} is left out: {error}</source>
        <translation>{name} 被略过：{error}</translation>
    </message>
    <message>
        <source>{name} is neither a video nor an image that Lightloom reads; convert it, or open another file.</source>
        <translation>{name} 不是 Lightloom 能读取的视频或图片；请转换它，或打开其他文件。</translation>
    </message>
    <message>
        <source>{name} is not a zone file: {error}; correct it in a text editor, or choose another.</source>
        <translation>{name} 不是区域文件：{error}；请在文本编辑器中修正，或选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is no journal of a run that was stopped; leave --resume out.</source>
        <translation>{name} 不是已停止运行的日志；请去掉 --resume。</translation>
    </message>
    <message>
        <source>{name} is no look of Lightloom: {preset} or {contents} is missing, or a name is there twice; export it again.</source>
        <translation>{name} 不是 Lightloom 的风格预设：缺少 {preset} 或 {contents}，或有重复的名称；请重新导出。</translation>
    </message>
    <message>
        <source>{name} is not a classifier: its output &apos;{output}&apos; has the shape {shape}, where one score a class is expected; choose a classification network.</source>
        <translation>{name} 不是分类器：其输出 &apos;{output}&apos; 的形状为 {shape}，而应为每类一个分数；请选择分类网络。</translation>
    </message>
    <message>
        <source>{name} is not an image in a format that Lightloom reads; convert it to PNG.</source>
        <translation>{name} 不是 Lightloom 能读取格式的图片；请将其转换为 PNG。</translation>
    </message>
    <message>
        <source>{name} is not a look: it has no line &apos;lightloom = {version}&apos;; choose another file.</source>
        <translation>{name} 不是风格预设：没有 &apos;lightloom = {version}&apos; 这一行；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is not a look: {error}; correct it in a text editor, or choose another.</source>
        <translation>{name} 不是风格预设：{error}；请用文本编辑器修正，或另选一个。</translation>
    </message>
    <message>
        <source>{name} is not a readable ONNX model; download or export it again ({text}).</source>
        <translation>{name} 不是可读取的 ONNX 模型；请重新下载或导出 ({text})。</translation>
    </message>
    <message>
        <source>{name} is not a readable ONNX network; download or export it again.</source>
        <translation>{name} 不是可读取的 ONNX 网络；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {op_type} &apos;{label}&apos;: {what}; export it again.</source>
        <translation>{name} 不是有效的 ONNX 模型：{op_type} &apos;{label}&apos;：{what}；请重新导出。</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {what}; download or export it again.</source>
        <translation>{name} 不是有效的 ONNX 模型：{what}；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {what}; export it again.</source>
        <translation>{name} 不是有效的 ONNX 模型：{what}；请重新导出。</translation>
    </message>
    <message>
        <source>{name} is not a video that can be read; it is damaged or of an unknown format, try another copy.</source>
        <translation>{name} 不是可读取的视频；它已损坏或格式未知，请尝试另一份副本。</translation>
    </message>
    <message>
        <source>{name} is packed in a way that no look of Lightloom is; it was not opened.</source>
        <translation>{name} 的打包方式不是 Lightloom 风格预设所用的；没有打开。</translation>
    </message>
    <message>
        <source>{name} is too large for this machine: {what}, and {free} of memory are free; use a smaller network or input.</source>
        <translation>{name} 对本机而言太大：{what}，而可用内存为 {free}；请使用较小的网络或输入。</translation>
    </message>
    <message>
        <source>{name} is {each_name}, not an ONNX network; {advice}.</source>
        <translation>{name} 是 {each_name}，不是 ONNX 网络；{advice}。</translation>
    </message>
    <message>
        <source>{name} is {width} x {height} pixels and is not opened, because {limit}; scale it down.</source>
        <translation>{name} 为 {width} x {height} 像素，没有打开，因为{limit}；请缩小它。</translation>
    </message>
    <message>
        <source>{name} keeps its weights in &apos;{location}&apos;, which is missing; put that file beside the model.</source>
        <translation>{name} 的权重存放在 &apos;{location}&apos; 中，但该文件不存在；请将它放在模型旁边。</translation>
    </message>
    <message>
        <source>{name} produces an image ({task}), so it cannot be a secondary network; choose one that classifies or finds key points.</source>
        <translation>{name} 生成图片（{task}），因此不能仔细查看另一个网络所发现的物体；请选择能给物体命名或找出其关键点的网络。</translation>
    </message>
    <message>
        <source>{name} may not be read; change its permissions.</source>
        <translation>不允许读取 {name}；请更改其权限。</translation>
    </message>
    <message>
        <source>uses iSampleRate, and audio of Shadertoy has no counterpart here; leave it out</source>
        <translation>使用 iSampleRate，而 Shadertoy 的音频在此没有对应；请去掉</translation>
    </message>
    <message>
        <source>{name} has no audio; choose a video with audio.</source>
        <translation>{name} 没有音频；请选择有音频的视频。</translation>
    </message>
    <message>
        <source>{name} has no events; choose a file that the action &apos;Write a line of JSON&apos; has written.</source>
        <translation>{name} 中没有事件；请选择由“写入一行 JSON”操作写入的文件。</translation>
    </message>
    <message>
        <source>{name} has no frame that can be decoded after {reached:.2f} s, although it goes on until {end:.2f} s: its codec changes there, or it is damaged; split it there into two files.</source>
        <translation>{name} 在 {reached:.2f} 秒之后没有可解码的帧,但文件持续到 {end:.2f} 秒:编解码器在此改变或文件已损坏;请在此处分成两个文件。</translation>
    </message>
    <message>
        <source>{name} has sent no image for {seconds:.0f} s; check that it is on, or leave its layer out.</source>
        <translation>{name} 已有 {seconds:.0f} 秒没有发送画面；请检查是否已开启，或去掉其图层。</translation>
    </message>
    <message>
        <source>{name} is cut off, and a part of the image is missing; send the whole.</source>
        <translation>{name} 被截断，图像的一部分缺失：请发送完整的图像。</translation>
    </message>
    <message>
        <source>{name} is cut off, and a part of the image is missing; try another copy of it.</source>
        <translation>{name} 不完整,图像缺少一部分;请换一份副本。</translation>
    </message>
    <message>
        <source>{name} is larger than 1 MiB, the most for a filter; make it shorter.</source>
        <translation>{name} 大于 1 MiB，即滤镜的上限；请缩短它。</translation>
    </message>
    <message>
        <source>{name} is no image of these kinds: {kinds}; convert it.</source>
        <translation>{name} 不是这些类型的图像：{kinds}；请转换。</translation>
    </message>
    <message>
        <source>{name} is {format} {foreign}, which is not decoded here: save it as PNG.</source>
        <translation>{name} 是 {format}({foreign}),这里无法解码:请另存为 PNG。</translation>
    </message>
    <message>
        <source>{name} is {width} x {height} pixels, more than the {most:,} that are decoded here; scale it down.</source>
        <translation>{name} 为 {width} x {height} 像素，超过此处解码的上限 {most:,}；请缩小。</translation>
    </message>
    <message>
        <source>{name} keeps a state from frame to frame, so it cannot process tiles; set tiles to 1.</source>
        <translation>{name} 在画面之间保留状态，因此无法处理分块；请将分块设为 1。</translation>
    </message>
    <message>
        <source>{name} needs a value for its input &apos;{name2}&apos;.</source>
        <translation>{name} 需要输入 &apos;{name2}&apos; 的值。</translation>
    </message>
    <message>
        <source>{name} needs more memory than this machine has: {what}, of {most} in all; use a smaller network or input.</source>
        <translation>{name} 需要的内存超过这台机器的内存：{what}，总共只有 {most}；请使用更小的网络或输入。</translation>
    </message>
    <message>
        <source>{name} only computes the frame halfway between two; other times are rounded to eighths and reached by halving repeatedly.</source>
        <translation>{name} 只生成两幅图像正中间的图像;其他时刻取整到八分之一,并通过反复二分生成。</translation>
    </message>
    <message>
        <source>{name} runs neither on {others} nor on {last} for now; end other programs, or choose a smaller network ({reason}).</source>
        <translation>{name} 目前在 {others} 和 {last} 上都无法运行；请结束其他程序，或选择更小的网络（{reason}）。</translation>
    </message>
    <message>
        <source>{name} says more of one region than a frame reads back; choose onnxruntime for it.</source>
        <translation>{name} 对一个区域给出的内容多于一帧能读回的内容；请为它选择 onnxruntime。</translation>
    </message>
    <message>
        <source>{name} takes {colors} in {scale} with mean {mean} and deviation {std}.</source>
        <translation>{name} 接受 {scale} 的 {colors}，均值 {mean}，标准差 {std}。</translation>
    </message>
    <message>
        <source>{name} takes {colors} in {scale}.</source>
        <translation>{name} 接受 {scale} 的 {colors}。</translation>
    </message>
    <message>
        <source>{name} has changed since its first {done} frames were analyzed; leave --resume out to analyze all of it.</source>
        <translation>{name} 在分析前 {done} 帧之后已更改；去掉 --resume 可全部重新分析。</translation>
    </message>
    <message>
        <source>{name} was not downloaded: {why}; check the network and try again.</source>
        <translation>{name} 未能下载：{why}；请检查网络后重试。</translation>
    </message>
    <message>
        <source>{name} was switched off: {error}</source>
        <translation>{name} 已关闭：{error}</translation>
    </message>
    <message>
        <source>{name} was switched off: {reason}.</source>
        <translation>{name} 已关闭：{reason}。</translation>
    </message>
    <message>
        <source>{name}() takes the name of an image and where to read it; correct its arguments</source>
        <translation>{name}() 需要图像名称和读取位置；请更正参数</translation>
    </message>
    <message>
        <source>{name}, by the numbers in front of the names</source>
        <translation>{name}，按名称前的编号</translation>
    </message>
    <message>
        <source>{name}, line {number}: &apos;{words}&apos; is not part of a .cube table; correct it in a text editor.</source>
        <translation>{name} 第 {number} 行：&apos;{words}&apos; 不属于 .cube 查找表；请用文本编辑器修正。</translation>
    </message>
    <message>
        <source>{name}: {file} has {size} MiB, and {limit} at most are opened; choose another file.</source>
        <translation>{name}：{file} 有 {size} MiB，而最多打开 {limit}；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name}: {text}</source>
        <translation>{name}：{text}</translation>
    </message>
    <message>
        <source>{node} is not supported: {what}; use the onnxruntime backend.</source>
        <translation>不支持 {node}：{what}；请使用 onnxruntime 后端。</translation>
    </message>
    <message>
        <source>{op} reads &apos;{tensor}&apos;, which nothing before it computes</source>
        <translation>{op} 读取“{tensor}”，而之前没有任何算子计算它</translation>
    </message>
    <message>
        <source>{origin} with background first</source>
        <translation>{origin}，背景排在首位</translation>
    </message>
    <message>
        <source>{origin} without its background</source>
        <translation>{origin}（不含背景）</translation>
    </message>
    <message>
        <source>{part} gave values that are no numbers; choose fp32 (--precision fp32) or another backend, or download it again.</source>
        <translation>{part} 给出了非数值；请选择 fp32 (--precision fp32) 或其他后端，或重新下载。</translation>
    </message>
    <message>
        <source>{part} gives {shape} where embeddings of [batch, tokens, width] are needed; export it again.</source>
        <translation>{part} 给出 {shape}，而需要 [batch, tokens, width] 的嵌入；请重新导出。</translation>
    </message>
    <message>
        <source>{part} takes samples of {channels} channels; at most {most} are known.</source>
        <translation>{part} 的样本有 {channels} 个通道；最多支持 {most} 个。</translation>
    </message>
    <message>
        <source>{part} takes {shape} timesteps where one for each of {batch} samples is known; export the folder again.</source>
        <translation>{part} 需要 {shape} 个时间步，而只支持 {batch} 个样本各一个；请重新导出该文件夹。</translation>
    </message>
    <message>
        <source>{part} takes {width} numbers of the guidance; at most {most} are known.</source>
        <translation>{part} 需要 {width} 个引导数值；最多支持 {most} 个。</translation>
    </message>
    <message>
        <source>{part} was exported for {batch} prompts at a time; export it for one.</source>
        <translation>{part} 是为一次 {batch} 个提示词导出的；请为一个导出。</translation>
    </message>
    <message>
        <source>{path} already holds something else</source>
        <translation>{path} 已包含其他内容</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); look after its permissions.</source>
        <translation>无法读取 {path} ({reason})；请检查其权限。</translation>
    </message>
    <message>
        <source>{path} cannot be replaced: {reason}; the video is in {part}.</source>
        <translation>无法替换 {path}：{reason}；视频保存在 {part} 中。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation>无法写入 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}; check the folder and its permissions.</source>
        <translation>无法写入 {path}：{reason}；请检查文件夹及其权限。</translation>
    </message>
    <message>
        <source>{path} does not begin with &apos;{front_matter_open}&apos; and a description in TOML; see docs/filters.md.</source>
        <translation>{path} 没有以 &apos;{front_matter_open}&apos; 和 TOML 描述开头；参见 docs/filters.md。</translation>
    </message>
    <message>
        <source>{path} does not list an exported site&apos;s files; choose an empty folder or a new one.</source>
        <translation>{path} 没有列出导出网站的文件；请选择空文件夹或新文件夹。</translation>
    </message>
    <message>
        <source>{path} exists already, and nothing is replaced; choose another name or folder.</source>
        <translation>{path} 已存在，不会替换任何内容；请选择其他名称或文件夹。</translation>
    </message>
    <message>
        <source>{path} has no function &apos;{wanted}&apos;, which a pass runs.</source>
        <translation>{path} 没有某个通道要运行的函数 &apos;{wanted}&apos;。</translation>
    </message>
    <message>
        <source>{path} holds no motion of a video as this version writes it; delete it, and it is written anew.</source>
        <translation>{path} 中没有此版本格式的视频运动数据；删除后会重新写入。</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe, not a file: a camera is opened as &apos;camera:&lt;its name&gt;&apos;.</source>
        <translation>{path} 是设备或管道，不是文件：摄像头以 &apos;camera:&lt;its name&gt;&apos; 打开。</translation>
    </message>
    <message>
        <source>{path} is a folder without a network in it; give an .onnx or .tflite file.</source>
        <translation>{path} 是一个没有网络的文件夹；请给出 .onnx 或 .tflite 文件。</translation>
    </message>
    <message>
        <source>{path} is a folder; give the file of a network in it, as {file}.</source>
        <translation>{path} 是文件夹；请给出其中某个网络的文件，例如 {file}。</translation>
    </message>
    <message>
        <source>{path} is not a file</source>
        <translation>{path} 不是文件</translation>
    </message>
    <message>
        <source>{path} is not a file; choose a video file.</source>
        <translation>{path} 不是文件；请选择视频文件。</translation>
    </message>
    <message>
        <source>{path} is not saved: it would hold {count} files of {size} MiB in total, and at most {most} files and {limit} MiB can be opened; save the look as .toml.</source>
        <translation>{path} 未保存:它将有 {count} 个文件、共 {size} MiB,而最多打开 {most} 个文件和 {limit} MiB;请存为 .toml。</translation>
    </message>
    <message>
        <source>{path} is not saved: it would have {size:.1f} MiB, and at most {most} MiB are read; remove key frames, or effects that have many.</source>
        <translation>未保存 {path}：它将有 {size:.1f} MiB，而最多读取 {most} MiB；请删除关键帧，或删除含有许多关键帧的效果。</translation>
    </message>
    <message>
        <source>{path} is not the file that the catalogue names (its checksum is another one); remove it and download it again.</source>
        <translation>{path} 不是目录所列的文件（校验和不同）；请移除后重新下载。</translation>
    </message>
    <message>
        <source>{path} is of a user who is not known here</source>
        <translation>{path} 属于本机未知的用户</translation>
    </message>
    <message>
        <source>{path} is the folder of a pipeline, not one network: &apos;lightloom generate&apos; makes images with it, and the filter Diffusion repaints with it (--filter diffusion:model={path}).</source>
        <translation>{path} 是管线的文件夹，不是单个网络：可用 &apos;lightloom generate&apos; 由它生成画面，也可用滤镜 Diffusion 由它重绘（--filter diffusion:model={path}）。</translation>
    </message>
    <message>
        <source>{path} takes {seconds:.1f} s for 64 pixels; shorten its loops.</source>
        <translation>{path} 处理 64 个像素需要 {seconds:.1f} 秒；请缩短其循环。</translation>
    </message>
    <message>
        <source>{path} was not written by an export, or was changed since; move it away, or choose another folder.</source>
        <translation>{path} 不是由导出写入的，或之后被更改；请移走它，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>{path}: &apos;{entry}&apos; must have @workgroup_size({size}), as its pass declares.</source>
        <translation>{path}：&apos;{entry}&apos; 必须带有 @workgroup_size({size})，与其通道的声明一致。</translation>
    </message>
    <message>
        <source>{path}: &apos;{entry}&apos; uses a binding that it is not given: &apos;result&apos; needs an output in its pass, and @group and @binding are Lightloom&apos;s alone.</source>
        <translation>{path}：&apos;{entry}&apos; 使用了未提供给它的绑定：&apos;result&apos; 需要其通道有输出，而 @group 和 @binding 只归 Lightloom 使用。</translation>
    </message>
    <message>
        <source>{path}: its expressions are nested too deep; use functions.</source>
        <translation>{path}：表达式嵌套过深；请使用函数。</translation>
    </message>
    <message>
        <source>{path}: its textures take {size:.1f} GiB for a frame of {width} x {height} pixels, and {limit} GiB are allowed; make them smaller or fewer.</source>
        <translation>{path}：对于 {width} x {height} 像素的画面，其纹理需要 {size:.1f} GiB，而允许 {limit} GiB；请缩小或减少纹理。</translation>
    </message>
    <message>
        <source>{path}: the GPU refuses to run it: {reason}.</source>
        <translation>{path}：GPU 拒绝运行它：{reason}。</translation>
    </message>
    <message>
        <source>{path}: the description at the top contains &apos;/*&apos;, which begins a second comment; leave it out.</source>
        <translation>{path}：开头的描述含有 &apos;/*&apos;，会开始第二个注释；请去掉。</translation>
    </message>
    <message>
        <source>{path}: the description at the top is longer than {limit} KiB.</source>
        <translation>{path}：开头的描述超过 {limit} KiB。</translation>
    </message>
    <message>
        <source>{path}: the description at the top is not valid TOML: {error}.</source>
        <translation>{path}：开头的描述不是有效的 TOML：{error}。</translation>
    </message>
    <message>
        <source>{path}: the description that begins in line 1 is never closed with &apos;*/&apos;.</source>
        <translation>{path}：第 1 行开始的描述没有以 &apos;*/&apos; 结束。</translation>
    </message>
    <message>
        <source>{path}: {error}</source>
        <translation>{path}：{error}</translation>
    </message>
    <message>
        <source>{path}: {refusal}; shorten it, or start Lightloom with --trust-shaders to run it anyway.</source>
        <translation>{path}：{refusal}；请将其缩短，或用 --trust-shaders 启动 Lightloom 以强制运行。</translation>
    </message>
    <message>
        <source>{public} broke off before its end: try it again.</source>
        <translation>{public} 在结束前中断：请重试。</translation>
    </message>
    <message>
        <source>{public} can&apos;t be reached or sends no video: check the address and the network.</source>
        <translation>{public} 无法连接或没有发送视频：请检查地址和网络。</translation>
    </message>
    <message>
        <source>{public} has no video in it: check the address.</source>
        <translation>{public} 中没有视频：请检查地址。</translation>
    </message>
    <message>
        <source>{public} is not a video stream that Lightloom reads: give one of RTSP, MJPEG or MPEG-TS.</source>
        <translation>{public} 不是 Lightloom 能读取的视频流：请给出 RTSP、MJPEG 或 MPEG-TS。</translation>
    </message>
    <message>
        <source>{public} sends no time stamps, and its frames are timed by their arrival, so #fps={rate:.4g} has no effect; leave it out of the address.</source>
        <translation>{public} 不发送时间戳，其帧以到达时间计时，因此 #fps={rate:.4g} 无效；请从地址中去掉。</translation>
    </message>
    <message>
        <source>{public} sends no time stamps, so {rate:.4g} frames per second are assumed; add its rate to the address, as in #fps=10.</source>
        <translation>{public} 不发送时间戳，因此假定每秒 {rate:.4g} 帧；请在地址后加上其帧率，例如 #fps=10。</translation>
    </message>
    <message>
        <source>{public} sends time stamps, so #fps={rate:.4g} has no effect; leave it out of the address.</source>
        <translation>{public} 发送时间戳，因此 #fps={rate:.4g} 无效；请从地址中去掉。</translation>
    </message>
    <message>
        <source>{public} stopped sending: waiting for it to come back.</source>
        <translation>{public} 停止了发送：正在等待其恢复。</translation>
    </message>
    <message>
        <source>{public} stopped sending; its stream has ended.</source>
        <translation>{public} 停止了发送；其流已结束。</translation>
    </message>
    <message>
        <source>{reason} {division}</source>
        <translation>{reason} {division}</translation>
    </message>
    <message>
        <source>{reason}; {advice}</source>
        <translation>{reason}；{advice}</translation>
    </message>
    <message>
        <source>{seen}, ImageNet&apos;s mean and deviation.</source>
        <translation>{seen}，即 ImageNet 的均值和标准差。</translation>
    </message>
    <message>
        <source>{seen}, so BGR in 0..255 less (104, 117, 123), as Caffe&apos;s reference networks.</source>
        <translation>{seen}，因此为 0..255 的 BGR 减去 (104, 117, 123)，与 Caffe 的参考网络相同。</translation>
    </message>
    <message>
        <source>{seen}, so {scale}.</source>
        <translation>{seen}，因此为 {scale}。</translation>
    </message>
    <message>
        <source>{spec} is the address of a file: give its path instead.</source>
        <translation>{spec} 是文件的地址：请改为给出其路径。</translation>
    </message>
    <message>
        <source>{title} can&apos;t be captured: choose another screen or window.</source>
        <translation>无法捕获 {title}：请选择其他屏幕或窗口。</translation>
    </message>
    <message>
        <source>{title} cannot be removed from {folder} ({reason}); look after its permissions.</source>
        <translation>无法从 {folder} 中移除 {title} ({reason})；请检查其权限。</translation>
    </message>
    <message>
        <source>{title} comes with Lightloom already; publish a filter of your own.</source>
        <translation>{title} 已随 Lightloom 提供；请发布您自己的滤镜。</translation>
    </message>
    <message>
        <source>{title} could not be opened; try another source.</source>
        <translation>无法打开 {title}；请尝试其他来源。</translation>
    </message>
    <message>
        <source>{title} is being downloaded by another window or command already; wait for that one.</source>
        <translation>{title} 已在由另一个窗口或命令下载；请等待其完成。</translation>
    </message>
    <message>
        <source>{title} is not in {folder}; download it with &apos;lightloom models get {entry_id}&apos;.</source>
        <translation>{title} 不在 {folder} 中；请用 &apos;lightloom models get {entry_id}&apos; 下载。</translation>
    </message>
    <message>
        <source>{title} is shown without stabilization. {error}</source>
        <translation>{title} 未经防抖显示。{error}</translation>
    </message>
    <message>
        <source>{title} reads {inputs}, and the page cannot do that; take it out of the look first.</source>
        <translation>{title} 读取 {inputs}，而网页做不到；请先将其从外观中移除。</translation>
    </message>
    <message>
        <source>{title} sends other streams than before; open it again.</source>
        <translation>{title} 发送的流与之前不同；请重新打开。</translation>
    </message>
    <message>
        <source>{title} was not downloaded, because Lightloom is set to work offline; switch that off first.</source>
        <translation>{title} 没有下载，因为 Lightloom 设为离线工作；请先关闭该设置。</translation>
    </message>
    <message>
        <source>{title} was not downloaded: the folder {folder} cannot be written ({reason}); choose another folder.</source>
        <translation>{title} 没有下载：无法写入文件夹 {folder} ({reason})；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{title} was not downloaded: {folder} needs {need:.1f} MiB more than is free there; make room or choose another folder.</source>
        <translation>{title} 没有下载：{folder} 还缺少 {need:.1f} MiB 空间；请腾出空间或选择其他文件夹。</translation>
    </message>
    <message>
        <source>{title} was not downloaded: {last}; {advice}.</source>
        <translation>{title} 没有下载：{last}；{advice}。</translation>
    </message>
    <message numerus="yes">
        <source>{title}: it works again; %n events were not delivered, the log has them.</source>
        <translation>
            <numerusform>{title}：已恢复；%n 个事件未送达，日志中有记录。</numerusform>
        </translation>
    </message>
    <message>
        <source>{unsaid}; ImageNet&apos;s mean and deviation are assumed.</source>
        <translation>{unsaid}；假定采用 ImageNet 的均值和标准差。</translation>
    </message>
    <message>
        <source>{unsaid}; images come out best with {scale}.</source>
        <translation>{unsaid}；用 {scale} 得到的画面最好。</translation>
    </message>
    <message>
        <source>{unsaid}; the output&apos;s is taken, {scale}.</source>
        <translation>{unsaid}；采用输出的范围 {scale}。</translation>
    </message>
    <message>
        <source>{unsaid}; {scale} is assumed.</source>
        <translation>{unsaid}；假定为 {scale}。</translation>
    </message>
    <message>
        <source>{variable} is &apos;{value}&apos;: it takes wgpu or dawn.</source>
        <translation>{variable} 是“{value}”；可用的值为 wgpu 或 dawn。</translation>
    </message>
    <message>
        <source>{wanted_path}: the GPU refuses it: {reason}.</source>
        <translation>{wanted_path}：GPU 拒绝它：{reason}。</translation>
    </message>
    <message>
        <source>{what} takes {seconds:.1f} s for a frame of {width} x {height} pixels{work} on {adapter}, and {allowed:g} s are allowed</source>
        <translation>{what}在 {adapter} 上处理 {width} x {height} 像素的画面{work}需要 {seconds:.1f} 秒，而允许 {allowed:g} 秒</translation>
    </message>
    <message>
        <source>{what}, {shown}, is not there and was left out.</source>
        <translation>{what} {shown} 不存在，已忽略。</translation>
    </message>
    <message>
        <source>{where}: {rest}</source>
        <translation>{where}：{rest}</translation>
    </message>
    <message>
        <source>{where}: {what}.</source>
        <translation>{where}：{what}。</translation>
    </message>
    <message>
        <source>{{zone}} and {{event}} cannot stand in the host&apos;s name</source>
        <translation>{{zone}} 和 {{event}} 不能出现在主机名中</translation>
    </message>
    <message>
        <source>{{zone}} and {{event}} stand for their names.</source>
        <translation>{{zone}} 和 {{event}} 代表它们的名称。</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Object detection</source>
        <translation>物体检测</translation>
    </message>
    <message>
        <source>Style transfer</source>
        <translation>风格迁移</translation>
    </message>
    <message>
        <source>Depth estimation</source>
        <translation>深度估计</translation>
    </message>
    <message>
        <source>Detection</source>
        <translation>检测</translation>
    </message>
    <message>
        <source>Minimum score</source>
        <translation>最低分数</translation>
    </message>
    <message>
        <source>There is no backend &apos;{backend}&apos;; choose {others} or {last}.</source>
        <translation>没有后端“{backend}”；请选择 {others} 或 {last}。</translation>
    </message>
    <message>
        <source>What is less certain is not shown.</source>
        <translation>低于此确定度的不显示。</translation>
    </message>
    <message>
        <source>Of two boxes that share more than this, the less certain one goes.</source>
        <translation>两个框重叠超过此值时，去掉较不确定的一个。</translation>
    </message>
    <message>
        <source>Overlap (IoU)</source>
        <translation>重叠 (IoU)</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Classes shown</source>
        <translation>显示的类别</translation>
    </message>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation>
            <numerusform>候选项多出 %n 个，已略过；请提高分数。</numerusform>
        </translation>
    </message>
    <message>
        <source>Classification: names what the image shows</source>
        <translation>分类：说出画面内容</translation>
    </message>
    <message>
        <source>Object detection: boxes around objects</source>
        <translation>物体检测：给物体画框</translation>
    </message>
    <message>
        <source>Style transfer or enhancement: a new image</source>
        <translation>风格迁移或增强：新的画面</translation>
    </message>
    <message>
        <source>Segmentation: a mask or classes of pixels</source>
        <translation>分割：蒙版或像素类别</translation>
    </message>
    <message>
        <source>Depth estimation: distances of objects</source>
        <translation>深度估计：物体的远近</translation>
    </message>
    <message>
        <source>{name} was changed while it was being loaded; load it again.</source>
        <translation>{name} 在加载过程中被更改；请重新加载。</translation>
    </message>
    <message>
        <source>a buffer of {size} bytes, more than {adapter} allows</source>
        <translation>需要 {size} 字节的缓冲区，超过 {adapter} 允许的大小</translation>
    </message>
    <message>
        <source>{adapter} has no 16-bit floats in shaders</source>
        <translation>{adapter} 的着色器不支持 16 位浮点数</translation>
    </message>
    <message>
        <source>&amp;1:1</source>
        <translation>&amp;1:1</translation>
    </message>
    <message>
        <source>&amp;A-B loop: set A, then B</source>
        <translation>A-B 循环：设置 A，再设置 B(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;About Lightloom</source>
        <translation>关于 Lightloom(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Before and after</source>
        <translation>前后对比(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Close the source</source>
        <translation>关闭来源(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Commands...</source>
        <translation>命令(&amp;C)...</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Faster</source>
        <translation>加快(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Lock the panels</source>
        <translation>锁定面板(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation>循环(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Mirror the preview</source>
        <translation>镜像预览(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Normal speed</source>
        <translation>正常速度(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>打开(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Play or pause</source>
        <translation>播放或暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Looks</source>
        <translation>风格预设(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>录制(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Remove the network</source>
        <translation>移除网络(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Search the library</source>
        <translation>搜索库(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Slower</source>
        <translation>减慢(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Sources and library</source>
        <translation>来源与库(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Statistics</source>
        <translation>统计(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Back 1 s</source>
        <translation>后退 1 秒</translation>
    </message>
    <message>
        <source>Back 5 s</source>
        <translation>后退 5 秒</translation>
    </message>
    <message>
        <source>C&amp;hain</source>
        <translation>滤镜链(&amp;H)</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>滤镜链</translation>
    </message>
    <message>
        <source>Check for &amp;updates...</source>
        <translation>检查更新(&amp;U)...</translation>
    </message>
    <message>
        <source>Check for updates once a &amp;week</source>
        <translation>每周检查一次更新(&amp;W)</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Copy the &amp;image</source>
        <translation>复制画面(&amp;P)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Forward 1 s</source>
        <translation>前进 1 秒</translation>
    </message>
    <message>
        <source>Forward 5 s</source>
        <translation>前进 5 秒</translation>
    </message>
    <message>
        <source>Graphics &amp;adapter...</source>
        <translation>图形适配器(&amp;A)...</translation>
    </message>
    <message>
        <source>Hide the statistics</source>
        <translation>隐藏统计</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Ne&amp;xt frame</source>
        <translation>下一帧(&amp;X)</translation>
    </message>
    <message>
        <source>Net&amp;works</source>
        <translation>网络(&amp;W)</translation>
    </message>
    <message>
        <source>Open a &amp;camera</source>
        <translation>打开摄像头(&amp;C)</translation>
    </message>
    <message>
        <source>Open a &amp;folder of images...</source>
        <translation>打开图像文件夹(&amp;F)...</translation>
    </message>
    <message>
        <source>Open a &amp;network...</source>
        <translation>打开网络(&amp;N)...</translation>
    </message>
    <message>
        <source>Open a &amp;stream...</source>
        <translation>打开流(&amp;S)...</translation>
    </message>
    <message>
        <source>Pin the performance &amp;overlay</source>
        <translation>固定显示性能信息(&amp;O)</translation>
    </message>
    <message>
        <source>Play the s&amp;ample</source>
        <translation>播放示例(&amp;A)</translation>
    </message>
    <message>
        <source>Pre&amp;vious frame</source>
        <translation>上一帧(&amp;V)</translation>
    </message>
    <message>
        <source>R&amp;ecent</source>
        <translation>最近打开(&amp;E)</translation>
    </message>
    <message>
        <source>Record to a &amp;file...</source>
        <translation>录制到文件(&amp;F)...</translation>
    </message>
    <message>
        <source>Reset the &amp;panels</source>
        <translation>重置面板(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;napshot</source>
        <translation>快照(&amp;N)</translation>
    </message>
    <message>
        <source>Save a &amp;report of a problem...</source>
        <translation>保存问题报告(&amp;R)...</translation>
    </message>
    <message>
        <source>Show the performance overlay &amp;briefly</source>
        <translation>短暂显示性能信息(&amp;B)</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>The frame size changes at {seconds:.2f} s from {old} to {new}; from there on frames are scaled to the first size.</source>
        <translation>画面尺寸在 {seconds:.2f} 秒处从 {old} 变为 {new}；此后缩放为最初的尺寸。</translation>
    </message>
    <message>
        <source>Toggle fa&amp;vorite</source>
        <translation>收藏或取消收藏(&amp;V)</translation>
    </message>
    <message>
        <source>Checking for a newer Lightloom failed ({why}); see {site}.</source>
        <translation>无法查明是否有更新的 Lightloom（{why}）；请查看：{site}。</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>export it with a batch of 1, or with a free one</source>
        <translation>请以批大小 1 或不固定的批大小导出</translation>
    </message>
    <message>
        <source>export it with inputs of float32</source>
        <translation>请以 float32 输入导出</translation>
    </message>
    <message>
        <source>export it with its number of channels stated</source>
        <translation>请在导出时注明通道数</translation>
    </message>
    <message>
        <source>export the network that it was made from to ONNX</source>
        <translation>请将生成它的网络导出为 ONNX</translation>
    </message>
    <message>
        <source>export the network that they are of to ONNX</source>
        <translation>请将这些权重所属的网络导出为 ONNX</translation>
    </message>
    <message>
        <source>export the network that they are of with torch.onnx.export</source>
        <translation>请用 torch.onnx.export 导出这些权重所属的网络</translation>
    </message>
    <message>
        <source>export the network with torch.onnx.export, or with optimum-cli export onnx</source>
        <translation>请用 torch.onnx.export 或 optimum-cli export onnx 导出网络</translation>
    </message>
    <message>
        <source>http:// or https://; {{zone}} and {{event}} stand for their names.</source>
        <translation>http:// 或 https://；{{zone}} 和 {{event}} 代表它们的名称。</translation>
    </message>
    <message>
        <source>{most} files at most</source>
        <translation>最多 {most} 个文件</translation>
    </message>
    <message>
        <source>&amp;Compare backends</source>
        <translation>比较后端(&amp;C)</translation>
    </message>
    <message>
        <source>Choose images to compare with.</source>
        <translation>请选择要比较的图片。</translation>
    </message>
    <message>
        <source>Compare backends</source>
        <translation>比较后端</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Hide the comparison</source>
        <translation>隐藏比较</translation>
    </message>
    <message>
        <source>Hide what the network sees</source>
        <translation>隐藏网络所见</translation>
    </message>
    <message>
        <source>Similarity: how similar the image and others are</source>
        <translation>相似度：画面与其他图片有多相似</translation>
    </message>
    <message>
        <source>Images for the comparison, 16 at most.</source>
        <translation>用来与画面内容比较的图片，最多 16 张。</translation>
    </message>
    <message>
        <source>The comparison failed ({reason}); begin it again.</source>
        <translation>比较失败（{reason}）；请重新开始。</translation>
    </message>
    <message>
        <source>The output &apos;{output}&apos; is compared, {count} numbers.</source>
        <translation>比较的是输出 &apos;{output}&apos;，共 {count} 个数。</translation>
    </message>
    <message>
        <source>What the &amp;network sees</source>
        <translation>网络所见(&amp;N)</translation>
    </message>
    <message>
        <source>What the network sees</source>
        <translation>网络所见</translation>
    </message>
    <message>
        <source>a file of the network&apos;s &apos;{name}&apos;</source>
        <translation>网络的 &apos;{name}&apos; 中的一个文件</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>{name} gives no vector of features: its outputs are {shapes}, where [1, numbers] is expected; choose another network.</source>
        <translation>{name} 不输出特征向量：其输出为 {shapes}，应为 [1, 个数]；请选择其他网络。</translation>
    </message>
    <message numerus="yes">
        <source>%n entries are damaged and were left out.</source>
        <translation>
            <numerusform>%n 个条目已损坏，已略过。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have labels already.</source>
        <translation>
            <numerusform>%n 张图片已有标注。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images have another aspect ratio here and were left out.</source>
        <translation>
            <numerusform>%n 张图片在这里的比例不同，已略过。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n images named there are missing here.</source>
        <translation>
            <numerusform>其中提到的 %n 张图片不在这里。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Add a class...</source>
        <translation>添加类别(&amp;A)...</translation>
    </message>
    <message>
        <source>&amp;Choose a class...</source>
        <translation>选择类别(&amp;C)...</translation>
    </message>
    <message>
        <source>&amp;Class</source>
        <translation>类别(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Confirm the box</source>
        <translation>确认方框(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Draw a box</source>
        <translation>绘制方框(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Export labels...</source>
        <translation>导出标注(&amp;E)...</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Label images...</source>
        <translation>标注图片(&amp;L)...</translation>
    </message>
    <message>
        <source>&amp;Next image</source>
        <translation>下一张图片(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous image</source>
        <translation>上一张图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Propose for this image</source>
        <translation>为此图片给出建议(&amp;P)</translation>
    </message>
    <message>
        <source>Box in the &amp;middle</source>
        <translation>在中间添加方框(&amp;M)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>COCO (*.json)</source>
        <translation>COCO (*.json)</translation>
    </message>
    <message>
        <source>Class {number} for the box</source>
        <translation>方框设为类别 {number}</translation>
    </message>
    <message>
        <source>Class {number} for the whole image</source>
        <translation>整张图片设为类别 {number}</translation>
    </message>
    <message>
        <source>Confirm it &amp;no more</source>
        <translation>取消确认(&amp;N)</translation>
    </message>
    <message>
        <source>Confirm the &amp;image, go on</source>
        <translation>确认图片并继续(&amp;P)</translation>
    </message>
    <message>
        <source>De&amp;lete the box</source>
        <translation>删除方框(&amp;L)</translation>
    </message>
    <message>
        <source>Frame {number} of {name} cannot be decoded; go on to the next one.</source>
        <translation>无法解码 {name} 的第 {number} 帧；请转到下一帧。</translation>
    </message>
    <message>
        <source>Frames can&apos;t be taken every {seconds:g} s: give 0.01 to 3600.</source>
        <translation>无法每 {seconds:g} 秒取一帧：请给出 0.01 到 3600。</translation>
    </message>
    <message>
        <source>Import &amp;COCO...</source>
        <translation>导入 COCO(&amp;C)...</translation>
    </message>
    <message>
        <source>Import &amp;YOLO...</source>
        <translation>导入 YOLO(&amp;Y)...</translation>
    </message>
    <message>
        <source>Import labels from COCO</source>
        <translation>从 COCO 导入标注</translation>
    </message>
    <message>
        <source>Import labels from YOLO</source>
        <translation>从 YOLO 导入标注</translation>
    </message>
    <message>
        <source>Label a &amp;video...</source>
        <translation>标注视频(&amp;V)...</translation>
    </message>
    <message>
        <source>Label the frames of a video</source>
        <translation>标注视频的帧</translation>
    </message>
    <message>
        <source>Label the images of a folder</source>
        <translation>标注文件夹中的图片</translation>
    </message>
    <message numerus="yes">
        <source>Labels of %n images were read.</source>
        <translation>
            <numerusform>已读取 %n 张图片的标注。</numerusform>
        </translation>
    </message>
    <message>
        <source>Labels saved as {name}</source>
        <translation>标注已保存为 {name}</translation>
    </message>
    <message>
        <source>Line {line} of {name} is damaged; remove that line, or move the file away to begin anew.</source>
        <translation>{name} 的第 {line} 行已损坏；请删除该行，或移走文件以重新开始。</translation>
    </message>
    <message>
        <source>Next &amp;box</source>
        <translation>下一个方框(&amp;B)</translation>
    </message>
    <message>
        <source>Next &amp;unconfirmed image</source>
        <translation>下一张未确认的图片(&amp;U)</translation>
    </message>
    <message>
        <source>No image has labels yet, so there is nothing to export.</source>
        <translation>还没有图片有标注，因此没有可导出的内容。</translation>
    </message>
    <message>
        <source>No image is confirmed yet, so there is nothing to export; confirm some first.</source>
        <translation>还没有确认任何图片，因此没有可导出的内容；请先确认一些。</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>正在打开 {name}</translation>
    </message>
    <message>
        <source>Previous b&amp;ox</source>
        <translation>上一个方框(&amp;O)</translation>
    </message>
    <message>
        <source>Propose for &amp;all without labels</source>
        <translation>为所有无标注的图片给出建议(&amp;A)</translation>
    </message>
    <message>
        <source>Seconds from one frame to the next</source>
        <translation>相邻两帧间隔的秒数</translation>
    </message>
    <message>
        <source>The labels cannot be stored beside the images ({reason}: {folder}), so they are stored in {name}.</source>
        <translation>标注无法保存在图片旁边（{reason}：{folder}），因此保存在 {name}。</translation>
    </message>
    <message>
        <source>The labels cannot be kept in {name} ({reason}); make room, and the next edit keeps them too.</source>
        <translation>标注无法保存到 {name}（{reason}）；请腾出空间，下一次编辑会一并保存。</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); check its permissions, or move it away.</source>
        <translation>无法读取 {name} 中的标注（{reason}）；请检查其权限，或将其移走。</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); choose another file.</source>
        <translation>无法读取 {name} 中的标注（{reason}）；请选择其他文件。</translation>
    </message>
    <message>
        <source>The labels in {name} cannot be read ({reason}); choose another folder.</source>
        <translation>无法读取 {name} 中的标注（{reason}）；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The labels of these images are stored in {name}.</source>
        <translation>这些图片的标注保存在 {name}。</translation>
    </message>
    <message>
        <source>The image cannot be shown ({reason}); convert it to PNG.</source>
        <translation>无法显示图片（{reason}）；请转换为 PNG。</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>{format} has no place for the classes of {pictures}.</source>
        <translation>{format} 无法容纳 {pictures} 的类别。</translation>
    </message>
    <message>
        <source>{format} holds boxes, and only whole images have classes here; choose CSV, JSON lines or Parquet.</source>
        <translation>{format} 保存方框，而这里只有整张图片有类别；请选择 CSV、JSON lines 或 Parquet。</translation>
    </message>
    <message>
        <source>{name} has labels of other images than those in {folder}; choose the labels of these.</source>
        <translation>{name} 中的标注不属于 {folder} 中的图片；请选择这些图片的标注。</translation>
    </message>
    <message>
        <source>{name} has more than {most:,} images; label a part of them.</source>
        <translation>{name} 中的图片超过 {most:,} 张；请只标注其中一部分。</translation>
    </message>
    <message>
        <source>{name} holds no labels of Lightloom; move it away to begin new labels for these images.</source>
        <translation>{name} 中没有 Lightloom 的标注；请移走该文件，这些图片的标注将重新开始。</translation>
    </message>
    <message>
        <source>{name} is damaged: {file} is not what its list of files says; get it again.</source>
        <translation>{name} 已损坏：{file} 与其文件列表不符；请重新获取。</translation>
    </message>
    <message>
        <source>{name} is empty; download or export it again.</source>
        <translation>{name} 是空的；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is no detector of a family that Lightloom decodes: its outputs are {shapes}; choose another network, or one of the decoders {names} (--decoder NAME).</source>
        <translation>{name} 不是 Lightloom 能解码的检测器系列：其输出为 {shapes}；请选择另一个网络，或选择解码器 {names} 之一 (--decoder NAME)。</translation>
    </message>
    <message>
        <source>{name} is no look of Lightloom: {contents} does not say &apos;lightloom_bundle = {version}&apos;; choose another file.</source>
        <translation>{name} 不是 Lightloom 的风格预设：{contents} 中没有 &apos;lightloom_bundle = {version}&apos;；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is not a file of COCO&apos;s with images, annotations and categories; choose another one.</source>
        <translation>{name} 不是包含 images、annotations 和 categories 的 COCO 文件；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is not recognized: its inputs are {inputs}, its outputs {outputs}. Choose its task (--task NAME), for a detector its decoder (--decoder NAME), or another export of it.</source>
        <translation>无法识别 {name}：其输入为 {inputs}，输出为 {outputs}。请选择其任务 (--task NAME)，若是检测器则选择其解码器 (--decoder NAME)，或换用另一种导出。</translation>
    </message>
    <message>
        <source>{name} is of a newer Lightloom; update this one, or move the file away.</source>
        <translation>{name} 来自更新版本的 Lightloom；请更新本程序，或移走该文件。</translation>
    </message>
    <message>
        <source>{name} is still being examined; a large network may take minutes.</source>
        <translation>仍在检查 {name}；大型网络可能需要几分钟。</translation>
    </message>
    <message>
        <source>{name} is still being loaded; a large network may take minutes.</source>
        <translation>仍在加载 {name}；大型网络可能需要几分钟。</translation>
    </message>
    <message>
        <source>{name} leaves the sizes of its states ({states}) free, and they do not follow from the image size; export it with fixed sizes.</source>
        <translation>{name} 没有固定其状态（{states}）的尺寸，且这些尺寸无法由画面尺寸得出；请以固定尺寸导出。</translation>
    </message>
    <message>
        <source>{name} takes text beside images (input &apos;{input}&apos;); export its image part by itself, as a CLIP network&apos;s image tower.</source>
        <translation>{name} 除画面外还接受文本（输入 &apos;{input}&apos;）；请单独导出处理画面的部分，如 CLIP 网络的图像塔。</translation>
    </message>
    <message>
        <source>{name} takes two images and a number, as frame interpolation does; choose it for frame interpolation (--interpolate {name}).</source>
        <translation>{name} 接收两幅图像和一个数，与帧插值相同；请将其用于帧插值 (--interpolate {name})。</translation>
    </message>
    <message>
        <source>{name} was changed by another program, perhaps a second Lightloom; close that, and open the images here again.</source>
        <translation>{name} 被其他程序更改，可能是另一个 Lightloom；请关闭它，然后在这里重新打开图片。</translation>
    </message>
    <message>
        <source>The audio of {name} cannot be decoded, so it plays silently; convert the file to hear it.</source>
        <translation>无法解码 {name} 的声音，因此将无声播放；如需声音，请转换该文件。</translation>
    </message>
    <message>
        <source>&amp;Mute</source>
        <translation>静音(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Quieter</source>
        <translation>减小音量(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Record the microphone with a camera</source>
        <translation>录制摄像头时同时录制麦克风(&amp;R)</translation>
    </message>
    <message>
        <source>L&amp;ouder</source>
        <translation>增大音量(&amp;O)</translation>
    </message>
    <message>
        <source>No microphone can be used, so the recording has no audio; connect one, or allow Lightloom to use it.</source>
        <translation>没有可用的麦克风，因此录像没有声音；请连接麦克风，或允许 Lightloom 使用它。</translation>
    </message>
    <message>
        <source>Audio &amp;track</source>
        <translation>音轨(&amp;T)</translation>
    </message>
    <message>
        <source>The microphone was disconnected; the recording continues without audio.</source>
        <translation>麦克风已断开；录像将继续，但没有声音。</translation>
    </message>
    <message>
        <source>The audio device was disconnected; playback continues on another one if there is one.</source>
        <translation>声音设备已断开；如果有其他设备，声音将在其上继续。</translation>
    </message>
    <message>
        <source>The audio device {name} cannot be opened; choose another one.</source>
        <translation>无法打开声音设备 {name}；请选择其他设备。</translation>
    </message>
    <message>
        <source>Audio stopped because of an error; the video continues without it.</source>
        <translation>声音因错误而停止；画面将继续播放。</translation>
    </message>
    <message>
        <source>There is no audio device, so videos play silently; connect one and open the video again.</source>
        <translation>没有声音设备，因此视频将无声播放；请连接设备后重新打开视频。</translation>
    </message>
    <message>
        <source>The library for playing audio is not installed ({error}); reinstall Lightloom.</source>
        <translation>播放声音的组件未安装（{error}）；请重新安装 Lightloom。</translation>
    </message>
    <message>
        <source>The library for recording audio is not installed ({error}); reinstall Lightloom.</source>
        <translation>录制声音的组件未安装（{error}）；请重新安装 Lightloom。</translation>
    </message>
    <message>
        <source>&apos;output&apos; must be one of {outputs}</source>
        <translation>&apos;output&apos; 必须是 {outputs} 之一</translation>
    </message>
    <message>
        <source>An .onnx file that takes two pictures and gives two channels: to the right and down, in pixels.</source>
        <translation>接受两帧画面并给出两个通道的 .onnx 文件：向右和向下的位移，以像素为单位。</translation>
    </message>
    <message>
        <source>An .onnx or .tflite file that gives a larger picture, or one of the same size: a network that removes noise, say.</source>
        <translation>输出更大画面的 .onnx 或 .tflite 文件；也可以输出同样大小的画面，例如去噪网络。</translation>
    </message>
    <message>
        <source>Between arrows, in a picture of 1080 lines. An arrow is cut off at this length.</source>
        <translation>箭头之间的间距，按 1080 行的画面计。箭头超过此长度会被截断。</translation>
    </message>
    <message>
        <source>Colors: the hue is the direction, and the stronger the color the faster. Arrows: from where a point was to where it is now.</source>
        <translation>颜色：色相表示方向，颜色越浓速度越快。箭头：从一点原来的位置指向现在的位置。</translation>
    </message>
    <message>
        <source>Enlarges the picture with a neural network, 2 or 4 times say; the stages behind it, and what is saved, have the larger picture.</source>
        <translation>用神经网络放大画面，例如放大 2 倍或 4 倍；其后的各级以及保存的内容都使用放大后的画面。</translation>
    </message>
    <message>
        <source>Full color at</source>
        <translation>最浓颜色对应</translation>
    </message>
    <message>
        <source>How far something goes from picture to picture, as a share of the picture&apos;s width, to have the strongest color.</source>
        <translation>物体在两帧之间移动多远（占画面宽度的比例）时显示最浓的颜色。</translation>
    </message>
    <message>
        <source>In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they overlap; how far the network looks is not known.</source>
        <translation>分 {count} 块（{across} x {down}）处理，每块 {width} x {height} 像素，重叠处混合；网络的感受野大小未知。</translation>
    </message>
    <message>
        <source>In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they overlap; the network looks {margin} pixels far.</source>
        <translation>分 {count} 块（{across} x {down}）处理，每块 {width} x {height} 像素，重叠处混合；网络可看到 {margin} 像素远。</translation>
    </message>
    <message>
        <source>Longer side of what the network sees at once, where it takes any size; 0 is as much as the memory allows. Tiles overlap and are blended.</source>
        <translation>网络接受任意尺寸时一次所看画面的长边；0 表示内存允许的最大值。各块互相重叠并混合。</translation>
    </message>
    <message>
        <source>Mix of the picture as it is enlarged by interpolation and as the network enlarges it.</source>
        <translation>插值放大的画面与网络放大的画面之间的混合比例。</translation>
    </message>
    <message>
        <source>Optical flow</source>
        <translation>光流</translation>
    </message>
    <message>
        <source>Optical flow: motion between two images</source>
        <translation>光流：根据两帧画面得出物体的运动方向</translation>
    </message>
    <message>
        <source>Shows what moves where, of the present picture and the one before, with a neural network such as RAFT.</source>
        <translation>用 RAFT 之类的神经网络，根据当前画面和前一帧显示物体的运动方向。</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>间距</translation>
    </message>
    <message>
        <source>Super-resolution</source>
        <translation>超分辨率</translation>
    </message>
    <message>
        <source>Super-resolution: a larger image</source>
        <translation>超分辨率：更大的画面</translation>
    </message>
    <message>
        <source>The inputs &apos;{first}&apos; {shape} and &apos;{second}&apos; {other} are not two images of one shape; choose another network.</source>
        <translation>输入“{first}”{shape} 和“{second}”{other} 不是两个相同规格的画面；请选择其他网络。</translation>
    </message>
    <message>
        <source>The network has a tensor of type {dtype}, which does not go tile by tile; choose another network.</source>
        <translation>网络有 {dtype} 类型的张量，无法分块处理；请选择其他网络。</translation>
    </message>
    <message>
        <source>The image would have {width} x {height} pixels, and this GPU takes {most} a side; choose a smaller image, or a network that enlarges it less.</source>
        <translation>画面将有 {width} x {height} 像素，而此 GPU 每边最多 {most}；请选择较小的画面，或放大倍数较小的网络。</translation>
    </message>
    <message>
        <source>The whole image takes a buffer of {size} MiB for this network, and {adapter} allows {most} MiB; choose a smaller image.</source>
        <translation>此网络处理整个画面需要 {size} MiB 的缓冲区，而 {adapter} 最多允许 {most} MiB；请选择较小的画面。</translation>
    </message>
    <message>
        <source>Tile size</source>
        <translation>分块大小</translation>
    </message>
    <message>
        <source>View</source>
        <translation>显示方式</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>箭头</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>colors</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>{name} gives {channels} channels, where a flow has two; choose a network for optical flow.</source>
        <translation>{name} 给出 {channels} 个通道，而光流应为两个；请选择用于光流的网络。</translation>
    </message>
    <message>
        <source>{name} gives {width} x {height} pixels for {given_width} x {given_height}, which is no whole multiple; use it as a Style.</source>
        <translation>{name} 对 {given_width} x {given_height} 给出 {width} x {height} 像素，不是整数倍；请把它用作“风格”。</translation>
    </message>
    <message>
        <source>{name} has the inputs {names}, where two images are the only ones; choose another network.</source>
        <translation>{name} 的输入为 {names}，而此处只应有两个画面输入；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} takes {width} x {height} pixels at a time, which are {count} tiles for this image, and {most} are allowed; choose a smaller image, or a network with a larger input.</source>
        <translation>{name} 一次只处理 {width} x {height} 像素，此画面需要 {count} 块，而最多允许 {most} 块；请选择较小的画面，或输入更大的网络。</translation>
    </message>
    <message>
        <source>{name} would produce an image of {width} x {height} pixels, which takes {size:.1f} GiB of memory, and {limit:.1f} are allowed; choose a smaller image, or a network that enlarges it less.</source>
        <translation>{name} 会生成 {width} x {height} 像素的画面，需要 {size:.1f} GiB 内存，而只允许 {limit:.1f}；请选择较小的画面，或放大倍数较小的网络。</translation>
    </message>
    <message>
        <source>&amp;Anonymize</source>
        <translation>匿名化(&amp;A)</translation>
    </message>
    <message>
        <source>&apos;anonymize&apos; is not a table: all that the network finds is hidden in the usual way.</source>
        <translation>&apos;anonymize&apos; 不是表：网络找到的所有物体都按常规方式隐藏。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>色块</translation>
    </message>
    <message>
        <source>Blocks of their mean color, the same smoothed, or one gray.</source>
        <translation>平均颜色的色块、平滑后的色块，或一种灰色。</translation>
    </message>
    <message>
        <source>By how much of its size a place is enlarged on each side.</source>
        <translation>每个位置向各边扩大其自身大小的比例。</translation>
    </message>
    <message>
        <source>Fitting: a mask where the network gives one, an ellipse around a face; else the whole box.</source>
        <translation>贴合：网络给出掩膜时用掩膜，人脸用椭圆；否则用整个方框。</translation>
    </message>
    <message>
        <source>Hide unseen</source>
        <translation>隐藏未检查画面</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>How long the region of an object that is no longer detected stays hidden, following its motion.</source>
        <translation>未找到的物体的位置保持隐藏多久，并跟随其运动。</translation>
    </message>
    <message>
        <source>How many blocks the longer side of a place has; fewer hide more. A blur is as strong.</source>
        <translation>位置较长边的色块数；越少隐藏越多。模糊的强度相同。</translation>
    </message>
    <message>
        <source>How much of what is after the event is in the clip; another event makes it longer.</source>
        <translation>片段包含事件之后多少内容；另一个事件会使其变长。</translation>
    </message>
    <message>
        <source>How much of what was before the event is in the clip.</source>
        <translation>片段包含事件之前多少内容。</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>边距</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>轮廓</translation>
    </message>
    <message>
        <source>Save a clip</source>
        <translation>保存片段</translation>
    </message>
    <message>
        <source>Seconds after</source>
        <translation>之后秒数</translation>
    </message>
    <message>
        <source>Seconds before</source>
        <translation>之前秒数</translation>
    </message>
    <message>
        <source>Hide the whole frame while there is no result for it: before the first inference, and where results are late.</source>
        <translation>在对画面一无所知时隐藏整个画面：直到网络检查过，以及其结果迟到时。</translation>
    </message>
    <message>
        <source>box</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>fitting</source>
        <translation>贴合</translation>
    </message>
    <message>
        <source>names of classes</source>
        <translation>类别名称</translation>
    </message>
    <message>
        <source>pixelate</source>
        <translation>马赛克</translation>
    </message>
    <message>
        <source>Click on an object in the image, or drag a box around it.</source>
        <translation>请点击画面中的物体，或拖动鼠标框住它。</translation>
    </message>
    <message>
        <source>Click to segment</source>
        <translation>点击分割</translation>
    </message>
    <message>
        <source>Click to segment: the pixels of what is pointed at</source>
        <translation>点击分割：所指物体的像素</translation>
    </message>
    <message>
        <source>Copy the cut-&amp;out</source>
        <translation>复制抠图(&amp;O)</translation>
    </message>
    <message>
        <source>Mark what is in the &amp;middle</source>
        <translation>标记画面中央的物体(&amp;M)</translation>
    </message>
    <message>
        <source>Nothing was found there; click on another part of the object.</source>
        <translation>此处没有物体；请点击物体的其他部分。</translation>
    </message>
    <message>
        <source>Save the cu&amp;t-out</source>
        <translation>保存抠图(&amp;T)</translation>
    </message>
    <message>
        <source>Save what is marked as C&amp;OCO</source>
        <translation>将标记内容保存为 COCO(&amp;O)</translation>
    </message>
    <message>
        <source>The decoder failed ({error}); load the network again.</source>
        <translation>解码器失败（{error}）；请重新加载网络。</translation>
    </message>
    <message>
        <source>The encoder runs once for an image, the decoder for each click.</source>
        <translation>编码器对每幅画面运行一次，解码器对每次点击运行一次。</translation>
    </message>
    <message>
        <source>This decoder takes points and no boxes; click on the object instead of dragging a box.</source>
        <translation>此解码器只接受点，不接受框；请点击物体，不要拖框。</translation>
    </message>
    <message>
        <source>This decoder takes {most} positions at a time, and {count} are given; remove points, or export it again with a free number of points.</source>
        <translation>此解码器一次接受 {most} 个位置，而请求了 {count} 个；请去掉一些点，或以不限点数的方式重新导出。</translation>
    </message>
    <message>
        <source>there are several in its folder: {names}</source>
        <translation>其文件夹中有多个：{names}</translation>
    </message>
    <message>
        <source>there is none in its folder</source>
        <translation>其文件夹中没有</translation>
    </message>
    <message>
        <source>{decoder} takes &apos;{wanted}&apos; {shape}, which {encoder} does not give (it gives {given}); choose the decoder that was exported with this encoder.</source>
        <translation>{decoder} 需要“{wanted}” {shape}，而 {encoder} 不提供（它提供 {given}）；请选择与此编码器一起导出的解码器。</translation>
    </message>
    <message>
        <source>{first}
Decoder: {second}</source>
        <translation>{first}
解码器：{second}</translation>
    </message>
    <message>
        <source>{name} is no decoder of the SAM family: it has no inputs for points and embeddings and no output for masks; choose the decoder that was exported with {encoder}.</source>
        <translation>{name} 不是 SAM 系列的解码器：它没有点和嵌入的输入，也没有蒙版输出；请选择与 {encoder} 一起导出的解码器。</translation>
    </message>
    <message>
        <source>{name} is the decoder of a pair and needs its encoder ({reason}); put the one that was exported with it beside it, or name it in {name}.lightloom.toml: encoder = &quot;file.onnx&quot;.</source>
        <translation>{name} 是一对网络中的解码器，需要它的编码器（{reason}）；请把与它一起导出的编码器放在旁边，或在 {name}.lightloom.toml 中写明：encoder = &quot;file.onnx&quot;。</translation>
    </message>
    <message>
        <source>{name} is the encoder of a pair and needs its decoder ({reason}); put the one that was exported with it beside it, or name it in {name}.lightloom.toml: decoder = &quot;file.onnx&quot;.</source>
        <translation>{name} 是一对网络中的编码器，需要它的解码器（{reason}）；请把与它一起导出的解码器放在旁边，或在 {name}.lightloom.toml 中写明：decoder = &quot;file.onnx&quot;。</translation>
    </message>
    <message>
        <source>The list of exports cannot be kept in {folder}: {reason}; give the folder to your user.</source>
        <translation>无法在 {folder} 中保存导出列表：{reason}；请让当前用户拥有该文件夹。</translation>
    </message>
    <message>
        <source>The part from {start:g} to {end:g} s is empty; choose an end behind its start.</source>
        <translation>从 {start:g} 到 {end:g} 秒的片段是空的；请选择起点之后的终点。</translation>
    </message>
    <message>
        <source>The quality of {codec} is not {crf}; choose one from 0 to {worst}.</source>
        <translation>{codec} 的质量不能是 {crf}；请选择 0 到 {worst}。</translation>
    </message>
    <message>
        <source>The rate {fps:g} is not possible; choose 0.1 to {most:g} frames per second.</source>
        <translation>帧率 {fps:g} 不可用；请选择每秒 0.1 到 {most:g} 帧。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no part of a video; write it as 5-20, 1:05.5-1:20, -10 or 90-.</source>
        <translation>“{text}”不是视频的片段；请写成 5-20、1:05.5-1:20、-10 或 90-。</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no time; write seconds, or hours, minutes and seconds as in 1:05.5.</source>
        <translation>“{text}”不是时间；请写秒数，或像 1:05.5 这样写时、分、秒。</translation>
    </message>
    <message>
        <source>A GIF has at most 256 colors per frame.</source>
        <translation>GIF 的一帧最多有 256 种颜色。</translation>
    </message>
    <message>
        <source>E&amp;xports</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Hide the exports</source>
        <translation>隐藏导出</translation>
    </message>
    <message>
        <source>No encoder for {codec} works here (tried: {tried}); {instead} is used instead.</source>
        <translation>这里没有可用的 {codec} 编码器（已尝试：{tried}），改用 {instead}。</translation>
    </message>
    <message>
        <source>No hardware encoder for {codec} works here (tried: {tried}); {instead} is used instead.</source>
        <translation>这里没有可用的 {codec} 硬件编码器（已尝试：{tried}），改用 {instead}。</translation>
    </message>
    <message>
        <source>No hardware encodes {codec}; software does.</source>
        <translation>没有硬件能编码 {codec}，由软件编码。</translation>
    </message>
    <message>
        <source>Subtitles are left out.</source>
        <translation>字幕不会保留。</translation>
    </message>
    <message>
        <source>The export cannot be started: {reason}.</source>
        <translation>无法开始导出：{reason}。</translation>
    </message>
    <message>
        <source>The export ended without a word (status {status}); begin it again.</source>
        <translation>导出无故结束（状态 {status}），请重新开始。</translation>
    </message>
    <message>
        <source>The audio ({codec}) is encoded as {encoded}: {container} does not take it as it is.</source>
        <translation>声音（{codec}）将编码为 {encoded}：{container} 不能原样保存它。</translation>
    </message>
    <message>
        <source>The audio ({codec}) is left out: {container} does not take it.</source>
        <translation>声音（{codec}）不会保留：{container} 不支持它。</translation>
    </message>
    <message>
        <source>The audio is left out: no decoder here reads it.</source>
        <translation>声音不会保留：这里没有能识别它的解码器。</translation>
    </message>
    <message>
        <source>The video would be too large; choose sides of at most {most} pixels.</source>
        <translation>视频过大；请选择边长不超过 {most} 像素。</translation>
    </message>
    <message>
        <source>There is no codec &apos;{name}&apos;; choose one of {names}.</source>
        <translation>没有编解码器“{name}”，请从 {names} 中选择。</translation>
    </message>
    <message>
        <source>There is no quality {crf}; choose one from 0 to {worst}.</source>
        <translation>没有质量 {crf}；请选择 0 到 {worst}。</translation>
    </message>
    <message>
        <source>There is no audio mode &apos;{name}&apos;; choose from {names}.</source>
        <translation>没有声音选项“{name}”，可选 {names}。</translation>
    </message>
    <message>
        <source>is {codec}, which such files do not take</source>
        <translation>是 {codec}，这类文件不支持</translation>
    </message>
    <message>
        <source>no audio</source>
        <translation>没有声音</translation>
    </message>
    <message>
        <source>{codec} has no odd sizes: {width} x {height} becomes {new_width} x {new_height}.</source>
        <translation>{codec} 没有奇数尺寸：{width} x {height} 将变为 {new_width} x {new_height}。</translation>
    </message>
    <message>
        <source>{codec} audio</source>
        <translation>{codec} 声音</translation>
    </message>
    <message>
        <source>{codec} audio, copied</source>
        <translation>原样的 {codec} 声音</translation>
    </message>
    <message>
        <source>{container} does not take {codec}; choose one of {codecs}, or another kind of file.</source>
        <translation>{container} 不支持 {codec}；请从 {codecs} 中选择，或换一种文件。</translation>
    </message>
    <message>
        <source>{container} takes no audio, so it is left out.</source>
        <translation>{container} 没有声音，因此声音不会保留。</translation>
    </message>
    <message>
        <source>{container} shows at most {fastest:g} frames per second, so some of {rate:.5g} are left out.</source>
        <translation>{container} 每秒最多显示 {fastest:g} 帧，因此 {rate:.5g} 帧中会省去一些。</translation>
    </message>
    <message>
        <source>{container} with {codec} by {by}</source>
        <translation>{container}，{codec}（{by}）</translation>
    </message>
    <message>
        <source>{made}, {width} x {height}</source>
        <translation>{made}，{width} x {height}</translation>
    </message>
    <message>
        <source>{made}, {width} x {height}, {rate:.5g} frames per second</source>
        <translation>{made}，{width} x {height}，每秒 {rate:.5g} 帧</translation>
    </message>
    <message>
        <source>{name}</source>
        <translation>{name}</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>检测器</translation>
    </message>
    <message>
        <source>Finds persons and faces, to box, follow and count them.</source>
        <translation>找出人和人脸，以便框出、跟踪和计数。</translation>
    </message>
    <message>
        <source>&amp;Virtual camera</source>
        <translation>虚拟摄像头(&amp;V)</translation>
    </message>
    <message>
        <source>A virtual camera needs OBS Studio, and a package that no installer of Lightloom carries: {command}</source>
        <translation>虚拟摄像头需要 OBS Studio，以及 Lightloom 安装程序不附带的一个软件包：{command}</translation>
    </message>
    <message>
        <source>At most so many; a slower source is not made faster.</source>
        <translation>最多这么多；较慢的来源不会变快。</translation>
    </message>
    <message>
        <source>Boxes, names, masks and points are drawn over the output.</source>
        <translation>在输出的画面上绘制方框、名称、蒙版和点。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Hide the outputs</source>
        <translation>隐藏输出</translation>
    </message>
    <message>
        <source>Mirrored</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>No virtual camera can be opened: {reason}; install OBS Studio, start its virtual camera once, and end it there.</source>
        <translation>无法打开虚拟摄像头：{reason}；请安装 OBS Studio，启动一次它的虚拟摄像头，再在那里停止。</translation>
    </message>
    <message>
        <source>O&amp;utputs</source>
        <translation>输出(&amp;U)</translation>
    </message>
    <message>
        <source>Of {shown} frames per second it gets {rate}.</source>
        <translation>每秒 {shown} 帧中它得到 {rate} 帧。</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>每秒帧数</translation>
    </message>
    <message>
        <source>Frames are scaled to {width} x {height}, with black borders.</source>
        <translation>画面会变为 {width} x {height}，带黑边。</translation>
    </message>
    <message>
        <source>Frames are scaled to {width} x {height}.</source>
        <translation>画面会变为 {width} x {height}。</translation>
    </message>
    <message>
        <source>Frames of another aspect ratio get black borders; they are never stretched.</source>
        <translation>形状不同的画面会加黑边，绝不拉伸。</translation>
    </message>
    <message>
        <source>Show what is seen</source>
        <translation>显示识别结果</translation>
    </message>
    <message>
        <source>The device that is written to; empty for the first virtual camera.</source>
        <translation>写入的设备；留空则用第一个虚拟摄像头。</translation>
    </message>
    <message>
        <source>The output &apos;{title}&apos; stopped ({error}); the log file has the details.</source>
        <translation>输出“{title}”已停止（{error}）；详情见日志文件。</translation>
    </message>
    <message>
        <source>The output is flipped left to right, text in it too.</source>
        <translation>输出的画面左右翻转，其中的文字也一样。</translation>
    </message>
    <message>
        <source>The virtual camera is not there any more; load v4l2loopback again.</source>
        <translation>虚拟摄像头已不存在；请重新加载 v4l2loopback。</translation>
    </message>
    <message>
        <source>The virtual camera takes no more frames: {reason}; switch the output off and on again.</source>
        <translation>虚拟摄像头不再接收画面：{reason}；请把输出关闭后再打开。</translation>
    </message>
    <message>
        <source>The virtual camera {device} is gone; load it again, then switch the output on.</source>
        <translation>虚拟摄像头 {device} 已消失；请重新加载，再打开输出。</translation>
    </message>
    <message>
        <source>The virtual camera {device} takes no more frames: {reason}; switch the output off and on again.</source>
        <translation>虚拟摄像头 {device} 不再接收画面：{reason}；请把输出关闭后再打开。</translation>
    </message>
    <message>
        <source>There is no virtual camera; install v4l2loopback (Debian, Ubuntu: v4l2loopback-dkms), and load it with: {command}</source>
        <translation>没有虚拟摄像头；请安装 v4l2loopback（Debian、Ubuntu：v4l2loopback-dkms），并用此命令加载：{command}</translation>
    </message>
    <message>
        <source>There is no {device}; leave the device empty, or load it with: {command}</source>
        <translation>没有 {device}；请将设备留空，或用此命令加载：{command}</translation>
    </message>
    <message>
        <source>Virtual camera</source>
        <translation>虚拟摄像头</translation>
    </message>
    <message>
        <source>as shown</source>
        <translation>与显示相同</translation>
    </message>
    <message>
        <source>{device} cannot be opened: {reason}; load it with: {command}</source>
        <translation>无法打开 {device}：{reason}；请用此命令加载：{command}</translation>
    </message>
    <message>
        <source>{device} is in use by another program; end that, or choose another device.</source>
        <translation>{device} 正被其他程序使用；请结束该程序，或选择其他设备。</translation>
    </message>
    <message>
        <source>{device} may not be opened; add your user to the group &apos;video&apos; and log in again.</source>
        <translation>没有权限打开 {device}；请把您的用户加入“video”组，再重新登录。</translation>
    </message>
    <message>
        <source>{device} only takes frames of {width} x {height} as &apos;{format}&apos;, which Lightloom does not produce; end the program that reads from it, or load the device again.</source>
        <translation>{device} 只接收 {width} x {height} 的“{format}”画面，Lightloom 不生成这种格式；请结束读取它的程序，或重新加载该设备。</translation>
    </message>
    <message>
        <source>{device} takes no frames of this size; choose another size or device.</source>
        <translation>{device} 不接收这个尺寸的画面；请选择其他尺寸或设备。</translation>
    </message>
    <message>
        <source>{device} takes no frames; leave the device empty.</source>
        <translation>{device} 不接收画面；请将设备留空。</translation>
    </message>
    <message>
        <source>{device} took {written} of {size} bytes of a frame; switch the output off and on again.</source>
        <translation>{device} 只接收了一帧 {size} 字节中的 {written} 字节；请把输出关闭后再打开。</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>网格(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Several sources in a grid</source>
        <translation>在网格中显示多个来源(&amp;S)</translation>
    </message>
    <message>
        <source>Close the &amp;tile in use</source>
        <translation>关闭当前格(&amp;T)</translation>
    </message>
    <message>
        <source>One &amp;chain for all tiles</source>
        <translation>所有格共用一条滤镜链(&amp;C)</translation>
    </message>
    <message>
        <source>The &amp;whole view for the tile in use</source>
        <translation>当前格占满视图(&amp;W)</translation>
    </message>
    <message>
        <source>Tile &amp;{number}</source>
        <translation>第 &amp;{number} 格</translation>
    </message>
    <message>
        <source>&amp;Open a subtitle file...</source>
        <translation>打开字幕文件(&amp;O)...</translation>
    </message>
    <message>
        <source>Show s&amp;ubtitles</source>
        <translation>显示字幕(&amp;U)</translation>
    </message>
    <message>
        <source>Su&amp;btitles</source>
        <translation>字幕(&amp;B)</translation>
    </message>
    <message>
        <source>Subtitles are drawn into the frames: they cannot be switched off.</source>
        <translation>字幕将成为画面的一部分，无法关闭。</translation>
    </message>
    <message>
        <source>The subtitles of {name} are not UTF-8 and are read as Windows-1252; save them as UTF-8 if letters are wrong.</source>
        <translation>{name} 的字幕不是 UTF-8，按 Windows-1252 读取；如果文字有误，请另存为 UTF-8。</translation>
    </message>
    <message>
        <source>The subtitles of {name} cannot be read; choose other ones, or a .srt file.</source>
        <translation>无法读取 {name} 的字幕；请选择其他字幕或 .srt 文件。</translation>
    </message>
    <message>
        <source>{name} has more than {size} MB, which no video&apos;s subtitles have; choose another file.</source>
        <translation>{name} 超过 {size} MB，没有影片的字幕有这么大；请选择其他文件。</translation>
    </message>
    <message>
        <source>Nothing here encodes what {container} takes ({codecs}); install Lightloom with pip, whose FFmpeg has an encoder for H.264.</source>
        <translation>此处没有编码器能生成 {container} 接受的格式（{codecs}）：请用 pip 安装 Lightloom，其 FFmpeg 带有 H.264 编码器。</translation>
    </message>
    <message>
        <source>The process that sends streams cannot be started ({reason}); end other programs.</source>
        <translation>无法启动推流进程（{reason}）；请结束其他程序。</translation>
    </message>
    <message>
        <source>The stream to {address} failed; begin it anew.</source>
        <translation>到 {address} 的推流失败；请重新开始。</translation>
    </message>
    <message>
        <source>This FFmpeg has no {protocol}; install PyAV built against an FFmpeg that has it, or stream by RTMP or UDP.</source>
        <translation>此 FFmpeg 不支持 {protocol}：请安装基于支持它的 FFmpeg 构建的 PyAV，或改用 RTMP 或 UDP 推流。</translation>
    </message>
    <message>
        <source>At most; 0: as many as the source has</source>
        <translation>上限；0：与来源相同</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Encoders of the graphics card are asked first.</source>
        <translation>优先使用显卡的编码器。</translation>
    </message>
    <message>
        <source>Hardware encoder</source>
        <translation>硬件编码器</translation>
    </message>
    <message>
        <source>Mbit/s</source>
        <translation>Mbit/s</translation>
    </message>
    <message>
        <source>Not every player of HLS plays {codec}; H.264 all do.</source>
        <translation>并非所有 HLS 播放器都能播放 {codec}；H.264 则都可以。</translation>
    </message>
    <message>
        <source>Nothing can be streamed to {scheme}:// addresses: use one of {known}, or a folder for HLS.</source>
        <translation>无法推流到 {scheme}:// 地址：请使用 {known} 之一，或为 HLS 指定文件夹。</translation>
    </message>
    <message>
        <source>Nowhere to stream to: give an address or a folder.</source>
        <translation>没有推流目标：请填写地址或文件夹。</translation>
    </message>
    <message>
        <source>Bit rate of the video; 0: chosen by size and frame rate</source>
        <translation>画面的码率；0：按尺寸和帧率决定</translation>
    </message>
    <message>
        <source>Only servers with Enhanced RTMP take {codec} (MediaMTX, for one); for others install Lightloom with pip, whose FFmpeg has an encoder for H.264.</source>
        <translation>只有支持 Enhanced RTMP 的服务器（例如 MediaMTX）接受 {codec}；其他服务器请用 pip 安装 Lightloom，其 FFmpeg 带有 H.264 编码器。</translation>
    </message>
    <message>
        <source>Smaller frames are never enlarged.</source>
        <translation>较小的画面不会被放大。</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>推流</translation>
    </message>
    <message>
        <source>Stream key</source>
        <translation>推流密钥</translation>
    </message>
    <message>
        <source>The address is not one: write it as rtmp://host/app or udp://host:port.</source>
        <translation>这不是有效地址：请写成 rtmp://host/app 或 udp://host:port。</translation>
    </message>
    <message>
        <source>The address {address} names no host: write it as {scheme}://host.</source>
        <translation>地址 {address} 没有主机名：请写成 {scheme}://host。</translation>
    </message>
    <message>
        <source>The address {address} names no port: write it as {scheme}://host:port.</source>
        <translation>地址 {address} 没有端口：请写成 {scheme}://host:port。</translation>
    </message>
    <message>
        <source>The connection to {address} failed: check the network.</source>
        <translation>与 {address} 的连接失败：请检查网络。</translation>
    </message>
    <message>
        <source>The process that sends to {address} ended; begin the stream anew.</source>
        <translation>向 {address} 推流的进程已结束；请重新开始推流。</translation>
    </message>
    <message>
        <source>There is no host named {host}, or the network is away: check the address.</source>
        <translation>没有名为 {host} 的主机，或网络已断开：请检查地址。</translation>
    </message>
    <message>
        <source>auto: the first that the target takes and this computer encodes</source>
        <translation>auto：目标接受且本机能编码的第一种</translation>
    </message>
    <message>
        <source>{address} does not take the stream: check the address, the key, and which codecs it takes.</source>
        <translation>{address} 不接受此推流：请检查地址、密钥以及它接受的编码。</translation>
    </message>
    <message>
        <source>{address} gets {made}, {width} x {height}, up to {rate:.4g} frames per second, {megabits:.2g} Mbit/s.</source>
        <translation>{address} 将得到 {made}，{width} x {height}，每秒最多 {rate:.4g} 帧，{megabits:.2g} Mbit/s。</translation>
    </message>
    <message>
        <source>{address} takes nothing any more: check the server and the network.</source>
        <translation>{address} 不再接收数据：请检查服务器和网络。</translation>
    </message>
    <message>
        <source>{encoder} stopped encoding ({reason}); choose another codec for the stream.</source>
        <translation>{encoder} 停止编码（{reason}）；请为推流选择其他编码。</translation>
    </message>
    <message>
        <source>{error} It is tried again in {seconds:.0f} s.</source>
        <translation>{error} 将在 {seconds:.0f} 秒后重试。</translation>
    </message>
    <message>
        <source>Auto exposure</source>
        <translation>自动曝光</translation>
    </message>
    <message>
        <source>Auto focus</source>
        <translation>自动对焦</translation>
    </message>
    <message>
        <source>Auto gain</source>
        <translation>自动增益</translation>
    </message>
    <message>
        <source>Auto hue</source>
        <translation>自动色调</translation>
    </message>
    <message>
        <source>Auto white balance</source>
        <translation>自动白平衡</translation>
    </message>
    <message>
        <source>The camera {name} has no control {missing} that can be set: it has {controls}.</source>
        <translation>摄像头 {name} 没有可设置的控制项 {missing}：可用的有 {controls}。</translation>
    </message>
    <message>
        <source>The window {title} is minimized: open it again.</source>
        <translation>窗口 {title} 已最小化：请重新打开它。</translation>
    </message>
    <message>
        <source>The window {title} was closed: open another one.</source>
        <translation>窗口 {title} 已关闭：请打开其他窗口。</translation>
    </message>
    <message>
        <source>There is no monitor {number}: choose one from 1 to {count}.</source>
        <translation>没有显示器 {number}：请选择 1 到 {count} 之间的显示器。</translation>
    </message>
    <message>
        <source>macOS does not let Lightloom see the screen: open System Settings &gt; Privacy &amp; Security &gt; Screen &amp; System Audio Recording, allow it there, and start Lightloom again.</source>
        <translation>macOS 不允许 Lightloom 查看屏幕：请打开“系统设置 &gt; 隐私与安全性 &gt; 录屏与系统录音”，在那里允许，然后重新启动 Lightloom。</translation>
    </message>
    <message>
        <source>{missing} is set by the camera itself while {automatic} is on: set {automatic} to manual or off, too.</source>
        <translation>{automatic} 开启时，{missing} 由摄像头自行设置：请同时将 {automatic} 设为手动或关闭。</translation>
    </message>
    <message>
        <source>{name} has no choice {value}: give one of {menu}.</source>
        <translation>{name} 没有选项 {value}：请从 {menu} 中选择。</translation>
    </message>
    <message>
        <source>The address or the key has a blank in it; copy it once more.</source>
        <translation>地址或密钥中含有空格；请重新复制。</translation>
    </message>
    <message>
        <source>&amp;Export the video...</source>
        <translation>导出视频(&amp;E)...</translation>
    </message>
    <message>
        <source>D&amp;ecoding of videos</source>
        <translation>视频解码(&amp;E)</translation>
    </message>
    <message>
        <source>{device} failed while it decoded {name}; it goes on in software.</source>
        <translation>{device} 在解码 {name} 时失败；改用软件继续。</translation>
    </message>
    <message>
        <source>The images of {name} are too large for thumbnails; open the file itself.</source>
        <translation>{name} 的画面太大，无法制作小图；请打开文件本身。</translation>
    </message>
    <message numerus="yes">
        <source>%n entries of the playlist are left out: cameras, or names that the file cannot hold.</source>
        <translation>
            <numerusform>播放列表中有 %n 个条目未写入：它们是摄像头，或文件无法容纳的名称。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of {name} are left out: they name other lists or something that lists may not open.</source>
        <translation>
            <numerusform>{name} 中有 %n 行被忽略：它们指向其他列表，或列表不允许打开的内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Playlist</source>
        <translation>播放列表(&amp;P)</translation>
    </message>
    <message>
        <source>A playlist holds {most:,} entries at most; take a part of the files, or a folder of images as one entry.</source>
        <translation>播放列表最多容纳 {most:,} 个条目；请只取一部分文件，或把图像文件夹作为一个条目。</translation>
    </message>
    <message>
        <source>Bring back the playlist before</source>
        <translation>恢复之前的播放列表</translation>
    </message>
    <message>
        <source>Clear the playlist</source>
        <translation>清空播放列表</translation>
    </message>
    <message>
        <source>Hide the playlist</source>
        <translation>隐藏播放列表</translation>
    </message>
    <message>
        <source>L&amp;oop the playlist: not, over all, over each</source>
        <translation>播放列表循环：否、全部、单个(&amp;O)</translation>
    </message>
    <message>
        <source>N&amp;ext in the playlist</source>
        <translation>播放列表中的下一个(&amp;E)</translation>
    </message>
    <message>
        <source>No frame of {name} can be decoded; try another copy.</source>
        <translation>{name} 中没有可以解码的画面；请换一份副本。</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>播放列表</translation>
    </message>
    <message>
        <source>Previous in the playlist</source>
        <translation>播放列表中的上一个</translation>
    </message>
    <message>
        <source>S&amp;huffle the playlist</source>
        <translation>随机播放列表(&amp;H)</translation>
    </message>
    <message>
        <source>Save the playlist...</source>
        <translation>保存播放列表...</translation>
    </message>
    <message>
        <source>The playlist can&apos;t be written to {path}: {reason}; choose another folder.</source>
        <translation>无法将播放列表写入 {path}：{reason}；请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The playlist {name} can&apos;t be read: {reason}; check its name and permissions.</source>
        <translation>无法读取播放列表 {name}：{reason}；请检查其名称和权限。</translation>
    </message>
    <message>
        <source>The playlist {name} is not text in UTF-8: save it as UTF-8.</source>
        <translation>播放列表 {name} 不是 UTF-8 文本：请将其保存为 UTF-8。</translation>
    </message>
    <message>
        <source>{name} has more than {most:,} entries; split it up.</source>
        <translation>{name} 的条目超过 {most:,} 个；请将其拆分。</translation>
    </message>
    <message>
        <source>{name} lists the parts of a stream (HLS), which Lightloom does not play; open a video file.</source>
        <translation>{name} 列出的是流的片段 (HLS)，Lightloom 不播放它；请打开视频文件。</translation>
    </message>
    <message>
        <source>{name} names no file or stream that can be opened; choose another list.</source>
        <translation>{name} 没有列出可以打开的文件或流；请选择另一个列表。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; cannot be that; give {allowed}.</source>
        <translation>“{name}”不能是这个值；请给出 {allowed}。</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is {value}; give {allowed}.</source>
        <translation>“{name}”是 {value}；请给出 {allowed}。</translation>
    </message>
    <message>
        <source>{path} is a playlist of another program: give another name.</source>
        <translation>{path} 是其他程序的播放列表：请换一个名称。</translation>
    </message>
    <message>
        <source>F&amp;older, mirror, offline...</source>
        <translation>文件夹、镜像、离线(&amp;O)...</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>P&amp;laylist</source>
        <translation>播放列表(&amp;L)</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no address to serve metrics at; write a host and a port from 0 to 65535, such as 127.0.0.1:9464.</source>
        <translation>“{text}”不是可提供指标的地址；请写主机和 0 到 65535 的端口，例如 127.0.0.1:9464。</translation>
    </message>
    <message>
        <source>Address of metrics</source>
        <translation>指标地址</translation>
    </message>
    <message>
        <source>Figures for Prometheus, as at 127.0.0.1:9464; anyone who can reach the address can read them.</source>
        <translation>供 Prometheus 读取的运行数据，例如 127.0.0.1:9464；能访问该地址的人都可以读取。</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address} ({reason}); choose another address.</source>
        <translation>无法在 {address} 提供指标（{reason}）；请选择其他地址。</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: another program has that port; choose another one.</source>
        <translation>无法在 {address} 提供指标：该端口已被其他程序占用；请选择其他端口。</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: the host is unknown; write 127.0.0.1.</source>
        <translation>无法在 {address} 提供指标：找不到该主机；请写 127.0.0.1。</translation>
    </message>
    <message>
        <source>Metrics cannot be served at {address}: this machine has no such address; choose one of its own, or 127.0.0.1.</source>
        <translation>无法在 {address} 提供指标：本机没有该地址；请选择本机的地址或 127.0.0.1。</translation>
    </message>
    <message>
        <source>none: nothing is served</source>
        <translation>无：不提供任何内容</translation>
    </message>
    <message>
        <source> {remark}</source>
        <translation> {remark}</translation>
    </message>
    <message>
        <source>PyTorch can&apos;t run {name}: {reason}; choose another network, or export it as ONNX.</source>
        <translation>PyTorch 无法运行 {name}：{reason}；请选择其他网络，或将其导出为 ONNX。</translation>
    </message>
    <message>
        <source>PyTorch crashes on it</source>
        <translation>PyTorch 因它崩溃</translation>
    </message>
    <message>
        <source>PyTorch does not load {name} onto {device}: {reason}; choose another device, or export it as ONNX.</source>
        <translation>PyTorch 无法将 {name} 加载到 {device}：{reason}；请选择其他设备，或将其导出为 ONNX。</translation>
    </message>
    <message>
        <source>PyTorch has no device &apos;{device}&apos; here</source>
        <translation>PyTorch 在此没有设备“{device}”</translation>
    </message>
    <message>
        <source>PyTorch is not installed</source>
        <translation>未安装 PyTorch</translation>
    </message>
    <message>
        <source>PyTorch on the CPU computes in fp32</source>
        <translation>PyTorch 在 CPU 上以 fp32 计算</translation>
    </message>
    <message>
        <source>The device &apos;{device}&apos; was chosen without its backend; choose both.</source>
        <translation>选择了设备“{device}”而未选择其后端；请两者都选。</translation>
    </message>
    <message>
        <source>The devices for networks could not be listed; &apos;{command} devices --networks&apos; says why.</source>
        <translation>无法列出用于网络的设备；“{command} devices --networks”会说明原因。</translation>
    </message>
    <message>
        <source>The trial of a PyTorch file gave no answer; load it again.</source>
        <translation>PyTorch 文件的试运行没有给出结果；请重新加载。</translation>
    </message>
    <message>
        <source>a PyTorch file of pickled objects, which may be any program</source>
        <translation>含 pickle 对象的 PyTorch 文件，它可能是任意程序</translation>
    </message>
    <message>
        <source>export it with torch.onnx.export, or save the network with torch.export.save or torch.jit.save</source>
        <translation>请用 torch.onnx.export 导出，或用 torch.export.save 或 torch.jit.save 保存网络</translation>
    </message>
    <message>
        <source>it calls &apos;{target}&apos;</source>
        <translation>它调用“{target}”</translation>
    </message>
    <message>
        <source>it could not be tried, because PyTorch does not start here</source>
        <translation>无法试运行，因为 PyTorch 在此无法启动</translation>
    </message>
    <message>
        <source>it gives something that is no tensor, or changes what it remembers</source>
        <translation>它输出的不是张量，或会改变其记忆的内容</translation>
    </message>
    <message>
        <source>it has more than {most} operators</source>
        <translation>它的算子超过 {most} 个</translation>
    </message>
    <message>
        <source>it has more than {most} records</source>
        <translation>它的记录超过 {most} 条</translation>
    </message>
    <message>
        <source>it has no &apos;forward&apos;</source>
        <translation>它没有“forward”</translation>
    </message>
    <message>
        <source>it has no input or no output</source>
        <translation>它没有输入或没有输出</translation>
    </message>
    <message>
        <source>it holds compiled machine code (AOTInductor)</source>
        <translation>它含有编译好的机器码（AOTInductor）</translation>
    </message>
    <message>
        <source>it holds objects of C++ classes, as quantized ones do</source>
        <translation>它含有 C++ 类的对象，量化网络即如此</translation>
    </message>
    <message>
        <source>it holds pickled objects, which may be any program</source>
        <translation>它含有 pickle 对象，可能是任意程序</translation>
    </message>
    <message>
        <source>it is written in fp16</source>
        <translation>它是以 fp16 写成的</translation>
    </message>
    <message>
        <source>it needs more memory than is free</source>
        <translation>它需要的内存超过可用内存</translation>
    </message>
    <message>
        <source>it runs a program while it is loaded (__setstate__)</source>
        <translation>它在加载时运行程序（__setstate__）</translation>
    </message>
    <message>
        <source>it takes more than {seconds:g} s for one image</source>
        <translation>它处理一张图片超过 {seconds:g} 秒</translation>
    </message>
    <message>
        <source>it takes something that is no tensor</source>
        <translation>它需要的输入不是张量</translation>
    </message>
    <message>
        <source>its description of the network is not as expected</source>
        <translation>其网络描述不符合预期</translation>
    </message>
    <message>
        <source>its description of the network is too large</source>
        <translation>其网络描述过大</translation>
    </message>
    <message>
        <source>its directory cannot be read</source>
        <translation>无法读取其目录</translation>
    </message>
    <message>
        <source>its input or output is bfloat16</source>
        <translation>其输入或输出为 bfloat16</translation>
    </message>
    <message>
        <source>its record &apos;{record}&apos; is missing or damaged</source>
        <translation>其记录“{record}”缺失或损坏</translation>
    </message>
    <message>
        <source>its records are larger than the file by too much</source>
        <translation>其记录远大于文件本身</translation>
    </message>
    <message>
        <source>its records do not lie in one folder, or two have one name</source>
        <translation>其记录不在同一文件夹中，或有两条同名</translation>
    </message>
    <message>
        <source>its schema has the version {found}, not 8</source>
        <translation>其模式版本为 {found}，而非 8</translation>
    </message>
    <message>
        <source>onnxruntime has no device &apos;{device}&apos; here</source>
        <translation>onnxruntime 在此没有设备“{device}”</translation>
    </message>
    <message>
        <source>the weights &apos;{name}&apos; are cut off</source>
        <translation>权重“{name}”被截断</translation>
    </message>
    <message>
        <source>the weights &apos;{name}&apos; are missing</source>
        <translation>缺少权重“{name}”</translation>
    </message>
    <message>
        <source>this PyTorch has no operator &apos;{target}&apos;</source>
        <translation>此 PyTorch 没有算子“{target}”</translation>
    </message>
    <message>
        <source>torch</source>
        <translation>torch</translation>
    </message>
    <message>
        <source>{backend} and {device} were chosen by the user.</source>
        <translation>{backend} 和 {device} 由用户选择。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; choose another network.</source>
        <translation>{name} 无法运行：{what}；请选择其他网络。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; export the network again with torch.export.save, or as ONNX.</source>
        <translation>{name} 无法运行：{what}；请用 torch.export.save 重新导出网络，或导出为 ONNX。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: {what}; export the network with torch.export.save, or as ONNX.</source>
        <translation>{name} 无法运行：{what}；请用 torch.export.save 导出网络，或导出为 ONNX。</translation>
    </message>
    <message>
        <source>{name} can&apos;t run on &apos;{device}&apos;: PyTorch has {devices} here; choose one of these.</source>
        <translation>{name} 无法在“{device}”上运行：PyTorch 在此有 {devices}；请选择其中之一。</translation>
    </message>
    <message>
        <source>{name} cannot run on &apos;{device}&apos;: onnxruntime has {have} here; choose one of these.{remarks}</source>
        <translation>{name} 无法在“{device}”上运行：onnxruntime 在此有 {have}；请选择其中之一。{remarks}</translation>
    </message>
    <message>
        <source>{name} failed in PyTorch on {device}: {reason}; choose another device, backend or network.</source>
        <translation>{name} 在 PyTorch 的 {device} 上失败：{reason}；请选择其他设备、后端或网络。</translation>
    </message>
    <message>
        <source>{name} is computed in fp32 on the CPU, where fp16 is slower in PyTorch; choose the precision &apos;auto&apos; or a GPU.</source>
        <translation>{name} 在 CPU 上以 fp32 计算，fp16 在 PyTorch 中更慢；请选择精度“auto”或 GPU。</translation>
    </message>
    <message>
        <source>{name} is not a readable PyTorch file: {what}; download or export it again.</source>
        <translation>{name} 不是可读取的 PyTorch 文件：{what}；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is written in fp16; choose the precision &apos;auto&apos;.</source>
        <translation>{name} 是以 fp16 写成的；请选择精度“auto”。</translation>
    </message>
    <message>
        <source>{package} is installed, and finds no device of its own here.</source>
        <translation>已安装 {package}，但它在此找不到自己的设备。</translation>
    </message>
    <message>
        <source>{package} is installed, and its library does not load: {reason}; install the version that fits onnxruntime {version}.</source>
        <translation>已安装 {package}，但其库无法加载：{reason}；请安装与 onnxruntime {version} 相符的版本。</translation>
    </message>
    <message>
        <source>{title}, {rest} of {count} operators on the CPU</source>
        <translation>{title}，{count} 个算子中有 {rest} 个在 CPU 上</translation>
    </message>
    <message numerus="yes">
        <source>{title}: {reason}. %n events were not delivered; the log has them.</source>
        <translation>
            <numerusform>{title}：{reason}。%n 个事件未送达；日志中有记录。</numerusform>
        </translation>
    </message>
    <message>
        <source>{title}: {reason}. Events wait, and it is tried again.</source>
        <translation>{title}：{reason}。事件正在等待，将再次尝试。</translation>
    </message>
    <message>
        <source>{wanted} takes none of its operators</source>
        <translation>{wanted} 不接受它的任何算子</translation>
    </message>
    <message>
        <source>Ray cannot be reached at {address}: {reason} Check its address, its token (RAY_AUTH_TOKEN) and whether it runs.</source>
        <translation>无法在 {address} 连接 Ray：{reason} 请检查地址、令牌（RAY_AUTH_TOKEN）以及它是否在运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n clips</source>
        <translation>
            <numerusform>%n 个片子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pieces</source>
        <translation>
            <numerusform>%n 个片段</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is not understood; write processes:4.</source>
        <translation>无法理解“{address}”；请写作 processes:4。</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is not understood; write ray, ray:auto or ray://host:10001.</source>
        <translation>无法理解“{address}”；请写作 ray、ray:auto 或 ray://host:10001。</translation>
    </message>
    <message>
        <source>&apos;{address}&apos; is nowhere that Lightloom can run on; it begins with one of {names}.</source>
        <translation>Lightloom 无法在“{address}”上运行；它应以 {names} 之一开头。</translation>
    </message>
    <message>
        <source>A piece does not say what network it is of.</source>
        <translation>有一个片段没有说明它属于哪个网络。</translation>
    </message>
    <message>
        <source>Another run is at the pieces in {name}; wait for it, or end it.</source>
        <translation>另一次运行正在处理 {name} 中的片段；请等待它或结束它。</translation>
    </message>
    <message>
        <source>It does not see {name} as it is where the run was begun; put it on storage that all machines see.</source>
        <translation>它看到的 {name} 与启动运行处的不同；请放到所有机器都能看到的存储上。</translation>
    </message>
    <message>
        <source>It does not see {name}; put it on storage that all machines see.</source>
        <translation>它看不到 {name}；请放到所有机器都能看到的存储上。</translation>
    </message>
    <message>
        <source>It ended without a word (status {status}).</source>
        <translation>它没有任何说明就结束了（状态 {status}）。</translation>
    </message>
    <message>
        <source>It has Lightloom {found}, and the run was begun with {wanted}; install the same on all machines.</source>
        <translation>它的 Lightloom 是 {found}，而运行由 {wanted} 启动；请在所有机器上安装相同的版本。</translation>
    </message>
    <message>
        <source>No worker of the cluster is left ({reason}); check its machines.</source>
        <translation>集群中已没有工作进程（{reason}）；请检查其机器。</translation>
    </message>
    <message>
        <source>Nothing was heard of it for {seconds:.0f} s.</source>
        <translation>已有 {seconds:.0f} 秒没有它的消息。</translation>
    </message>
    <message>
        <source>Say how many processes, 1 to {most}: processes:4.</source>
        <translation>请说明进程数，1 到 {most}：processes:4。</translation>
    </message>
    <message>
        <source>The cluster has Lightloom {found}, and this is {wanted}; install the same on all machines.</source>
        <translation>集群的 Lightloom 是 {found}，而这里是 {wanted}；请在所有机器上安装相同的版本。</translation>
    </message>
    <message>
        <source>The cluster has given no worker in {seconds:.0f} s; look whether its GPUs are free.</source>
        <translation>集群在 {seconds:.0f} 秒内没有给出工作进程；请检查其 GPU 是否空闲。</translation>
    </message>
    <message>
        <source>The cluster has {count} GPUs, and each of {workers} workers wants one; ask for fewer.</source>
        <translation>集群有 {count} 个 GPU，而 {workers} 个工作进程各需一个；请减少数量。</translation>
    </message>
    <message>
        <source>The folder {name} holds no video and no image: choose another one.</source>
        <translation>文件夹 {name} 中没有视频也没有图片：请选择另一个。</translation>
    </message>
    <message>
        <source>The piece cannot be begun: {reason}.</source>
        <translation>无法开始该片段：{reason}。</translation>
    </message>
    <message>
        <source>The pieces are of different networks; give all workers the same files.</source>
        <translation>这些片段来自不同的网络；请给所有工作进程相同的文件。</translation>
    </message>
    <message>
        <source>The pieces in {name} are of another command, other inputs or another version; give the same as then, or delete that folder.</source>
        <translation>{name} 中的片段属于另一个命令、其他输入或另一个版本；请给出与当时相同的内容，或删除该文件夹。</translation>
    </message>
    <message>
        <source>The pieces were encoded in different ways; have all workers use the same versions, or choose a codec with --codec.</source>
        <translation>这些片段的编码方式不同；请让所有工作进程使用相同的版本，或用 --codec 选择编解码器。</translation>
    </message>
    <message>
        <source>The worker does not answer.</source>
        <translation>工作进程没有回应。</translation>
    </message>
    <message>
        <source>The worker has ended.</source>
        <translation>工作进程已结束。</translation>
    </message>
    <message>
        <source>The worker has forgotten it.</source>
        <translation>工作进程已忘记它。</translation>
    </message>
    <message>
        <source>The workers do not start ({reason}); they need Lightloom {wanted} and the same Python as here.</source>
        <translation>工作进程无法启动（{reason}）；它们需要 Lightloom {wanted} 和与此处相同的 Python。</translation>
    </message>
    <message>
        <source>Two pieces have the same frame ({seconds:.3f} s).</source>
        <translation>两个片段有同一个画面（{seconds:.3f} 秒）。</translation>
    </message>
    <message>
        <source>What was made is gone: {reason}.</source>
        <translation>生成的内容已不在：{reason}。</translation>
    </message>
    <message>
        <source>The result differs from what is stored in {name}; check that storage.</source>
        <translation>{name} 中的内容不是所生成的内容；请检查该存储。</translation>
    </message>
    <message>
        <source>What was made of {name} is larger than what is sent between machines, {most} MiB; put the output on storage that all of them see.</source>
        <translation>由 {name} 生成的内容超过机器之间的传送上限 {most} MiB；请把输出放到所有机器都能看到的存储上。</translation>
    </message>
    <message>
        <source>a secondary network depends on earlier positions of objects</source>
        <translation>第二个网络依据物体先前的位置</translation>
    </message>
    <message>
        <source>it is damaged ({reason})</source>
        <translation>它已损坏（{reason}）</translation>
    </message>
    <message>
        <source>it is interlaced, and each frame needs its neighbors</source>
        <translation>它是隔行的，每个画面都需要相邻的画面</translation>
    </message>
    <message>
        <source>it is no journal</source>
        <translation>它不是日志</translation>
    </message>
    <message>
        <source>it is a single image</source>
        <translation>它是单张图片</translation>
    </message>
    <message>
        <source>its time stamps jump or repeat</source>
        <translation>它的时间戳有跳跃或重复</translation>
    </message>
    <message>
        <source>some of its frames have no time stamp</source>
        <translation>它的一些画面没有时间戳</translation>
    </message>
    <message>
        <source>the filter {name} depends on earlier frames</source>
        <translation>滤镜 {name} 会记住先前的画面</translation>
    </message>
    <message>
        <source>the network processes every {count}. frame</source>
        <translation>网络每 {count} 个画面看一次</translation>
    </message>
    <message>
        <source>objects are tracked from frame to frame</source>
        <translation>物体在画面之间被跟踪</translation>
    </message>
    <message>
        <source>redaction follows objects from frame to frame</source>
        <translation>被隐藏的内容在画面之间被跟踪</translation>
    </message>
    <message>
        <source>zones count from the beginning</source>
        <translation>区域从头开始计数</translation>
    </message>
    <message>
        <source>{count} workers are too many; ask for fewer.</source>
        <translation>{count} 个工作进程太多；请减少数量。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read ({reason}).</source>
        <translation>无法读取 {name}（{reason}）。</translation>
    </message>
    <message>
        <source>{name} gave no frame in that part, so nothing was written.</source>
        <translation>{name} 在该部分没有画面，因此什么都没有写入。</translation>
    </message>
    <message>
        <source>{name} is larger than what is sent between machines, {most} MiB; put it on storage that all of them see.</source>
        <translation>{name} 超过机器之间的传送上限 {most} MiB；请把它放到所有机器都能看到的存储上。</translation>
    </message>
    <message>
        <source>{name} is no file; only files and folders can be worked on elsewhere.</source>
        <translation>{name} 不是文件；只有文件和文件夹可以在别处处理。</translation>
    </message>
    <message>
        <source>{name} is there and is no folder of pieces; move it away, or choose another output.</source>
        <translation>{name} 已存在，但不是片段文件夹；请移走它，或选择另一个输出。</translation>
    </message>
    <message>
        <source>{name}, {worker}: {text}</source>
        <translation>{name}，{worker}：{text}</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; came as {dtype}{shape}, and its metadata promised {promised}{expected}</source>
        <translation>“{name}”以 {dtype}{shape} 到达，而元数据承诺的是 {promised}{expected}</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is of the type {datatype}, which Lightloom does not take</source>
        <translation>“{name}”的类型是 {datatype}，Lightloom 不接受</translation>
    </message>
    <message>
        <source>HTTP, as JSON</source>
        <translation>HTTP，以 JSON</translation>
    </message>
    <message>
        <source>HTTP, binary</source>
        <translation>HTTP，二进制</translation>
    </message>
    <message>
        <source>JPEG by {way}</source>
        <translation>经 {way} 的 JPEG</translation>
    </message>
    <message>
        <source>No results of {model} from {server}: {what}. The request is repeated automatically.</source>
        <translation>没有来自 {server} 的 {model} 的结果：{what}。会自动再次询问。</translation>
    </message>
    <message>
        <source>Open a network on a ser&amp;ver...</source>
        <translation>打开服务器上的网络(&amp;V)...</translation>
    </message>
    <message>
        <source>The address of a network holds a name or a password; leave them out, and keep the token in the system&apos;s key ring.</source>
        <translation>网络的地址中含有用户名或密码；请去掉它们，并把令牌保存在系统的密钥环中。</translation>
    </message>
    <message>
        <source>The host in the address of the network is no IPv6 address; correct it.</source>
        <translation>网络地址中的主机不是 IPv6 地址；请更正。</translation>
    </message>
    <message>
        <source>The list of allowed hosts {path} cannot be written: {reason}; check that its folder can be written to.</source>
        <translation>无法写入允许的主机列表 {path}：{reason}；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The network {model} cannot be had from {server}: {what}; check its address, and that the server runs.</source>
        <translation>无法从 {server} 得到网络 {model}：{what}；请检查地址，以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>The network {model} is on {host}, which would receive the images, and you have not allowed that; open it by its address in the window, or use &apos;lightloom remote allow {host2}&apos;.</source>
        <translation>网络 {model} 在 {host} 上，该主机会得到画面，而这尚未被允许；请在窗口中用地址打开它，或使用“lightloom remote allow {host2}”。</translation>
    </message>
    <message>
        <source>The system&apos;s key ring does not keep the token ({reason}); unlock it, or use the variable {variable}.</source>
        <translation>系统的密钥环没有保存令牌（{reason}）；请解锁，或使用变量 {variable}。</translation>
    </message>
    <message>
        <source>The token for {server} has signs in it that no token has; keep it anew in the key ring.</source>
        <translation>{server} 的令牌含有令牌不会有的字符；请重新保存到密钥环。</translation>
    </message>
    <message>
        <source>There is a token for {server}, and {scheme} would send it unencrypted; use {secure}:// or remove the token.</source>
        <translation>{server} 有一个令牌，而 {scheme} 会以明文发送它；请使用 {secure}:// 或移除令牌。</translation>
    </message>
    <message>
        <source>This is no address of a network; write it as grpc://host:8001/model or http://host:8000/v2/models/model.</source>
        <translation>这不是网络的地址；请写成 grpc://host:8001/model 或 http://host:8000/v2/models/model。</translation>
    </message>
    <message>
        <source>gRPC</source>
        <translation>gRPC</translation>
    </message>
    <message>
        <source>it answers {status}</source>
        <translation>它回答 {status}</translation>
    </message>
    <message>
        <source>it cannot be reached ({reason})</source>
        <translation>无法到达（{reason}）</translation>
    </message>
    <message>
        <source>it cannot be reached, or is not ready</source>
        <translation>无法到达，或尚未就绪</translation>
    </message>
    <message>
        <source>it did not answer in time</source>
        <translation>它没有及时回答</translation>
    </message>
    <message>
        <source>it does not speak the Open Inference Protocol</source>
        <translation>它不支持 Open Inference Protocol</translation>
    </message>
    <message>
        <source>it has another network under this name now; load it anew</source>
        <translation>它现在以此名称提供另一个网络；请重新加载</translation>
    </message>
    <message>
        <source>it is busy or not ready ({status})</source>
        <translation>它正忙或尚未就绪（{status}）</translation>
    </message>
    <message>
        <source>it says &quot;{words}&quot;</source>
        <translation>它说“{words}”</translation>
    </message>
    <message>
        <source>it redirects the request to a host to which images are not sent</source>
        <translation>它把请求转到别处，画面不会发送到那里</translation>
    </message>
    <message>
        <source>it takes FP16 and has no binary tensors by HTTP; use its gRPC address</source>
        <translation>它接受 FP16，但 HTTP 没有二进制张量；请使用其 gRPC 地址</translation>
    </message>
    <message>
        <source>it takes images as bytes and has no binary tensors by HTTP; use its gRPC address</source>
        <translation>它以字节接受画面，但 HTTP 没有二进制张量；请使用其 gRPC 地址</translation>
    </message>
    <message>
        <source>it wants a token, or another one than it was given</source>
        <translation>它要求令牌，或要求另一个令牌</translation>
    </message>
    <message>
        <source>its address names a server.</source>
        <translation>其地址指向一台服务器。</translation>
    </message>
    <message>
        <source>its answer is larger than the {limit} MiB that it may be</source>
        <translation>其回答超过了允许的 {limit} MiB</translation>
    </message>
    <message>
        <source>its answer is not of the Open Inference Protocol</source>
        <translation>其回答不符合 Open Inference Protocol</translation>
    </message>
    <message>
        <source>its answer is too large, or it is overloaded ({words})</source>
        <translation>其回答过大，或它已过载（{words}）</translation>
    </message>
    <message>
        <source>its answer lacks the output &apos;{name}&apos;</source>
        <translation>其回答缺少输出“{name}”</translation>
    </message>
    <message>
        <source>its answer promises another &apos;{name}&apos; than its metadata</source>
        <translation>其回答中的“{name}”与元数据不同</translation>
    </message>
    <message>
        <source>its certificate is not valid ({verify_message})</source>
        <translation>其证书无效（{verify_message}）</translation>
    </message>
    <message>
        <source>its metadata tell no inputs or no outputs, which must be declared where the server is set up</source>
        <translation>其元数据没有输入或输出，须在配置服务器处声明</translation>
    </message>
    <message>
        <source>its name is not known on this network</source>
        <translation>此网络中没有该名称</translation>
    </message>
    <message>
        <source>network and packing {network} ms, server {server} ms (queue {queue} ms) of {whole} ms</source>
        <translation>网络与打包 {network} 毫秒，服务器 {server} 毫秒（队列 {queue} 毫秒），共 {whole} 毫秒</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有回答</translation>
    </message>
    <message>
        <source>no encrypted connection comes about</source>
        <translation>无法建立加密连接</translation>
    </message>
    <message>
        <source>packed here {here} ms, sent {sent} ms, server and network {waited} ms, received {received} ms; the server does not tell its own time</source>
        <translation>本机打包 {here} 毫秒，发送 {sent} 毫秒，服务器与网络 {waited} 毫秒，接收 {received} 毫秒；服务器不告知自身时间</translation>
    </message>
    <message>
        <source>server, network and packing {whole} ms; the server does not tell its own time</source>
        <translation>服务器、网络与打包 {whole} 毫秒；服务器不告知自身时间</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>the call was ended</source>
        <translation>调用已结束</translation>
    </message>
    <message>
        <source>the connection broke</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>the connection broke ({reason})</source>
        <translation>连接中断（{reason}）</translation>
    </message>
    <message>
        <source>the image cannot be sent as JPEG</source>
        <translation>画面无法以 JPEG 发送</translation>
    </message>
    <message>
        <source>{name} gives texts and no numbers; choose another network.</source>
        <translation>{name} 给出文本而非数字；请选择另一个网络。</translation>
    </message>
    <message>
        <source>{name} is on no server; choose another backend for it.</source>
        <translation>{name} 不在服务器上；请为它选择另一个后端。</translation>
    </message>
    <message>
        <source>{name} marks what is pointed at, which is computed on this machine alone; choose a file.</source>
        <translation>{name} 标记所指之物，只在本机计算；请选择文件。</translation>
    </message>
    <message>
        <source>{name} takes bytes beside other inputs; a network that takes bytes must have no other input.</source>
        <translation>{name} 除字节外还有其他输入；请让画面成为其唯一输入。</translation>
    </message>
    <message>
        <source>{name} takes or gives more than {limit} MiB at a time; choose another network.</source>
        <translation>{name} 一次接受或给出超过 {limit} MiB；请选择另一个网络。</translation>
    </message>
    <message>
        <source>{name} takes the inputs {known}, not {given}.</source>
        <translation>{name} 接受输入 {known}，而不是 {given}。</translation>
    </message>
    <message>
        <source>{types} tensors</source>
        <translation>{types} 张量</translation>
    </message>
    <message>
        <source>{variable}=dawn asks for Dawn, whose package is not installed; install it ({command}), or unset {variable}.</source>
        <translation>{variable}=dawn 要求使用 Dawn,但其软件包未安装;请安装({command}),或取消设置 {variable}。</translation>
    </message>
    <message>
        <source>{where} by {way}</source>
        <translation>{where}，经 {way}</translation>
    </message>
    <message>
        <source>{name} is computed by its server; choose the backend &apos;auto&apos; for it.</source>
        <translation>{name} 由其服务器计算；请为它选择后端“auto”。</translation>
    </message>
    <message>
        <source>it is of a PyTorch before 1.6</source>
        <translation>它来自 1.6 之前的 PyTorch</translation>
    </message>
    <message>
        <source>it runs programs before or after it (hooks)</source>
        <translation>它会在运行前后执行程序（钩子）</translation>
    </message>
    <message>
        <source>Another run writes to {name}; wait for it, or end it.</source>
        <translation>另一个任务正在写入 {name}；请等待其完成或将其结束。</translation>
    </message>
    <message>
        <source>NDI cannot begin: {reason}; try it again.</source>
        <translation>NDI 无法启动：{reason}；请重试。</translation>
    </message>
    <message>
        <source>NDI takes no more frames; switch the output off and on again.</source>
        <translation>NDI 不再接收画面；请关闭该输出后再打开。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Receivers will not find it: the service avahi-daemon does not run; install the package of that name.</source>
        <translation>接收端将找不到它：服务 avahi-daemon 未运行；请安装同名软件包。</translation>
    </message>
    <message>
        <source>Spout cannot begin; it needs a graphics card with DirectX 11 and its driver.</source>
        <translation>Spout 无法启动；它需要支持 DirectX 11 的显卡及其驱动程序。</translation>
    </message>
    <message>
        <source>Syphon cannot begin: {reason}; it needs macOS 11 and a graphics device with Metal.</source>
        <translation>Syphon 无法启动：{reason}；它需要 macOS 11 和支持 Metal 的图形设备。</translation>
    </message>
    <message>
        <source>The name has {length} letters; give one of {most} at most.</source>
        <translation>名称有 {length} 个字符；最多只能有 {most} 个。</translation>
    </message>
    <message>
        <source>The package {name} cannot be loaded: {reason}; install it anew: {command}</source>
        <translation>无法加载软件包 {name}：{reason}；请重新安装：{command}</translation>
    </message>
    <message>
        <source>Transparency</source>
        <translation>透明度</translation>
    </message>
    <message>
        <source>Name under which other programs list the camera.</source>
        <translation>其他程序列出该画面时使用的名称。</translation>
    </message>
    <message>
        <source>What is transparent stays so, for programs that put it over something else.</source>
        <translation>透明部分保持透明，供将其叠加在其他内容之上的程序使用。</translation>
    </message>
    <message>
        <source>{title} needs a package that no installer of Lightloom carries: {command}</source>
        <translation>{title} 需要一个 Lightloom 安装程序未附带的软件包：{command}</translation>
    </message>
    <message>
        <source>&apos;{port}&apos; of {name} has no type; export it again.</source>
        <translation>{name} 的“{port}”没有类型；请重新导出。</translation>
    </message>
    <message>
        <source>&apos;{port}&apos; of {name} has {rank} dimensions.</source>
        <translation>{name} 的“{port}”有 {rank} 个维度。</translation>
    </message>
    <message>
        <source>A guidance of {given:g} cannot be; choose 0 to {most:g}.</source>
        <translation>引导强度不能是 {given:g}；请选择 0 到 {most:g}。</translation>
    </message>
    <message>
        <source>An image of {width} x {height} pixels cannot be made; choose multiples of {unit} up to {most}.</source>
        <translation>无法生成 {width} x {height} 像素的图片；请选择 {unit} 的倍数，最大 {most}。</translation>
    </message>
    <message>
        <source>A strength of {strength:g} cannot be; choose more than 0 and at most 1.</source>
        <translation>强度不能是 {strength:g}；请选择大于 0 且不超过 1 的值。</translation>
    </message>
    <message>
        <source>A strength of {strength:g} leaves none of {steps} steps; choose a strength of {least:g} or more steps.</source>
        <translation>强度 {strength:g} 使 {steps} 步一步也不剩；请选择强度 {least:g} 或更多步数。</translation>
    </message>
    <message>
        <source>A strength was given without an image; give both.</source>
        <translation>给出了强度但没有图片；请同时给出两者。</translation>
    </message>
    <message>
        <source>An LCM of {known} steps at this strength cannot take {steps}; choose fewer steps or a greater strength.</source>
        <translation>此强度下 LCM 有 {known} 步，无法走 {steps} 步；请选择更少的步数或更大的强度。</translation>
    </message>
    <message>
        <source>Decoding the image</source>
        <translation>正在解码图片</translation>
    </message>
    <message>
        <source>Denoising</source>
        <translation>正在去噪</translation>
    </message>
    <message>
        <source>Encoding the image</source>
        <translation>正在编码图片</translation>
    </message>
    <message>
        <source>Loading the network</source>
        <translation>正在加载网络</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>正在读取提示词</translation>
    </message>
    <message>
        <source>The UNet of {folder} takes {wanted} latent channels and {part} has {found}; they are of two pipelines.</source>
        <translation>{folder} 的 UNet 接受 {wanted} 个潜在通道，而 {part} 有 {found} 个；它们属于两个不同的管线。</translation>
    </message>
    <message>
        <source>The prompt has {count} characters; {most} are enough.</source>
        <translation>提示词有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The scheduler of {folder}, {name}, does not run here; choose another one: {names}.</source>
        <translation>{folder} 的调度器 {name} 无法在此运行；请选择其他的：{names}。</translation>
    </message>
    <message>
        <source>The seed {seed} is none; choose 0 to {most}.</source>
        <translation>{seed} 不是有效的种子；请选择 0 到 {most}。</translation>
    </message>
    <message>
        <source>The text encoder of {folder} gives embeddings of {given} numbers and its UNet takes {wanted}; they are of two pipelines.</source>
        <translation>{folder} 的文本编码器输出 {given} 维的嵌入，而其 UNet 接受 {wanted} 维；它们属于两个不同的管线。</translation>
    </message>
    <message>
        <source>The tokenizer of {folder} is damaged: {what}; download or export it again.</source>
        <translation>{folder} 的分词器已损坏：{what}；请重新下载或导出。</translation>
    </message>
    <message>
        <source>There is no scheduler &apos;{name}&apos;; choose {names}.</source>
        <translation>没有调度器“{name}”；请选择 {names}。</translation>
    </message>
    <message>
        <source>With so many steps the first timestep would be {timestep:g} of {trained}; choose fewer steps.</source>
        <translation>步数过多时，第一个时间步会是 {trained} 中的 {timestep:g}；请选择更少的步数。</translation>
    </message>
    <message>
        <source>a list of 1 to 6 numbers</source>
        <translation>1 到 6 个数字的列表</translation>
    </message>
    <message>
        <source>a merge makes what its vocabulary lacks</source>
        <translation>某个合并产生了词表中没有的内容</translation>
    </message>
    <message>
        <source>a number from {low:g} to {high:g}</source>
        <translation>{low:g} 到 {high:g} 的数字</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>it has {count} tokens and the text encoder knows {known}</source>
        <translation>它有 {count} 个词元，而文本编码器只知道 {known} 个</translation>
    </message>
    <message>
        <source>its merges are none</source>
        <translation>其合并规则无效</translation>
    </message>
    <message>
        <source>its vocabulary is none</source>
        <translation>其词表无效</translation>
    </message>
    <message>
        <source>its vocabulary lacks &apos;{token}&apos;</source>
        <translation>其词表缺少“{token}”</translation>
    </message>
    <message>
        <source>pipeline without a name</source>
        <translation>没有名称的管线</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>tokenizer.json is not CLIP&apos;s</source>
        <translation>tokenizer.json 不是 CLIP 的</translation>
    </message>
    <message>
        <source>tokenizer/{name} cannot be read ({reason}); export it again.</source>
        <translation>无法读取 tokenizer/{name}（{reason}）；请重新导出。</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>没有名称</translation>
    </message>
    <message>
        <source>{folder} has no taesd_decoder; put one into it or leave --tiny out.</source>
        <translation>{folder} 没有 taesd_decoder；请放入一个，或去掉 --tiny。</translation>
    </message>
    <message>
        <source>{folder} has no tokenizer/vocab.json with merges.txt, and no tokenizer.json; export the folder again.</source>
        <translation>{folder} 既没有 tokenizer/vocab.json 和 merges.txt，也没有 tokenizer.json；请重新导出该文件夹。</translation>
    </message>
    <message>
        <source>{folder} has no vae_encoder/model.onnx, which changing an image needs; export the folder with it.</source>
        <translation>{folder} 没有更改图片所需的 vae_encoder/model.onnx；请连同它一起导出该文件夹。</translation>
    </message>
    <message>
        <source>{folder} has no {kind}/model.onnx; export the folder again, or download what is missing.</source>
        <translation>{folder} 没有 {kind}/model.onnx；请重新导出该文件夹，或下载缺少的内容。</translation>
    </message>
    <message>
        <source>{folder} is a {name}; what runs here is Stable Diffusion 1.x, SD-Turbo and latent consistency models.</source>
        <translation>{folder} 是 {name}；此处可运行 Stable Diffusion 1.x、SD-Turbo 和潜在一致性网络。</translation>
    </message>
    <message>
        <source>{folder} was exported for images of {width} x {height} pixels alone; choose this size, or export it with free ones.</source>
        <translation>{folder} 仅为 {width} x {height} 像素的图片导出；请选择此尺寸，或以自由尺寸导出。</translation>
    </message>
    <message>
        <source>{missing:.1f} GiB of memory are missing for {folder}: {part} takes at least {needed:.1f} GiB and {free:.1f} are free on {where}; close other programs, or choose a smaller image, fp16 (--precision fp16) or another adapter.</source>
        <translation>{folder} 缺少 {missing:.1f} GiB 内存：{part} 至少需要 {needed:.1f} GiB，而 {where} 上可用 {free:.1f}；请关闭其他程序，或选择更小的图像、fp16 (--precision fp16) 或其他适配器。</translation>
    </message>
    <message>
        <source>{name} cannot be read ({reason}); export it again.</source>
        <translation>无法读取 {name}（{reason}）；请重新导出。</translation>
    </message>
    <message>
        <source>{name} goes on after {reached:.2f} s without the streams that it begins with: split it there into two files if another recording follows, or try another copy of it.</source>
        <translation>{name} 在 {reached:.2f} 秒之后不再包含开头的流：如果后面是另一段录像，请在此处分成两个文件，否则请尝试另一份副本。</translation>
    </message>
    <message>
        <source>{name} has no {index}; give a folder as diffusers and Optimum export it.</source>
        <translation>{name} 没有 {index}；请给出 diffusers 和 Optimum 导出的文件夹。</translation>
    </message>
    <message>
        <source>{name} has {count} inputs or outputs; export it again.</source>
        <translation>{name} 有 {count} 个输入或输出；请重新导出。</translation>
    </message>
    <message>
        <source>{name} is no folder; give one that holds {index}.</source>
        <translation>{name} 不是文件夹；请给出包含 {index} 的文件夹。</translation>
    </message>
    <message>
        <source>{name} is no text</source>
        <translation>{name} 不是文本</translation>
    </message>
    <message>
        <source>{name} is not a JSON object</source>
        <translation>{name} 不是 JSON 对象</translation>
    </message>
    <message>
        <source>{name} is not a JSON object; download or export it again.</source>
        <translation>{name} 不是 JSON 对象；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is not an ONNX file; export it again.</source>
        <translation>{name} 不是 ONNX 文件；请重新导出。</translation>
    </message>
    <message>
        <source>{name} is not valid JSON</source>
        <translation>{name} 不是有效的 JSON</translation>
    </message>
    <message>
        <source>{name} is not valid JSON; download or export it again.</source>
        <translation>{name} 不是有效的 JSON；请重新下载或导出。</translation>
    </message>
    <message>
        <source>{name} is to hide something with &apos;{filter}&apos;, and is not opened without that filter. {error}</source>
        <translation>{name} 要用 &apos;{filter}&apos; 隐藏某些内容，没有该滤镜就不会打开。{error}</translation>
    </message>
    <message>
        <source>{name} leaves nothing of the image at its last timestep, which does not run here; check beta_start and beta_end.</source>
        <translation>{name} 在最后一个时间步不保留图片的任何内容，这无法在此运行；请检查 beta_start 和 beta_end。</translation>
    </message>
    <message>
        <source>{name} says {key} = {value}, which does not run here; choose another scheduler or export the folder without it.</source>
        <translation>{name} 中 {key} = {value}，这无法在此运行；请选择其他调度器，或导出不含它的文件夹。</translation>
    </message>
    <message>
        <source>{name} says {key} = {value}; what runs here is {wanted}.</source>
        <translation>{name} 中 {key} = {value}；此处可运行的是：{wanted}。</translation>
    </message>
    <message>
        <source>{name} was written by a newer Lightloom (format {version}; this one reads {known}); get the newer program.</source>
        <translation>{name} 由较新的 Lightloom 写成（格式 {version}；本程序能读取 {known}）；请获取较新的程序。</translation>
    </message>
    <message>
        <source>{name}: values of &apos;{node}&apos; are beyond 65504, where 16-bit floats end, so that its results may be wrong; choose the precision fp32 or another backend.</source>
        <translation>{name}：&apos;{node}&apos; 的值超过 65504，即 16 位浮点数的上限，因此结果可能有误；请选择精度 fp32 或其他后端。</translation>
    </message>
    <message>
        <source>{node} is not valid: {what}; use the onnxruntime backend, or export the model again.</source>
        <translation>{node} 无效：{what}；请使用 onnxruntime 后端，或重新导出模型。</translation>
    </message>
    <message>
        <source>{node} reads &apos;{name}&apos;, which a node after it computes</source>
        <translation>{node} 读取 &apos;{name}&apos;，而它由其后的节点计算</translation>
    </message>
    <message>
        <source>{node} reads &apos;{name}&apos;, which nothing computes</source>
        <translation>{node} 读取 &apos;{name}&apos;，而没有节点计算它</translation>
    </message>
    <message>
        <source>{part} does not turn one tensor of [batch, channels, height, width] into another.</source>
        <translation>{part} 没有把一个 [batch, channels, height, width] 张量变成另一个。</translation>
    </message>
    <message>
        <source>{part} gives {found} for a sample of {shape}; export the folder again.</source>
        <translation>{part} 对形状 {shape} 的样本给出 {found}；请重新导出该文件夹。</translation>
    </message>
    <message>
        <source>{part} gives {found} where {wanted} is needed; it is of another pipeline than the UNet.</source>
        <translation>{part} 给出 {found}，而需要的是 {wanted}；它与 UNet 不属于同一管线。</translation>
    </message>
    <message>
        <source>{part} has no input &apos;{name}&apos; of {rank} dimensions; export the folder with Optimum&apos;s Stable Diffusion exporter.</source>
        <translation>{part} 没有 {rank} 维的输入“{name}”；请用 Optimum 的 Stable Diffusion 导出器导出该文件夹。</translation>
    </message>
    <message>
        <source>{part} has no output of [batch, tokens, width]; export the folder with Optimum&apos;s Stable Diffusion exporter.</source>
        <translation>{part} 没有 [batch, tokens, width] 的输出；请用 Optimum 的 Stable Diffusion 导出器导出该文件夹。</translation>
    </message>
    <message>
        <source>{part} takes {others}, which pipelines of SD 1.x, SD-Turbo and LCM don&apos;t; choose a folder of one of these.</source>
        <translation>{part} 接受 {others}，而 SD 1.x、SD-Turbo 和 LCM 的管线没有这些；请选择其中之一的文件夹。</translation>
    </message>
    <message>
        <source>{part} was exported for {fixed} samples of {tokens} tokens; {batch} of {wanted} are needed: export it with free ones.</source>
        <translation>{part} 是为 {fixed} 个样本、{tokens} 个词元导出的；需要 {batch} 个样本、{wanted} 个词元：请以自由尺寸导出。</translation>
    </message>
    <message>
        <source>{part} was exported for {length} tokens; export it for {usual}.</source>
        <translation>{part} 是为 {length} 个词元导出的；请为 {usual} 个导出。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}; {advice}.</source>
        <translation>无法写入 {path}：{reason}；{advice}。</translation>
    </message>
    <message>
        <source>{path} could not be finished: {reason}; {advice}.</source>
        <translation>无法完成 {path}：{reason}；{advice}。</translation>
    </message>
    <message>
        <source>{steps} steps cannot be taken; choose 1 to {most}.</source>
        <translation>无法走 {steps} 步；请选择 1 到 {most}。</translation>
    </message>
</context>
<context>
    <name>times</name>
    <message>
        <source>On a software adapter the times of single effects are unreliable: passes overlap there and share the processor&apos;s cores.</source>
        <translation>在软件适配器上，单个效果的计时不可靠：各遍运算在那里相互重叠并共用处理器核心。</translation>
    </message>
</context>
</TS>
