// The collation utf8mb4_general_ci: which characters it holds for the same.

package database

import (
	"strings"
	"unicode"
)

// generalCI brings texts that differ in case or accents only into one form. A
// character is compared by itself: ß is an S, and an accent that stands alone
// counts. All characters outside the Basic Multilingual Plane are one.
func generalCI(s string) string { return strings.Map(weight, s) }

func weight(r rune) rune {
	if r > 0xffff {
		return unicode.ReplacementChar
	}
	upper := unicode.ToUpper(r)
	if plain, ok := plainLetters[upper]; ok {
		return plain
	}
	return upper
}

// plainLetters are the letters with an accent and what they count as.
var plainLetters = func() map[rune]rune {
	letters := map[rune]rune{}
	for plain, accented := range accents {
		for _, r := range accented {
			letters[r] = plain
		}
	}
	return letters
}()

// accents are taken from the weights that MariaDB 10.11 gives: upper case only,
// Latin, Greek and Cyrillic.
var accents = map[rune]string{
	'A': "ÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ",
	'B': "ḂḄḆ",
	'C': "ÇĆĈĊČḈ",
	'D': "ĎḊḌḎḐḒ",
	'E': "ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ",
	'F': "Ḟ",
	'G': "ĜĞĠĢǦǴḠ",
	'H': "ĤȞḢḤḦḨḪẖ",
	'I': "ÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ",
	'J': "Ĵǰ",
	'K': "ĶǨḰḲḴ",
	'L': "ĹĻĽḶḸḺḼ",
	'M': "ḾṀṂ",
	'N': "ÑŃŅŇǸṄṆṈṊ",
	'O': "ÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ",
	'P': "ṔṖ",
	'R': "ŔŖŘȐȒṘṚṜṞ",
	'S': "ßŚŜŞŠȘṠṢṤṦṨ",
	'T': "ŢŤȚṪṬṮṰẗ",
	'U': "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ",
	'V': "ṼṾ",
	'W': "ŴẀẂẄẆẈẘ",
	'X': "ẊẌ",
	'Y': "ÝŸŶȲẎẙỲỴỶỸ",
	'Z': "ŹŻŽẐẒẔ",
	'Æ': "ǢǼ",
	'Ø': "Ǿ",
	'Α': "ΆἈἉἊἋἌἍἎἏᾺᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾲᾳᾴᾶᾷᾼ",
	'Ε': "ΈἘἙἚἛἜἝῈ",
	'Η': "ΉἨἩἪἫἬἭἮἯῊᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῌ",
	'Ι': "ΊΐΪἸἹἺἻἼἽἾἿῚῘῙῒῖῗ",
	'Ο': "ΌὈὉὊὋὌὍῸ",
	'Ρ': "ῤῬ",
	'Σ': "Ϲ",
	'Υ': "ΎΫΰὐὙὒὛὔὝὖὟῪῨῩῢῦῧ",
	'Ω': "ΏὨὩὪὫὬὭὮὯῺᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῼ",
	'І': "Ї",
	'А': "ӐӒ",
	'Г': "Ѓ",
	'Е': "ЀЁӖ",
	'Ж': "ӁӜ",
	'З': "Ӟ",
	'И': "ЍӢӤ",
	'К': "Ќ",
	'О': "Ӧ",
	'У': "ЎӮӰӲ",
	'Ч': "Ӵ",
	'Ы': "Ӹ",
	'Э': "Ӭ",
}
