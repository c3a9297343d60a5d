package health

import "github.com/assay-qa/assay/pattern"

// knownPage describes an error page by what it always says. All that is given has
// to be there; bare pages have nothing else.
type knownPage struct {
	of      string
	title   *pattern.Pattern
	heading *pattern.Pattern
	body    *pattern.Pattern
	bare    bool
}

// knownPages lists the error pages that a status line alone does not give away.
var knownPages = []knownPage{
	// Gateways and delivery networks.
	{of: "Cloudflare", title: pattern.New(`(?i)\| (?:5\d\d|1\d\d\d): |^Attention Required! \| Cloudflare|^Access denied \||^DNS resolution error \||^Just a moment\.\.\.$|\| Cloudflare$`),
		body: pattern.New(`(?i)Ray ID|Error code 5\d\d|Error 1\d\d\d|you have been blocked|Verif(?:y|ying) you are human|Performance & security by Cloudflare|needs to review the security`)},
	{of: "CloudFront", title: pattern.New(`(?i)^ERROR: The request could not be satisfied`), heading: pattern.New(`(?i)^(?:\d{3} ERROR|The request could not be satisfied\.?)`)},
	{of: "Envoy", title: pattern.New(`(?i)^$`), heading: pattern.New(`(?i)^(?:upstream connect error or disconnect/reset before headers|upstream request timeout|no healthy upstream|RBAC: access denied|no route matched)`), bare: true},
	{of: "HAProxy", title: pattern.New(`(?i)^$`), heading: pattern.New(`(?i)^(?:408|40[0-9]|429|50[0-4]) `), body: pattern.New(`(?i)No server is available to handle this request|The server didn't respond in time|server returned an invalid or incomplete response|browser sent an invalid request|Your browser didn't send a complete request|Request forbidden by administrative rules|An internal server error occur+ed`), bare: true},
	{of: "Varnish", title: pattern.New(`(?i)^\d{3} `), heading: pattern.New(`(?i)^Error \d{3} `), body: pattern.New(`(?i)Guru Meditation|Varnish cache server`)},
	{of: "a Kubernetes ingress", title: pattern.New(`(?i)^$`), heading: pattern.New(`(?i)^default backend - \d{3}|^no available server$`), bare: true},
	{of: "Squid", title: pattern.New(`(?i)^(?:ERROR|FEHLER|ERREUR|ERRORE|ERRO|ОШИБКА|错误) ?[:：]`), heading: pattern.New(`(?i)^(?:ERROR|FEHLER|ERREUR|ERRORE|ERRO|ОШИБКА|错误)`), body: pattern.New(`(?i)\(squid|squid/|cache administrator`)},
	{of: "Akamai", title: pattern.New(`(?i)^(?:Access Denied|Invalid URL|Error)$`), heading: pattern.New(`(?i)^(?:Access Denied|Invalid URL|An error occurred)`), body: pattern.New(`(?i)Reference #\d`)},
	{of: "Fastly", heading: pattern.New(`(?i)Fastly error: unknown domain`), bare: true},
	{of: "Imperva", heading: pattern.New(`(?i)Incapsula incident ID`), bare: true},
	{of: "Google", title: pattern.New(`(?i)^Error \d{3} \(.+\)!!1`), body: pattern.New(`(?i)^\d{3}\. `)},
	{of: "Google", title: pattern.New(`(?i)^\d{3} Server Error$`), heading: pattern.New(`(?i)^Error: Server Error`)},
	{of: "Azure", title: pattern.New(`(?i)(?:Azure|Web App|App Service|Front Door)`), body: pattern.New(`(?i)web app is stopped|Web App - Unavailable|web app (?:you have )?(?:is )?(?:currently )?(?:not available|unavailable)|404 Web Site not found|services aren't available right now|unable to find your Azure Front Door`)},
	{of: "Azure Front Door", heading: pattern.New(`(?i)^Our services aren't available right now`), bare: true},
	{of: "Heroku", title: pattern.New(`(?i)^(?:Heroku \| )?(?:Application Error|No such app|Offline for Maintenance)$`), body: pattern.New(`(?i)could not be served|no app configured at that hostname|This application is offline for maintenance|error occurred in the application`)},
	{of: "Netlify", title: pattern.New(`(?i)^(?:Page|Site) not found$`), heading: pattern.New(`(?i)^(?:Page|Site) not found`), body: pattern.New(`(?i)broken link or entered a URL that doesn't exist|Netlify`)},
	{of: "Vercel", title: pattern.New(`(?i)^(?:4|5)\d\d: ?[A-Z_]+$|^\w+: [A-Z_]{8,}$`), body: pattern.New(`(?i)\bCode: ?\W?[A-Z_]{8,}|ID: ?\W?\w{3,5}\d?::`)},
	{of: "GitHub Pages", title: pattern.New(`(?i)(?:Site|Page) not found · GitHub Pages`), heading: pattern.New(`(?i)^404`)},
	{of: "Firebase", title: pattern.New(`(?i)^(?:Page|Site) Not Found$`), heading: pattern.New(`(?i)^(?:Page|Site) Not Found|^404`), body: pattern.New(`(?i)Firebase|specified file was not found on this website|Why am I seeing this`)},
	{of: "ngrok", body: pattern.New(`(?i)ERR_NGROK_\d+`), bare: true},
	{of: "a hosting platform", heading: pattern.New(`(?i)^(?:Application failed to respond|Service Suspended|This service has been suspended|Train has not arrived at the station|There isn't a GitHub Pages site here)`), bare: true},
	{of: "S3", body: pattern.New(`(?i)<Code>(?:NoSuchKey|NoSuchBucket|AccessDenied|PermanentRedirect|InvalidRequest|AllAccessDisabled)</Code>|Code: (?:NoSuchKey|NoSuchBucket|AccessDenied|NoSuchWebsiteConfiguration)|^(?:NoSuchKey|NoSuchBucket|AccessDenied)\n`)},
	// Servers.
	{of: "LiteSpeed", title: pattern.New(`(?i)^ ?\d{3} `), heading: pattern.New(`(?i)^\d{3}$`), body: pattern.New(`(?i)LiteSpeed`)},
	{of: "IIS", title: pattern.New(`(?i)IIS [\d.]+ .*\d{3}|^\d{3}(?:\.\d+)? - .+`), heading: pattern.New(`(?i)^(?:HTTP Error \d{3}|Server Error|Server-?fehler|Erreur (?:du )?serveur|Error del? servidor|Errore del server|\d{3} - .+)`)},
	{of: "http.sys", body: pattern.New(`(?i)^[^\n]{3,60}\nHTTP Error \d{3}\. `)},
	{of: "ASP.NET", heading: pattern.New(`(?i)^(?:Server Error in '.*' Application\.|Serverfehler in der Anwendung|Erreur (?:de|du) serveur dans l['’]application|Error de servidor en la aplicación|Errore server nell['’]applicazione|Erro de Servidor no Aplicativo|Ошибка сервера в приложении|.*应用程序中的服务器错误)`)},
	{of: "Tomcat", title: pattern.New(`(?i)^(?:HTTP Status|HTTP[- ]?Status|État HTTP|Estado HTTP|Stato HTTP|HTTPステータス|HTTP状态|Состояние HTTP|Apache Tomcat.*(?:Error|Fehler|erreur)).*`), heading: pattern.New(`(?i)^(?:HTTP Status|HTTP[- ]?Status|État HTTP|Estado HTTP|Stato HTTP|HTTPステータス|HTTP状态|Состояние HTTP) ?[–-]? ?\d{3}`)},
	{of: "Jetty", title: pattern.New(`(?i)^Error \d{3}`), heading: pattern.New(`(?i)^HTTP ERROR:? \d{3}`)},
	{of: "WebLogic", title: pattern.New(`(?i)^Error \d{3}--`), heading: pattern.New(`(?i)^Error \d{3}--`)},
	{of: "a Java server", title: pattern.New(`(?i)Error report$`), heading: pattern.New(`(?i)^HTTP Status \d{3}`)},
	{of: "Undertow", title: pattern.New(`(?i)^Error$`), heading: pattern.New(`(?i)^(?:\d{3} - |Internal Server Error|Not Found|Forbidden|Error processing request)`), bare: true},
	{of: "WebSphere", heading: pattern.New(`(?i)^(?:Error \d{3}: |SRVE\d{4}E)`), body: pattern.New(`(?i)SRVE\d{4}[EW]|\.\w*Exception|WebContainer`), bare: true},
	{of: "Apache", title: pattern.New(`(?i)^(?:Object not found|Server error|Access forbidden|Authentication required|Objekt nicht gefunden|Serverfehler|Zugriff verweigert|Objet non trouvé|Erreur du serveur|Accès interdit|¡?Objeto no localizado|Oggetto non trovato|Object niet gevonden)\s?!$`), heading: pattern.New(`(?i)!$`)},
	{of: "Phusion Passenger", title: pattern.New(`(?i)^(?:We're sorry, but something went wrong|Web application could not be started)`), heading: pattern.New(`(?i)^(?:We're sorry, but something went wrong|Web application could not be started|This website is under heavy load)`), bare: true},
	{of: "Puma", heading: pattern.New(`(?i)^(?:Puma caught this error|An unhandled lowlevel error occurred)`), bare: true},
	// Frameworks.
	{of: "Spring", heading: pattern.New(`(?i)^Whitelabel Error Page`)},
	{of: "Django", title: pattern.New(`(?i)^(?:Page not found at /|\w+ at /)`), heading: pattern.New(`(?i)^(?:Page not found|\w+ at /)`), body: pattern.New(`(?i)DEBUG = True|Exception Type|Using the URLconf|Request Method`)},
	{of: "Django", title: pattern.New(`(?i)^(?:Server Error \(500\)|403 Forbidden|Bad Request \(400\))`), heading: pattern.New(`(?i)^(?:Server Error \(500\)|Forbidden \(403\)|Bad Request \(400\))`)},
	{of: "Werkzeug", title: pattern.New(`(?i)// Werkzeug Debugger$`), heading: pattern.New(`(?i)^\w+(?:Error|Exception|\b)`)},
	{of: "Rails", title: pattern.New(`(?i)\((?:4|5)\d\d(?: [\w ]+)?\)$`), heading: pattern.New(`(?i)^(?:The page you were looking for doesn['’]t exist|We['’]re sorry, but something went wrong|The change you wanted was rejected|Your browser is not supported|The server cannot process the request)`)},
	{of: "Rails", title: pattern.New(`(?i)^Action Controller: Exception caught`), body: pattern.New(`(?i)Rails\.root|Routing Error|Error|Exception`)},
	{of: "Sinatra", heading: pattern.New(`(?i)^Sinatra doesn['’]t know this ditty`)},
	{of: "Laravel", title: pattern.New(`(?i)^(?:Not Found|Server Error|Forbidden|Unauthorized|Page Expired|Service Unavailable|Too Many Requests|Payment Required)$`), heading: pattern.New(`(?i)^(?:40[1-4]|419|429|500|503)`)},
	{of: "Laravel", title: pattern.New(`(?i)^(?:🧨|🔥)|^\S+ - Internal Server Error$`), body: pattern.New(`(?i)(?i:exception|laravel|PHP \d)`)},
	{of: "Symfony", title: pattern.New(`(?i)^(?:An Error Occurred: |.*\((?:4|5)\d\d [\w ]+\)$)`), heading: pattern.New(`(?i)^(?:Oops! An Error Occurred|The server returned a|.*(?:Exception|No route found|Error).*)`)},
	{of: "WordPress", title: pattern.New(`(?i)^WordPress (?:›|&rsaquo;|>) `), body: pattern.New(`(?i)critical error|kritischer? Fehler|kritischen Fehler|erreur critique|error crítico|errore critico|erro crítico|kritieke fout|database connection|Datenbankverbindung`)},
	{of: "WordPress", heading: pattern.New(`(?i)^(?:Error establishing a database connection|Fehler beim Aufbau einer Datenbankverbindung|Erreur lors de la connexion à la base de données|Error al establecer una conexión con la base de datos|Briefly unavailable for scheduled maintenance)`), bare: true},
	{of: "WordPress", heading: pattern.New(`(?i)^(?:There has been a critical error on this website|Es gab einen kritischen Fehler auf deiner Website|Il y a eu une erreur critique sur ce site|Ha habido un error crítico en esta web)`), bare: true},
	{of: "Drupal", heading: pattern.New(`(?i)^The website encountered an unexpected error`), bare: true},
	{of: "CodeIgniter", heading: pattern.New(`(?i)^(?:404 Page Not Found|404 - File Not Found|A PHP Error was encountered|A Database Error Occurred|An Error Was Encountered|Whoops!$)`), body: pattern.New(`(?i)The page you requested was not found|can['’]?t find a route|Sorry! Cannot seem to find|Severity:|Error Number:|hit a snag|controller or its method is not found`)},
	{of: "Slim", title: pattern.New(`(?i)^(?:Slim Application Error|\d{3} )`), heading: pattern.New(`(?i)^(?:Slim Application Error|\d{3} )`), body: pattern.New(`(?i)website error has occurred|could not be found`)},
	{of: "Magento", title: pattern.New(`(?i)^There has been an error processing your request`), heading: pattern.New(`(?i)^There has been an error processing your request`)},
	{of: "TYPO3", heading: pattern.New(`(?i)^Oops, an error occurred!`), body: pattern.New(`(?i)Code: ?\d|Template paths|Could not`)},
	{of: "Express", title: pattern.New(`(?i)^Error$`), heading: pattern.New(`(?i)^(?:Cannot (?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /|(?:\w*Error|Error): [\s\S]*at |Internal Server Error$|Not Found$)`)},
	{of: "Node", title: pattern.New(`(?i)^(?:Error)?$`), heading: pattern.New(`(?i)^Cannot (?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /`), bare: true},
	{of: "Next.js", title: pattern.New(`(?i)^\d{3}: `), heading: pattern.New(`(?i)^(?:\d{3}$|This page could not be found\.?$|Internal Server Error\.?$|An unexpected error has occurred|Application error)`), body: pattern.New(`(?i)This page could not be found|Internal Server Error|unexpected error has occurred|Application error`)},
	{of: "Next.js", heading: pattern.New(`(?i)^(?:404 )?This page could not be found\.$|^Application error: a (?:client|server)-side exception has occurred`), bare: true},
	{of: "Nuxt", heading: pattern.New(`(?i)^(?:4|5)\d\d$`), body: pattern.New(`(?i)^(?:4|5)\d\d\n(?:Page not found: |An error (?:has )?occurred while|Server Error|The page you are looking for)`), bare: true},
	{of: "Nuxt", title: pattern.New(`(?i)^(?:4|5)\d\d - |This page could not be found`), heading: pattern.New(`(?i)^(?:(?:4|5)\d\d$|This page could not be found)`)},
	{of: "Remix", title: pattern.New(`(?i)^(?:Application Error!?|Unexpected Server Error)$`), heading: pattern.New(`(?i)^(?:Application Error|Unexpected Server Error)`)},
	{of: "React Router", heading: pattern.New(`(?i)^Unexpected Application Error!`)},
	{of: "Gatsby", heading: pattern.New(`(?i)^Gatsby\.js development 404 page`)},
	{of: "Astro", title: pattern.New(`(?i)^(?:404: Not Found|Error|.*Error)$`), heading: pattern.New(`(?i)^(?:404: ?Not Found|An error occurred\.?)`)},
	{of: "Phoenix", title: pattern.New(`(?i) at (?:GET|POST|PUT|PATCH|DELETE) /`), heading: pattern.New(`(?i) at (?:GET|POST|PUT|PATCH|DELETE) /`)},
	{of: "Play", title: pattern.New(`(?i)^(?:Action Not Found|Oops, an error occurred|Execution exception|Compilation error)`), heading: pattern.New(`(?i)^(?:Action Not Found|Oops, an error occurred|Execution exception|Compilation error)`)},
	{of: "ASP.NET Core", title: pattern.New(`(?i)^(?:Internal Server Error|Error(?: - .*)?)$`), heading: pattern.New(`(?i)^(?:An unhandled exception occurred while processing the request|An error occurred while processing your request|Error\.)`), body: pattern.New(`(?i)unhandled exception|An error occurred while processing your request`)},
	{of: "ASP.NET Core", title: pattern.New(`(?i)^$`), heading: pattern.New(`(?i)^Status Code: [45]\d\d; `), bare: true},
	{of: "Vert.x", heading: pattern.New(`(?i)^Resource not found$`), body: pattern.New(`(?i)^<?Resource not found`), bare: true},
	{of: "Jenkins", title: pattern.New(`(?i)Jenkins`), heading: pattern.New(`(?i)^Oops!`), body: pattern.New(`(?i)A problem occurred while processing the request`)},
	{of: "Grails", title: pattern.New(`(?i)Grails`), heading: pattern.New(`(?i)^(?:Grails Runtime Exception|Error 500|Page Not Found \(404\))`)},
	{of: "ColdFusion", title: pattern.New(`(?i)^Error Occurred While Processing Request`), body: pattern.New(`(?i)Error Occurred While Processing Request`)},
	{of: "Bottle", title: pattern.New(`(?i)^Error: \d{3} `), heading: pattern.New(`(?i)^Error: \d{3} `)},
	{of: "Quarkus", title: pattern.New(`(?i)^(?:Internal Server Error|Resource Not Found|Error)\b.*`), heading: pattern.New(`(?i)^(?:Internal Server Error|Resource Not Found|404 - Resource Not Found|Error id)`), body: pattern.New(`(?i)Error id|Stack|REST endpoints|additional endpoints|Resource Not Found`)},
	{of: "Streamlit", heading: pattern.New(`(?i)^Oh no\.$`), body: pattern.New(`(?i)Error running app`), bare: true},
	{of: "a Java server", heading: pattern.New(`(?i)^(?:There is no Action mapped for|HTTP Status \d{3})`), bare: true},
	// The browser itself.
	{of: "the browser", heading: pattern.New(`(?i)^(?:This site can['’]t be reached|This page isn['’]t working|Your connection is not private|Hmm\. We['’]re having trouble finding that site)`), body: pattern.New(`(?i)ERR_[A-Z_]{4,}|HTTP ERROR \d{3}|SSL_ERROR|NET::`)},
}
