package script

import "strings"

// nameSet is a set of words.
type nameSet map[string]bool

func set(lists ...string) nameSet {
	all := nameSet{}
	for _, list := range lists {
		for _, name := range strings.Fields(list) {
			all[name] = true
		}
	}
	return all
}

// nodeWords returns what a node of plain JavaScript may say of itself, as its parser calls
// it. What is missing marks types, accessors and proposals.
func nodeWords() nameSet {
	return set("name value operator prefix kind computed static async generator method shorthand pattern flags tail sourceType importKind exportKind")
}

// globals returns the globals that a test may use.
func globals() nameSet {
	return set("undefined NaN Infinity Math JSON Number String Boolean Array Date RegExp URL URLSearchParams Promise parseInt " +
		"parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI")
}

// constructors returns the globals that a test may make values with.
func constructors() nameSet { return set("Date RegExp URL URLSearchParams") }

// reserved returns names that no variable may have: a reader takes them for something
// else, or the code around a test does.
func reserved() nameSet {
	return set("test expect require process module exports global globalThis window self Function eval arguments Buffer Object Reflect " +
		"Proxy Symbol WebAssembly Worker SharedArrayBuffer Atomics fetch setTimeout setInterval setImmediate queueMicrotask " +
		"console performance navigator structuredClone async let yield await static of get set")
}

// members returns the names of members that a test may use.
func members() nameSet {
	return set(
		// test
		"describe beforeEach afterEach beforeAll afterAll step use",
		// fixtures
		"page context baseURL browserName isMobile hasTouch",
		// Page, Frame and BrowserContext
		"goto reload goBack goForward close isClosed bringToFront title url viewportSize setViewportSize emulateMedia "+
			"waitForURL waitForLoadState waitForSelector waitForEvent waitForResponse waitForRequest on once keyboard mouse "+
			"touchscreen frame frames mainFrame frameLocator newPage pages cookies addCookies clearCookies grantPermissions clearPermissions setGeolocation setOffline",
		"press down up type insertText move wheel dblclick tap click",
		// Locator
		"locator getByRole getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId first last nth filter and "+
			"or all count fill clear check uncheck setChecked selectOption hover focus blur pressSequentially dragTo "+
			"scrollIntoViewIfNeeded waitFor isVisible isHidden isEnabled isDisabled isEditable isChecked innerText textContent "+
			"inputValue getAttribute allInnerTexts allTextContents boundingBox contentFrame ariaSnapshot name",
		// Dialog, Download, Response, Request, ConsoleMessage
		"accept dismiss message defaultValue suggestedFilename failure cancel status statusText ok headers json text method postData resourceType isNavigationRequest",
		// expect
		"not poll",
		// values
		"length trim trimStart trimEnd toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase includes startsWith endsWith "+
			"indexOf lastIndexOf slice substring split join concat repeat replaceAll replace padStart padEnd normalize match "+
			"matchAll localeCompare charAt at map flatMap flat some every find findIndex reduce forEach sort reverse push fill keys "+
			"values entries toFixed toISOString getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds now UTC "+
			"stringify isInteger isArray from of abs ceil floor round trunc min max pow sqrt sign hypot pathname search "+
			"searchParams hash host hostname origin href protocol port get has x y width height",
	)
}

// matchers returns the matchers of expectations, and whether they have to be awaited.
func matchers() map[string]bool {
	all := map[string]bool{}
	for name := range set("toBeAttached toBeChecked toBeDisabled toBeEditable toBeEmpty toBeEnabled toBeFocused toBeHidden toBeInViewport " +
		"toBeVisible toContainText toContainClass toHaveAccessibleDescription toHaveAccessibleErrorMessage toHaveAccessibleName " +
		"toHaveAttribute toHaveClass toHaveCount toHaveCSS toHaveId toHaveRole toHaveText toHaveTitle toHaveURL toHaveValue toHaveValues toMatchAriaSnapshot") {
		all[name] = true
	}
	for name := range set("toBe toEqual toStrictEqual toContain toContainEqual toMatch toMatchObject toHaveLength toBeCloseTo " +
		"toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual") {
		all[name] = false
	}
	return all
}

// textMatchers returns the matchers that any text satisfies when they look for nothing.
func textMatchers() nameSet {
	return set("toContainText toHaveText toHaveURL toHaveTitle toHaveValue toHaveAttribute toContain toMatch toHaveClass toHaveAccessibleName toHaveAccessibleDescription toMatchAriaSnapshot")
}

// keys returns names that no object literal may have: options with which Playwright
// starts programs, reads and writes files, reaches other hosts or looks less closely,
// and names that the language itself looks at.
func keys() nameSet {
	return set(
		"path paths dir files buffer outputDir snapshotPathTemplate recordHar recordVideo har storageState executablePath "+
			"launchOptions connectOptions contextOptions args ignoreDefaultArgs env channel wsEndpoint exposeNetwork userDataDir downloadsPath tracesDir screenshot video trace",
		"proxy httpCredentials extraHTTPHeaders ignoreHTTPSErrors clientCertificates serviceWorkers bypassCSP javaScriptEnabled acceptDownloads",
		"force noWaitAfter trial retries retry repeatEach soft strict ignoreCase intervals mode fullyParallel forbidOnly grep grepInvert maxDiffPixels maxDiffPixelRatio threshold update",
		"__proto__ prototype constructor then catch finally toString valueOf toJSON toPrimitive apply call bind",
	)
}

// useSettings returns the settings that test.use may have.
func useSettings() nameSet {
	return set("viewport locale timezoneId colorScheme reducedMotion geolocation permissions isMobile hasTouch deviceScaleFactor userAgent width height latitude longitude accuracy")
}

// immediate returns the members whose calls are statements that nothing awaits.
func immediate() nameSet {
	return set("describe beforeEach afterEach beforeAll afterAll use on once push sort reverse")
}

// unaryOperators and binaryOperators return the operators that a test may use.
func unaryOperators() nameSet { return set("! - + typeof") }

func binaryOperators() nameSet { return set("+ - * % ** == != === !== < > <= >=") }
