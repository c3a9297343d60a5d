package guard

import (
	"regexp"
	"strings"
	"sync"

	"github.com/assay-qa/assay/pattern"
)

// The built-in words, in English, German, Italian, Chinese, French, Spanish,
// Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Turkish,
// Russian, Ukrainian, Japanese and Korean. They are what a button says, so
// imperatives, infinitives and nouns of the act; what has been done already
// ("Deleted items") is no act. They are conservative: "Clear", "Cancel", "Reset"
// and "Log out" are no destruction, nor is "PayPal" paying.
var (
	deleteWords = []string{
		`delet(?:e|es|ing)`, `remov(?:e|es|ing)`, `destroy(?:s|ing)?`, `eras(?:e|es|ing)`, `purg(?:e|es|ing)`, `wip(?:e|es|ing)`, `shred`, `uninstall`,
		`(?:move|send) to (?:the )?(?:trash|bin|recycle bin)`, `empty (?:the )?(?:trash|bin|recycle bin)`, `factory reset`, `drop (?:table|database|collection|index|schema)`,
		`clear (?:all )?(?:data|records|database)`,
		`lösch(?:e|en|t|ung)`, `loesch(?:e|en|t|ung)`, `(?:wird|werden) (?:\pL+ )?gelöscht`, `entfern(?:e|en)`, `vernichten`, `papierkorb leeren`,
		`elimina(?:re|zione)?`, `cancella(?:re)?(?: (?:account|utente|file|tutto|dati|record))`, `rimuov(?:i|ere)`, `distrugg(?:i|ere)`, `svuota(?:re)? (?:il )?cestino`,
		`supprim(?:er|ez|ons|e)`, `suppression`, `effac(?:er|ez|ement)`, `détrui(?:re|sez)`, `vider la corbeille`,
		`elimin(?:ar|a|e|arlo|arla|arlos|arlas|ación)`, `borr(?:ar|arlo|arla|a|e)`, `bórra(?:lo|la|los|las)`, `suprimir`, `destruir`, `quitar`, `vaciar (?:la )?papelera`,
		`exclui(?:r)?`, `exclua`, `apag(?:ar|ue)`, `remov(?:er|a)`, `deletar`, `esvaziar (?:a )?lixeira`,
		`verwijder(?:en)?`, `vernietig(?:en)?`, `weggooien`, `(?:gebruiker|gegevens|account|alles|bestand|bestanden|bericht|berichten|geschiedenis|definitief) wissen`, `prullenbak legen`,
		`usuń`, `usunąć`, `usuwa(?:nie|ć)`, `(?:s)?kasuj`, `skasować`, `wymaż`, `zniszcz`, `opróżnij kosz`,
		`radera`, `ta bort`, `avlägsna`, `förstör`, `töm papperskorgen`,
		`slet(?:te)?`, `slett`, `fjern(?:e)?`, `udslet`, `tøm papirkurv(?:en)?`,
		`poista(?:a|taan|taanko)?`, `tuhoa`, `hävitä`, `tyhjennä roskakori`,
		`sil`, `silin`, `kaldır`, `yok et`, `çöp kutusunu boşalt`,
		`удал(?:ить|и|ите|яю|яем|ять|ение)`, `стереть`, `сотри`, `уничтожить`, `очистить корзину`,
		`видал(?:ити|и|іть|ення)`, `вилуч(?:ити|и|іть|ення)`, `знищити`, `стерти`, `очистити кошик`,
	}
	payWords = []string{
		`pay`, `buy now`, `purchase`, `place (?:the |your )?order`, `order now`, `(?:complete|confirm|submit|make) (?:the |your |a )?(?:order|purchase|payment)`, `check ?out`, `transfer`, `send (?:money|funds|payment)`,
		`refund`, `withdraw`, `subscribe (?:now )?for [$€£]?\d+`,
		`bezahlen`, `jetzt zahlen`, `(?:jetzt |sofort )kaufen`, `(?:jetzt|zahlungspflichtig|kostenpflichtig) bestellen`, `überweisen`, `zur kasse`, `erstatten`,
		`paga(?:re)?`, `paga (?:ora|adesso)`, `acquista(?:re)?`, `compra(?:re)? ora`, `(?:completa|invia|effettua) (?:l')?ordine`, `(?:effettua|invia) (?:il )?(?:bonifico|pagamento)`, `rimborsa(?:re)?`,
		`payer`, `payez`, `acheter`, `commander`, `passer (?:la )?commande`, `valider (?:la |ma )?commande`, `effectuer (?:le |un )?virement`, `(?:procéder|passer) au paiement`, `transférer`, `rembourser`,
		`pagar`, `pague`, `comprar(?: ahora)?`, `(?:realizar|hacer|tramitar) (?:el )?pedido`, `finalizar (?:la |a )?compra`, `(?:efectuar|realizar|confirmar|finalizar|efetuar) (?:el |o )?(?:pago|pagamento)`, `transferir`, `reembolsar`,
		`betal(?:a|e|en)?`, `(?:nu )?afrekenen`, `bestelling plaatsen`, `nu kopen`, `overmaken`, `terugbetalen`,
		`zapłać`, `opłać`, `kup teraz`, `złóż zamówienie`, `przelej`, `wyślij przelew`, `zwróć płatność`,
		`köp nu`, `lägg beställning`, `slutför köp(?:et)?`, `skicka pengar`, `överför`, `återbetala`,
		`køb nu`, `afgiv ordre`, `overfør`, `refunder`, `kjøp nå`, `legg inn bestilling`,
		`maksa`, `osta nyt`, `tee tilaus`, `siirrä rahaa`, `hyvitä`,
		`öde`, `ödeme yap`, `satın al`, `siparişi (?:ver|onayla|tamamla)`, `para gönder`, `iade et`,
		`оплат(?:ить|и|ите)`, `заплатить`, `купить`, `оформить заказ`, `перевести деньги`, `вернуть деньги`,
		`(?:с|о|за)платити`, `купити`, `придбати`, `оформити замовлення`, `переказати`,
	}
	credentialWords = []string{
		`(?:change|reset|update|set|save) (?:my |your |the |a )?(?:new )?(?:password|passphrase|pin)`, `(?:rotate|regenerate|reset) (?:the |my |your )?(?:api |access |secret )*(?:keys?|tokens?|secrets?|credentials)`,
		`(?:passwort|kennwort|passwörter) (?:ändern|zurücksetzen|speichern)`,
		`(?:cambia|modifica|reimposta)(?:re)? (?:la )?password`,
		`(?:changer|modifier|réinitialiser) (?:le |mon |votre )?mot de passe`,
		`(?:cambiar|restablecer|modificar) (?:la |mi |su )?contraseña`,
		`(?:alterar|mudar|trocar|redefinir) (?:a |minha )*senha`,
		`wachtwoord (?:wijzigen|veranderen|resetten|opnieuw instellen)`, `wijzig (?:\pL+ )?wachtwoord`,
		`(?:zmień|zresetuj) hasło`, `zmiana hasła`,
		`(?:byt|ändra|återställ) (?:ditt )?lösenord(?:et)?`,
		`(?:skift|ændr|nulstil) (?:din )?adgangskode(?:n)?`, `(?:endre|bytt|tilbakestill) (?:ditt )?passord(?:et)?`,
		`(?:vaihda|nollaa|muuta) (?:\pL+ )?salasana(?:n|si)?`,
		`(?:şifre|parola)\pL{0,5} (?:değiştir|sıfırla|yenile)`,
		`(?:смен|измен|поменя|обнов)(?:ить|и|ите|ть) (?:\pL+ )?пароль`, `сбросить (?:\pL+ )?пароль`,
		`(?:змін|скин|онов)(?:ити|ути|и|іть) (?:\pL+ )?пароль`,
	}
	accountWords = []string{
		`revok(?:e|es|ing)`, `deactivat(?:e|es|ing)`, `disable account`, `(?:close|terminate|cancel) (?:my |your |the |this )?(?:account|subscription|membership|plan)`, `unsubscribe`,
		`terminate (?:the |this )?(?:instance|contract|server|cluster)`,
		`widerrufen`, `deaktivieren`, `konto (?:schließen|auflösen|kündigen)`, `kündigen`, `abbestellen`,
		`revoca(?:re)?`, `disattiva(?:re)?(?: (?:account|utente))`, `chiud(?:i|ere) (?:l')?account`, `annulla(?:re)? (?:l')?abbonamento`, `disiscriviti`, `disdici`,
		`révoquer`, `désactiver`, `(?:fermer|clôturer|supprimer) (?:le |mon |votre )?compte`, `se désabonner`, `se désinscrire`, `résilier`,
		`revocar`, `desactivar`, `cerrar (?:la |mi |su )?cuenta`, `cancelar (?:la |mi |su )?suscripción`, `darse de baja`,
		`revogar`, `desativar`, `(?:encerrar|fechar) (?:a |minha )*conta`, `cancelar (?:a |minha )*assinatura`,
		`account (?:opheffen|sluiten|beëindigen)`, `intrekken`, `deactiveren`, `uitschrijven`, `opzeggen`, `abonnement (?:opzeggen|stopzetten)`,
		`(?:zamknij|zlikwiduj) konto`, `dezaktywuj`, `unieważnij`, `wypisz się`, `anuluj subskrypcję`,
		`(?:avsluta|stäng) (?:\pL+ )?konto(?:t)?`, `återkalla`, `inaktivera`, `avsluta prenumeration(?:en)?`, `säg upp`,
		`(?:luk|afslut|opsig) (?:\pL+ )?konto(?:en)?`, `tilbagekald`, `deaktiver`, `afmeld`, `opsig`, `(?:lukk|avslutt) (?:\pL+ )?konto(?:en)?`, `tilbakekall`, `meld deg av`, `si opp`,
		`sulje (?:\pL+ )?tili(?:ni|si)?`, `peru tilaus`, `deaktivoi`, `irtisano`,
		`hesab\pL* kapat`, `aboneli\pL* iptal(?: et)?`, `hesab\pL* devre dışı bırak`,
		`отозвать`, `деактивировать`, `закрыть (?:\pL+ )?(?:аккаунт|счёт|счет)`, `отписаться`, `аннулировать`,
		`відкликати`, `деактивувати`, `закрити (?:\pL+ )?(?:акаунт|рахунок)`, `відписатися`, `анулювати`,
	}
)

// What is written without spaces counts wherever it stands.
var (
	deleteSigns = []string{
		`删除`, `刪除`, `移除`, `清空`, `销毁`, `銷毀`, `抹除`, `卸载`, `永久清除`,
		`削除`, `消去`, `抹消`, `空にする`, `取り除く`, `アンインストール`,
		`삭제`, `제거`, `지우기`, `비우기`, `파기`,
	}
	paySigns = []string{
		`(?:立即|立刻|确认|確認|马上|馬上|去|现在|一键|前往)(?:付款|支付|购买|購買|下单|下單|结账|結帳|结算|转账|轉帳)`, `^(?:付款|支付|购买|購買|下单|下單|结账|結帳|结算|转账|轉帳|退款)(?:\P{Han}|$)`, `提交订单`, `提交訂單`,
		`支払う`, `支払いを(?:確定|完了|する)`, `購入(?:する|を確定|手続き)`, `注文(?:する|を確定)`, `決済する`, `送金する`, `振り込む`, `返金する`,
		`결제하기`, `(?:지금|바로) ?결제`, `구매하기`, `주문하기`, `송금하기`, `이체하기`, `환불하기`,
	}
	credentialSigns = []string{
		`(?:修改|更改|重置|重设|变更|重設|變更).{0,12}密[码碼]`, `パスワード(?:を|の)?(?:変更|リセット|再設定)`, `비밀번호(?:를)? ?(?:변경|재설정|초기화)`,
	}
	accountSigns = []string{
		`(?:注销|註銷|关闭|關閉|停用)(?:账|帐|帳)[户号戶號]`, `撤销(?:授权|令牌|访问|权限)`, `吊销`, `取消订阅`, `取消訂閱`, `退订`,
		`解約`, `退会`, `失効させる`, `アカウントを?無効`, `購読を解除`,
		`탈퇴`, `해지`, `권한 ?회수`, `계정 ?비활성화`, `구독 ?취소`,
	}
)

// doneSigns matches signs that something was deleted or paid already, or how it is done, where the
// words themselves don't show it.
var doneSigns = pattern.New(`(?:已|被|最近)(?:被)?(?:删除|刪除|移除|清空|销毁)|(?:删除|刪除|移除)(?:的|记录|日志|历史)|削除(?:済み|された|履歴|ログ)|삭제(?:된|됨|한| ?내역| ?기록| ?로그)|해지(?:된| ?내역)|탈퇴한|解約(?:済み|した)|` +
	`(?:支付|付款|支払い)(?:方式|方法|记录|履歴)|` +
	`(?i:\b(?:checkout|check-out|purchase|pay|transfer|refund|withdraw|uninstall|delete|purge) (?:time|date|history|log|list|report|policy|status|id|number|rate|limit|key event)s?\b)`)

// viewWords matches what "delete" or "remove" takes out of a view and not out of the world.
const viewWords = `filters?|chips?|sort(?:ing)?|search|query|selection|highlights?|cart|basket|bag|wish ?list|compar(?:e|ison)|` +
	`suche|auswahl|sortierung|warenkorb|markierung|` +
	`filtr[oi]|ricerca|selezione|carrello|` +
	`filtres?|recherche|sélection|tri|panier|` +
	`filtros?|búsqueda|selección|carrito|cesta|pesquisa|seleção|carrinho|` +
	`selectie|winkelwagen|filtr|filtry|koszyka|urval|varukorg(?:en)?|kundvagn(?:en)?|kurv(?:en)?|handlekurv(?:en)?|handlevogn(?:en)?|suodat\pL+|ostoskori\pL*|filtre\pL*|sepet\pL*|` +
	`фильтр\pL*|из корзины|поиск|фільтр\pL*|з кошика|пошук`

const viewSigns = `筛选|篩選|过滤|購物車|购物车|フィルター?|絞り込み|カート|필터|장바구니`

// iconActs lists icons that stand for an act when a name has nothing else.
var iconActs = map[rune]string{'🗑': "delete", '🚮': "delete", '💳': "pay", '💸': "pay"}

// whole matches any of the words where no letter or digit touches them (Go's
// \b covers ASCII only), and any of the signs anywhere.
func whole(words []string, signs []string) *regexp.Regexp {
	text := `(?i)(?:^|[^\pL\pM\pN])(?:` + strings.Join(words, "|") + `)(?:$|[^\pL\pM\pN])`
	if len(signs) > 0 {
		text += `|` + strings.Join(signs, "|")
	}
	return regexp.MustCompile(text)
}

// builtInClicks returns the rules that every guard has. They are compiled once, when
// a name is judged for the first time.
var builtInClicks = sync.OnceValue(func() []clickRule {
	view := whole([]string{viewWords}, []string{viewSigns})
	return []clickRule{
		{name: "delete", pattern: whole(deleteWords, deleteSigns), harmless: view},
		{name: "pay", pattern: whole(payWords, paySigns)},
		{name: "change credentials", pattern: whole(credentialWords, credentialSigns)},
		{name: "close account or revoke", pattern: whole(accountWords, accountSigns)},
	}
})
