package claim

func chineseElements() []form {
	return []form{
		{"text-visible", `页面显示“已付款”`, []string{
			"<page> [<modal>] [<now>] <show> [<le>] {things}", "<page> {not} (显示|包含|含有|出现|展示|存在|列出) {things}", "<page> {lacks} {things}",
			"<user> [<modal>] <see> {things}", "<user> {not} (看到|看见|能看到) {things}", "<user> {unseen} {things}",
			"[<where>] [<modal>] <exist> [<le>] {things}", "[<where>] {lacks} {things}",
			"{things} [<modal>] [<now>] <appear> [<le>] [<where>]", "{things} {not} (出现|存在|显示) [<where>]", "{things} {vanish}", "{things} [<modal>] [在] [当前] (页面|屏幕|界面) [上|中] (可见|显示|出现)",
			"[在] {sub:around} <inside> [<modal>] (有|显示|存在|出现) {things}", "[在] {sub:around} <inside> {lacks} {things}", "{things} 在 {sub:around} <inside>", "{things} {not} 在 {sub:around} <inside>", "{things} [<modal>] (出现|显示) 在 {sub:around} <inside>",
		}},
		{"element-state", `“保存”按钮被禁用`, []string{"{things} [<now>] [<be>] {states} [的|了|状态]", "{things} [<now>] {not} [<be>] {states} [的|状态]", "{things} (处于|应处于|应该处于) {states} [状态]", "{focus:could} [应|应该] 在 {things} [上|中]"}},
		{"shown-with", `错误提示为“密码错误”`, []string{"[<art>] {noun} [<modal>] <is> {quote}", "[<art>] {noun} : {quote}", "{role} [的] {wording:link} [<modal>] (为|是|变为|变成|显示为|应为) {quote}", "{role} [的] 标题 <is> {quote:title}"}},
		{"element-text", `表格“订单”包含“茶”`, []string{"{sub} 以 {quote} {starts}", "[{sub}] [的] {ordinal} 行 [<modal>] {say} {things:inner}", "{sub} [<modal>] {say} {things:inner}", "{sub} {not} (显示|{containing:say}) {things:inner}", "{sub} 的 {exact} <is> {things:inner}", "{sub} 的 {exact} {isnot} {things:inner}"}},
		{"element-is", `标题为“订单”`, []string{"{sub} <is> {value}", "{sub} {isnot} {value}"}},
		{"field-value", `输入框“邮箱”的值为“a@b.example”`, []string{"{sub} [的] [当前|默认] (值|内容) <is> {value}", "{sub} [的] [当前|默认] (值|内容) {isnot} {value}"}},
		{"selected-option", `下拉框“国家”选中“意大利”`, []string{"{sub} [<now>] (选中|选中了|选择了|选择) {quote}", "{sub} {not} (选中|选择) {quote}", "{sub} [的] (选中项|已选项|选中值|当前选项) <is> {quote}", "{sub} 中 [<now>] (选中|选中了|选择了) {quote}", "{sub} 中 {quote} (被选中|已选中)"}},
		{"attribute", `输入框“邮箱”的占位符为“请输入邮箱”`, []string{"{sub} 的 {single:property} <is> {value}"}},
		{"link-target", `链接“文档”指向 /docs`, []string{"{sub} [应] (指向|跳转到|链接到) {path}", "{sub} 的 (地址|链接地址|网址) <is> {path}"}},
		{"field-error", `输入框“邮箱”显示错误“必填”`, []string{"{sub} 显示 (错误|错误信息|错误提示|错误消息) {quote}"}},
		{"count", `表格“订单”有 3 行`, []string{
			"{sub} [<inside>] [<modal>] (有|包含|共有|显示|共) {count} [<measure>] ({roles}|{line:roles}) ", "[<where>|<page>] [<modal>] (有|存在|显示|共有|包含) {count} [<measure>] ({roles}|{quote} [的] {roles}|{roles} {quote})", "{count} [<measure>] ({quote} [的] {roles}|{roles}) (可见|显示|被显示)",
			"{sub} [<inside>] [<modal>] {opcount:count} [<measure>] ({roles}|{line:roles})", "[<noun>] {quote} [只] (出现|显示|出现了) {times:count}", "[<where>|<page>] {opcount:count} [<measure>] ({roles}|{quote} [的] {roles})", "<page> [上] {quote} 出现 {times:count}", "<page> 显示 {quote} {times:count}",
		}},
		{"order", `“茶”在“咖啡”之前`, []string{"{sub:first} [<modal>] (在|位于|排在|显示在|出现在) {sub:second} [的] <before>", "{sub:first} [<modal>] (在|位于|排在|显示在|出现在) {sub:second} [的] {after}"}},
		{"sorted", `表格“订单”按“日期”降序排列`, []string{"{sub} [<now>] 按 [列] {quote} [列] {direction} (排列|排序)", "{sub} 按 {direction} (排列|排序)"}},
	}
}

func chinesePage() []form {
	return []form{
		{"title", `页面标题为“订单”`, []string{"(页面|网页|浏览器|标签页|文档) [的] 标题 <is> {quote}", "(页面|网页|浏览器|标签页|文档) [的] 标题 {isnot} {quote}", "(页面|网页|浏览器|标签页) [的] 标题 [<modal>] 显示 {quote}"}},
		{"address", `URL 为 /orders`, []string{"<address> <is> {path}", "<address> {isnot} {path}", "<address> 显示 [为] {path}", "当前 页面 (为|是) {path}", "<address> [<modal>] {how} ({path}|{quote})", "<address> {not} {how} ({path}|{quote})", "<address> [应] 以 ({path}|{quote}) {ending:how}", "[<user>|<page>] [<modal>] [<now>] [被] <moved> {path}", "<user> (在|位于|停留在) {path} [页面]"}},
		{"response", `GET /api/orders 返回 200`, []string{"<page> {loads:outcome}", "[请求|接口|调用] [{method}] {path} [的] [<modal>] <answers> [<unit>] {number} [<unit>]", "[{method}] {path} {not} 返回 {number}", "[响应|页面|http] [的] (状态码|状态) <is> {number}", "(页面|服务器|接口) <answers> [<unit>] {number}", "返回 <unit> {number}"}},
		{"request", `发送了 POST 请求到 /api/orders`, []string{"[<page>] (发送|发送了|发出|发出了|发起|发起了) [一个] [{method}] 请求 (到|至|给) {path}", "[<page>] (发起|发送|发出) [了] 对 {path} 的 [{method}] 请求", "[<page>] (向|对) {path} (发送|发送了|发出|发出了|发起|发起了) [一个] [{method}] 请求", "[<page>] {not} (发送|发出|发起) [{method}] 请求 (到|至|给) {path}", "[<page>] {not} (向|对) {path} (发送|发出|发起) [{method}] 请求"}},
		{"console", `控制台没有错误`, []string{"<console> [是] {clean} [的]", "<console> {lacks} <errors>", "<console> {not} (有|显示|出现|包含|输出) <errors>", "<console> (有|显示|出现|包含|存在) <errors>", "{lacks} 控制台 <errors>", "<console> {not} 报错"}},
		{"dialog", `弹出浏览器对话框“已保存”`, []string{"(弹出|出现|显示) [了] {dialog} [{quote}]", "{lacks} {dialog}", "{not} (弹出|出现|显示) {dialog} [{quote}]"}},
		{"popup", `打开了新标签页`, []string{"(打开|打开了|弹出) [一个] (新标签页|新窗口|新的标签页|新页签)", "{not} 打开 (新标签页|新窗口|新的标签页)", "(新标签页|新窗口|新的标签页) (打开|被打开|已打开)"}},
		{"download", `下载了文件“报告.csv”`, []string{"(下载|下载了|已下载) [文件] {quotes}", "文件 {quotes} 下载 (成功|完成)", "浏览器 (下载|下载了) [文件] {quotes}", "{not} 下载 [任何] 文件", "文件 {quotes} (已下载|被下载|下载完成|已被下载)", "{not} 下载 [文件] {quotes}", "[文件] {quotes} {not} [被] 下载"}},
		{"figure", `指标“收入”为 1,234`, []string{"<metric> {quote:label} <is> {amount}", "<metric> {quote:label} {isnot} {amount}", "{quote:label} <is> {amount}", "{quote:label} [的] <metric> <is> {amount}", "{total:label} <is> {amount}", "<metric> {quote:label} 显示 {amount}", "{quote:label} [的] [<metric>] 显示 {amount}", "{quote:label} 的 {price} <is> {amount}"}},
	}
}
