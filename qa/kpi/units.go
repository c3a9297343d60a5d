package kpi

import (
	"slices"
	"strings"
)

// percentWords say what a number counts in.
var percentWords = map[string]string{
	"%": UnitPercent, "percent": UnitPercent, "pct": UnitPercent, "prozent": UnitPercent, "procent": UnitPercent, "per cent": UnitPercent, "pro cent": UnitPercent, "pour cent": UnitPercent, "por ciento": UnitPercent, "per cento": UnitPercent, "por cento": UnitPercent,
	"pp": UnitPoints, "percentage point": UnitPoints, "puntos porcentuales": UnitPoints, "punti percentuali": UnitPoints, "pontos percentuais": UnitPoints, "punkty procentowe": UnitPoints, "punktów procentowych": UnitPoints, "procentpunten": UnitPoints, "procentpoint": UnitPoints, "procentenheter": UnitPoints, "prosentpoeng": UnitPoints, "pp.": UnitPoints, "p.p.": UnitPoints, "ppt": UnitPoints, "%-punkte": UnitPoints, "percentage points": UnitPoints, "prozentpunkte": UnitPoints,
	"‰": UnitPermille, "per mille": UnitPermille, "per mil": UnitPermille, "pro mille": UnitPermille, "pour mille": UnitPermille, "por mil": UnitPermille, "promille": UnitPermille, "bps": UnitBasisPoints, "bp": UnitBasisPoints, "basis points": UnitBasisPoints, "basispunkte": UnitBasisPoints,
}

// signs lists currency signs by what they may stand for; the first is what they
// stand for most often. A sign with several meanings agrees with each.
var signs = map[string][]string{
	"$":   {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP", "BRL"},
	"US$": {"USD"}, "CA$": {"CAD"}, "C$": {"CAD"}, "A$": {"AUD"}, "AU$": {"AUD"}, "NZ$": {"NZD"}, "HK$": {"HKD"}, "S$": {"SGD"}, "MX$": {"MXN"}, "NT$": {"TWD"}, "R$": {"BRL"},
	"€": {"EUR"}, "£": {"GBP", "EGP", "LBP"}, "¥": {"JPY", "CNY"}, "￥": {"JPY", "CNY"}, "JP¥": {"JPY"}, "CN¥": {"CNY"}, "元": {"CNY", "TWD"}, "円": {"JPY"}, "₹": {"INR"}, "Rs": {"INR", "PKR", "LKR", "NPR"}, "Rs.": {"INR", "PKR", "LKR", "NPR"},
	"₽": {"RUB"}, "руб.": {"RUB"}, "₩": {"KRW"}, "원": {"KRW"}, "₺": {"TRY"}, "₪": {"ILS"}, "₴": {"UAH"}, "฿": {"THB"}, "₫": {"VND"}, "₱": {"PHP"}, "₦": {"NGN"}, "₿": {"BTC"}, "₸": {"KZT"},
	"zł": {"PLN"}, "Kč": {"CZK"}, "Ft": {"HUF"}, "lei": {"RON"}, "лв.": {"BGN"}, "kr": {"SEK", "NOK", "DKK", "ISK"}, "kr.": {"DKK", "SEK", "NOK", "ISK"}, "Fr.": {"CHF"}, "SFr.": {"CHF"},
	"dollar": {"USD", "CAD", "AUD", "NZD", "HKD", "SGD"}, "dollars": {"USD", "CAD", "AUD", "NZD", "HKD", "SGD"}, "euro": {"EUR"}, "euros": {"EUR"}, "Euro": {"EUR"},
	"د.إ": {"AED"}, "ر.س": {"SAR"}, "ج.م": {"EGP"},
}

// moreDecimals lists the currencies whose minor unit is less than a hundredth: those of
// ISO 4217 with three decimals or four, and the coins of no state.
var moreDecimals = strings.Fields("BHD CLF IQD JOD KWD LYD OMR TND UYW BTC")

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

// agreeingCurrencies reports whether a shown currency is the expected one. likely:
// the expected sign stands for it too, and for another one first, as $ does for CAD.
func agreeingCurrencies(shown, want string) (agree, likely bool) {
	if shown == "" || want == "" {
		return true, false
	}
	if meanings := signs[want]; shown != want && len(meanings) > 1 && slices.Contains(codes, shown) && meanings[0] != shown {
		return false, slices.Contains(meanings, shown)
	}
	return sameCurrency(shown, want), false
}

// sameCurrency reports whether two currencies can be the same: a sign agrees
// with every code that it may stand for.
func sameCurrency(a, b string) bool {
	return a == b || slices.Contains(signs[a], b) || slices.Contains(signs[b], a)
}
