package claim

// chinese returns the table of Chinese. Each character is a word of its own, and no
// space is needed between a quotation and what follows it.
func chinese() *language {
	return &language{code: "zh", name: "Chinese", roles: chineseRoles(), classes: merged(chineseNouns(), chineseVerbs(), chineseStates(), chinesePageWords()),
		forms: extended(append(chineseElements(), chinesePage()...), chineseSteps())}
}

func chineseRoles() []roleWords {
	both := func(words, role string) roleWords { return roleWords{words, words, role} }
	return []roleWords{
		both("按钮|按键", "button"), both("链接|超链接", "link"), both("标题", "heading"), both("文本框|文本域|密码框", "textbox"), both("输入框|字段|输入栏", "field"), both("搜索框", "searchfield"),
		both("复选框|勾选框", "checkbox"), both("单选按钮|单选框", "radio"), both("开关", "switch"), both("下拉框|下拉列表|下拉菜单|选择框", "dropdown"), both("组合框", "combobox"), both("选项", "option"),
		both("标签页|选项卡|页签", "tab"), both("[确认|提示] (对话框|弹窗|模态框|弹框)", "dialog"), both("警告框", "alert"), both("状态栏", "status"), both("表格", "table"), both("表格行|数据行", "row"), both("列标题|表头", "columnheader"), both("单元格", "cell"),
		both("列表", "list"), both("列表项", "listitem"), both("图片|图像", "img"), both("菜单", "menu"), both("菜单项", "menuitem"), both("进度条", "progressbar"), both("滑块", "slider"), both("表单", "form"), both("导航栏|导航", "navigation"), both("区域", "region"), both("工具提示", "tooltip"), both("工具栏", "toolbar"), both("页脚|页尾", "contentinfo"),
	}
}

func chineseNouns() map[string][]row {
	return map[string][]row{
		"art":    {{"一个|一条", "a"}, {"这个|该|此|这些", "the"}},
		"noun":   {{"文本|文字|内容|字样", "text"}, {"[错误|成功|提示|警告|确认] (消息|信息|提示)|错误|提示|警告|通知", "message"}},
		"link":   {{"名为|名称为|叫做", "name"}},
		"base":   rows("[<art>] [<noun2>] {quote}", "[<art>] {noun} [:] {quotes}", "{quotes} [的|这个|这条] {noun}", "[<art>] {role} {quote}", "[<art>] {quote} [的] {role}", "[<art>] {quotes} [这] [两个|三个|些] {roles}", "{link} {quote} 的 {role}", "[<art>] {role}"),
		"noun2":  rows("文案"),
		"sub":    rows("{base}", "[在] {base:around} <inside> [的] {base}", "{base:around} 的 {base}"),
		"inside": rows("中|里|内|上|里面|之中"), "and": rows("和|与|及|以及|,|还有|、"), "then": append(rows("并且|且|而且|而|,|, 并且|, 且|, 而|, 而且|.|;|并|, 并"), row{"但|但是|, 但|, 但是", "but"}),
		"both": rows("全部"), "it": rows("它|其"), "end": rows(".|!"),
		"intro":  rows("(验证|检查|确认|确保|断言) [:|,]", "(那么|然后|并且|而且|且|但是|但|同时) [,]", "(预期|预期结果|期望结果|期望) [:]"),
		"number": {{"二|两", "2"}, {"三", "3"}, {"四", "4"}, {"五", "5"}, {"六", "6"}, {"七", "7"}, {"八", "8"}, {"九", "9"}, {"十", "10"}, {"十一", "11"}, {"十二", "12"}, {"零", "0"}},
		"op":     {{"恰好|正好|只有|仅有|共|一共|恰好有|共有", "="}, {"至少|不少于|最少|至少有|不少于", ">="}, {"最多|不多于|不超过|至多|最多有", "<="}, {"超过|多于|大于", ">"}, {"少于|小于", "<"}},
		"count":  rows("{number}", "{op} {number}", "{op} {one:number}"), "opcount": rows("{op} {number}", "{op} {one:number}"), "one": {{"一", "1"}}, "measure": rows("个|条|项|张|篇"),
		"times": rows("{one:number} (次|处|遍)", "{op} {one:number} (次|处|遍)", "{number} (次|处|遍)", "{op} {number} (次|处|遍)"),
	}
}

func chineseVerbs() map[string][]row {
	return map[string][]row{
		"modal": rows("应|应该|应当|必须|需要|会|将|须"), "now": rows("默认|现在|已|已经|也|都|正"),
		"not":  {{"不|未|没有|没|不再|并未|不会|尚未|并不|未被|没有被|不被|不是", "not"}, {"不 <modal> [再|被]", "not"}, {"<modal> 不|应未", "not"}},
		"page": rows("[当前|该|这个|整个] (页面|网页|界面|屏幕|系统|应用|网站|页) [上|中|里]"),
		"user": rows("用户|我|我们|你|您|使用者"),
		"show": rows("显示|展示|包含|含有|出现|列出|提示|弹出|给出|呈现|显示了|包含了|显示出|有"), "say": {{"显示|显示了|展示|写着|提示", "shows"}, {"<containing>|包含了", "contains"}}, "containing": {{"包含|含有", "contains"}}, "focus": {{"焦点", "focused"}}, "wording": {{"文字|文本|文案", "text"}},
		"see": rows("看到|看见|看到了|能看到|可以看到|能够看到|看见了|能看见|可以看见|能够看见"), "unseen": {{"看不到|看不见|不能看到|无法看到|不能再看到|不应 [该] [再] 看到|不再看到|不会看到", "not"}},
		"appear": rows("出现|存在|显示|弹出|出现了|显示出来"), "vanish": {{"消失|消失了|不见了|已消失", "not"}},
		"exist": rows("有|存在|出现|显示|应有|应该有|弹出|提示|展示"), "lacks": {{"没有|不存在|不显示|不出现|不再显示|不再出现|不会出现|不会显示|没有出现|未显示|未出现|不应出现|不应该出现|不应该显示|不提示|不应提示|不弹出|没有显示|不应有|不应显示|无|不应该有", "not"}},
		"where": rows("在 [当前] (页面|屏幕|界面) [上|中]|页面上|页面中"), "le": rows("了|出来|着"),
		"before": rows("之前|前面|前"), "after": {{"之后|后面|后", "after"}},
	}
}

func chineseStates() map[string][]row {
	return map[string][]row{
		"be":  rows("是|处于|应|应该|应当|必须|应为|应处于|已|已经|被|已被|会|现在|应被|应该被|应该是|可以|已经被|将"),
		"nor": {{"不|未|没有", "not"}},
		"state": {{"可见|显示|看到|显示在页面上|出现", "visible"}, {"隐藏", "!visible"}, {"启用|可用|可点击|点击状态|启用状态|可用状态|可点击状态", "enabled"}, {"能 [够] 点击|可以点击|能被点击|可以被点击", "enabled"}, {"(不能|无法|不可|不可以) [再|被] (点|点击)|不能使用|无法使用", "!enabled"}, {"[为|是|呈|变为|变成] 灰色 [,] [且|并且|而且|并] (不能|无法|不可|不可以) [再|被] (点|点击)", "!enabled"}, {"置灰 (不可点击|不可点)", "!enabled"}, {"禁用|禁用状态|置灰|灰显", "!enabled"},
			{"选中|选中状态", "selected"}, {"勾选|勾选状态|打勾", "checked"}, {"为空|空|空的|清空", "empty"}, {"可编辑", "editable"}, {"只读", "readonly"}, {"展开|展开状态", "expanded"}, {"收起|折叠|收起状态", "!expanded"}, {"打开|打开状态|开启", "open"}, {"关闭|关闭状态", "!open"}, {"获得焦点|有焦点|聚焦", "focused"}},
		"exact": {{"文本|文字|内容", "exact"}}, "metric": rows("指标|数字|数值|指标卡|卡片"), "total": {{"总计", "总计"}, {"合计", "合计"}, {"小计", "小计"}, {"总价", "总价"}, {"价格", "价格"}, {"总金额", "总金额"}, {"折扣", "折扣"}, {"优惠", "优惠"}, {"余额", "余额"}},
		"is": rows("是|为|等于|应为|应该是|应等于|显示为|应该为|应是"), "isnot": {{"不是|不为|不等于|不应为|不应是", "not"}},
		"direction": {{"升序", "ascending"}, {"降序", "descending"}},
		"price":     {{"价格|单价", "money"}}, "loads": {{"加载|加载完成|打开", "ok"}}, "starts": {{"开头|开始", "starts"}}, "ordinal": {{"第一|首|第 1", "0"}, {"最后一|末", "-1"}},
		"single": {{"占位符|占位文本", "placeholder"}},
	}
}

func chinesePageWords() map[string][]row {
	return map[string][]row{
		"address": rows("[当前|页面|浏览器] [的] (url|网址|地址|页面地址|链接地址|路径|地址栏)"),
		"ending":  {{"结尾|结束", "ends"}, {"开头|开始", "starts"}}, "line": {{"行数据|行记录|行|数据|记录", "row"}, {"列", "columnheader"}, {"项|项目|列表项|条目", "listitem"}},
		"how": {{"包含|含有|包括", "contains"}}, "moved": rows("重定向到|跳转到|跳转至|重定向至|导航到|进入|转到|来到|停留在"),
		"console": rows("[浏览器] 控制台 [中|里|上]"), "errors": rows("错误|报错|错误信息|错误日志"), "clean": {{"干净|无错误|无报错", "clean"}},
		"answers": rows("返回|响应|返回了|返回状态码|响应状态码为|的状态码为|的状态码是|的响应状态码为|返回的状态码为|应返回"), "unit": rows("状态码|状态"),
		"method": {{"get", "GET"}, {"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}, {"delete", "DELETE"}},
		"dialog": {{"浏览器 (警告框|弹窗|警告)", "alert"}, {"浏览器 (确认框|确认弹窗)", "confirm"}, {"浏览器 对话框", ""}},
	}
}
