package health

import "regexp"

// knownPage describes an error page by what it always says. All that is given has
// to be there; bare pages have nothing else.
type knownPage struct {
	of      string
	title   *regexp.Regexp
	heading *regexp.Regexp
	body    *regexp.Regexp
	bare    bool
}

func re(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	return regexp.MustCompile(`(?i)` + pattern)
}

func page(of, title, heading, body string) knownPage {
	return knownPage{of: of, title: re(title), heading: re(heading), body: re(body)}
}

func barePage(of, title, heading, body string) knownPage {
	k := page(of, title, heading, body)
	k.bare = true
	return k
}

// knownPages lists the error pages that a status line alone does not give away.
var knownPages = []knownPage{
	// Gateways and delivery networks.
	page("Cloudflare", `\| (?:5\d\d|1\d\d\d): |^Attention Required! \| Cloudflare|^Access denied \||^DNS resolution error \||^Just a moment\.\.\.$|\| Cloudflare$`, "",
		`Ray ID|Error code 5\d\d|Error 1\d\d\d|you have been blocked|Verif(?:y|ying) you are human|Performance & security by Cloudflare|needs to review the security`),
	page("CloudFront", `^ERROR: The request could not be satisfied`, `^(?:\d{3} ERROR|The request could not be satisfied\.?)`, ""),
	barePage("Envoy", `^$`, `^(?:upstream connect error or disconnect/reset before headers|upstream request timeout|no healthy upstream|RBAC: access denied|no route matched)`, ""),
	barePage("HAProxy", `^$`, `^(?:408|40[0-9]|429|50[0-4]) `, `No server is available to handle this request|The server didn't respond in time|server returned an invalid or incomplete response|browser sent an invalid request|Your browser didn't send a complete request|Request forbidden by administrative rules|An internal server error occur+ed`),
	page("Varnish", `^\d{3} `, `^Error \d{3} `, `Guru Meditation|Varnish cache server`),
	barePage("a Kubernetes ingress", `^$`, `^default backend - \d{3}|^no available server$`, ""),
	page("Squid", `^(?:ERROR|FEHLER|ERREUR|ERRORE|ERRO|ОШИБКА|错误) ?[:：]`, `^(?:ERROR|FEHLER|ERREUR|ERRORE|ERRO|ОШИБКА|错误)`, `\(squid|squid/|cache administrator`),
	page("Akamai", `^(?:Access Denied|Invalid URL|Error)$`, `^(?:Access Denied|Invalid URL|An error occurred)`, `Reference #\d`),
	barePage("Fastly", "", `Fastly error: unknown domain`, ""),
	barePage("Imperva", "", `Incapsula incident ID`, ""),
	page("Google", `^Error \d{3} \(.+\)!!1`, "", `^\d{3}\. `),
	page("Google", `^\d{3} Server Error$`, `^Error: Server Error`, ""),
	page("Azure", `(?:Azure|Web App|App Service|Front Door)`, "", `web app is stopped|Web App - Unavailable|web app (?:you have )?(?:is )?(?:currently )?(?:not available|unavailable)|404 Web Site not found|services aren't available right now|unable to find your Azure Front Door`),
	barePage("Azure Front Door", "", `^Our services aren't available right now`, ""),
	page("Heroku", `^(?:Heroku \| )?(?:Application Error|No such app|Offline for Maintenance)$`, "", `could not be served|no app configured at that hostname|This application is offline for maintenance|error occurred in the application`),
	page("Netlify", `^(?:Page|Site) not found$`, `^(?:Page|Site) not found`, `broken link or entered a URL that doesn't exist|Netlify`),
	page("Vercel", `^(?:4|5)\d\d: ?[A-Z_]+$|^\w+: [A-Z_]{8,}$`, "", `\bCode: ?\W?[A-Z_]{8,}|ID: ?\W?\w{3,5}\d?::`),
	page("GitHub Pages", `(?:Site|Page) not found · GitHub Pages`, `^404`, ""),
	page("Firebase", `^(?:Page|Site) Not Found$`, `^(?:Page|Site) Not Found|^404`, `Firebase|specified file was not found on this website|Why am I seeing this`),
	barePage("ngrok", "", "", `ERR_NGROK_\d+`),
	barePage("a hosting platform", "", `^(?:Application failed to respond|Service Suspended|This service has been suspended|Train has not arrived at the station|There isn't a GitHub Pages site here)`, ""),
	page("S3", "", "", `<Code>(?:NoSuchKey|NoSuchBucket|AccessDenied|PermanentRedirect|InvalidRequest|AllAccessDisabled)</Code>|Code: (?:NoSuchKey|NoSuchBucket|AccessDenied|NoSuchWebsiteConfiguration)|^(?:NoSuchKey|NoSuchBucket|AccessDenied)\n`),
	// Servers.
	page("LiteSpeed", `^ ?\d{3} `, `^\d{3}$`, `LiteSpeed`),
	page("IIS", `IIS [\d.]+ .*\d{3}|^\d{3}(?:\.\d+)? - .+`, `^(?:HTTP Error \d{3}|Server Error|Server-?fehler|Erreur (?:du )?serveur|Error del? servidor|Errore del server|\d{3} - .+)`, ""),
	page("http.sys", "", "", `^[^\n]{3,60}\nHTTP Error \d{3}\. `),
	page("ASP.NET", "", `^(?:Server Error in '.*' Application\.|Serverfehler in der Anwendung|Erreur (?:de|du) serveur dans l['’]application|Error de servidor en la aplicación|Errore server nell['’]applicazione|Erro de Servidor no Aplicativo|Ошибка сервера в приложении|.*应用程序中的服务器错误)`, ""),
	page("Tomcat", `^(?:HTTP Status|HTTP[- ]?Status|État HTTP|Estado HTTP|Stato HTTP|HTTPステータス|HTTP状态|Состояние HTTP|Apache Tomcat.*(?:Error|Fehler|erreur)).*`, `^(?:HTTP Status|HTTP[- ]?Status|État HTTP|Estado HTTP|Stato HTTP|HTTPステータス|HTTP状态|Состояние HTTP) ?[–-]? ?\d{3}`, ""),
	page("Jetty", `^Error \d{3}`, `^HTTP ERROR:? \d{3}`, ""),
	page("WebLogic", `^Error \d{3}--`, `^Error \d{3}--`, ""),
	page("a Java server", `Error report$`, `^HTTP Status \d{3}`, ""),
	barePage("Undertow", `^Error$`, `^(?:\d{3} - |Internal Server Error|Not Found|Forbidden|Error processing request)`, ""),
	barePage("WebSphere", "", `^(?:Error \d{3}: |SRVE\d{4}E)`, `SRVE\d{4}[EW]|\.\w*Exception|WebContainer`),
	page("Apache", `^(?:Object not found|Server error|Access forbidden|Authentication required|Objekt nicht gefunden|Serverfehler|Zugriff verweigert|Objet non trouvé|Erreur du serveur|Accès interdit|¡?Objeto no localizado|Oggetto non trovato|Object niet gevonden)\s?!$`, `!$`, ""),
	barePage("Phusion Passenger", `^(?:We're sorry, but something went wrong|Web application could not be started)`, `^(?:We're sorry, but something went wrong|Web application could not be started|This website is under heavy load)`, ""),
	barePage("Puma", "", `^(?:Puma caught this error|An unhandled lowlevel error occurred)`, ""),
	// Frameworks.
	page("Spring", "", `^Whitelabel Error Page`, ""),
	page("Django", `^(?:Page not found at /|\w+ at /)`, `^(?:Page not found|\w+ at /)`, `DEBUG = True|Exception Type|Using the URLconf|Request Method`),
	page("Django", `^(?:Server Error \(500\)|403 Forbidden|Bad Request \(400\))`, `^(?:Server Error \(500\)|Forbidden \(403\)|Bad Request \(400\))`, ""),
	page("Werkzeug", `// Werkzeug Debugger$`, `^\w+(?:Error|Exception|\b)`, ""),
	page("Rails", `\((?:4|5)\d\d(?: [\w ]+)?\)$`, `^(?:The page you were looking for doesn['’]t exist|We['’]re sorry, but something went wrong|The change you wanted was rejected|Your browser is not supported|The server cannot process the request)`, ""),
	page("Rails", `^Action Controller: Exception caught`, "", `Rails\.root|Routing Error|Error|Exception`),
	page("Sinatra", "", `^Sinatra doesn['’]t know this ditty`, ""),
	page("Laravel", `^(?:Not Found|Server Error|Forbidden|Unauthorized|Page Expired|Service Unavailable|Too Many Requests|Payment Required)$`, `^(?:40[1-4]|419|429|500|503)`, ""),
	page("Laravel", `^(?:🧨|🔥)|^\S+ - Internal Server Error$`, "", `(?i:exception|laravel|PHP \d)`),
	page("Symfony", `^(?:An Error Occurred: |.*\((?:4|5)\d\d [\w ]+\)$)`, `^(?:Oops! An Error Occurred|The server returned a|.*(?:Exception|No route found|Error).*)`, ""),
	page("WordPress", `^WordPress (?:›|&rsaquo;|>) `, "", `critical error|kritischer? Fehler|kritischen Fehler|erreur critique|error crítico|errore critico|erro crítico|kritieke fout|database connection|Datenbankverbindung`),
	barePage("WordPress", "", `^(?:Error establishing a database connection|Fehler beim Aufbau einer Datenbankverbindung|Erreur lors de la connexion à la base de données|Error al establecer una conexión con la base de datos|Briefly unavailable for scheduled maintenance)`, ""),
	barePage("WordPress", "", `^(?:There has been a critical error on this website|Es gab einen kritischen Fehler auf deiner Website|Il y a eu une erreur critique sur ce site|Ha habido un error crítico en esta web)`, ""),
	barePage("Drupal", "", `^The website encountered an unexpected error`, ""),
	page("CodeIgniter", "", `^(?:404 Page Not Found|404 - File Not Found|A PHP Error was encountered|A Database Error Occurred|An Error Was Encountered|Whoops!$)`, `The page you requested was not found|can['’]?t find a route|Sorry! Cannot seem to find|Severity:|Error Number:|hit a snag|controller or its method is not found`),
	page("Slim", `^(?:Slim Application Error|\d{3} )`, `^(?:Slim Application Error|\d{3} )`, `website error has occurred|could not be found`),
	page("Magento", `^There has been an error processing your request`, `^There has been an error processing your request`, ""),
	page("TYPO3", "", `^Oops, an error occurred!`, `Code: ?\d|Template paths|Could not`),
	page("Express", `^Error$`, `^(?:Cannot (?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /|(?:\w*Error|Error): [\s\S]*at |Internal Server Error$|Not Found$)`, ""),
	barePage("Node", "^(?:Error)?$", `^Cannot (?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /`, ""),
	page("Next.js", `^\d{3}: `, `^(?:\d{3}$|This page could not be found\.?$|Internal Server Error\.?$|An unexpected error has occurred|Application error)`, `This page could not be found|Internal Server Error|unexpected error has occurred|Application error`),
	barePage("Next.js", "", `^(?:404 )?This page could not be found\.$|^Application error: a (?:client|server)-side exception has occurred`, ""),
	barePage("Nuxt", "", `^(?:4|5)\d\d$`, `^(?:4|5)\d\d\n(?:Page not found: |An error (?:has )?occurred while|Server Error|The page you are looking for)`),
	page("Nuxt", `^(?:4|5)\d\d - |This page could not be found`, `^(?:(?:4|5)\d\d$|This page could not be found)`, ""),
	page("Remix", `^(?:Application Error!?|Unexpected Server Error)$`, `^(?:Application Error|Unexpected Server Error)`, ""),
	page("React Router", "", `^Unexpected Application Error!`, ""),
	page("Gatsby", "", `^Gatsby\.js development 404 page`, ""),
	page("Astro", `^(?:404: Not Found|Error|.*Error)$`, `^(?:404: ?Not Found|An error occurred\.?)`, ""),
	page("Phoenix", ` at (?:GET|POST|PUT|PATCH|DELETE) /`, ` at (?:GET|POST|PUT|PATCH|DELETE) /`, ""),
	page("Play", `^(?:Action Not Found|Oops, an error occurred|Execution exception|Compilation error)`, `^(?:Action Not Found|Oops, an error occurred|Execution exception|Compilation error)`, ""),
	page("ASP.NET Core", `^(?:Internal Server Error|Error(?: - .*)?)$`, `^(?:An unhandled exception occurred while processing the request|An error occurred while processing your request|Error\.)`, `unhandled exception|An error occurred while processing your request`),
	barePage("ASP.NET Core", "^$", `^Status Code: [45]\d\d; `, ""),
	barePage("Vert.x", "", `^Resource not found$`, `^<?Resource not found`),
	page("Jenkins", `Jenkins`, `^Oops!`, `A problem occurred while processing the request`),
	page("Grails", `Grails`, `^(?:Grails Runtime Exception|Error 500|Page Not Found \(404\))`, ""),
	page("ColdFusion", `^Error Occurred While Processing Request`, "", `Error Occurred While Processing Request`),
	page("Bottle", `^Error: \d{3} `, `^Error: \d{3} `, ""),
	page("Quarkus", `^(?:Internal Server Error|Resource Not Found|Error)\b.*`, `^(?:Internal Server Error|Resource Not Found|404 - Resource Not Found|Error id)`, `Error id|Stack|REST endpoints|additional endpoints|Resource Not Found`),
	barePage("Streamlit", "", `^Oh no\.$`, `Error running app`),
	barePage("a Java server", "", `^(?:There is no Action mapped for|HTTP Status \d{3})`, ""),
	// The browser itself.
	page("the browser", "", `^(?:This site can['’]t be reached|This page isn['’]t working|Your connection is not private|Hmm\. We['’]re having trouble finding that site)`, `ERR_[A-Z_]{4,}|HTTP ERROR \d{3}|SSL_ERROR|NET::`),
}
