package claim

// chineseSteps returns the patterns of steps: who sees is left out, or the page is.
func chineseSteps() map[string][]string {
	return map[string][]string{
		"text-visible": {
			"[<modal>] [<now>] <see> [<where>] {things}", "{not} (看到|看见|能看到) {things}", "{unseen} {things}", "<user> [<modal>] [<now>] <see> [<where>] {things} [<le>]", "<user> [<where>] [<modal>] <see> {things}", "<user> [<where>] {unseen} {things}", "<user> [<where>] {not} (看到|看见|能看到) {things}",
			"[<user>] [在] {sub:around} <inside> [<modal>] <see> {things}", "[<user>] [在] {sub:around} <inside> ({unseen}|{not} (看到|看见)) {things}", "[<user>] <where> ({unseen}|{not} (看到|看见)) {things}",
			"<page> [<modal>] [<now>] <appear> [<le>] [一个|一条] {things}", "<page> {not} (弹出|提示|给出) {things}", "<where> {not} (显示|包含|出现|提示|弹出) {things}", "{not} (弹出|提示) {things}",
			"{things} [<modal>] [<now>] 被 (显示|展示) [<le>] [<where>]", "{things} {not} [被] (展示|弹出)", "[在] {sub:around} <inside> [<modal>] (包含|展示|看到|列出) {things}", "[在] {sub:around} <inside> {not} (包含|显示|出现|有|看到) {things}",
		},
		"element-text":    {"{sub} [<inside>] [<modal>] [<now>] {say} [<le>] {things:inner}", "{sub} <inside> {not} (显示|包含|含有) {things:inner}"},
		"element-state":   {"{things} [<modal>] (为|是|变为|变成|显示为) {states} [的]", "{things} [<modal>] {not} 为 {states}"},
		"field-value":     {"{sub} (中|里|内) 的 [当前] (值|内容) <is> {value}", "{sub} [的] 值 [<modal>] (等于|是|为) {value}"},
		"element-is":      {"{sub} [<modal>] [已] (填写|填入|填充) [<le>|为] {value}"},
		"selected-option": {"{sub} [<modal>] [<now>] (选中|选中了|选择了|选择) [的是|选项|为] {quote}", "{sub} (中|里) [的]  {quote} [<modal>] (被选中|已选中|处于选中状态)", "{sub} [的] (选中值|选中项|当前值|已选值) [<modal>] (是|为|等于) {quote}"},
		"link-target":     {"{sub} [<modal>] (指向|跳转到|链接到|跳转至) {path}"},
		"field-error":     {"{sub} [<modal>] [下方|下面] (显示|提示) (错误|错误信息|错误提示|错误消息) {quote}"},
		"count": {
			"[<user>] [<modal>] [<now>] <see> {count} [<measure>] ({roles}|{quote} [的] {roles})", "{sub} [<inside>|中|里] [<modal>] (有|包含|共有|显示|共|展示|列出) {count} [<measure>] ({roles}|{line:roles})", "[在] {sub} <inside> [<modal>] <see> {count} [<measure>] ({roles}|{line:roles})", "{sub} (的 行数|行数) <is> {count} [行]",
		},
		"title": {"(页面|网页) 标题 (:|=) {quote}", "(页面|网页|浏览器|标签页|文档) [的] 标题 [<modal>] (是|为|等于|显示为|变为) {quote}"},
		"address": {
			"<address> (:|=) {path}",
			"[<user>] [<modal>] [<now>] (在|位于|停留在|处于|仍在) {path} [页面|页]", "[<user>|<page>] {not} [被] <moved> {path}", "<address> [<modal>] (变为|变成|等于|是|为) {path}", "[<user>|<page>] [<modal>] [<now>] [会] [自动] [被] <moved> {path} [页面|页]",
		},
		"response": {"[响应|页面|http] [的] (状态码|状态) [<modal>] (是|为|等于) {number}", "(页面|服务器|接口) [<modal>] 返回 [<unit>] {number} [<unit>]"},
		"console":  {"<console> [<modal>] {lacks} [任何] <errors>", "<console> {not} (有|显示|出现|包含|输出|存在) [任何] <errors>", "<console> [<modal>] {clean}", "{lacks} [任何] 控制台 <errors>", "[在] <console> {not} [有] 报错"},
		"request":  {"[<page>] [<modal>] (向|对) {path} (发送|发送了|发出|发出了|发起|发起了) [了] [一个|一次] [{method}] 请求"},
		"dialog":   {"[<page>] [<modal>] (弹出|出现|显示) [了] [一个] {dialog} [{quote}]"},
		"popup":    {"[<modal>] [在] [一个] (新标签页|新窗口|新的标签页|新页签) [中] 打开 [了] {path}", "{path} 在 (新标签页|新窗口|新的标签页|新页签) [中] 打开"},
		"download": {"[<page>|<user>] [<modal>] [已] 下载 [了] [文件] {quotes}", "[文件] {quotes} [<modal>] (被下载|已下载|下载完成|已被下载)"},
		"figure":   {"{total:label} [<modal>] 显示 [为] {amount}", "{quote:label} [<modal>] (等于|是|为|显示为) {amount}", "{total:label} [<modal>] (等于|是|为|显示为) {amount}", "{total:label} {isnot} {amount}", "{quote:label} {isnot} {amount}"},
	}
}
