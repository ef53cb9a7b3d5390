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
</context>
<context>
    <name>AdapterDialog</name>
    <message>
        <source>Adapters</source>
        <translation>图形适配器</translation>
    </message>
    <message>
        <source>Filters and networks compute on this adapter. The chain is kept when you change it.</source>
        <translation>滤镜和网络在此适配器上计算。更换适配器时，滤镜链保持不变。</translation>
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
    <name>ChainPanel</name>
    <message>
        <source>Chain</source>
        <translation>滤镜链</translation>
    </message>
    <message>
        <source>Clear the chain</source>
        <translation>清空滤镜链</translation>
    </message>
    <message>
        <source>Copy all filters</source>
        <translation>复制所有滤镜</translation>
    </message>
    <message>
        <source>No filters yet. Double-click one in the library, or drop a .wgsl, .cube, preset or .onnx.</source>
        <translation>还没有滤镜。双击库中的滤镜，或拖入 .wgsl、.cube、预设或 .onnx 文件。</translation>
    </message>
    <message>
        <source>Or start with a style:</source>
        <translation>或者从一种风格开始：</translation>
    </message>
    <message>
        <source>Search the filters</source>
        <translation>搜索滤镜</translation>
    </message>
    <message>
        <source>Time of all filters for one frame, by {0}.</source>
        <translation>一帧画面所有滤镜的耗时，来源：{0}。</translation>
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
        <source>Type a command, a filter or a recent file</source>
        <translation>输入命令、滤镜或最近打开的文件</translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message numerus="yes">
        <source>; %n pictures left out because encoding was behind</source>
        <translation>
            <numerusform>；因编码跟不上，略过了 %n 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
    </message>
    <message>
        <source>Clear the chain</source>
        <translation>清空滤镜链</translation>
    </message>
    <message>
        <source>Computing on {0}</source>
        <translation>使用 {0} 计算</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n filters</source>
        <translation>
            <numerusform>已复制 %n 个滤镜</numerusform>
        </translation>
    </message>
    <message>
        <source>Duplicate {0}</source>
        <translation>复制{0}</translation>
    </message>
    <message>
        <source>Move {0}</source>
        <translation>移动{0}</translation>
    </message>
    <message>
        <source>Network {0}</source>
        <translation>网络 {0}</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Picture copied</source>
        <translation>已复制画面</translation>
    </message>
    <message>
        <source>Preset saved as {0}</source>
        <translation>预设已保存为 {0}</translation>
    </message>
    <message>
        <source>Preset {0}</source>
        <translation>预设 {0}</translation>
    </message>
    <message>
        <source>Recording saved as {0}</source>
        <translation>录像已保存为 {0}</translation>
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
        <source>Remove the network</source>
        <translation>移除网络</translation>
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
        <source>Snapshot saved as {0}</source>
        <translation>快照已保存为 {0}</translation>
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
        <source>There is nothing to record yet; open a source first.</source>
        <translation>还没有可录制的内容；请先打开一个来源。</translation>
    </message>
    <message>
        <source>Undone: {0}</source>
        <translation>已撤销：{0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{1}的{0}</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>A report has the log, what this machine has, and what was set up. It is saved where you say, and sent to nobody.</source>
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
    <name>EmptyState</name>
    <message>
        <source>Drop a video, image, .onnx or .wgsl</source>
        <translation>拖入视频、图像、.onnx 或 .wgsl 文件</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>打开...</translation>
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
        <source>or a folder, a .cube table, a preset, an address</source>
        <translation>或文件夹、.cube 色表、预设、网址</translation>
    </message>
</context>
<context>
    <name>FileEditor</name>
    <message>
        <source>Choose a .cube file...</source>
        <translation>选择 .cube 文件...</translation>
    </message>
    <message>
        <source>Choose a picture</source>
        <translation>选择图片</translation>
    </message>
    <message>
        <source>Choose a picture...</source>
        <translation>选择图片...</translation>
    </message>
    <message>
        <source>Choose a table</source>
        <translation>选择色表</translation>
    </message>
    <message>
        <source>Colour tables (*.cube)</source>
        <translation>色表 (*.cube)</translation>
    </message>
    <message>
        <source>Pictures ({0})</source>
        <translation>图片 ({0})</translation>
    </message>
    <message>
        <source>Use no picture</source>
        <translation>不使用图片</translation>
    </message>
    <message>
        <source>Use no table</source>
        <translation>不使用色表</translation>
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
        <source>Classification: names what the picture shows</source>
        <translation>分类：说出画面内容</translation>
    </message>
    <message>
        <source>Colour order</source>
        <translation>颜色顺序</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Depth estimation: how far things are</source>
        <translation>深度估计：物体的远近</translation>
    </message>
    <message>
        <source>Give numbers with commas between them, one for each channel.</source>
        <translation>请输入用逗号分隔的数字，每个通道一个。</translation>
    </message>
    <message>
        <source>How pictures are prepared for this network. Your choices are kept beside its file.</source>
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
        <source>Object detection: boxes around things</source>
        <translation>物体检测：给物体画框</translation>
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
        <source>Segmentation: a mask or classes of pixels</source>
        <translation>分割：蒙版或像素类别</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Style transfer or enhancement: a new picture</source>
        <translation>风格迁移或增强：新的画面</translation>
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
        <source>Grey</source>
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
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>On the picture: wheel zooms, drag moves, double click changes between fit and 1:1. On a parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down move, Delete removes.</source>
        <translation>在画面上：滚轮缩放，拖动平移，双击在适合窗口与 1:1 之间切换。在参数上：双击重置。在卡片上：回车键展开，X 开关，Alt+上和 Alt+下移动，Delete 移除。</translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message>
        <source>Add to favourites</source>
        <translation>添加到收藏</translation>
    </message>
    <message>
        <source>Add to the chain</source>
        <translation>添加到滤镜链</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>滤镜</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>几何</translation>
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
        <source>Mine</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>No filter is called “{0}”. Try another word.</source>
        <translation>没有名为“{0}”的滤镜。请换个词试试。</translation>
    </message>
    <message>
        <source>Stylise</source>
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
        <source>Remove from favourites</source>
        <translation>从收藏中移除</translation>
    </message>
    <message>
        <source>Search filters</source>
        <translation>搜索滤镜</translation>
    </message>
</context>
<context>
    <name>LibrarySettingsDialog</name>
    <message>
        <source>A mirror is a folder on a web server with the files of this list under their names; a folder of downloads is one. Proxies are taken from the environment. Networks that are in another folder stay there.</source>
        <translation>镜像是网络服务器上的一个文件夹，其中以原名存放此列表中的文件；下载文件夹也可以作为镜像。代理取自环境变量。其他文件夹中的网络会留在原处。</translation>
    </message>
    <message>
        <source>Address of a mirror</source>
        <translation>镜像地址</translation>
    </message>
    <message>
        <source>Change the folder of downloaded networks</source>
        <translation>更改已下载网络的文件夹</translation>
    </message>
    <message>
        <source>Change...</source>
        <translation>更改...</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder of downloaded networks</source>
        <translation>已下载网络的文件夹</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Networks: folder and downloads</source>
        <translation>网络：文件夹与下载</translation>
    </message>
    <message>
        <source>The mirror must be an http or https address.</source>
        <translation>镜像必须是 http 或 https 地址。</translation>
    </message>
    <message>
        <source>Use the default folder</source>
        <translation>使用默认文件夹</translation>
    </message>
    <message>
        <source>none: each network&apos;s own web page</source>
        <translation>无：各网络自己的网页</translation>
    </message>
    <message>
        <source>Work offline: make no request</source>
        <translation>离线工作：不发出任何请求</translation>
    </message>
</context>
<context>
    <name>ModelEditor</name>
    <message>
        <source>Choose a file...</source>
        <translation>选择文件...</translation>
    </message>
    <message>
        <source>Choose a network</source>
        <translation>选择网络</translation>
    </message>
    <message>
        <source>Networks (*.onnx)</source>
        <translation>网络 (*.onnx)</translation>
    </message>
    <message>
        <source>No network</source>
        <translation>无网络</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Cancel the download of {0} and delete what has arrived</source>
        <translation>取消下载 {0} 并删除已收到的部分</translation>
    </message>
    <message>
        <source>Download {0}</source>
        <translation>下载 {0}</translation>
    </message>
    <message>
        <source>More about {0}</source>
        <translation>{0} 的更多操作</translation>
    </message>
    <message>
        <source>Pause the download of {0}</source>
        <translation>暂停下载 {0}</translation>
    </message>
    <message>
        <source>Remove {0} from the list</source>
        <translation>从列表中移除 {0}</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace the network in use by {0}</source>
        <translation>用 {0} 替换正在使用的网络</translation>
    </message>
    <message>
        <source>Resume the download of {0}</source>
        <translation>继续下载 {0}</translation>
    </message>
    <message>
        <source>Share that has arrived</source>
        <translation>已下载的比例</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use {0}</source>
        <translation>使用 {0}</translation>
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
        <translation>{1}的{0}</translation>
    </message>
    <message>
        <source>{0}/s</source>
        <translation>{0}/秒</translation>
    </message>
</context>
<context>
    <name>ModelsPanel</name>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
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
        <source>Folder, mirror, offline...</source>
        <translation>文件夹、镜像、离线...</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>正在查找...</translation>
    </message>
    <message>
        <source>Available to download</source>
        <translation>可下载</translation>
    </message>
    <message>
        <source>Add as another filter</source>
        <translation>添加为另一个滤镜</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>随附</translation>
    </message>
    <message>
        <source>Networks (*.onnx)</source>
        <translation>网络 (*.onnx)</translation>
    </message>
    <message>
        <source>No network is called “{0}”.</source>
        <translation>没有名为“{0}”的网络。</translation>
    </message>
    <message>
        <source>No networks yet. Drop an .onnx on the window, or open one.</source>
        <translation>还没有网络。将 .onnx 文件拖到窗口上，或打开一个。</translation>
    </message>
    <message>
        <source>Offline: nothing is downloaded.</source>
        <translation>离线：不会下载任何内容。</translation>
    </message>
    <message>
        <source>Open a network</source>
        <translation>打开网络</translation>
    </message>
    <message>
        <source>Open a network (.onnx)... (Ctrl+M)</source>
        <translation>打开网络 (.onnx)... (Ctrl+M)</translation>
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
        <source>Preprocessing...</source>
        <translation>预处理...</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>The checksum of {0} is right</source>
        <translation>{0} 的校验和正确</translation>
    </message>
    <message>
        <source>Verify the checksum</source>
        <translation>核对校验和</translation>
    </message>
    <message>
        <source>{0} was downloaded</source>
        <translation>{0} 已下载</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Remove {0}?</source>
        <translation>移除 {0}？</translation>
    </message>
    <message>
        <source>Remove...</source>
        <translation>移除...</translation>
    </message>
    <message>
        <source>Search networks</source>
        <translation>搜索网络</translation>
    </message>
    <message>
        <source>{0} and what is written beside it are deleted from {1}. It can be downloaded again.</source>
        <translation>将从 {1} 中删除 {0} 及其旁边写入的内容。之后可以重新下载。</translation>
    </message>
</context>
<context>
    <name>NetworkCard</name>
    <message numerus="yes">
        <source>%n candidates too many, left out; raise the score.</source>
        <translation>
            <numerusform>候选项多出 %n 个，已略过；请提高分数。</numerusform>
        </translation>
    </message>
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
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Classes shown</source>
        <translation>显示的类别</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Colour order</source>
        <translation>颜色顺序</translation>
    </message>
    <message>
        <source>Detection</source>
        <translation>检测</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>插值</translation>
    </message>
    <message>
        <source>Minimum score</source>
        <translation>最低分数</translation>
    </message>
    <message>
        <source>Preprocessing and class names of the network</source>
        <translation>网络的预处理和类别名称</translation>
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
        <source>Run on the filtered picture</source>
        <translation>在滤镜后的画面上运行</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Network {0}</source>
        <translation>网络 {0}</translation>
    </message>
    <message>
        <source>Of two boxes that share more than this, the less certain one goes.</source>
        <translation>两个框重叠超过此值时，去掉较不确定的一个。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Overlap (IoU)</source>
        <translation>重叠 (IoU)</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>像素范围</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Remove the network</source>
        <translation>移除网络</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>缩放</translation>
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
        <source>Task, precision, how often it runs, and how pictures are prepared for it</source>
        <translation>任务、精度、运行频率以及画面的准备方式</translation>
    </message>
    <message>
        <source>What is less certain is not shown.</source>
        <translation>低于此确定度的不显示。</translation>
    </message>
    <message>
        <source>all; or names, with commas</source>
        <translation>全部；或用逗号分隔的名称</translation>
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
        <source>stretch</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>{0} results a second</source>
        <translation>每秒 {0} 个结果</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss all</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation>还有 {0} 条</translation>
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
        <source>No camera is connected.</source>
        <translation>没有连接摄像头。</translation>
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
        <source>Open a video or an image... (Ctrl+O)</source>
        <translation>打开视频或图像... (Ctrl+O)</translation>
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
        <source>colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>colour profile</source>
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
        <source>pictures</source>
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
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
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
        <source>Enable or disable</source>
        <translation>启用或停用</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
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
        <source>Network settings</source>
        <translation>网络设置</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
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
        <source>This filter has no parameters.</source>
        <translation>此滤镜没有参数。</translation>
    </message>
    <message>
        <source>Open the shader file</source>
        <translation>打开着色器文件</translation>
    </message>
    <message>
        <source>Paste after this</source>
        <translation>粘贴到其后</translation>
    </message>
    <message>
        <source>Where the network runs, what was inferred from its file, and settings</source>
        <translation>网络在何处运行、由其文件推断出的信息以及设置</translation>
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
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
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
    <name>StageGraphs</name>
    <message>
        <source>Time of each stage</source>
        <translation>各级耗时</translation>
    </message>
</context>
<context>
    <name>StatsPanel</name>
    <message>
        <source>Begin all counters and graphs anew</source>
        <translation>所有计数和曲线重新开始</translation>
    </message>
    <message>
        <source>CPU {0} ms a frame</source>
        <translation>CPU 每帧 {0} 毫秒</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数</translation>
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
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>decoded {0}, dropped {1}, damaged {2}</source>
        <translation>解码 {0}，丢弃 {1}，损坏 {2}</translation>
    </message>
    <message>
        <source>skipped because the GPU was busy: {0}</source>
        <translation>因 GPU 繁忙而略过：{0}</translation>
    </message>
    <message>
        <source>latency {0}</source>
        <translation>延迟 {0}</translation>
    </message>
    <message>
        <source>times: {0}</source>
        <translation>计时：{0}</translation>
    </message>
    <message>
        <source>times: {0}, unreliable on a software adapter</source>
        <translation>计时：{0}，在软件适配器上不可靠</translation>
    </message>
    <message>
        <source>upload {0}, read back {1}</source>
        <translation>上传 {0}，读回 {1}</translation>
    </message>
    <message numerus="yes">
        <source>{0} FPS, %n pictures</source>
        <translation>
            <numerusform>{0} FPS，%n 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>{0}: {1} FPS, latency {2} ms</source>
        <translation>{0}：{1} FPS，延迟 {2} 毫秒</translation>
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
    <name>Transport</name>
    <message>
        <source>Camera format</source>
        <translation>摄像头格式</translation>
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
        <source>Speed ([ and ])</source>
        <translation>速度（[ 和 ]）</translation>
    </message>
    <message>
        <source>The camera&apos;s resolution, rate and pixel format</source>
        <translation>摄像头的分辨率、帧率和像素格式</translation>
    </message>
    <message>
        <source>The system does not tell this camera&apos;s formats</source>
        <translation>系统没有提供此摄像头的格式</translation>
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
        <source>It asks {site} for a number. Nothing about you is sent, and nothing is downloaded or installed.</source>
        <translation>它只向 {site} 查询一个版本号。不会发送您的任何信息，也不会下载或安装任何内容。</translation>
    </message>
    <message>
        <source>Lightloom {newest} is out; this is {own}. {advice}</source>
        <translation>Lightloom {newest} 已发布；当前为 {own}。{advice}</translation>
    </message>
    <message>
        <source>May Lightloom check for a new version once a week?</source>
        <translation>Lightloom 可以每周检查一次是否有新版本吗？</translation>
    </message>
    <message>
        <source>New versions</source>
        <translation>新版本</translation>
    </message>
    <message>
        <source>This is the newest Lightloom, {own}.</source>
        <translation>这是最新的 Lightloom，{own}。</translation>
    </message>
    <message>
        <source>Update it in your software centre, or with &apos;flatpak update org.lightloom.Lightloom&apos;.</source>
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
</context>
<context>
    <name>Viewport</name>
    <message>
        <source>Picture</source>
        <translation>画面</translation>
    </message>
</context>
<context>
    <name>Window</name>
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
        <source>&amp;Copy all filters</source>
        <translation>复制所有滤镜(&amp;C)</translation>
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
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
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
        <source>&amp;Paste filters</source>
        <translation>粘贴滤镜(&amp;P)</translation>
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
        <source>&amp;Presets</source>
        <translation>预设(&amp;P)</translation>
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
        <source>A at {0}</source>
        <translation>A 点：{0}</translation>
    </message>
    <message>
        <source>A-B loop off</source>
        <translation>A-B 循环已关闭</translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
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
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>C&amp;lear the chain</source>
        <translation>清空滤镜链(&amp;L)</translation>
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
        <source>Chain</source>
        <translation>滤镜链</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Close this window and start Lightloom as usual</source>
        <translation>关闭此窗口并正常启动 Lightloom</translation>
    </message>
    <message>
        <source>Copy the &amp;picture</source>
        <translation>复制画面(&amp;P)</translation>
    </message>
    <message>
        <source>Drag the line to compare before and after, and drop your own video on the window. Ctrl+K finds every command, ? lists the keys, F1 opens the guide.</source>
        <translation>拖动分界线以对比前后效果，把您自己的视频拖到窗口上。Ctrl+K 查找所有命令，? 列出快捷键，F1 打开指南。</translation>
    </message>
    <message>
        <source>F&amp;ilters</source>
        <translation>滤镜(&amp;I)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>FPS</source>
        <translation>FPS</translation>
    </message>
    <message>
        <source>Show the performance overlay &amp;briefly</source>
        <translation>短暂显示性能信息(&amp;B)</translation>
    </message>
    <message>
        <source>The graphics device was restarted</source>
        <translation>图形设备已重新启动</translation>
    </message>
    <message>
        <source>latency p50 / p95 / p99</source>
        <translation>延迟 p50 / p95 / p99</translation>
    </message>
    <message>
        <source>{0} FPS</source>
        <translation>{0} FPS</translation>
    </message>
    <message>
        <source>{driver} loses memory with larger filters, up to {rate} MB a second, and ends loops in shaders after {rounds} rounds. Install {name} {version} or newer, which is faster too ({system}: {command}).</source>
        <translation>{driver} 在较大的滤镜上会泄漏内存，每秒最多 {rate} MB，并且着色器中的循环在 {rounds} 次后被终止。请安装 {name} {version} 或更新版本，它也更快（{system}：{command}）。</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>滤镜</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Sources and library</source>
        <translation>来源与库(&amp;S)</translation>
    </message>
    <message>
        <source>C&amp;hain</source>
        <translation>滤镜链(&amp;H)</translation>
    </message>
    <message>
        <source>Chain (Ctrl+Shift+B)</source>
        <translation>滤镜链 (Ctrl+Shift+B)</translation>
    </message>
    <message>
        <source>Check for &amp;updates...</source>
        <translation>检查更新(&amp;U)...</translation>
    </message>
    <message>
        <source>E&amp;xport the chain as one file...</source>
        <translation>将滤镜链导出为一个文件(&amp;X)...</translation>
    </message>
    <message>
        <source>Export the chain as one file</source>
        <translation>将滤镜链导出为一个文件</translation>
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
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Graphics &amp;adapter...</source>
        <translation>图形适配器(&amp;A)...</translation>
    </message>
    <message>
        <source>Graphics adapter: {0}</source>
        <translation>图形适配器：{0}</translation>
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
        <source>Language: {0}</source>
        <translation>语言：{0}</translation>
    </message>
    <message>
        <source>Leave safe mode</source>
        <translation>退出安全模式</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Safe mode</source>
        <translation>安全模式</translation>
    </message>
    <message>
        <source>Check for updates once a &amp;week</source>
        <translation>每周检查一次更新(&amp;W)</translation>
    </message>
    <message>
        <source>Loop {0} to {1}</source>
        <translation>循环 {0} 至 {1}</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
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
        <source>Networks</source>
        <translation>网络</translation>
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
        <source>Open a &amp;preset...</source>
        <translation>打开预设(&amp;P)...</translation>
    </message>
    <message>
        <source>Open a &amp;stream...</source>
        <translation>打开流(&amp;S)...</translation>
    </message>
    <message>
        <source>Open a preset</source>
        <translation>打开预设</translation>
    </message>
    <message>
        <source>Open my shader &amp;folder</source>
        <translation>打开我的着色器文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>Opening {0}</source>
        <translation>正在打开 {0}</translation>
    </message>
    <message>
        <source>Opening...</source>
        <translation>正在打开...</translation>
    </message>
    <message>
        <source>Pictures a second. {0} of the last seconds&apos; pictures were dropped.</source>
        <translation>每秒画面数。最近几秒的画面中丢弃了 {0}。</translation>
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
        <source>Playback</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Pre&amp;vious frame</source>
        <translation>上一帧(&amp;V)</translation>
    </message>
    <message>
        <source>Preset: {0}</source>
        <translation>预设：{0}</translation>
    </message>
    <message>
        <source>Presets (*.toml *.lightloom)</source>
        <translation>预设 (*.toml *.lightloom)</translation>
    </message>
    <message>
        <source>Presets (*.toml)</source>
        <translation>预设 (*.toml)</translation>
    </message>
    <message>
        <source>Presets in one file (*.lightloom)</source>
        <translation>单文件预设 (*.lightloom)</translation>
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
        <source>Record to a file</source>
        <translation>录制到文件</translation>
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
        <source>Safe mode: your own shaders and networks are left out. There is no software adapter here, so {0} computes.</source>
        <translation>安全模式：不加载您自己的着色器和网络。此处没有软件适配器，因此使用 {0} 计算。</translation>
    </message>
    <message>
        <source>Safe mode: your own shaders, networks and the graphics card are left out.</source>
        <translation>安全模式：不加载您自己的着色器和网络，不使用显卡。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save a &amp;report of a problem...</source>
        <translation>保存问题报告(&amp;R)...</translation>
    </message>
    <message>
        <source>Save the chain as a p&amp;reset...</source>
        <translation>将滤镜链保存为预设(&amp;R)...</translation>
    </message>
    <message>
        <source>Save the chain as a preset</source>
        <translation>将滤镜链保存为预设</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Sources and library (Ctrl+B)</source>
        <translation>来源与库 (Ctrl+B)</translation>
    </message>
    <message>
        <source>Speed {0}×</source>
        <translation>速度 {0}×</translation>
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
        <source>Theme: {0}</source>
        <translation>主题：{0}</translation>
    </message>
    <message>
        <source>Toggle fa&amp;vourite</source>
        <translation>收藏或取消收藏(&amp;V)</translation>
    </message>
    <message>
        <source>Use the network {0}</source>
        <translation>使用网络 {0}</translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.webm *.mkv)</source>
        <translation>视频 (*.mp4 *.webm *.mkv)</translation>
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
        <source>{0} is there already. Replace it?</source>
        <translation>{0} 已存在。要替换它吗？</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the folder of {0}</source>
        <translation>显示 {0} 所在的文件夹</translation>
    </message>
</context>
<context>
    <name>tasks</name>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Depth estimation</source>
        <translation>深度估计</translation>
    </message>
    <message>
        <source>Object detection</source>
        <translation>物体检测</translation>
    </message>
    <message>
        <source>Segmentation</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Style transfer</source>
        <translation>风格迁移</translation>
    </message>
</context>
<context>
    <name>texts</name>
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
        <source>%n pictures</source>
        <translation>
            <numerusform>%n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsupported nodes</source>
        <translation>
            <numerusform>%n 个不支持的节点</numerusform>
        </translation>
    </message>
    <message>
        <source>0 is a grey relief, 1 the picture with the relief on it.</source>
        <translation>0 为灰色浮雕，1 为叠加浮雕的画面。</translation>
    </message>
    <message>
        <source>1 takes only light and dark from the network, and the colours from the picture.</source>
        <translation>1 表示只从网络取明暗，颜色取自画面。</translation>
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
        <source>A .cube file.</source>
        <translation>一个 .cube 文件。</translation>
    </message>
    <message>
        <source>A broken signal: displaced blocks, separated colours, dark lines; the same for the same frame number and seed.</source>
        <translation>受损的信号：错位的块、分离的颜色、暗线；相同的帧号和种子得到相同的结果。</translation>
    </message>
    <message>
        <source>A camera that films its own screen: the frame before comes back enlarged, turned and in another hue, again and again.</source>
        <translation>摄像机拍摄自己的屏幕：上一帧被放大、旋转并改变色相后一次又一次地回来。</translation>
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
        <source>A mask of 21 kinds of things; people are kind 15.</source>
        <translation>21 类物体的蒙版；人是第 15 类。</translation>
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
        <source>An .onnx file that tells classes of pixels apart, or the person mask in the box.</source>
        <translation>区分像素类别的 .onnx 文件，或随附的人物蒙版网络。</translation>
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
        <source>Characters in the picture&apos;s colours, or in one.</source>
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
        <source>Clockwise turn at the centre.</source>
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
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colour behind the characters.</source>
        <translation>字符背后的颜色。</translation>
    </message>
    <message>
        <source>Colour behind the picture.</source>
        <translation>画面背后的颜色。</translation>
    </message>
    <message>
        <source>Colour class 0</source>
        <translation>类别 0 着色</translation>
    </message>
    <message>
        <source>Colour difference that counts as an edge and is kept; smaller ones are smoothed away.</source>
        <translation>达到此色差即视为边缘并保留；更小的被平滑掉。</translation>
    </message>
    <message>
        <source>Colour fringes that grow towards the corners, as a lens leaves them when it enlarges red and blue differently.</source>
        <translation>向四角增大的彩边，如同镜头对红蓝放大率不同所致。</translation>
    </message>
    <message>
        <source>Colour of black.</source>
        <translation>黑色所用的颜色。</translation>
    </message>
    <message>
        <source>Colour of the characters.</source>
        <translation>字符的颜色。</translation>
    </message>
    <message>
        <source>Colour of the glow.</source>
        <translation>光晕的颜色。</translation>
    </message>
    <message>
        <source>Colour of the ink.</source>
        <translation>油墨的颜色。</translation>
    </message>
    <message>
        <source>Colour of the lines.</source>
        <translation>线条的颜色。</translation>
    </message>
    <message>
        <source>Colour of the paper.</source>
        <translation>纸张的颜色。</translation>
    </message>
    <message>
        <source>Colour of the screen.</source>
        <translation>幕布的颜色。</translation>
    </message>
    <message>
        <source>Colour of white.</source>
        <translation>白色所用的颜色。</translation>
    </message>
    <message>
        <source>Colour temperature of the light in the scene; a higher one makes the picture warmer.</source>
        <translation>场景光线的色温；越高画面越暖。</translation>
    </message>
    <message>
        <source>Colour the first class too, which is the background of most networks.</source>
        <translation>也给第一个类别着色；在多数网络中它是背景。</translation>
    </message>
    <message>
        <source>Colours from far to near.</source>
        <translation>由远到近的颜色。</translation>
    </message>
    <message>
        <source>Comic</source>
        <translation>漫画</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Contrast about middle grey, then brightness, then gamma, on the displayed values.</source>
        <translation>先以中灰为中心调对比度，再调亮度和伽马，作用于显示值。</translation>
    </message>
    <message>
        <source>Contrast of luma around the middle; 1 keeps it.</source>
        <translation>亮度信号围绕中间值的对比度；1 保持不变。</translation>
    </message>
    <message>
        <source>Contrast-limited adaptive histogram equalisation of luma: brings out detail in dark and bright parts alike.</source>
        <translation>限制对比度的自适应直方图均衡（亮度信号）：同时显出暗部和亮部的细节。</translation>
    </message>
    <message>
        <source>Corners</source>
        <translation>四角</translation>
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
        <source>Decay</source>
        <translation>衰减</translation>
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
        <source>Differences in luma below this stay as they are, so that noise is not sharpened.</source>
        <translation>低于此值的亮度差保持不变，以免锐化噪点。</translation>
    </message>
    <message>
        <source>Dim</source>
        <translation>变暗</translation>
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
        <source>Draws glowing lines along the edges over a darkened picture, as neon tubes.</source>
        <translation>在变暗的画面上沿边缘画出发光的线，如霓虹灯管。</translation>
    </message>
    <message>
        <source>Duotone</source>
        <translation>双色调</translation>
    </message>
    <message>
        <source>EV</source>
        <translation>EV</translation>
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
        <source>Emboss</source>
        <translation>浮雕</translation>
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
        <source>Equalize</source>
        <translation>均衡化</translation>
    </message>
    <message>
        <source>Estimates how near things are with a neural network, and shows it in colours or blurs what is out of focus.</source>
        <translation>用神经网络估计物体远近，以颜色显示，或模糊焦外部分。</translation>
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
        <source>Extra saturation that fades to none for colours that are already saturated.</source>
        <translation>额外的饱和度；对已经饱和的颜色逐渐减弱。</translation>
    </message>
    <message>
        <source>Factor about middle grey (0.5); 0 leaves a flat grey.</source>
        <translation>围绕中灰（0.5）的系数；0 为平坦的灰。</translation>
    </message>
    <message>
        <source>Factor for all colours; 0 is black and white.</source>
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
        <source>Falloff</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>FastestDet</source>
        <translation>FastestDet</translation>
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
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Film grain</source>
        <translation>胶片颗粒</translation>
    </message>
    <message>
        <source>Finds people with a neural network, and blurs, replaces or dims what is behind them.</source>
        <translation>用神经网络找到人物，模糊、替换或压暗其背后的内容。</translation>
    </message>
    <message>
        <source>Finds people, to blur, dim or replace what is behind them.</source>
        <translation>找到人物，以模糊、压暗或替换其背后的内容。</translation>
    </message>
    <message>
        <source>Fit it into the frame, cover the frame, stretch to it, or leave it where it was.</source>
        <translation>缩放至画面之内、覆盖画面、拉伸至画面，或留在原处。</translation>
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
        <source>Four process inks, or one ink on paper.</source>
        <translation>四色油墨，或纸上单色油墨。</translation>
    </message>
    <message>
        <source>Frame difference</source>
        <translation>帧差</translation>
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
        <source>Gaussian blur</source>
        <translation>高斯模糊</translation>
    </message>
    <message>
        <source>Geometry</source>
        <translation>几何</translation>
    </message>
    <message>
        <source>Gives each channel the median of its neighbourhood: removes specks and keeps edges.</source>
        <translation>对每个通道取邻域中值：去除斑点并保留边缘。</translation>
    </message>
    <message>
        <source>Glitch</source>
        <translation>故障效果</translation>
    </message>
    <message>
        <source>Glow</source>
        <translation>光晕</translation>
    </message>
    <message>
        <source>Gradient of luma (Sobel, a hard edge from black to white is 1) below which there is no line.</source>
        <translation>亮度梯度（Sobel，从黑到白的硬边为 1）低于此值时没有线条。</translation>
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
        <source>Guided smoothing</source>
        <translation>引导平滑</translation>
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
        <source>Hardness</source>
        <translation>硬度</translation>
    </message>
    <message>
        <source>Heat camera</source>
        <translation>热成像摄像机</translation>
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
        <source>Height of the relief.</source>
        <translation>浮雕的高度。</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
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
        <source>How far a character&apos;s colour is raised to full brightness, since its shape alone gives the tone.</source>
        <translation>字符颜色向全亮度提升的程度，因为字形本身已给出色调。</translation>
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
        <source>How far the lines take on the picture&apos;s colours.</source>
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
        <source>How long a disturbance stands still.</source>
        <translation>一次干扰停留的时间。</translation>
    </message>
    <message>
        <source>How much darker the corners are.</source>
        <translation>四角变暗的程度。</translation>
    </message>
    <message>
        <source>How much of the scattered light is added.</source>
        <translation>加入多少散射光。</translation>
    </message>
    <message>
        <source>How much the colours cover the picture.</source>
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
        <source>Hue</source>
        <translation>色相</translation>
    </message>
    <message>
        <source>Hz</source>
        <translation>Hz</translation>
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
        <source>ImageNet, 1,000 kinds of things</source>
        <translation>ImageNet，1000 类物体</translation>
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
        <source>Input black</source>
        <translation>输入黑点</translation>
    </message>
    <message>
        <source>Input colours</source>
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
        <source>Intensity</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反相</translation>
    </message>
    <message>
        <source>Jewel-coloured panes in dark lead.</source>
        <translation>深色铅条中宝石色的玻璃。</translation>
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
        <source>Keep colours</source>
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
        <source>Length of a streak as a share of the distance from the centre.</source>
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
        <source>Lights</source>
        <translation>亮调</translation>
    </message>
    <message>
        <source>Lights the picture from one side as if its luma were a relief.</source>
        <translation>把亮度当作浮雕，从一侧照亮画面。</translation>
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
        <source>Luma that gets the coldest colour.</source>
        <translation>取最冷颜色的亮度。</translation>
    </message>
    <message>
        <source>Luma that gets the hottest colour.</source>
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
        <source>Maps luma from one colour in the shadows to another in the lights.</source>
        <translation>把亮度从暗部的一种颜色映射到亮部的另一种颜色。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>蒙版</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中值</translation>
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
        <source>Mix of the picture and its negative; 0 changes nothing.</source>
        <translation>画面与其负片的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the curve&apos;s result.</source>
        <translation>画面与曲线结果的混合。</translation>
    </message>
    <message>
        <source>Mix of the picture and the equalised one; 0 changes nothing.</source>
        <translation>画面与均衡化画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the false colours; 0 changes nothing.</source>
        <translation>画面与伪彩色的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the graded picture.</source>
        <translation>画面与调色后画面的混合。</translation>
    </message>
    <message>
        <source>Mix of the picture and the grey one; 0 changes nothing.</source>
        <translation>画面与灰度画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the map.</source>
        <translation>画面与深度图的混合。</translation>
    </message>
    <message>
        <source>Mix of the picture and the median; 0 changes nothing.</source>
        <translation>画面与中值结果的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the repainted one; 0 changes nothing.</source>
        <translation>画面与重绘画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the smoothed one; 0 changes nothing.</source>
        <translation>画面与平滑画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the toned one; 0 changes nothing.</source>
        <translation>画面与着色画面的混合；0 不作改变。</translation>
    </message>
    <message>
        <source>Mix of the picture and the two colours.</source>
        <translation>画面与两种颜色的混合。</translation>
    </message>
    <message>
        <source>Mixes red, green and blue to one grey, as colour filters before a black-and-white film do.</source>
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
        <source>Night city</source>
        <translation>夜色城市</translation>
    </message>
    <message>
        <source>Nothing was recorded: no picture came while the recording ran.</source>
        <translation>没有录到任何内容：录制期间没有画面到来。</translation>
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
        <source>Own colour</source>
        <translation>自身颜色</translation>
    </message>
    <message>
        <source>PASCAL VOC, 20 kinds of things and background</source>
        <translation>PASCAL VOC，20 类物体和背景</translation>
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
        <source>Person mask</source>
        <translation>人物蒙版</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>画面</translation>
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
        <source>Posterize</source>
        <translation>色调分离</translation>
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
        <source>Put a colour behind, make it transparent, or show the matte.</source>
        <translation>在背后放一种颜色、使其透明，或显示遮罩。</translation>
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
        <source>Reads one handwritten digit, light on dark.</source>
        <translation>读出一个手写数字，深底浅字。</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红</translation>
    </message>
    <message>
        <source>Reduces the picture to a few colours with an ordered 8 x 8 pattern, as old displays and printers did.</source>
        <translation>用有序的 8 x 8 图案把画面减少到几种颜色，如同旧显示器和打印机。</translation>
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
        <source>Replaces every block by its mean colour.</source>
        <translation>把每个块换成其平均颜色。</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Rings around the centre, or straight waves.</source>
        <translation>围绕中心的圆环，或直波。</translation>
    </message>
    <message>
        <source>Ripple</source>
        <translation>波纹</translation>
    </message>
    <message>
        <source>Risograph</source>
        <translation>孔版印刷</translation>
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
        <source>Scales the distance of each colour from the grey of its luma; vibrance does so most where there is little colour.</source>
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
        <source>Share of blue in the grey.</source>
        <translation>蓝在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of green in the grey.</source>
        <translation>绿在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of red in the grey.</source>
        <translation>红在灰中的比例。</translation>
    </message>
    <message>
        <source>Share of the frame before that comes back; 0 switches it off.</source>
        <translation>上一帧返回的比例；0 关闭此效果。</translation>
    </message>
    <message>
        <source>Share of the grey in a colour that is printed in black ink instead of cyan, magenta and yellow.</source>
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
        <source>Shift of red outwards and of blue inwards in the corners; it is in proportion to the distance from the centre.</source>
        <translation>四角处红向外、蓝向内的偏移；与到中心的距离成正比。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the map in colours, or blur what is out of focus.</source>
        <translation>用颜色显示深度图，或模糊焦外部分。</translation>
    </message>
    <message>
        <source>Shows how steeply luma changes (3 x 3 Sobel operator).</source>
        <translation>显示亮度变化的陡峭程度（3 x 3 Sobel 算子）。</translation>
    </message>
    <message>
        <source>Shows luma in the false colours of a thermal camera.</source>
        <translation>以热像仪的伪彩色显示亮度。</translation>
    </message>
    <message>
        <source>Shows the classes that a neural network finds in the picture, each in a colour of its own.</source>
        <translation>显示神经网络在画面中找到的类别，每类一种颜色。</translation>
    </message>
    <message>
        <source>Shows what changed since the frame before.</source>
        <translation>显示自上一帧以来的变化。</translation>
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
        <source>Size of the change, change around grey, white where it passes the threshold, or the picture dimmed where nothing moves.</source>
        <translation>变化的大小、围绕灰的变化、超过阈值处显示白，或把静止处压暗的画面。</translation>
    </message>
    <message>
        <source>Size of the neighbourhood in pixels.</source>
        <translation>以像素计的邻域大小。</translation>
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
        <source>Smooths surfaces and keeps edges: a mean of near pixels of like colour.</source>
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
        <source>Spreads the luma of the whole picture evenly from black to white (histogram equalisation).</source>
        <translation>把整个画面的亮度从黑到白均匀展开（直方图均衡化）。</translation>
    </message>
    <message>
        <source>SqueezeNet</source>
        <translation>SqueezeNet</translation>
    </message>
    <message>
        <source>Stained glass</source>
        <translation>彩绘玻璃</translation>
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
        <source>Standard deviation of the grain in middle grey; dark and bright parts get less.</source>
        <translation>中灰处颗粒的标准差；暗部和亮部较少。</translation>
    </message>
    <message>
        <source>Standard deviation of the weight for colour, over the sum of the differences of the three channels.</source>
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
        <source>Steps of each primary, of luma, or from one colour to another.</source>
        <translation>每种原色、亮度或从一种颜色到另一种颜色的级数。</translation>
    </message>
    <message>
        <source>Steps of luma.</source>
        <translation>亮度的级数。</translation>
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
        <source>Strength of the colours; 1 keeps them.</source>
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
        <source>The centre of the twist.</source>
        <translation>扭曲的中心。</translation>
    </message>
    <message>
        <source>The channel that is changed.</source>
        <translation>所改变的通道。</translation>
    </message>
    <message>
        <source>The colours from cold to hot.</source>
        <translation>由冷到热的颜色。</translation>
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
        <source>The middle of the rings.</source>
        <translation>圆环的中心。</translation>
    </message>
    <message>
        <source>The order of the network&apos;s channels, where what was inferred is wrong.</source>
        <translation>网络的通道顺序，用于推断有误时。</translation>
    </message>
    <message>
        <source>The person mask in the box, or an .onnx file that gives a mask.</source>
        <translation>随附的人物蒙版网络，或输出蒙版的 .onnx 文件。</translation>
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
        <source>The report {name} cannot be written ({reason}); choose another folder.</source>
        <translation>无法写入报告 {name} ({reason})；请选择另一个文件夹。</translation>
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
        <source>The settings {path} are damaged and cannot be moved away ({reason}); delete the file.</source>
        <translation>设置 {path} 已损坏且无法移开 ({reason})；请删除该文件。</translation>
    </message>
    <message>
        <source>There is no picture to save yet; open a source first.</source>
        <translation>还没有可保存的画面；请先打开一个来源。</translation>
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
        <source>Three coarse halftone inks, printed a little out of register.</source>
        <translation>三种粗网点油墨，印刷略有错位。</translation>
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
        <source>Tiles across and down that each get a curve of their own; 1 equalises the picture as a whole.</source>
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
        <source>Time over which the mask is averaged, against flicker; what changes much is let through at once.</source>
        <translation>对蒙版作平均的时间，防止闪烁；变化大的立即通过。</translation>
    </message>
    <message>
        <source>Time over which the nearest and the farthest value are averaged, against flicker.</source>
        <translation>对最近值和最远值作平均的时间，防止闪烁。</translation>
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
        <source>Unsharp mask: adds the difference between the picture and a blurred copy.</source>
        <translation>反锐化蒙版：加上画面与其模糊副本之差。</translation>
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
        <source>Vignette</source>
        <translation>暗角</translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>What becomes of the background.</source>
        <translation>如何处理背景。</translation>
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
        <source>What was recorded until then is in {file}.</source>
        <translation>此前录制的内容在 {file} 中。</translation>
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
        <source>Where the darkening begins; 0 is the centre, 1 the corner.</source>
        <translation>变暗开始之处；0 为中心，1 为角。</translation>
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
        <source>Where the waves run to: 0 is right, 90 is down.</source>
        <translation>波的去向：0 为右，90 为下。</translation>
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
        <source>Working size</source>
        <translation>工作尺寸</translation>
    </message>
    <message>
        <source>Writes the picture in characters that are as bright as what they replace.</source>
        <translation>用与所替换内容同样明亮的字符书写画面。</translation>
    </message>
    <message>
        <source>YOLOX-Nano</source>
        <translation>YOLOX-Nano</translation>
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
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Zoom blur</source>
        <translation>变焦模糊</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
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
        <source>black</source>
        <translation>黑</translation>
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
        <source>cover</source>
        <translation>覆盖</translation>
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
        <source>edge</source>
        <translation>边缘</translation>
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
        <source>four-way</source>
        <translation>四向</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
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
        <source>highlight</source>
        <translation>突出</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>原位</translation>
    </message>
    <message>
        <source>iron</source>
        <translation>铁红</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保持</translation>
    </message>
    <message>
        <source>left half</source>
        <translation>左半部</translation>
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
        <source>mask</source>
        <translation>蒙版</translation>
    </message>
    <message>
        <source>matte</source>
        <translation>遮罩</translation>
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
        <source>none stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>onnxruntime</source>
        <translation>onnxruntime</translation>
    </message>
    <message>
        <source>onnxruntime on the CPU, because the wgpu engine does not take the model: {refused}</source>
        <translation>在 CPU 上使用 onnxruntime，因为 wgpu 不接受此模型：{refused}</translation>
    </message>
    <message>
        <source>onnxruntime was chosen by the user.</source>
        <translation>onnxruntime 由用户选择。</translation>
    </message>
    <message>
        <source>over_picture</source>
        <translation>叠加到画面</translation>
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
        <source>red</source>
        <translation>红</translation>
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
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>sea</source>
        <translation>海洋</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>有符号</translation>
    </message>
    <message>
        <source>stretch</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>there is no GPU device.</source>
        <translation>没有 GPU 设备。</translation>
    </message>
    <message>
        <source>top half</source>
        <translation>上半部</translation>
    </message>
    <message>
        <source>transparent</source>
        <translation>透明</translation>
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
        <source>waves</source>
        <translation>波</translation>
    </message>
    <message>
        <source>wgpu</source>
        <translation>wgpu</translation>
    </message>
    <message>
        <source>wgpu on a software adapter (slow), because onnxruntime does not take the model: {refused}</source>
        <translation>在软件适配器上使用 wgpu（较慢），因为 onnxruntime 不接受此模型：{refused}</translation>
    </message>
    <message>
        <source>wgpu was chosen by the user.</source>
        <translation>wgpu 由用户选择。</translation>
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
        <source>{adapter} is a GPU.</source>
        <translation>{adapter} 是 GPU。</translation>
    </message>
    <message>
        <source>{adapter} is a software adapter.</source>
        <translation>{adapter} 是软件适配器。</translation>
    </message>
    <message>
        <source>{backend} on {device}, {precision}: {reason}</source>
        <translation>{backend}，{device}，{precision}: {reason}</translation>
    </message>
    <message>
        <source>{title} could not be opened; try another source.</source>
        <translation>无法打开 {title}；请尝试其他来源。</translation>
    </message>
</context>
<context>
    <name>times</name>
    <message>
        <source>On a software adapter the times of single filters are unreliable: passes overlap there and share the processor&apos;s cores.</source>
        <translation>在软件适配器上，单个滤镜的计时不可靠：各遍运算在那里相互重叠并共用处理器核心。</translation>
    </message>
</context>
</TS>
