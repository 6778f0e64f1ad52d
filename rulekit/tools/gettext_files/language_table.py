"""Plural forms and codes of languages: generated, do not edit.

Source: CLDR 49, as Babel 2.19.0 has it (Unicode Licence v3).  Renew with `python -m tests.text.language_table`.
"""

from __future__ import annotations

PLURALS = {
    "nplurals=2; plural=(n != 1);": (
        "af an asa ast az bal bem bez bg brx ca ce cgg chr ckb da de dv ee el en eo es et eu fi fo fur fy gl gsw ha "
        "haw hu ia ie io it jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg lij lld mas mgo ml mn mr nb nd ne nl nn "
        "nnh no nr ny nyn om or os pap ps pt_AO pt_CH pt_CV pt_GQ pt_GW pt_LU pt_MO pt_MZ pt_PT pt_ST pt_TL rm rof "
        "rwk saq sc scn sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vec vo vun wae "
        "xh xog yi"
    ),
    "nplurals=1; plural=0;": (
        "bm bo dz hnj id ig ii ja jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi wo yo yue zh"
    ),
    "nplurals=2; plural=(n > 1);": (
        "ak am as bho bn csw doi fa ff fr gu hi hy kab kn kok ln mg nso pa pcm pt si tg ti vi wa zu"
    ),
    "nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);": ("he iu naq sat se sma smj smn sms"),
    "nplurals=3; plural=(n%10 == 1 && n%100 != 11 ? 0 : n%10 >= 2 && n%10 <= 4 && ((n%100 < 12 || n%100 > 14)) ? "
    "1 : 2);": ("be bs hr ru sr uk"),
    "nplurals=3; plural=(n == 0 ? 0 : n == 1 ? 1 : 2);": ("blo cv ksh"),
    "nplurals=4; plural=(n%100 == 1 ? 0 : n%100 == 2 ? 1 : n%100 >= 3 && n%100 <= 4 ? 2 : 3);": ("dsb hsb sl"),
    "nplurals=2; plural=(n == 1 || n == 2 || n == 3 || n%10 != 4 && n%10 != 6 && n%10 != 9 ? 0 : 1);": ("ceb fil"),
    "nplurals=2; plural=(n%10 == 1 && n%100 != 11 ? 0 : 1);": ("is mk"),
    "nplurals=3; plural=(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2);": ("cs sk"),
    "nplurals=3; plural=(n%10 == 0 || n%100 >= 11 && n%100 <= 19 ? 0 : n%10 == 1 && n%100 != 11 ? 1 : 2);": ("lv prg"),
    "nplurals=2; plural=(n <= 1 || n >= 11 && n <= 99 ? 0 : 1);": ("tzm"),
    "nplurals=3; plural=(n == 0 ? 0 : (n == 0 || n == 1) && n != 0 ? 1 : 2);": ("lag"),
    "nplurals=3; plural=(n == 0 || n == 1 ? 0 : n >= 2 && n <= 10 ? 1 : 2);": ("shi"),
    "nplurals=3; plural=(n == 1 ? 0 : n == 0 || n != 1 && n%100 >= 1 && n%100 <= 19 ? 1 : 2);": ("ro"),
    "nplurals=3; plural=(n == 1 ? 0 : n%10 >= 2 && n%10 <= 4 && ((n%100 < 12 || n%100 > 14)) ? 1 : 2);": ("pl"),
    "nplurals=3; plural=(n%10 == 1 && ((n%100 < 11 || n%100 > 19)) ? 0 : n%10 >= 2 && n%10 <= 9 && ((n%100 < 11 "
    "|| n%100 > 19)) ? 1 : 2);": ("lt"),
    "nplurals=4; plural=(n == 1 || n == 11 ? 0 : n == 2 || n == 12 ? 1 : n >= 3 && n <= 10 || n >= 13 && n <= 19 "
    "? 2 : 3);": ("gd"),
    "nplurals=4; plural=(n%10 == 1 && n%100 != 11 && n%100 != 71 && n%100 != 91 ? 0 : n%10 == 2 && n%100 != 12 && "
    "n%100 != 72 && n%100 != 92 ? 1 : (n%10 >= 3 && n%10 <= 4 || n%10 == 9) && ((n%100 < 10 || n%100 > 19) && "
    "(n%100 < 70 || n%100 > 79) && (n%100 < 90 || n%100 > 99)) ? 2 : 3);": ("br"),
    "nplurals=4; plural=(n%10 == 1 && n%100 != 11 ? 0 : n == 2 ? 1 : n != 2 && n%10 >= 2 && n%10 <= 9 && ((n%100 "
    "< 11 || n%100 > 19)) ? 2 : 3);": ("sgs"),
    "nplurals=4; plural=(n%10 == 1 ? 0 : n%10 == 2 ? 1 : n%100 == 0 || n%100 == 20 || n%100 == 40 || n%100 == 60 "
    "|| n%100 == 80 ? 2 : 3);": ("gv"),
    "nplurals=5; plural=(n == 1 ? 0 : n == 2 ? 1 : n == 0 || n%100 >= 3 && n%100 <= 10 ? 2 : n%100 >= 11 && n%100 "
    "<= 19 ? 3 : 4);": ("mt"),
    "nplurals=5; plural=(n == 1 ? 0 : n == 2 ? 1 : n >= 3 && n <= 6 ? 2 : n >= 7 && n <= 10 ? 3 : 4);": ("ga"),
    "nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n == 3 ? 3 : n == 6 ? 4 : 5);": ("cy"),
    "nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n%100 >= 3 && n%100 <= 10 ? 3 : n%100 >= 11 && "
    "n%100 <= 99 ? 4 : 5);": ("ar"),
    "nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n%100 == 2 || n%100 == 22 || n%100 == 42 || n%100 == 62 || "
    "n%100 == 82 || n%1000 == 0 && (n%100000 >= 1000 && n%100000 <= 20000 || n%100000 == 40000 || n%100000 == "
    "60000 || n%100000 == 80000) || n != 0 && n%1000000 == 100000 ? 2 : n%100 == 3 || n%100 == 23 || n%100 == 43 "
    "|| n%100 == 63 || n%100 == 83 ? 3 : n != 1 && (n%100 == 1 || n%100 == 21 || n%100 == 41 || n%100 == 61 || "
    "n%100 == 81) ? 4 : 5);": ("kw"),
}
"""By `Plural-Forms` line the codes of the languages that have it."""

CODES = (
    "aa ab ace ach ada ady ae aeb af afh agq ain ak akk akz ale aln alt am an ang ann anp apw ar arc arn aro arp "
    "arq ars arw ary arz as asa ase ast atj av avk awa ay az ba bal ban bar bas bax bbc bbj be bej bem bew bez "
    "bfd bfq bg bgc bgn bho bi bik bin bjn bkm bla blo blt bm bn bo bpy bqi br bra brh brx bs bss bua bug bum byn "
    "byv ca cad car cay cch ccp ce ceb cgg ch chb chg chk chm chn cho chp chr chy cic ckb clc co cop cps cr crg "
    "crh crj crk crl crm crr crs cs csb csw cu cv cy da dak dar dav de del den dgr din dje doi dsb dtp dua dum dv "
    "dyo dyu dz dzg ebu ee efi egl egy eka el elx en enm eo es esu et eu ewo ext fa fan fat ff fi fil fit fj fo "
    "fon fr frc frm fro frp frr frs fur fy ga gaa gag gan gay gba gbz gd gez gil gl glk gmh gn goh gon gor got "
    "grb grc gsw gu guc gur guz gv gwi ha hai hak haw hax he hi hif hil hit hmn hnj ho hr hsb hsn ht hu hup hur "
    "hy hz ia iba ibb id ie ig ii ik ikt ilo inh io is it iu izh ja jam jbo jgo jmc jpr jrb jut jv ka kaa kab kac "
    "kaj kam kaw kbd kbl kcg kde kea kek ken kfo kg kgp kha kho khq khw ki kiu kj kk kkj kl kln km kmb kn ko koi "
    "kok kos kpe kr krc kri krj krl kru ks ksb ksf ksh ku kum kut kv kw kwk kxv ky la lad lag lah lam lb lez lfn "
    "lg li lij lil liv lkt lld lmo ln lo lol lou loz lrc lsm lt ltg lu lua lui lun luo lus luy lv lzh lzz mad maf "
    "mag mai mak man mas mde mdf mdr men mer mfe mg mga mgh mgo mh mi mic mid min mk ml mn mnc mni moe moh mos mr "
    "mrj ms mt mua mul mus mwl mwr mwv my mye myv mzn na nan nap naq nb nd nds ne new ng nia niu njo nl nmg nn "
    "nnh nnp no nog non nov nqo nr nso nus nv nwc ny nym nyn nyo nzi oc oj ojb ojc ojs ojw oka om or os osa ota "
    "pa pag pal pam pap pau pcd pcm pdc pdt peo pfl phn pi pis pl pms pnt pon pqm prg pro ps pt pt_AO pt_CH pt_CV "
    "pt_GQ pt_GW pt_LU pt_MO pt_MZ pt_PT pt_ST pt_TL qu quc qug raj rap rar rej rgn rhg rif rm rn ro rof rom rtm "
    "ru rue rug rup rw rwk sa sad sah sam saq sas sat saz sba sbp sc scn sco sd sdc sdh se see seh sei sel ses sg "
    "sga sgs sh shi shn shu si sid sjd sje sju sk sl slh sli sly sm sma smj smn sms sn snk so sog sq sr srn srr "
    "ss ssy st stq str su suk sus sux sv sw swb syc syr szl ta tce tcy te tem teo ter tet tg tgx th tht ti tig "
    "tiv tk tkl tkr tl tlh tli tly tmh tn to tog tok tpi tr tru trv trw ts tsd tsi tt ttm ttt tum tvl tw twq ty "
    "tyv tzm udm ug uga uk umb und ur uz vai ve vec vep vi vls vmf vmw vo vot vro vun wa wae wal war was wbp wo "
    "wuu xal xh xmf xnr xog yao yap yav ybb yi yo yrl yue za zap zbl zea zen zgh zh zu zun zxx zza"
)
"""Codes of ISO 639 that CLDR has a name for."""

OTHER_CODES = (
    "aar:aa abk:ab abkhazian:ab ad:ca adp:dz afar:aa afr:af afrikaans:af ajt:aeb aju:jrb aka:ak akan:ak al:sq "
    "alb:sq albanian:sq als:sq amh:am amharic:am ao:pt ara:ar arabic:ar aragonese:an arb:ar arg:an arm:hy "
    "armenian:hy asm:as assamese:as at:de ava:av avaric:av ave:ae avestan:ae aw:nl ax:sv aym:ay aymara:ay ayr:ay "
    "aze:az azerbaijani:az azj:az bak:ba bam:bm bambara:bm bangla:bn baq:eu bashkir:ba basque:eu bcc:bal bcl:bik "
    "bd:bn bel:be belarusian:be ben:bn bf:fr bh:bho bih:bho bis:bi bislama:bi bj:fr bl:fr blg:iba bod:bo bos:bs "
    "bosnian:bs bq:pap bre:br breton:br bt:dz bul:bg bulgarian:bg bur:my burmese:my bv:no bxk:luy bxr:bua by:ru "
    "cat:ca catalan:ca cc:ms cd:fr ces:cs cf:sg cg:fr cha:ch chamorro:ch che:ce chechen:ce chi:zh chinese:zh "
    "chu:cu chuvash:cv chv:cv ci:fr cl:es cld:syr cls:sa cm:fr cmn:zh cn:zh cor:kw cornish:kw corsican:co cos:co "
    "cre:cr cree:cr croatian:hr cw:pap cwd:cr cym:cy cz:cs cze:cs czech:cs dan:da danish:da deu:de dgo:doi "
    "dhd:mwr dik:din diq:zza div:dv divehi:dv dj:fr dk:da do:es drh:mn dut:nl dutch:nl dzo:dz dzongkha:dz ea:es "
    "ec:es eg:ar eh:ar ekk:et ell:el emk:man eng:en english:en epo:eo er:ti esk:ik esperanto:eo est:et "
    "estonian:et eus:eu fao:fo faroese:fo fas:fa fij:fj fijian:fj fin:fi finnish:fi fra:fr fre:fr french:fr "
    "fry:fy fuc:ff ful:ff fula:ff galician:gl ganda:lg gaz:om gbo:grb ge:ka geo:ka georgian:ka ger:de german:de "
    "gf:fr gh:ak gla:gd gle:ga glg:gl glv:gv gno:gon gom:kok gp:fr gq:es gr:el gre:el greek:el grn:gn gt:es "
    "guarani:gn gug:gn guj:gu gujarati:gu gw:pt gya:gba hat:ht hau:ha hausa:ha hdn:hai hea:hmn heb:he hebrew:he "
    "her:hz herero:hz hin:hi hindi:hi hk:zh hmo:ho hn:es hrv:hr hun:hu hungarian:hu hye:hy ibo:ig ic:es ice:is "
    "icelandic:is ido:io igbo:ig iii:ii ike:iu iku:iu il:he ile:ie in:id ina:ia ind:id indonesian:id "
    "interlingua:ia interlingue:ie inuktitut:iu inupiaq:ik ipk:ik iq:ar ir:fa irish:ga isl:is ita:it italian:it "
    "iw:he japanese:ja jav:jv javanese:jv ji:yi jo:ar jp:ja jpn:ja jw:jv kal:kl kalaallisut:kl kan:kn kannada:kn "
    "kanuri:kr kas:ks kashmiri:ks kat:ka kau:kr kaz:kk kazakh:kk ke:sw kh:km khk:mn khm:km khmer:km kik:ki "
    "kikuyu:ki kin:rw kinyarwanda:rw kir:ky kmr:ku knc:kr kng:kg kom:kv komi:kv kon:kg kongo:kg kor:ko korean:ko "
    "kp:ko kpv:kv ktr:dtp kua:kj kuanyama:kj kur:ku kurdish:ku kxl:kru kyrgyz:ky kz:ru kzj:dtp kzt:dtp lao:lo "
    "lat:la latin:la latvian:lv lav:lv lim:li limburgish:li lin:ln lingala:ln lit:lt lithuanian:lt lk:si ls:st "
    "ltz:lb lub:lu lug:lg luxembourgish:lb lvs:lv ly:ar ma:ar mac:mk macedonian:mk mah:mh mal:ml malagasy:mg "
    "malay:ms malayalam:ml maltese:mt manx:gv mao:mi mar:mr marathi:mr marshallese:mh may:ms mc:fr md:ro me:sr "
    "mf:fr mhr:chm mkd:mk mlg:mg mlt:mt mm:my mo:ro mol:ro mon:mn mongolian:mn mq:fr mri:mi msa:ms mu:fr mup:raj "
    "mv:dv mx:es mya:my mz:pt nau:na nauru:na nav:nv navajo:nv nbl:nr nc:fr nde:nd ndo:ng ndonga:ng nep:ne "
    "nepali:ne ni:es nld:nl nno:nn nob:nb nor:no norwegian:no np:ne npi:ne nya:ny nyanja:ny occitan:oc oci:oc "
    "odia:or ojg:oj oji:oj ojibwa:oj ori:or orm:om oromo:om ory:or oss:os ossetic:os pali:pi pan:pa pashto:ps "
    "pbu:ps pe:es per:fa persian:fa pes:fa pf:fr pg:tpi ph:fil pk:ur pli:pi plt:mg pm:fr pmk:crr pnb:lah pol:pl "
    "polish:pl por:pt portuguese:pt pr:es prp:gu punjabi:pa pus:ps pw:pau py:gn qa:ar que:qu quechua:qu quz:qu "
    "re:fr rmy:rom roh:rm romanian:ro romansh:rm ron:ro rs:sr rum:ro run:rn rundi:rn rus:ru russian:ru sag:sg "
    "samoan:sm san:sa sango:sg sanskrit:sa sardinian:sc scc:sr scr:hr serbian:sr shona:sn sin:si sindhi:sd "
    "sinhala:si sj:nb slk:sk slo:sk slovak:sk slovenian:sl slv:sl smd:kmb sme:se smo:sm sna:sn snb:iba snd:sd "
    "som:so somali:so sot:st spa:es spanish:es spy:kln sqi:sq src:sc srd:sc srp:sr ssw:ss sun:su sundanese:su "
    "swa:sw swahili:sw swati:ss swe:sv swedish:sv swh:sw sy:ar tagalog:tl tah:ty tahitian:ty tajik:tg tam:ta "
    "tamil:ta tat:tt tatar:tt td:ar tdu:dtp tel:te telugu:te tf:fr tgk:tg tgl:fil tha:th thai:th tib:bo "
    "tibetan:bo tigrinya:ti tir:ti tj:tg tm:tk ton:to tongan:to tsn:tn tso:ts tsonga:ts tswana:tn ttq:tmh tuk:tk "
    "tur:tr turkish:tr turkmen:tk tv:tvl twi:ak tz:sw ua:uk uig:ug ukr:uk ukrainian:uk umu:del urd:ur urdu:ur "
    "uy:es uyghur:ug uzb:uz uzbek:uz uzn:uz va:it ven:ve venda:ve vie:vi vietnamese:vi vn:vi vol:vo vu:bi "
    "walloon:wa wel:cy welsh:cy wf:fr wln:wa wol:wo wolof:wo ws:sm xho:xh xhosa:xh xk:sq xpe:kpe xsl:den ydd:yi "
    "ye:ar yid:yi yiddish:yi yol:enm yor:yo yoruba:yo yt:fr zai:zap zha:za zho:zh zhuang:za zsm:ms zul:zu zulu:zu "
    "zw:sn zyb:za"
)
"""What people write for a code: its country, its code of three letters, its English name."""
