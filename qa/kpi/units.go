package kpi

import (
	"slices"
	"strings"
)

// scales lists the words and letters that stand for powers of ten, in lower case
// but for the letters whose case matters.
var scales = map[string]int{
	"k": 3, "K": 3, "tsd": 3, "tsd.": 3, "thousand": 3, "тыс": 3, "тыс.": 3, "mila": 3,
	"M": 6, "MM": 6, "mio": 6, "mio.": 6, "mill": 6, "mill.": 6, "mn": 6, "mln": 6, "mln.": 6, "million": 6, "millions": 6, "millionen": 6, "млн": 6, "млн.": 6,
	"B": 9, "bn": 9, "bn.": 9, "billion": 9, "billions": 9, "mrd": 9, "mrd.": 9, "mld": 9, "mld.": 9, "md": 9, "md.": 9, "milliarden": 9, "млрд": 9, "млрд.": 9,
	"T": 12, "tn": 12, "trillion": 12, "bio.": 12, "трлн": 12,
	"千": 3, "万": 4, "萬": 4, "억": 8, "만": 4, "億": 8, "亿": 8, "兆": 12,
	"lakh": 5, "lakhs": 5, "lac": 5, "crore": 7, "crores": 7, "cr": 7, "cr.": 7,
}

// scaleOf returns the power of ten of a word. sure is false where the word is more
// often something else: 5m is minutes or metres as well as millions.
func scaleOf(word string) (power int, sure, ok bool) {
	if n, ok := scales[word]; ok {
		return n, true, true
	}
	if word == "m" {
		return 6, false, true
	}
	if len([]rune(word)) > 1 {
		if n, ok := scales[strings.ToLower(word)]; ok {
			return n, true, true
		}
	}
	return 0, false, false
}

// percentWords say what a number counts in.
var percentWords = map[string]string{
	"%": UnitPercent, "percent": UnitPercent, "pct": UnitPercent, "prozent": UnitPercent, "procent": UnitPercent, "per cent": UnitPercent,
	"pp": UnitPoints, "pp.": UnitPoints, "p.p.": UnitPoints, "ppt": UnitPoints, "%-punkte": UnitPoints, "percentage points": UnitPoints, "prozentpunkte": UnitPoints,
	"‰": UnitPermille,
}

// signs lists currency signs by what they may stand for; the first is what they
// stand for most often. A sign with several meanings agrees with each.
var signs = map[string][]string{
	"$":   {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP", "BRL"},
	"US$": {"USD"}, "CA$": {"CAD"}, "C$": {"CAD"}, "A$": {"AUD"}, "AU$": {"AUD"}, "NZ$": {"NZD"}, "HK$": {"HKD"}, "S$": {"SGD"}, "MX$": {"MXN"}, "NT$": {"TWD"}, "R$": {"BRL"},
	"€": {"EUR"}, "£": {"GBP", "EGP", "LBP"}, "¥": {"JPY", "CNY"}, "￥": {"JPY", "CNY"}, "JP¥": {"JPY"}, "CN¥": {"CNY"}, "元": {"CNY", "TWD"}, "円": {"JPY"}, "₹": {"INR"}, "Rs": {"INR", "PKR", "LKR", "NPR"}, "Rs.": {"INR", "PKR", "LKR", "NPR"},
	"₽": {"RUB"}, "руб.": {"RUB"}, "₩": {"KRW"}, "원": {"KRW"}, "₺": {"TRY"}, "₪": {"ILS"}, "₴": {"UAH"}, "฿": {"THB"}, "₫": {"VND"}, "₱": {"PHP"}, "₦": {"NGN"}, "₿": {"BTC"}, "₸": {"KZT"},
	"zł": {"PLN"}, "Kč": {"CZK"}, "Ft": {"HUF"}, "lei": {"RON"}, "лв.": {"BGN"}, "kr": {"SEK", "NOK", "DKK", "ISK"}, "kr.": {"DKK", "SEK", "NOK", "ISK"}, "Fr.": {"CHF"}, "SFr.": {"CHF"},
	"د.إ": {"AED"}, "ر.س": {"SAR"}, "ج.م": {"EGP"},
}

// codes lists the ISO 4217 codes that are recognised beside a number.
var codes = strings.Fields("USD EUR GBP JPY CNY CHF CAD AUD NZD HKD SGD MXN TWD BRL INR PKR LKR NPR RUB KRW TRY ILS UAH THB VND PHP NGN PLN CZK HUF RON BGN SEK NOK DKK ISK " +
	"AED SAR EGP LBP ARS CLP COP KZT IDR MYR ZAR KES MAD QAR KWD BHD PEN UYU RSD BTC")

// currencyOf recognises a currency: its code, or its sign as it stands.
func currencyOf(word string) (string, bool) {
	if slices.Contains(codes, word) {
		return word, true
	}
	meanings, ok := signs[word]
	if ok && len(meanings) == 1 {
		return meanings[0], true
	}
	return word, ok
}

// sameCurrency reports whether two currencies can be the same: a sign agrees
// with every code that it may stand for.
func sameCurrency(a, b string) bool {
	return a == b || slices.Contains(signs[a], b) || slices.Contains(signs[b], a)
}

// convention by language. Where regions differ, the tag with the region comes
// first; a language that is not here settles nothing.
var conventions = map[string]Convention{
	"de-ch": '.', "de-li": '.', "it-ch": '.', "es-mx": '.', "es-us": '.', "es-419": '.', "es-gt": '.', "es-pe": '.', "es-pr": '.', "es-do": '.', "es-hn": '.', "es-ni": '.', "es-pa": '.', "es-sv": '.', "en-za": 0, "pt-mz": ',', "en-at": ',', "en-de": ',',
	"en": '.', "ja": '.', "zh": '.', "ko": '.', "th": '.', "he": '.', "hi": '.', "bn": '.', "ms": '.', "ga": '.', "mt": '.', "cy": '.', "fil": '.', "sw": '.', "ta": '.', "te": '.', "mr": '.', "gu": '.', "ur": '.',
	"de": ',', "fr": ',', "es": ',', "it": ',', "pt": ',', "nl": ',', "pl": ',', "ru": ',', "uk": ',', "cs": ',', "sk": ',', "sv": ',', "da": ',', "nb": ',', "nn": ',', "no": ',', "fi": ',', "tr": ',', "el": ',', "hu": ',', "ro": ',', "bg": ',', "hr": ',', "sr": ',',
	"sl": ',', "lt": ',', "lv": ',', "et": ',', "id": ',', "vi": ',', "ca": ',', "eu": ',', "gl": ',', "is": ',', "be": ',', "kk": ',', "az": ',', "ka": ',', "mk": ',', "bs": ',', "sq": ',', "af": ',',
}

// ConventionOf returns how a language such as de-AT writes decimals; 0 where that
// does not settle it.
func ConventionOf(tag string) Convention {
	tag = strings.ToLower(strings.ReplaceAll(tag, "_", "-"))
	parts := strings.Split(tag, "-")
	if len(parts) > 1 {
		if c, ok := conventions[parts[0]+"-"+parts[len(parts)-1]]; ok {
			return c
		}
	}
	return conventions[parts[0]]
}
