package guard

// lookAlike returns the Latin letter that a letter looks like; itself if there
// is none. NFKC has taken care of full-width, circled and mathematical ones. The
// pairs are those of UTS #39 among the scripts that share shapes with Latin.
func lookAlike(r rune) rune {
	if r < 0x80 {
		return r
	}
	switch {
	case r >= 0x1F150 && r <= 0x1F169: // 🅐
		return 'a' + r - 0x1F150
	case r >= 0x1F170 && r <= 0x1F189: // 🅰
		return 'a' + r - 0x1F170
	}
	switch r {
	case 'а', 'А', 'α', 'Α', 'ɑ', 'ᴀ', 'Ꭺ', 'ա', 'ⱥ', 'Ⱥ':
		return 'a'
	case 'В', 'в', 'Β', 'β', 'ʙ', 'Ᏼ', 'Ь', 'ь', 'ƀ', 'ɓ':
		return 'b'
	case 'с', 'С', 'ϲ', 'Ϲ', 'ᴄ', 'Ꮯ', 'ⅽ', 'ȼ':
		return 'c'
	case 'ԁ', 'Ԁ', 'ᴅ', 'Ꭰ', 'đ', 'Đ', 'ð', 'Ð', 'ɖ', 'ɗ', 'ժ':
		return 'd'
	case 'е', 'Е', 'ε', 'Ε', 'ᴇ', 'Ꭼ', 'ɛ', 'ɇ', 'Є', 'є', 'ҽ', 'ə':
		return 'e'
	case 'ꜰ', 'ƒ', 'Ϝ', 'ϝ', 'ք':
		return 'f'
	case 'ɡ', 'ɢ', 'Ꮐ', 'ց', 'ǥ', 'Ԍ', 'ԍ', 'ɠ':
		return 'g'
	case 'һ', 'Н', 'н', 'Η', 'ʜ', 'Ꮋ', 'հ', 'Һ', 'ħ', 'Ħ':
		return 'h'
	case 'і', 'І', 'ι', 'Ι', 'ı', 'ɪ', 'Ꭵ', 'ɩ', 'ӏ', 'ї', 'Ї', 'ɨ':
		return 'i'
	case 'ј', 'Ј', 'ᴊ', 'Ꭻ', 'յ', 'ϳ', 'ɉ':
		return 'j'
	case 'к', 'К', 'κ', 'Κ', 'ᴋ', 'Ꮶ', 'ҟ', 'ƙ':
		return 'k'
	case 'ʟ', 'Ꮮ', 'ł', 'Ł', 'ƚ', 'Ɩ', 'ǀ', 'Ӏ', 'լ', 'Լ', 'ɫ', 'ɭ':
		return 'l'
	case 'м', 'М', 'Μ', 'ᴍ', 'Ꮇ', 'ɱ', 'Ϻ', 'ϻ':
		return 'm'
	case 'ո', 'η', 'Ν', 'ɴ', 'п', 'П', 'ռ', 'ɲ', 'ƞ':
		return 'n'
	case 'о', 'О', 'ο', 'Ο', 'օ', 'Օ', 'ᴏ', 'ø', 'Ø', 'σ', 'ɵ', 'Ꮎ':
		return 'o'
	case 'р', 'Р', 'ρ', 'Ρ', 'ᴘ', 'Ꮲ', 'ƥ', 'ᵽ':
		return 'p'
	case 'ԛ', 'Ԛ', 'զ', 'գ', 'ʠ':
		return 'q'
	case 'г', 'Г', 'ʀ', 'Ꮢ', 'ɍ', 'ɽ', 'ґ', 'я', 'Я':
		return 'r'
	case 'ѕ', 'Ѕ', 'ꜱ', 'Ꮪ', 'ʂ', 'Տ':
		return 's'
	case 'т', 'Т', 'τ', 'Τ', 'ᴛ', 'Ꭲ', 'ŧ', 'Ŧ', 'ƭ', 'է':
		return 't'
	case 'υ', 'ս', 'Ս', 'ᴜ', 'ʋ', 'ц', 'ʉ':
		return 'u'
	case 'ν', 'ѵ', 'Ѵ', 'ᴠ', 'Ꮩ', 'ⱱ':
		return 'v'
	case 'ԝ', 'Ԝ', 'ω', 'ᴡ', 'Ꮤ', 'ѡ', 'ш', 'Ш', 'ɯ':
		return 'w'
	case 'х', 'Х', 'χ', 'Χ', 'ᕽ', '×':
		return 'x'
	case 'у', 'У', 'γ', 'Υ', 'ʏ', 'Ꮍ', 'ү', 'Ү', 'ყ', 'ƴ', 'ɏ':
		return 'y'
	case 'ᴢ', 'Ζ', 'Ꮓ', 'ʐ', 'ƶ', 'ȥ':
		return 'z'
	}
	return r
}
