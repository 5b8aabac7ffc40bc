// Deutsch: was die Seite sagt, und darunter, was der Rechner sagt. Wie die Sätze gefüllt werden, steht
// in `language.js`.

const page = {
  // index.html
  "ponder": "ponder",
  "Place": "Ort",
  "Play": "Spielen",
  "Solve": "Lösen",
  "Draw": "Zeichnen",
  "Daily": "Tagesrätsel",
  "Share": "Teilen",
  "New board": "Neues Brett",
  "Puzzles": "Rätselarten",
  "Puzzle": "Rätsel",
  "Boards": "Bretter",
  "Always possible": "Immer lösbar",
  "Possible or not?": "Möglich oder nicht?",
  "Play area": "Spielfläche",
  "Rules": "Regeln",
  "Result": "Ergebnis",
  "Rows to mark": "Zeilen zum Markieren",
  "Columns to mark": "Spalten zum Markieren",
  "Board": "Brett",
  "Zoom": "Zoom",
  "Zoom out": "Verkleinern",
  "Fit": "Einpassen",
  "Zoom in": "Vergrößern",
  "Progress": "Stand",
  "Reason": "Begründung",
  "Undo": "Rückgängig",
  "Redo": "Wiederherstellen",
  "Start again": "Von vorn",
  "Hint": "Tipp",
  "Impossible": "Unmöglich",
  "Check": "Prüfen",
  "Clear marks": "Markierungen löschen",
  "Play on": "Weiterspielen",
  "Again": "Noch einmal",
  "Share result": "Ergebnis teilen",
  "Next": "Weiter",
  "Why": "Warum",
  "The proof": "Der Beweis",
  "Share reason": "Begründung teilen",
  "Save result": "Ergebnis speichern",
  "Coq certificate": "Zertifikat für Coq",
  "Shared": "Geteilt",
  "Address": "Adresse",
  "Answers": "Antworten",
  "Why is it impossible?": "Warum ist es unmöglich?",
  "Show what must be pressed": "Zeigen, was gedrückt werden muss",
  "The order": "Die Reihenfolge",
  "Step back": "Schritt zurück",
  "Pause": "Pause",
  "Step forward": "Schritt vor",
  "Position": "Position",
  "Speed": "Tempo",
  "Difficulty": "Schwierigkeit",
  "Draw your own": "Selbst zeichnen",
  "Stuck?": "Ratlos?",
  "Still possible": "Noch möglich",
  "Show me how": "Zeig mir, wie",
  "It plays the board to its end from here.": "Das Brett wird von hier aus zu Ende gespielt.",
  "Answer": "Antwort",
  "Reveal": "Aufdecken",
  "Why?": "Warum?",
  "Shortest way": "Kürzester Weg",
  "Show order": "Reihenfolge zeigen",
  "Fewest presses": "Wenigste Züge",
  "Show presses": "Züge zeigen",
  "Show legal": "Erlaubte zeigen",
  "Count the pairs": "Paare zählen",
  "Rows": "Zeilen",
  "Columns": "Spalten",
  "Pattern": "Muster",
  "Rule": "Regel",
  "Goal": "Ziel",
  "Clear": "Leeren",
  "Random": "Zufall",
  "Make": "Art",
  "Cut holes": "Löcher schneiden",
  "Draw goal": "Ziel zeichnen",
  "Add bulb": "Lampe hinzufügen",
  "Add button": "Knopf hinzufügen",
  "Join": "Verbinden",
  "Remove": "Entfernen",
  "Tidy up": "Aufräumen",
  "Click an empty place for a bulb; drag from one to another for a wire, or again to take it away; drag to an empty place to move.":
    "Ein Klick auf eine leere Stelle setzt eine Lampe. Von einer zur anderen ziehen: ein Draht, beim zweiten Mal wieder keiner. Auf eine leere Stelle ziehen: verschieben.",
  "What a press toggles, seen from the bulb in the middle.": "Was ein Zug umschaltet, von der Lampe in der Mitte aus gesehen.",
  "Explore": "Erkunden",
  "Quiet patterns": "Stille Muster",
  "Press all bulbs of such a pattern, and nothing changes.": "Drückt man alle Lampen eines solchen Musters, ändert sich nichts.",
  "Single bulbs": "Einzelne Lampen",
  "Some presses toggle such a bulb and no other.": "Manche Züge schalten eine solche Lampe um und keine andere.",
  "Solution of the solution": "Lösung der Lösung",
  "A new board, dark where this one must be pressed.": "Ein neues Brett, dunkel dort, wo dieses gedrückt werden muss.",
  "Previous": "Zurück",
  "Example": "Beispiel",
  "choose …": "auswählen …",
  "Open file": "Datei öffnen",
  "Board file": "Brettdatei",
  "Save": "Speichern",
  "Text": "Text",
  "Picture": "Bild",
  "PNG": "PNG",
  "Animation": "Animation",
  "GIF": "GIF",
  "As text": "Als Text",
  "Text of the position": "Text der Stellung",
  "Use this text": "Diesen Text übernehmen",
  "Language": "Sprache",
  "Save picture": "Bild speichern",
  "Close": "Schließen",

  // ein Brett und seine Lampen
  "row {r}, column {c}": "Zeile {r}, Spalte {c}",
  "lit": "an",
  "unlit": "aus",
  "{place} is {state}: press only unlit bulbs": "{place} ist {state}: nur dunkle Lampen darf man drücken",
  "{place} is {state}: press only lit bulbs": "{place} ist {state}: nur leuchtende Lampen darf man drücken",
  "{place} was pressed: each bulb at most once here": "{place} wurde schon gedrückt: hier jede Lampe höchstens einmal",
  ", marked": ", markiert",
  ", press": ", drücken",
  ", press, pressed twice": ", drücken, zweimal gedrückt",
  ", press, pressed three times": ", drücken, dreimal gedrückt",
  ", press, pressed {n} times": ", drücken, {n}-mal gedrückt",
  "row {n}": "Zeile {n}",
  "column {n}": "Spalte {n}",

  // Graphen und Schaltungen
  "bulb {name}": "Lampe {name}",
  "button {name}": "Knopf {name}",
  "ready": "bereit",
  "blocked: {place} is {state}": "gesperrt: {place} ist {state}",
  "wired to {names}": "verdrahtet mit {names}",
  "wired to button {names}": "verdrahtet mit Knopf {names}",
  "no wires": "keine Drähte",
  "{n} bulbs, {m} {m|wire|wires}": "{n} {n|Lampe|Lampen}, {m} {m|Draht|Drähte}",
  "{n} bulbs, {m} buttons": "{n} {n|Lampe|Lampen}, {m} {m|Knopf|Knöpfe}",
  "{place} has no button of its own: press a button that is wired to it":
    "{place} hat keinen eigenen Knopf: man drückt einen, der mit ihr verdrahtet ist",
  "{seat} is {state}: {button} works only while it is unlit": "{seat} ist {state}: {button} geht nur, solange sie aus ist",
  "{seat} is {state}: {button} works only while it is lit": "{seat} ist {state}: {button} geht nur, solange sie an ist",
  "there is room for {n} bulbs and buttons": "hier ist Platz für {n} Lampen und Knöpfe",
  "a board has at least one bulb": "ein Brett hat mindestens eine Lampe",
  "a wire has two ends": "ein Draht hat zwei Enden",
  "on a wiring a wire joins a button and a bulb": "in einer Schaltung verbindet ein Draht einen Knopf mit einer Lampe",
  "{place} is pressed in Play and in Solve": "{place} drückt man unter „Spielen“ und „Lösen“",
  "a wire from {place} to …": "ein Draht von {place} nach …",

  // Spielen
  "IBM Ponder This, 2023": "IBM Ponder This, 2023",
  "only unlit bulbs may be pressed": "nur dunkle Lampen darf man drücken",
  "the classic: any bulb, all off": "der Klassiker: jede Lampe, alle aus",
  "diagonals too": "auch schräg",
  "edges meet": "die Ränder hängen zusammen",
  "shape, holes, goal": "Form, Löcher, Ziel",
  "Easy": "Leicht",
  "Medium": "Mittel",
  "Hard": "Schwer",
  "Expert": "Experte",
  "nothing is left to press": "es ist nichts mehr zu drücken",
  "thinking …": "ich denke nach …",
  "next: {place}": "als Nächstes: {place}",
  "your best {n}": "dein Rekord {n}",
  "{size} · the board of {day}, the same for everybody": "{size} · das Brett vom {day}, für alle dasselbe",
  "{size} · half of these boards are possible, half are not": "{size} · die eine Hälfte dieser Bretter ist lösbar, die andere nicht",
  "{size} · {n} {n|bulb|bulbs}": "{size} · {n} {n|Lampe|Lampen}",
  "{size} · always has a solution": "{size} · hat immer eine Lösung",
  "{size} · always has an order": "{size} · hat immer eine Reihenfolge",
  "{n} {n|day|days} in a row on the daily board, counted in this browser only":
    "{n} {n|Tag|Tage} in Folge das Tagesrätsel gelöst; gezählt wird nur in diesem Browser",
  "{n} {n|day|days} in a row on the daily Possible or not?, counted in this browser only":
    "{n} {n|Tag|Tage} in Folge das tägliche „Möglich oder nicht?“ gelöst; gezählt wird nur in diesem Browser",
  "Make the goal all lit": "Ziel auf „alle an“ setzen",
  "Make the goal all unlit": "Ziel auf „alle aus“ setzen",

  // Lösen und Abspielen
  "{n} {n|press|presses} to go; this was press {k} of {m}.": "Noch {n} {n|Zug|Züge}; das war Zug {k} von {m}.",
  "a board without solution has none to go on with": "ein Brett ohne Lösung hat keine, mit der es weitergehen könnte",
  "Drawing the goal: what is lit here is wanted lit.": "Das Ziel wird gezeichnet: Was hier an ist, soll am Ende an sein.",
  "A dotted bulb may be pressed when the squares of its row and its column are alike.":
    "Eine Lampe mit Punkt darf man drücken, wenn die Quadrate ihrer Zeile und ihrer Spalte gleich sind.",
  "Quiet pattern {k} of {m}: pressing its {n} {n|bulb|bulbs} changes nothing.":
    "Stilles Muster {k} von {m}: Seine {n} {n|Lampe|Lampen} zu drücken ändert nichts.",
  "Only the empty one: every board of this shape has exactly one press set.":
    "Nur das leere: Jedes Brett dieser Form hat genau eine Auswahl von Lampen, die zu drücken sind.",
  "{n} of {m} {m|bulb|bulbs} can be toggled alone: point at one.":
    "{n} von {m} {m|Lampe|Lampen} {n|lässt|lassen} sich einzeln umschalten: auf eine zeigen.",
  "0 of {m} {m|bulb|bulbs} can be toggled alone.": "Von {m} {m|Lampe|Lampen} lässt sich keine einzeln umschalten.",
  "{place} alone: {n} {n|press|presses}.": "{place} allein: {n} {n|Zug|Züge}.",
  "Once more": "Noch einmal",
  "Start": "Start",
  "{k} of {m}": "{k} von {m}",
  "a press in {n} {n|second|seconds}": "ein Zug in {n} {n|Sekunde|Sekunden}",
  "{n} a second": "{n} pro Sekunde",
  "For mathematicians: {why}.": "Für Mathematiker: {why}.",
  "This board cannot be solved, and here is why. {why}": "Dieses Brett ist nicht lösbar, und zwar darum. {why}",
  "This board cannot be done in order, and here is why. {why}": "Dieses Brett hat keine Reihenfolge, und zwar darum. {why}",

  // Zeichnen
  "all lit": "alle an",
  "all unlit": "alle aus",
  "drawn": "gezeichnet",
  "any": "alle",
  "cross": "Zeile und Spalte",
  "plus": "Plus",
  "king": "König",
  "torus-plus": "Plus, Ränder verbunden",
  "torus-king": "König, Ränder verbunden",
  "stencil": "Schablone",
  "wires": "Drähte",
  "solvable": "lösbar",
  "with an order": "mit Reihenfolge",
  "without order": "ohne Reihenfolge",
  "a graph here has at most {n} bulbs": "ein Graph hat hier höchstens {n} Lampen",
  "looking for a board without order …": "ein Brett ohne Reihenfolge wird gesucht …",
  "the bulb itself": "die Lampe selbst",
  "{n} up": "{n} nach oben",
  "{n} down": "{n} nach unten",
  "{n} left": "{n} nach links",
  "{n} right": "{n} nach rechts",

  // was hereinkommt und hinausgeht
  "Copied: {what}.": "Kopiert: {what}.",
  "This is {what}, to be copied.": "Hier steht {what} zum Kopieren.",
  "the link to this board": "der Link zu diesem Brett",
  "the link to this board and the reason": "der Link zu diesem Brett mit der Begründung",
  "the result and the link": "das Ergebnis mit dem Link",
  "daily {day}": "Tagesrätsel vom {day}",
  "{puzzle}, {grade}": "{puzzle}, {grade}",
  "ponder {name}, {n} {n|press|presses}": "ponder {name}, {n} {n|Zug|Züge}",
  "ponder {name}, {n} {n|press|presses}, best {m}": "ponder {name}, {n} {n|Zug|Züge}, möglich {m}",
  "solving …": "wird gelöst …",
  "this file is too large to be a board": "diese Datei ist zu groß für ein Brett",
  "this result has no presses to show": "dieses Ergebnis enthält keine Züge, die man zeigen könnte",
  "this result is of another board: open that first": "dieses Ergebnis gehört zu einem anderen Brett: zuerst jenes öffnen",
  "{r} by {c} board": "Brett mit {r} × {c} Feldern",
  "{size} board": "Brett: {size}",
  "the server does not answer; trying again": "der Server antwortet nicht; ein neuer Versuch folgt",
  "the server does not answer; is `ponder play` still running?": "der Server antwortet nicht; läuft `ponder play` noch?",
  "the server's reply is cut off": "die Antwort des Servers ist abgeschnitten",

  // eine Adresse
  "this address holds no board: {why}": "diese Adresse enthält kein Brett: {why}",
  "it is damaged": "sie ist beschädigt",
  "it is of another version, or damaged": "sie ist von einer anderen Version oder beschädigt",
  "its size is none from 1×1 to {n}×{n}": "ihre Größe liegt nicht zwischen 1×1 und {n}×{n}",
  "its rule is unknown": "ihre Regel ist unbekannt",
  "its goal is unknown": "ihr Ziel ist unbekannt",
  "its pattern is unknown": "ihr Muster ist unbekannt",
  "it has no bulbs": "sie hat keine Lampen",
  "its stencil is damaged": "ihre Schablone ist beschädigt",
  "its stencil is not symmetric, or too large": "ihre Schablone ist nicht symmetrisch oder zu groß",
  "a name is damaged": "ein Name ist beschädigt",
  "a name is empty, or too long": "ein Name ist leer oder zu lang",
  "it has not from 1 to {n} bulbs and buttons": "sie hat nicht 1 bis {n} Lampen und Knöpfe",
  "its places do not fit its size": "ihre Orte passen nicht zu ihrer Größe",
  "two of its bulbs have one place": "zwei ihrer Lampen liegen am selben Ort",
  "its names do not fit": "ihre Namen passen nicht",
  "its bulbs do not fit its size": "ihre Lampen passen nicht zu ihrer Größe",
  "it holds a foreign sign": "sie enthält ein fremdes Zeichen",

  // Tasten
  "Arrows move, Enter presses. H hint, U undo, R redo, N new board or next, A again.":
    "Pfeile bewegen, Enter drückt. H Tipp, U rückgängig, R wiederherstellen, N neues Brett oder weiter, A noch einmal.",
  "Arrows move, Enter presses. H hint, U undo, R redo. Drop or paste a board, its address or a saved result anywhere.":
    "Pfeile bewegen, Enter drückt. H Tipp, U rückgängig, R wiederherstellen. Ein Brett, seine Adresse oder ein gespeichertes Ergebnis lässt sich überall ablegen oder einfügen.",
  "Arrows move, Enter toggles, Delete cuts a hole. Drag to paint. Drop or paste a board, its address or a saved result anywhere.":
    "Pfeile bewegen, Enter schaltet um, Entf schneidet ein Loch. Ziehen malt. Ein Brett, seine Adresse oder ein gespeichertes Ergebnis lässt sich überall ablegen oder einfügen.",
  "Arrows move, Enter presses. I says impossible; then Enter marks, Space ticks a line, C checks. U undo, R redo, N new board or next.":
    "Pfeile bewegen, Enter drückt. I sagt „unmöglich“; dann markiert Enter, die Leertaste hakt eine Linie ab, C prüft. U rückgängig, R wiederherstellen, N neues Brett oder weiter.",

  // Antworten
  "there is no solution to show": "es gibt keine Lösung, die man zeigen könnte",
  "no sequence was found in time": "in der Zeit wurde keine Zugfolge gefunden",
  "no sequence is known yet": "noch ist keine Zugfolge bekannt",
  "Solved in {n} {n|press|presses}.": "Gelöst in {n} {n|Zug|Zügen}.",
  "Solved: 0 presses to go.": "Gelöst: kein Zug mehr nötig.",
  "There is no solution.": "Es gibt keine Lösung.",
  "Waiting: {n} {n|search|searches} ahead.": "Warten: {n} {n|Suche|Suchen} davor.",
  "{n} {n|press|presses}, in any order.": "{n} {n|Zug|Züge}, in beliebiger Reihenfolge.",
  "{n} {n|press|presses}, each bulb at most once.": "{n} {n|Zug|Züge}, jede Lampe höchstens einmal.",
  "{n} {n|press|presses}, each bulb at most once; {m} {m|press|presses} with repeats.":
    "{n} {n|Zug|Züge}, jede Lampe höchstens einmal; mit Wiederholungen {m} {m|Zug|Züge}.",
  "There is no order with each bulb once.": "Es gibt keine Reihenfolge, die jede Lampe nur einmal drückt.",
  "There is no order with each bulb once. With repeats: {m} {m|press|presses}.":
    "Es gibt keine Reihenfolge, die jede Lampe nur einmal drückt. Mit Wiederholungen: {m} {m|Zug|Züge}.",
  "There is no order with each bulb once. With repeats: at most {m} {m|press|presses}.":
    "Es gibt keine Reihenfolge, die jede Lampe nur einmal drückt. Mit Wiederholungen: höchstens {m} {m|Zug|Züge}.",
  "{m} {m|press|presses}, which may press some bulbs twice; still looking for better.":
    "{m} {m|Zug|Züge}, manche Lampen vielleicht zweimal; es wird weiter nach Besserem gesucht.",
  "At least {n} {n|press|presses}; no sequence was found in time.": "Mindestens {n} {n|Zug|Züge}; in der Zeit wurde keine Zugfolge gefunden.",
  "At least {n} {n|press|presses}; searching.": "Mindestens {n} {n|Zug|Züge}; die Suche läuft.",
  "It can be solved; counting presses.": "Es ist lösbar; die Züge werden gezählt.",
  "Searching …": "Die Suche läuft …",
  "Thinking …": "Ich denke nach …",
  "At least {n} {n|press|presses}; searching for an order.": "Mindestens {n} {n|Zug|Züge}; eine Reihenfolge wird gesucht.",
  "A press set has {n} {n|press|presses}; searching for an order.": "Eine Auswahl hat {n} {n|Zug|Züge}; eine Reihenfolge wird gesucht.",
  "The only press set; no order has fewer.": "Nur eine Auswahl von Lampen ist möglich; keine Reihenfolge braucht weniger.",
  "The only press set; every order has at least {n} {n|press|presses}.":
    "Nur eine Auswahl von Lampen ist möglich; jede Reihenfolge hat mindestens {n} {n|Zug|Züge}.",
  "One of {number} press sets; no order has fewer.": "Eine von {number} möglichen Auswahlen; keine Reihenfolge braucht weniger.",
  "One of {number} press sets; every order has at least {n} {n|press|presses}.":
    "Eine von {number} möglichen Auswahlen; jede Reihenfolge hat mindestens {n} {n|Zug|Züge}.",
  "Nothing is left to press.": "Es ist nichts mehr zu drücken.",
  "none works": "nichts führt zum Ziel",
  "proved": "bewiesen",
  "at most; at least {n} proved": "höchstens; mindestens {n} bewiesen",
  "Every solution presses these bulbs; no press is wasted.": "Jede Lösung drückt diese Lampen; kein Zug ist verschwendet.",
  "{n} {n|bulb|bulbs} must be pressed an odd number of times; the rule costs {m} extra {m|press|presses}.":
    "{n} {n|Lampe muss|Lampen müssen} ungerade oft gedrückt werden; die Regel kostet {m} weitere {m|Zug|Züge}.",
  "searching": "die Suche läuft",
  "{lit} of {all} lit, {n} {n|press|presses}: solved": "{lit} von {all} an, {n} {n|Zug|Züge}: gelöst",
  "{lit} of {all} lit, {n} {n|press|presses}": "{lit} von {all} an, {n} {n|Zug|Züge}",
  "That is how it goes, in {n} {n|press|presses}.": "So geht es, in {n} {n|Zug|Zügen}.",
  "The answer was open.": "Die Antwort war aufgedeckt.",
  "With {n} {n|hint|hints}.": "Mit {n} {n|Tipp|Tipps}.",
  "Solved in {n}, the fewest possible.": "Gelöst in {n}, weniger geht nicht.",
  "Solved in {n}. At least {m} are needed.": "Gelöst in {n}. Mindestens {m} sind nötig.",
  "Solved in {n}.": "Gelöst in {n}.",
  "Nothing leads on from here. Undo takes a press back.": "Von hier führt nichts weiter. „Rückgängig“ nimmt einen Zug zurück.",
  "Nobody can win this board.": "Dieses Brett kann niemand gewinnen.",
  "{n} more can still do it.": "Noch {n}, dann ist es geschafft.",

  // Möglich oder nicht?
  "Each bulb at most once. Or show that nobody can.": "Jede Lampe höchstens einmal. Oder zeige, dass es niemand kann.",
  "No presses reach the goal. Mark bulbs of which every press changes an even number, and of which an odd number must change.":
    "Kein Zug führt zum Ziel. Markiere Lampen, von denen jeder Zug eine gerade Zahl ändert und von denen sich eine ungerade Zahl ändern muss.",
  "Tick the rows and columns that hold an odd number of dots. Every order needs as many such rows as columns.":
    "Hake die Zeilen und Spalten mit ungerade vielen Punkten ab. Jede Reihenfolge braucht gleich viele solche Zeilen und Spalten.",
  "If they balance: half of the dots of a line, rounded down, are pressed early. Tick lines that need more early presses than the lines across have room for.":
    "Sind es gleich viele: Die Hälfte der Punkte einer Linie, abgerundet, wird früh gedrückt. Hake Linien ab, die mehr frühe Züge brauchen, als in den querenden Linien Platz haben.",
  "Mark a group: dotted bulbs, and every dot that changes one of them. Each order needs an even number of pairs that change each other.":
    "Markiere eine Gruppe: Lampen mit Punkt und jeden Punkt, der eine von ihnen ändert. Jede Reihenfolge braucht eine gerade Zahl von Paaren, die einander ändern.",
  "Mark a group: dotted bulbs, and every dot that changes one of them. Each order needs an even number, or an odd one, as the lights decide, of pairs that change each other.":
    "Markiere eine Gruppe: Lampen mit Punkt und jeden Punkt, der eine von ihnen ändert. Jede Reihenfolge braucht eine gerade Zahl von Paaren, die einander ändern, oder eine ungerade: Das bestimmen die Lichter.",
  "Or a group that is all lit: none of it can be pressed first.": "Oder eine Gruppe, in der alle an sind: Keine davon kann zuerst gedrückt werden.",
  "Or a group that is all unlit: none of it can be pressed first.": "Oder eine Gruppe, in der alle aus sind: Keine davon kann zuerst gedrückt werden.",
  "The dots are one of {number} ways to choose the presses: the reason must hold for all.":
    "Die Punkte sind eine von {number} Möglichkeiten, die Lampen auszuwählen: Die Begründung muss für alle gelten.",
  "Not yet: {missing}.": "Noch nicht: {missing}.",
  "It can be done: {place} is the first press of an order.": "Es geht: {place} ist der erste Zug einer Reihenfolge.",
  "Mark the bulbs that show it, then Check.": "Markiere die Lampen, die es zeigen, dann „Prüfen“.",
  "Mark the lines or the bulbs that show it, then Check.": "Markiere die Linien oder die Lampen, die es zeigen, dann „Prüfen“.",
  "It can be done: solved in {n}.": "Es geht: gelöst in {n}.",
  "Impossible, and proved.": "Unmöglich, und bewiesen.",
  "{n} {n|minute|minutes}": "{n} {n|Minute|Minuten}",
  "{n} {n|second|seconds}": "{n} {n|Sekunde|Sekunden}",
  "{first} and {second}": "{first} und {second}",
  "ponder, Possible or not? {name} Settled in {time}, {wrong}.": "ponder, Möglich oder nicht? {name} Entschieden in {time}, {wrong}.",
  "after {n} wrong {n|claim|claims}": "nach {n} {n|falschen Behauptung|falschen Behauptungen}",
  "with no wrong claim": "ohne falsche Behauptung",
};

// Die längsten Sätze gehen vor; was in einer Lücke steht, wird ebenso übersetzt.
const engine = {
  // Namen
  "row {r}, column {c}": "Zeile {r}, Spalte {c}",
  "bulb {name}": "Lampe {name}",
  "rows": "Zeilen",
  "columns": "Spalten",
  "no row": "keine Zeile",
  "no column": "keine Spalte",
  "row {n}": "Zeile {n}",
  "column {n}": "Spalte {n}",
  "{n} {n|row|rows}": "{n} {n|Zeile|Zeilen}",
  "{n} {n|column|columns}": "{n} {n|Spalte|Spalten}",
  "rows {list} and {n}": "Zeilen {list} und {n}",
  "columns {list} and {n}": "Spalten {list} und {n}",
  "one of {n} sets of rows": "eine von {n} Mengen von Zeilen",
  "one of {n} sets of columns": "eine von {n} Mengen von Spalten",
  "these {n} pressed bulbs": "diese {n} gedrückten Lampen",
  "the presses of this bulb": "die Züge dieser Lampe",
  "these {n} bulbs": "dieser {n} Lampen",
  "odd": "ungerade",
  "even": "gerade",
  "an odd": "eine ungerade",
  "an even": "eine gerade",
  "first": "erste",
  "last": "letzte",

  // Rätsel
  "Rows and columns": "Zeilen und Spalten",
  "In order": "Der Reihe nach",
  "Lights Out": "Lights Out",
  "King's move": "Königszug",
  "Round the world": "Um die Welt",
  "Your own": "Eigenes",
  "Press {which}: {change}. {goal}": "Drücke {which}: {change}. {goal}",
  "an unlit bulb": "eine dunkle Lampe",
  "a lit bulb": "eine leuchtende Lampe",
  "any bulb": "irgendeine Lampe",
  "it and its whole row and column change": "Sie und ihre ganze Zeile und Spalte schalten um",
  "it and the bulbs above, below, left and right change": "Sie und die Lampen darüber, darunter, links und rechts schalten um",
  "it and the bulbs around it change": "Sie und die Lampen um sie herum schalten um",
  "it and its four neighbours change, across the edges too": "Sie und ihre vier Nachbarn schalten um, auch über die Ränder hinweg",
  "it and the eight bulbs around it change, across the edges too": "Sie und die acht Lampen um sie herum schalten um, auch über die Ränder hinweg",
  "it and the bulbs of the stencil change": "Sie und die Lampen der Schablone schalten um",
  "it and the bulbs that wires join to it change": "Sie und die Lampen, zu denen Drähte führen, schalten um",
  "the bulbs that the pattern names change": "Die Lampen des Musters schalten um",
  "Press a button: the bulbs to which its wires lead change.": "Drücke einen Knopf: Die Lampen, zu denen seine Drähte führen, schalten um.",
  "Press a button while its dotted line leads to an unlit bulb: its wires change bulbs.":
    "Drücke einen Knopf, solange seine gepunktete Linie zu einer dunklen Lampe führt: Seine Drähte schalten Lampen um.",
  "Press a button while its dotted line leads to a lit bulb: its wires change bulbs.":
    "Drücke einen Knopf, solange seine gepunktete Linie zu einer leuchtenden Lampe führt: Seine Drähte schalten Lampen um.",
  "Light them all.": "Alle sollen leuchten.",
  "Put them all out.": "Alle sollen ausgehen.",
  "Make the picture.": "Das Bild soll entstehen.",
  "Nobody can win this: {which} is {after} once it is pressed, so the last press leaves a bulb {after}, and all must end {goal}. With the goal all {after} it can be won.":
    "Das kann niemand gewinnen: {which} ist {after}, sobald sie gedrückt ist. Der letzte Zug lässt also eine Lampe {after}, am Ende müssen aber alle {goal} sein. Mit dem Ziel „alle {after}“ ist es zu gewinnen.",

  // Tipps
  "Look at row {r}: {n} {n|bulb is|bulbs are} still to be pressed there.":
    "Sieh dir Zeile {r} an: Dort {n|ist|sind} noch {n} {n|Lampe|Lampen} zu drücken.",
  "Look at these {n} bulbs: all are to be pressed, each changes another, and one can be first.":
    "Sieh dir diese {n} Lampen an: Alle sind zu drücken, jede ändert eine andere, und eine davon kann zuerst drankommen.",
  "Look around here: one of these bulbs is to be pressed, and none beside it.":
    "Sieh dich hier um: Eine dieser Lampen ist zu drücken, und keine daneben.",
  "every solution presses it an odd number of times": "Jede Lösung drückt sie ungerade oft",
  "the solution that is known presses it": "Die bekannte Lösung drückt sie",
  "{place}: {must}, and the order does not matter.": "{place}: {must}, und die Reihenfolge ist egal.",
  "{place}: {must}. It is {state} now, and {later} it, so it ends {end}.":
    "{place}: {must}. Jetzt ist sie {state}, {later} sie, also ist sie am Ende {end}.",
  "{place}: {must}. It is {state} now, and {later} it, so it ends {end}. Press {rival} first, and it is {then}: it would have to wait.":
    "{place}: {must}. Jetzt ist sie {state}, {later} sie, also ist sie am Ende {end}. Drückt man zuerst {rival}, ist sie {then} und müsste warten.",
  "no press to come changes": "kein weiterer Zug ändert",
  "{n} {n|press|presses} to come {n|changes|change}": "{n} {n|weiterer Zug ändert|weitere Züge ändern}",
  "After press {k} there is no order any more: {why}. Undo to before it, or a bulb is pressed twice.":
    "Nach Zug {k} gibt es keine Reihenfolge mehr: {why}. Nimm bis dahin zurück, sonst wird eine Lampe zweimal gedrückt.",

  // warum es keine Reihenfolge gibt
  "however you choose the presses, {why}": "wie man die Lampen auch auswählt: {why}",
  "every way to choose the presses was ruled out": "jede Auswahl der Lampen wurde ausgeschlossen",
  "there are {n} ways to choose the presses, and each was ruled out": "es gibt {n} Möglichkeiten, die Lampen auszuwählen, und jede wurde ausgeschlossen",
  "both press sets": "beiden Auswahlen",
  "all press sets": "allen Auswahlen",
  "all {n} press sets": "allen {n} Auswahlen",
  "in {every} {why}": "in {every}: {why}",
  "{every} contain one of {n} refuted components each": "in {every} kommt eine von {n} widerlegten Komponenten vor",
  "in {every} the numbers of odd rows and odd columns differ": "in {every} sind es verschieden viele ungerade Zeilen und ungerade Spalten",
  "of the press sets, {k} {k|is|are} refuted one by one; in all others the numbers of odd rows and odd columns differ":
    "von den Auswahlen {k|wird|werden} {k} einzeln widerlegt; in allen anderen sind es verschieden viele ungerade Zeilen und ungerade Spalten",
  "of the {n} press sets, {k} {k|is|are} refuted one by one; in all others the numbers of odd rows and odd columns differ":
    "von den {n} Auswahlen {k|wird|werden} {k} einzeln widerlegt; in allen anderen sind es verschieden viele ungerade Zeilen und ungerade Spalten",
  "this bulb has to change, but no {state} bulb may be pressed": "diese Lampe muss sich ändern, aber keine Lampe, die {state} ist, darf gedrückt werden",
  "this bulb has to change and end {end}, but a press leaves it {state}": "diese Lampe muss sich ändern und am Ende {end} sein, aber ein Zug lässt sie {state}",
  "these {n} bulbs {n|has|have} to change, but all {m} are {state}: none may be pressed first":
    "diese {n} Lampen müssen sich ändern, aber alle {m} sind {state}: Keine darf als erste gedrückt werden",
  "{k} of these {n} bulbs {k|has|have} to change, but all {m} are {state}: none may be pressed first":
    "{k} dieser {n} Lampen {k|muss|müssen} sich ändern, aber alle {m} sind {state}: Keine darf als erste gedrückt werden",
  "these {n} bulbs {n|has|have} to change, but all {m} must end {end}, and a press leaves its bulb {state}: none can be the last":
    "diese {n} Lampen müssen sich ändern, aber alle {m} müssen am Ende {end} sein, und ein Zug lässt seine Lampe {state}: Keine kann die letzte sein",
  "{k} of these {n} bulbs {k|has|have} to change, but all {m} must end {end}, and a press leaves its bulb {state}: none can be the last":
    "{k} dieser {n} Lampen {k|muss|müssen} sich ändern, aber alle {m} müssen am Ende {end} sein, und ein Zug lässt seine Lampe {state}: Keine kann die letzte sein",
  "all orders of {these} were searched: none is legal": "alle Reihenfolgen {these} wurden durchsucht: keine ist erlaubt",
  "{lines} needs {need}, and its {across} have {room}": "{lines} braucht {need}, aber ihre {across} haben {room}",
  "{lines} need {need}, and their {across} have {room}": "{lines} brauchen {need}, aber ihre {across} haben {room}",
  "an early press": "einen frühen Zug",
  "{n} early presses": "{n} frühe Züge",
  "no room for one": "dafür keinen Platz",
  "room for only {n}": "nur Platz für {n}",
  "{lines} {a|needs|need} {n} {n|press|presses} of colour 1, but {others} and the presses outside have room for only {m}":
    "{lines} brauchen zusammen {n} {n|Zug|Züge} der Farbe 1, aber {others} und die Züge außerhalb haben nur Platz für {m}",
  "odd numbers of presses fall on {rows} and on {columns}; every order needs as many such rows as columns":
    "ungerade viele Züge fallen auf {rows} und auf {columns}; jede Reihenfolge braucht gleich viele solche Zeilen und Spalten",
  "none of these {n} bulbs can be the {place} of them to be pressed: {why}": "von diesen {n} Lampen kann keine als {place} gedrückt werden: {why}",
  "no press of this bulb can be its {place}: {why}": "kein Zug dieser Lampe kann ihr {place}r sein: {why}",
  "each has the wrong number of neighbours among them, all of which would come later":
    "jede hat unter ihnen die falsche Zahl von Nachbarn, und die kämen alle später",
  "each needs an odd number of neighbours after it": "jede braucht nach sich ungerade viele Nachbarn",
  "deg_B(v) ≢ t_B(v) (mod 2) for every v of B, {these}": "deg_B(v) ≢ t_B(v) (mod 2) für jedes v aus B, {these}",
  "t_B(v) = 1 for every v of B, {these}": "t_B(v) = 1 für jedes v aus B, {these}",
  "this bulb has to be pressed before an odd number of its neighbours, but none of them is pressed":
    "diese Lampe müsste vor ungerade vielen ihrer Nachbarn gedrückt werden, aber keiner von ihnen wird gedrückt",
  "these {k} pressed bulbs have {n} {n|neighbouring pair|neighbouring pairs}; every order needs {need} number":
    "unter diesen {k} gedrückten Lampen {n|ist|sind} {n} {n|Nachbarpaar|Nachbarpaare}; jede Reihenfolge braucht {need} Zahl",
  "the presses of this bulb make {n} {n|neighbouring pair|neighbouring pairs}; every order needs {need} number":
    "die Züge dieser Lampe bilden {n} {n|Nachbarpaar|Nachbarpaare}; jede Reihenfolge braucht {need} Zahl",
  "every press changes an even number of these {k} bulbs; {n} of them {n|is|are} lit, and {m} must be: an {parity} number stays {which}":
    "jeder Zug ändert eine gerade Zahl dieser {k} Lampen; {n} davon {n|ist|sind} an, und {m} müssen es am Ende sein: {parity} bleibt {which}",
  "the indicator y of these {n} bulbs has A y = 0 and y·b = 1": "der Indikator y dieser {n} Lampen erfüllt A y = 0 und y·b = 1",
  "{who} looked for an order of these presses, and proved that there is none": "{who} hat nach einer Reihenfolge dieser Züge gesucht und bewiesen, dass es keine gibt",
  "the formula {name} of {n} variables and {m} clauses has no model: {who} gave a proof of {k} {k|lemma|lemmas}, which was checked":
    "die Formel {name} mit {n} Variablen und {m} Klauseln hat kein Modell: {who} gab einen Beweis mit {k} {k|Lemma|Lemmata}, und der wurde geprüft",
  "a randomised test found no order in {n} {n|trial|trials}; it errs with probability at most 2^{error}":
    "ein Zufallstest fand in {n} {n|Versuch|Versuchen} keine Reihenfolge; er irrt höchstens mit Wahrscheinlichkeit 2^{error}",
  "a randomised test over GF(2^{b}) found no order in {n} {n|trial|trials}; it errs with probability at most 2^{error}":
    "ein Zufallstest über GF(2^{b}) fand in {n} {n|Versuch|Versuchen} keine Reihenfolge; er irrt höchstens mit Wahrscheinlichkeit 2^{error}",
  "legal presses reach {n} {n|state|states} of the lights, and {which} the goal": "erlaubte Züge erreichen {n} {n|Zustand|Zustände} der Lichter, und {which} das Ziel",
  "it is not": "der ist nicht",
  "none of them is": "keiner davon ist",
  "{n} {n|group|groups} of bulbs {n|needs|need} at least {m} {when} presses beside them, but only {k} {k|pair|pairs} of neighbours {k|is|are} between groups or lead out of them":
    "{n} {n|Gruppe|Gruppen} von Lampen {n|braucht|brauchen} neben sich mindestens {m} {when} Züge, aber nur {k} {k|Paar|Paare} von Nachbarn {k|liegt|liegen} zwischen Gruppen oder {k|führt|führen} aus ihnen hinaus",
  "earlier": "frühere",
  "later": "spätere",
  "at least {m} edges must lead {way} {n} {n|piece|pieces}, and only {k} leave a piece":
    "mindestens {m} Kanten müssen {way} {n} {n|Stück|Stücke} führen, und nur {k} verlassen ein Stück",
  "into": "in",
  "out of": "aus",
  "however you choose the presses, {lines} needs more early ones than its {across} allow":
    "wie man die Lampen auch auswählt: {lines} braucht mehr frühe Züge, als die {across} erlauben",
  "however you choose the presses, {lines} need more early ones than their {across} allow":
    "wie man die Lampen auch auswählt: {lines} brauchen mehr frühe Züge, als die {across} erlauben",
  "in every press set {lines} {n|needs|need} more presses of colour 1 than the {across} and the presses outside have room for":
    "bei jeder Auswahl: {lines}: es werden mehr Züge der Farbe 1 gebraucht, als in den {across} und in den Zügen außerhalb Platz haben",
  "however you choose the presses, odd numbers of them fall on the same {n} {lines}; an order needs as many such {others}, and there {m|is|are} only {m} {m|row|rows|column|columns}":
    "wie man die Lampen auch auswählt: auf dieselben {n} {lines} fallen ungerade viele Züge; eine Reihenfolge braucht gleich viele solche {others}, und davon gibt es nur {m}",

  // Warum?
  "There are several ways to choose the presses. Each was ruled out by a reason of its own, and the picture shows the first. So no order exists.":
    "Es gibt mehrere Möglichkeiten, die Lampen auszuwählen. Jede wurde aus einem eigenen Grund ausgeschlossen, und das Bild zeigt den ersten. Also gibt es keine Reihenfolge.",
  "Think of the first press, or of the last one: the rule and the goal leave no bulb for it.":
    "Denk an den ersten Zug oder an den letzten: Regel und Ziel lassen keine Lampe dafür übrig.",
  "All orders of these presses were tried, step by step. Each gets stuck before its end.":
    "Alle Reihenfolgen dieser Züge wurden Schritt für Schritt versucht. Jede bleibt vor ihrem Ende stecken.",
  "A bulb that must be pressed may be pressed only while its row and its column agree: an even number of presses is left in both, or an odd number in both. Call a press early if those numbers are even.":
    "Eine Lampe, die gedrückt werden muss, darf nur gedrückt werden, solange ihre Zeile und ihre Spalte übereinstimmen: In beiden ist noch eine gerade Zahl von Zügen übrig, oder in beiden eine ungerade. Ein Zug heiße früh, wenn diese Zahlen gerade sind.",
  "In each line the number that is left falls by one with each press, so even and odd take turns, down to one. Half of the presses in a line are early, rounded down.":
    "In jeder Linie sinkt die Zahl der übrigen Züge mit jedem Zug um eins; gerade und ungerade wechseln sich also ab, bis hinunter zu eins. Die Hälfte der Züge einer Linie ist früh, abgerundet.",
  "The marked lines need a certain number of early presses, and each must also fit into the line across it. The lines across have less room than that, so no order exists.":
    "Die markierten Linien brauchen eine bestimmte Zahl früher Züge, und jeder muss auch in die Linie passen, die sie kreuzt. Dort ist weniger Platz, also gibt es keine Reihenfolge.",
  "Count the early presses by rows, then by columns: both counts must agree. The numbers of all presses agree too, so as many rows as columns lose a half in the rounding. Those are the marked lines, which have an odd number of presses. Here the rows and the columns differ in number, so no order exists.":
    "Zähle die frühen Züge nach Zeilen, dann nach Spalten: Beides muss dasselbe ergeben. Auch die Zahl aller Züge ist dieselbe; also verlieren gleich viele Zeilen wie Spalten beim Abrunden eine Hälfte. Das sind die markierten Linien mit ungerade vielen Zügen. Hier sind es verschieden viele Zeilen und Spalten, also gibt es keine Reihenfolge.",
  "Before anything is pressed, the rule forbids every bulb that must be pressed. So no press can be the first.":
    "Bevor etwas gedrückt ist, verbietet die Regel jede Lampe, die gedrückt werden muss. Also kann kein Zug der erste sein.",
  "A press leaves its bulb in one state, and after the last press nothing changes that. The goal wants each of these bulbs in the other state, so none of their presses can be the last.":
    "Ein Zug lässt seine Lampe in einem bestimmten Zustand, und nach dem letzten Zug ändert ihn nichts mehr. Das Ziel will jede dieser Lampen im anderen Zustand; also kann keiner ihrer Züge der letzte sein.",
  "The lights alone say which bulbs must be pressed, whatever the order. The outlined bulbs are among them.":
    "Die Lichter allein sagen, welche Lampen gedrückt werden müssen, in welcher Reihenfolge auch immer. Die umrandeten Lampen gehören dazu.",
  "Take two outlined neighbours. Whichever is pressed first changes the other before its turn. So each pair of neighbours puts one change before a press. The rule decides for each bulb whether an odd or an even number of changes must come before its press.":
    "Nimm zwei umrandete Nachbarn. Wer von beiden zuerst gedrückt wird, ändert den anderen, bevor der an der Reihe ist. Jedes Paar von Nachbarn bringt also eine Änderung vor einen Zug. Die Regel bestimmt für jede Lampe, ob vor ihrem Zug eine ungerade oder eine gerade Zahl von Änderungen liegen muss.",
  "These counts add up over the group, and so fix whether the number of pairs must be odd or even. Here it has the other parity, so no order exists.":
    "Über die ganze Gruppe summiert legt das fest, ob die Zahl der Paare ungerade oder gerade sein muss. Hier ist es umgekehrt, also gibt es keine Reihenfolge.",
  "Look only at the hatched bulbs. Each press, wherever it is made, changes an even number of them. So whether an odd or an even number of them is lit never changes.":
    "Sieh nur auf die schraffierten Lampen. Jeder Zug, wo auch immer, ändert eine gerade Zahl von ihnen. Ob eine ungerade oder eine gerade Zahl von ihnen an ist, ändert sich also nie.",
  "The goal needs the other parity, so no presses reach it.": "Das Ziel braucht es umgekehrt; also führt kein Zug dorthin.",
  "The question was written as a formula, and a solver proved that it has no solution. Another program checks that proof line by line.":
    "Die Frage wurde als Formel geschrieben, und ein Programm hat bewiesen, dass sie keine Lösung hat. Ein anderes Programm prüft diesen Beweis Zeile für Zeile.",
  "This is evidence, not a proof: random trials found no order, and the chance that all of them are wrong is known to be tiny.":
    "Das ist ein Hinweis, kein Beweis: Zufällige Versuche fanden keine Reihenfolge, und die Wahrscheinlichkeit, dass alle irren, ist nachweislich winzig.",
  "Legal presses lead from here to a limited number of arrangements of lights. All of them were looked at, and none is the goal.":
    "Erlaubte Züge führen von hier zu einer begrenzten Zahl von Zuständen der Lichter. Alle wurden angesehen, und keiner ist das Ziel.",
  "Each outlined group of bulbs can be ordered by itself in some ways only. Whatever the order in it, the rule asks for neighbours outside it that are pressed before, or after, the bulb of the group: at least so many.":
    "Jede umrandete Gruppe von Lampen lässt sich für sich nur auf manche Arten ordnen. Wie auch immer: Die Regel verlangt Nachbarn außerhalb, die vor oder nach der Lampe der Gruppe gedrückt werden, und zwar mindestens so viele.",
  "A pair of neighbours in two groups can serve one of them alone, because one of the two is pressed first. All groups together need more pairs than there are between groups.":
    "Ein Paar von Nachbarn in zwei Gruppen kann nur einer davon dienen, denn einer der beiden wird zuerst gedrückt. Alle Gruppen zusammen brauchen mehr Paare, als es zwischen Gruppen gibt.",
  "There are several ways to choose the presses. In each of them, some lines need more early presses than the lines across have room for. So no order exists.":
    "Es gibt mehrere Möglichkeiten, die Lampen auszuwählen. Bei jeder brauchen manche Linien mehr frühe Züge, als in den querenden Linien Platz haben. Also gibt es keine Reihenfolge.",
  "No choice of presses gives the rows and the columns halves that can meet. So no order exists.":
    "Bei keiner Auswahl der Lampen passen die Hälften der Zeilen und die der Spalten zusammen. Also gibt es keine Reihenfolge.",

  // unter dem Bild
  "{label}; {n} more like it": "{label}; {n} weitere dieser Art",
  "all {state}": "alle {state}",
  "none may end {state}": "keine darf am Ende {state} sein",
  "needs {n}, has room for {m}": "braucht {n}, hat Platz für {m}",
  "{n} {n|odd row|odd rows} against {m} {m|odd column|odd columns}": "{n} ungerade {n|Zeile|Zeilen} gegen {m} ungerade {m|Spalte|Spalten}",
  "{n} {n|pair|pairs}: {parity}": "{n} {n|Paar|Paare}: {parity}",
  "{n} of these must change: odd": "{n} davon müssen sich ändern: ungerade viele",
  "{n} of {m}": "{n} von {m}",
  "too full": "zu voll",
  "{n} sets of {lines}: one is too full": "{n} Mengen von {lines}: eine ist zu voll",
  "{n} odd, only {m} to match": "{n} ungerade, nur {m} als Gegenstück",

  // Möglich oder nicht?
  "{why}. So no order exists: proved.": "{why}. Also gibt es keine Reihenfolge: bewiesen.",
  "The goal needs the other parity, so no presses reach it: proved.": "Das Ziel braucht es umgekehrt; also führt kein Zug dorthin: bewiesen.",
  "{why}.": "{why}.",
  "Whatever the order, the lights say which bulbs must be pressed; the marked ones are among them.":
    "In welcher Reihenfolge auch immer: Die Lichter sagen, welche Lampen gedrückt werden müssen; die markierten gehören dazu.",
  "The other presses that touch the group hang on one marked bulb each, so what they change before and after it is fixed: it is counted in.":
    "Die anderen Züge, die die Gruppe berühren, hängen an je einer markierten Lampe; was sie davor und danach ändern, steht also fest und ist mitgezählt.",
  "Take the marked bulb that is pressed first: all its marked neighbours come later.":
    "Nimm die markierte Lampe, die zuerst gedrückt wird: Alle ihre markierten Nachbarn kommen später.",
  "Take the marked bulb that is pressed last: none of its marked neighbours come later.":
    "Nimm die markierte Lampe, die zuletzt gedrückt wird: Keiner ihrer markierten Nachbarn kommt später.",
  "nothing is marked yet: mark the bulbs or lines that show why": "noch ist nichts markiert: Markiere die Lampen oder Linien, die zeigen, warum",
  "bulbs and lines are marked: a proof is about one or the other": "Lampen und Linien sind markiert: Ein Beweis handelt von den einen oder von den anderen",
  "every order is legal here, and the goal can be reached": "hier ist jede Reihenfolge erlaubt, und das Ziel ist erreichbar",
  "there are 2^{n} ways to choose the presses: too many to go through": "es gibt 2^{n} Möglichkeiten, die Lampen auszuwählen: zu viele zum Durchgehen",
  "there are {n} ways to choose the presses; in one of them, {why}": "es gibt {n} Möglichkeiten, die Lampen auszuwählen; bei einer davon gilt: {why}",
  "the check takes too long here": "die Prüfung dauert hier zu lange",
  "lines show nothing here: mark bulbs, of which every press changes an even number":
    "Linien zeigen hier nichts: Markiere Lampen, von denen jeder Zug eine gerade Zahl ändert",
  "a press of {place} changes an odd number of these bulbs: it could be that one": "{place} zu drücken ändert eine ungerade Zahl dieser Lampen: Es könnte dieser Zug sein",
  "{n} of these bulbs have to change: an even number says nothing": "{n} dieser Lampen müssen sich ändern: Eine gerade Zahl besagt nichts",
  "{place} does not have to be pressed: it is no part of a group": "{place} muss nicht gedrückt werden: Diese Lampe gehört zu keiner Gruppe",
  "this group has {n} {n|pair|pairs}: {need} number, as every order needs, says nothing; and some of its bulbs can be first, and some last":
    "diese Gruppe hat {n} {n|Paar|Paare}: {need} Zahl, wie jede Reihenfolge sie braucht, besagt nichts; und manche ihrer Lampen können die ersten sein, manche die letzten",
  "{one} and {two} touch {place}, which has to be pressed too: its pairs belong to the group":
    "{one} und {two} berühren {place}, und auch diese Lampe muss gedrückt werden: Ihre Paare gehören zur Gruppe",
  "{one} and {two} are joined by {n} {n|bulb|bulbs}, which {n|has|have} to be pressed too: they belong to the group":
    "{one} und {two} sind durch {n} {n|Lampe|Lampen} verbunden, und auch die {n|muss|müssen} gedrückt werden: Sie {n|gehört|gehören} zur Gruppe",
  "lines show something only where a press changes its row and its column": "Linien zeigen nur dort etwas, wo ein Zug seine Zeile und seine Spalte ändert",
  "{n} {n|row|rows} and {m} {m|column|columns}: they balance": "{n} {n|Zeile|Zeilen} und {m} {m|Spalte|Spalten}: Das gleicht sich aus",
  "{wrong}; and as a cut, {one} and {two}": "{wrong}; und als Schnitt: {one}, {two}",
  "the {lines} need {n} {n|early press|early presses}, with room for {m}": "die {lines} brauchen {n} {n|frühen Zug|frühe Züge}, Platz ist für {m}",
  "{line} is marked and has an even number of presses": "{line} ist markiert und hat eine gerade Zahl von Zügen",
  "{line} has an odd number of presses too": "auch {line} hat eine ungerade Zahl von Zügen",

  // was nicht gelingt
  "the engine is loading": "der Rechner wird geladen",
  "the engine is loading ({n} of {m} MB)": "der Rechner wird geladen ({n} von {m} MB)",
  "the engine is starting": "der Rechner startet",
  "the engine cannot be loaded: {why}": "der Rechner lässt sich nicht laden: {why}",
  "the search was lost: {why}": "die Suche ging verloren: {why}",
  "the search did not end in time and was ended": "die Suche kam nicht rechtzeitig zu Ende und wurde beendet",
  "the search did not end in time and was killed": "die Suche kam nicht rechtzeitig zu Ende und wurde abgebrochen",
  "its file is missing": "seine Datei fehlt",
  "{name} is missing": "{name} fehlt",
  "it was ended": "er wurde beendet",
  "its process ended": "ihr Prozess ist zu Ende",
  "another search took its place": "eine andere Suche trat an ihre Stelle",
  "the server has ended": "der Server ist beendet",
  "too many searches are waiting; try again in a while": "zu viele Suchen warten; bitte später noch einmal",
  "no search can be started: {why}": "keine Suche lässt sich starten: {why}",
  "unknown: {why}": "unbekannt: {why}",
  "the time limit was reached": "die Zeit ist um",
  "this search needs more memory than it may take": "diese Suche braucht mehr Speicher, als sie nehmen darf",
  "the search failed: {why}": "die Suche schlug fehl: {why}",
  "none was found: nearly all boards of this kind have an order": "keines gefunden: Fast alle Bretter dieser Art haben eine Reihenfolge",
  "no such board was found: nearly all of this kind can be done": "kein solches Brett gefunden: Fast alle dieser Art sind lösbar",
  "the board is too small to play: no presses change it": "das Brett ist zu klein zum Spielen: Kein Zug ändert es",
  "a board to play has at most {n} bulbs": "ein Brett zum Spielen hat höchstens {n} Lampen",
  "a board to play has from 1 to {n} bulbs": "ein Brett zum Spielen hat 1 bis {n} Lampen",
  "a board of {n} bulbs is too large here (at most {m})": "ein Brett mit {n} Lampen ist hier zu groß (höchstens {m})",
  "{place}: {reason}": "{place}: {reason}",
};

export default { page, engine };
