"""Words so common in a language that they tell nothing: articles, pronouns, prepositions, auxiliaries.

Our own short lists, lower-cased, of function words alone. A language that is not here is stemmed and keeps all words.
Changing a list changes what a namespace's index holds, so `VERSION` goes up with it.
"""

from __future__ import annotations

VERSION = 1

_LISTS = {
    "english": (
        "a about above after again against all am an and any are as at be because been before being below between both "
        "but by can could did do does doing down during each few for from further had has have having he her here hers "
        "herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on "
        "once only or other our ours ourselves out over own s same she should so some such t than that the their theirs "
        "them themselves then there these they this those through to too under until up very was we were what when where "
        "which while who whom why will with would you your yours yourself yourselves"
    ),
    "german": (
        "aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei bin bis bist da "
        "damit dann das dass dein deine dem den der des dich die dies diese diesem diesen dieser dieses dir doch dort du "
        "durch ein eine einem einen einer eines er es euch euer eure für gegen habe haben hat hatte hatten hier hin hinter "
        "ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes jene kann kein keine keinem "
        "keinen keiner können man mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine "
        "seinem seinen seiner seit sich sie sind so soll sollte sondern sonst über um und uns unser unsere unter vom von "
        "vor war waren was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo "
        "wurde wurden zu zum zur zwar zwischen"
    ),
    "french": (
        "à ai as au aux avait avec avez avons c ce ces cet cette d dans de des du elle elles en est et étaient était être "
        "eu eux il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou où par pas "
        "plus pour qu que qui s sa sans se sera ses si son sont suis sur t ta te tes toi ton tu un une vos votre vous y"
    ),
    "spanish": (
        "a al algo ante como con contra cual cuando de del desde donde durante e el él ella ellas ellos en entre era es esa "
        "ese eso esta está están estas este esto estos fue fueron ha han hasta hay la las le les lo los más me mi mis mucho "
        "muy nada ni no nos nosotros o os otra otro para pero poco por porque que qué quien se sea ser si sí sin sobre son "
        "su sus también te tiene todo todos tu tus un una uno unos y ya yo"
    ),
    "italian": (
        "a ad agli ai al alla alle allo anche c che chi ci come con da dagli dai dal dalla dalle dallo degli dei del della "
        "delle dello di dove e è ed era essere gli ha hanno ho i il in io l la le lei lo loro lui ma me mi mia mio negli "
        "nei nel nella nelle nello noi non nostro o per perché più quale quando quello questa questo se si sia sono su sua "
        "sugli sui sul sulla suo ti tra tu tutti tutto un una uno vi voi"
    ),
    "portuguese": (
        "a à ao aos aquela aquele as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre "
        "era essa esse esta está este eu foi foram há isso já lhe mais mas me mesmo meu minha muito na não nas nem no nos "
        "nós nossa nosso num numa o os ou para pela pelas pelo pelos por quando que quem se sem ser seu seus só sua suas "
        "também te tem tu um uma você vocês"
    ),
    "dutch": (
        "aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen haar "
        "had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij "
        "mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van "
        "veel voor want waren was wat werd wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou"
    ),
    "swedish": (
        "alla att av blev bli blir de dem den denna det detta dig din du där då efter ej eller en er ett från för ha hade "
        "han hans har henne hennes hon honom hur här i icke in inte jag ju kan man med mellan men mig min mot mycket ni nu "
        "när någon något några och om oss på samma sedan sig sin sina skulle som så till under upp ut utan vad var vara vi "
        "vid vilken är över"
    ),
    "danish": (
        "af alle andet at bliver blev da de deg den denne der deres det dette dig din disse du efter eller en end er et for "
        "fra ham han hans har havde hende her hos hun hvad hvis hvor i ikke ind jeg jo kunne man mange med meget men mig "
        "min mod ned noget nogle nu når og også om op os over på selv sig sin skal skulle som sådan til ud under var ved vi "
        "vil ville være været"
    ),
    "norwegian": (
        "alle at av bare begge ble bli da de deg dem den denne der dere deres det dette din du eller en enn er et etter for "
        "fra før ha hadde han hans har henne her hun hva hvem hvis hvor i ikke inn jeg kan kom kunne man med meg men min "
        "mot mye når noe noen nå og også om opp oss over på seg selv sin skal skulle som så til ut var ved vi vil ville være "
        "vært"
    ),
    "finnish": (
        "ei eivät emme en et ette että he heidän hän hänen ja joka jos jotka kanssa ketkä koska kuin kuka kun me meidän mikä "
        "minun minä mitä mutta myös ne niiden niin no nuo nyt ole olen olet oli olivat on ovat se sekä sen sinun sinä siis "
        "sitten tai te teidän tuo tämä vaan vai vaikka"
    ),
    "russian": (
        "а без более бы был была были было быть в вам вас весь во вот все всего вы где да даже для до его ее если есть еще "
        "же за здесь и из или им их к как ко когда кто ли либо мне может мы на надо наш не него нее нет ни них но ну о об "
        "однако он она они оно от очень по под при с со так также такой там те тем то того тоже той только том ты у уже "
        "хотя чего чей чем что чтобы эта эти это я"
    ),
}
STOP_WORDS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
