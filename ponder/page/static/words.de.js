// Deutsch: was die Seite sagt, und darunter, was der Rechner sagt. Wie die Sätze gefüllt werden, steht
// in `language.js`.

const page = {
  // index.html
  "ponder": "ponder",
  "The page is still loading. If this stays, load it again.": "Die Seite wird noch geladen. Bleibt das so, lade sie neu.",
  "Place": "Ort",
  "Play": "Spielen",
  "Solve": "Lösen",
  "Draw": "Zeichnen",
  "Daily": "Tagesrätsel",
  "Share": "Teilen",
  "New board": "Neu",
  "Puzzles": "Rätselarten",
  "Puzzle": "Rätsel",
  "Boards": "Bretter",
  "Always possible": "Lösbar",
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
  "Undo": "Zurück",
  "Redo": "Vor",
  "Start again": "Von vorn",
  "Hint": "Tipp",
  "Impossible": "Unmöglich",
  "Check": "Prüfen",
  "Clear marks": "Marken löschen",
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
  "{size} · can always be solved": "{size} · ist immer lösbar",
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
  "this is too large to be a board": "das ist zu groß für ein Brett",
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
  "the path has levels from 1 to {n}": "der Pfad hat die Stufen 1 bis {n}",
  "it holds a foreign sign": "sie enthält ein fremdes Zeichen",

  // Tasten
  "Arrows move, Enter presses. H hint, U undo, R redo, N new board or next, A again.":
    "Pfeile bewegen, Enter drückt. H Tipp, U zurück, R vor, N neu oder weiter, A noch einmal.",
  "Arrows move, Enter presses. H hint, U undo, R redo. Drop or paste a board, its address or a saved result anywhere.":
    "Pfeile bewegen, Enter drückt. H Tipp, U zurück, R vor. Ein Brett, seine Adresse oder ein gespeichertes Ergebnis lässt sich überall ablegen oder einfügen.",
  "Arrows move, Enter toggles, Delete cuts a hole. Drag to paint. Drop or paste a board, its address or a saved result anywhere.":
    "Pfeile bewegen, Enter schaltet um, Entf schneidet ein Loch. Ziehen malt. Ein Brett, seine Adresse oder ein gespeichertes Ergebnis lässt sich überall ablegen oder einfügen.",
  "Arrows move, Enter presses. I says impossible; then Enter marks, C checks. U undo, R redo, N new board or next.":
    "Pfeile bewegen, Enter drückt. I sagt „unmöglich“; dann markiert Enter, C prüft. U zurück, R vor, N neu oder weiter.",
  "Arrows move, Enter presses. I says impossible; then Enter marks, Space ticks a line, C checks. U undo, R redo, N new board or next.":
    "Pfeile bewegen, Enter drückt. I sagt „unmöglich“; dann markiert Enter, die Leertaste hakt eine Linie ab, C prüft. U zurück, R vor, N neu oder weiter.",

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
  "Nothing leads on from here. Undo takes a press back.": "Von hier führt nichts weiter. „Zurück“ nimmt einen Zug zurück.",
  "Nobody can win this board.": "Dieses Brett kann niemand gewinnen.",
  "{n} more can still do it.": "Noch {n}, dann ist es geschafft.",

  // Möglich oder nicht?
  "Each bulb at most once. Or show that nobody can.": "Jede Lampe höchstens einmal. Oder zeige, dass es niemand kann.",
  "No presses reach the goal. Mark bulbs so that every press changes 0, 2 or 4 … of them (an even number), and an odd number of them must change. Start anywhere and follow the Checks.":
    "Kein Zug führt zum Ziel. Markiere Lampen so, dass jeder Zug 0, 2 oder 4 … davon ändert (eine gerade Zahl) und sich eine ungerade Zahl davon ändern muss. Fang irgendwo an; „Prüfen“ führt dich weiter.",
  "Tick the rows and columns that hold an odd number of dots. Every order needs as many such rows as columns.":
    "Hake die Zeilen und Spalten mit ungerade vielen Punkten ab. Jede Reihenfolge braucht gleich viele solche Zeilen und Spalten.",
  "Half of the dots of a line, rounded down, are pressed early. Tick lines that need more early presses than the lines across have room for.":
    "Die Hälfte der Punkte einer Linie, abgerundet, wird früh gedrückt. Hake Linien ab, die mehr frühe Züge brauchen, als in den querenden Linien Platz haben.",
  "Mark all dots that hang together. If the number of neighbouring pairs among them is odd, no order exists.":
    "Markiere alle Punkte, die zusammenhängen. Ist die Zahl der Nachbarpaare darunter ungerade, gibt es keine Reihenfolge.",
  "Mark all dots that hang together. Every order needs an even number of neighbouring pairs among them, or an odd one: the lights decide which.":
    "Markiere alle Punkte, die zusammenhängen. Jede Reihenfolge braucht darunter eine gerade Zahl von Nachbarpaaren, oder eine ungerade: Das bestimmen die Lichter.",
  "Mark dots that hang together and are all lit: none of them can be pressed first.":
    "Markiere Punkte, die zusammenhängen und alle an sind: Keiner davon kann zuerst gedrückt werden.",
  "Mark dots that hang together and are all unlit: none of them can be pressed first.":
    "Markiere Punkte, die zusammenhängen und alle aus sind: Keiner davon kann zuerst gedrückt werden.",
  "Mark dots that hang together and must all end unlit: a press leaves its bulb lit, so none can be the last.":
    "Markiere Punkte, die zusammenhängen und am Ende alle aus sein müssen: Ein Zug lässt seine Lampe an, also kann keiner der letzte sein.",
  "Mark dots that hang together and must all end lit: a press leaves its bulb unlit, so none can be the last.":
    "Markiere Punkte, die zusammenhängen und am Ende alle an sein müssen: Ein Zug lässt seine Lampe aus, also kann keiner der letzte sein.",
  "Dots that hang on one marked dot alone may stay unmarked.": "Punkte, die nur an einem markierten Punkt hängen, dürfen unmarkiert bleiben.",
  "More ways": "Weitere Wege",
  "A red dot: this bulb must be pressed, in every solution.": "Ein roter Punkt: Diese Lampe muss gedrückt werden, in jeder Lösung.",
  "The red dots are one of {number} ways to choose which bulbs are pressed: the reason must hold for all.":
    "Die roten Punkte sind eine von {number} Möglichkeiten, die Lampen auszuwählen: Die Begründung muss für alle gelten.",
  "Not yet: {missing}.": "Noch nicht: {missing}.",
  "It can be done: {place} is the first press of an order.": "Es geht: {place} ist der erste Zug einer Reihenfolge.",
  "It can be done: {place} is the first press of an order. The board is back at its start; Undo brings your presses back.":
    "Es geht: {place} ist der erste Zug einer Reihenfolge. Das Brett ist wieder am Anfang; „Zurück“ bringt deine Züge zurück.",
  "The board is back at its start; Play on brings your presses back.": "Das Brett ist wieder am Anfang; „Weiterspielen“ bringt deine Züge zurück.",
  "Mark bulbs of which every press changes an even number, then Check.": "Markiere Lampen, von denen jeder Zug eine gerade Zahl ändert, dann „Prüfen“.",
  "Tick lines that need more early presses than fit, then Check.": "Hake Linien ab, die mehr frühe Züge brauchen, als Platz haben, dann „Prüfen“.",
  "Tick the rows and columns with an odd number of dots, then Check.": "Hake die Zeilen und Spalten mit ungerade vielen Punkten ab, dann „Prüfen“.",
  "Mark dots that hang together, then Check.": "Markiere Punkte, die zusammenhängen, dann „Prüfen“.",
  "It can be done: solved in {n}.": "Es geht: gelöst in {n}.",
  "Impossible, and proved.": "Unmöglich, und bewiesen.",
  "{n} {n|minute|minutes}": "{n} {n|Minute|Minuten}",
  "{n} {n|second|seconds}": "{n} {n|Sekunde|Sekunden}",
  "{first} and {second}": "{first} und {second}",
  "After {n} wrong {n|claim|claims}.": "Nach {n} {n|falschen Behauptung|falschen Behauptungen}.",
  "After {n} refused {n|check|checks}.": "Nach {n} {n|abgelehnten Prüfung|abgelehnten Prüfungen}.",
  "ponder, Possible or not? {name} Settled in {time}, {attempt}.": "ponder, Möglich oder nicht? {name} Entschieden in {time}, {attempt}.",
  "at the first attempt": "beim ersten Versuch",
  "at attempt {n}": "beim {n}. Versuch",

  // der Pfad und was gezählt wird
  "Path": "Pfad",
  "Levels": "Stufen",
  "Leave the path": "Pfad verlassen",
  "Statistics": "Statistik",
  "Idea": "Idee",
  "Storage": "Speicher",
  "Why it is true": "Warum das stimmt (auf Englisch)",
  "Done": "Erledigt",
  "Export": "Exportieren",
  "Import": "Importieren",
  "Statistics file": "Statistikdatei",
  "Erase": "Löschen",
  "daily, {day}": "Tagesrätsel, {day}",
  "Level {k} of {m} · {chapter}": "Stufe {k} von {m} · {chapter}",
  "Level {k}": "Stufe {k}",
  "Level {k} of the path": "Stufe {k} des Pfads",
  "{n} {n|press is|presses are} enough.": "{n} {n|Zug genügt|Züge genügen}.",
  "Possible or not? Light it, each bulb at most once. Or say Impossible, and mark why.":
    "Möglich oder nicht? Bring alle zum Leuchten, jede Lampe höchstens einmal. Oder sag „Unmöglich“ und markiere, warum.",
  "Without Hint or Show me how, it gives a star.": "Ohne „Tipp“ und „Zeig mir, wie“ gibt es einen Stern.",
  "Done. Once more without Hint or Show me how, it gives a star.": "Geschafft. Noch einmal ohne „Tipp“ und „Zeig mir, wie“, und es gibt einen Stern.",
  "Without a hint or a wrong Impossible, it gives a star.": "Ohne Tipp und ohne falsches „Unmöglich“ gibt es einen Stern.",
  "Done. Once more without a hint or a wrong Impossible, it gives a star.": "Geschafft. Noch einmal ohne Tipp und ohne falsches „Unmöglich“, und es gibt einen Stern.",
  "Done, with a star.": "Geschafft, mit Stern.",
  "A star!": "Ein Stern!",
  "solved": "gelöst",
  "solved, with a star": "gelöst, mit Stern",
  "{k} of {m} levels, {n} {n|star|stars}": "{k} von {m} Stufen, {n} {n|Stern|Sterne}",
  "Here the path ends. Draw a board of your own, or read in two screens why all of this is true.":
    "Hier endet der Pfad. Zeichne ein eigenes Brett, oder lies auf zwei Seiten, warum das alles stimmt.",
  "No order leads on from here. Undo a press, or start again.": "Von hier führt keine Reihenfolge weiter. Nimm einen Zug zurück, oder fang von vorn an.",
  "Nobody can do this board. Say Impossible, and mark why.": "Dieses Brett kann niemand schaffen. Sag „Unmöglich“ und markiere, warum.",
  "What shows it here are rows and columns: {n} are to be ticked.": "Hier zeigen es Zeilen und Spalten: {n} sind abzuhaken.",
  "What shows it here are bulbs: {n} {n|is|are} to be marked.": "Hier zeigen es Lampen: {n} {n|ist|sind} zu markieren.",
  "Mark these, then Check: {names}.": "Markiere dies, dann „Prüfen“: {names}.",
  "{n} {n|day|days} in a row, {m} at most": "{n} {n|Tag|Tage} in Folge, Rekord {m}",
  "not yet": "noch nicht",
  "Levels done": "Geschaffte Stufen",
  "Stars": "Sterne",
  "Boards solved": "Gelöste Bretter",
  "Boards proved impossible": "Als unmöglich bewiesene Bretter",
  "Boards with a best game": "Bretter mit Rekord",
  "Hints used": "Genutzte Tipps",
  "Daily board": "Tagesrätsel",
  "Daily Possible or not?": "Tägliches „Möglich oder nicht?“",
  "Counted in this browser only. A file takes it to another.": "Gezählt wird nur in diesem Browser. Eine Datei bringt es in einen anderen.",
  "Erase all of it?": "Wirklich alles löschen?",
  "Everything that was counted is erased.": "Alles Gezählte ist gelöscht.",
  "Saved as ponder-statistics.json.": "Gespeichert als ponder-statistics.json.",
  "Taken in: what is better of the two was kept.": "Übernommen: Von beidem blieb das Bessere.",
  "this file holds no statistics of ponder's": "diese Datei enthält keine Statistik von ponder",
  "This browser keeps nothing for the page: its storage is blocked or full. You can play on, but your progress is lost when you close the page.":
    "Dieser Browser bewahrt nichts für die Seite auf: Sein Speicher ist gesperrt oder voll. Du kannst weiterspielen, aber dein Fortschritt geht verloren, wenn du die Seite schließt.",

  // lessons.js
  "Light a bulb": "Mach Licht",
  "Rows and columns": "Zeilen und Spalten",
  "The order matters": "Auf die Reihenfolge kommt es an",
  "Which bulbs, by chasing": "Welche Lampen: Jagen",
  "Pairs, first and last": "Paare, Erste und Letzte",
  "Cuts, and your own": "Schnitte, und Eigenes",
  "Press the dark bulb in the middle. It changes, and so do the bulbs above, below, left and right.":
    "Drücke die dunkle Lampe in der Mitte. Sie schaltet um, und die darüber, darunter, links und rechts ebenso.",
  "One press changes a cross of bulbs.": "Ein Zug schaltet ein Kreuz von Lampen um.",
  "Each press changes a cross; at the edge a part of it is missing. Find the two crosses that are dark.":
    "Jeder Zug schaltet ein Kreuz um; am Rand fehlt ein Teil davon. Finde die zwei Kreuze, die dunkel sind.",
  "These two crosses do not meet. So you may begin with either.": "Diese zwei Kreuze berühren sich nicht. Du kannst also mit jedem anfangen.",
  "Almost one dark cross, but its middle is lit, and a lit bulb cannot be pressed. Look for other crosses.":
    "Fast ein dunkles Kreuz, aber seine Mitte leuchtet, und eine leuchtende Lampe darf man nicht drücken. Suche andere Kreuze.",
  "Four crosses meet in the middle. A bulb that changes an even number of times stays as it was.":
    "Vier Kreuze treffen sich in der Mitte. Eine Lampe, die gerade oft umschaltet, bleibt, wie sie war.",
  "Three bulbs in a row need a press, and two of them are lit. A press beside a lit bulb makes it dark.":
    "Drei Lampen in einer Zeile müssen gedrückt werden, und zwei davon leuchten. Ein Zug neben einer leuchtenden Lampe macht sie dunkel.",
  "The middle one had to be first: it made the other two dark.": "Die mittlere musste zuerst kommen: Sie hat die beiden anderen dunkel gemacht.",
  "Five bulbs need a press, and only one of them is dark now. Find it; it makes the next ones dark.":
    "Fünf Lampen müssen gedrückt werden, und nur eine davon ist jetzt dunkel. Finde sie; sie macht die nächsten dunkel.",
  "An order grows from the one bulb that can be first.": "Eine Reihenfolge wächst aus der einen Lampe, die die erste sein kann.",
  "Five presses again. Must one of the dark bulbs be first?": "Wieder fünf Züge. Muss eine der dunklen Lampen die erste sein?",
  "No, any of the five can be: none of them changes another, so every order works.": "Nein, jede der fünf kann es: Keine schaltet eine andere um, also geht jede Reihenfolge.",
  "Now a press changes its whole row and column. Count the dark bulbs in both, its own bulb once: if the number is odd, the bulb must be pressed.":
    "Jetzt schaltet ein Zug seine ganze Zeile und Spalte um. Zähle die dunklen Lampen in beiden, die eigene einmal: Ist die Zahl ungerade, muss die Lampe gedrückt werden.",
  "Each dark bulb was alone in its row and column, and one is odd.": "Jede dunkle Lampe war allein in ihrer Zeile und Spalte, und eins ist ungerade.",
  "Count again for each bulb: not every dark bulb has to be pressed.": "Zähle wieder für jede Lampe: Nicht jede dunkle muss gedrückt werden.",
  "On a board with even sides, this count always says which bulbs.": "Auf einem Brett mit geraden Seiten sagt diese Zahl immer, welche Lampen es sind.",
  "This board has three rows, an odd number. Here the count does not say which bulbs, and yet three presses do it. Only one of the three bulbs is dark now.":
    "Dieses Brett hat drei Zeilen, eine ungerade Zahl. Hier sagt das Zählen nicht, welche Lampen es sind, und doch genügen drei Züge. Nur eine der drei Lampen ist jetzt dunkel.",
  "With an odd side there are several ways to choose the presses, and some of them have an order.":
    "Bei einer ungeraden Seite gibt es mehrere Möglichkeiten, die Lampen auszuwählen, und manche davon haben eine Reihenfolge.",
  "Dots show what must be pressed. Every order needs as many rows as columns with an odd number of dots. Here they differ: say Impossible, tick those lines, then Check.":
    "Punkte zeigen, was gedrückt werden muss. Jede Reihenfolge braucht gleich viele Zeilen und Spalten mit ungerade vielen Punkten. Hier sind es verschieden viele: Sag „Unmöglich“, hake diese Linien ab, dann „Prüfen“.",
  "Three columns against one row. That rules out every order at once.": "Drei Spalten gegen eine Zeile. Das schließt alle Reihenfolgen auf einmal aus.",
  "The same count on a larger board: how many rows have an odd number of dots, and how many columns?":
    "Dasselbe auf einem größeren Brett: Wie viele Zeilen haben ungerade viele Punkte, und wie viele Spalten?",
  "You tried no order, and yet you know about all of them.": "Du hast keine Reihenfolge versucht, und doch weißt du über alle Bescheid.",
  "Three rows have an odd number of dots. Is that too many?": "Drei Zeilen haben ungerade viele Punkte. Sind das zu viele?",
  "Three columns have one too, so the count proves nothing. And there is an order.": "Drei Spalten ebenso; das Zählen beweist also nichts. Und es gibt eine Reihenfolge.",
  "Here any bulb may be pressed. Leave the first row alone: only the row below can still change it, so press under each dark bulb. Go on row by row.":
    "Hier darf man jede Lampe drücken. Lass die erste Zeile, wie sie ist: Nur die Zeile darunter kann sie noch ändern. Drücke also unter jeder dunklen Lampe, und so weiter, Zeile für Zeile.",
  "This is chasing: each row decides the next.": "Das heißt Jagen: Jede Zeile bestimmt die nächste.",
  "Chase from an untouched first row, and the last row stays wrong. Start again, press something in the first row, then chase.":
    "Jagst du von einer unberührten ersten Zeile aus, bleibt die letzte falsch. Fang von vorn an, drücke etwas in der ersten Zeile, dann jage.",
  "The first row decides all others, so only eight beginnings had to be tried.": "Die erste Zeile bestimmt alle anderen; es waren also nur acht Anfänge zu versuchen.",
  "Four bulbs in the first row: sixteen beginnings. Which of them is right?": "Vier Lampen in der ersten Zeile: sechzehn Anfänge. Welcher davon ist richtig?",
  "All sixteen. On this board you can press what you like in the first row, and chasing comes out right.":
    "Alle sechzehn. Auf diesem Brett kannst du in der ersten Zeile drücken, was du willst, und das Jagen geht auf.",
  "Look at the first two and the last two bulbs. Each press changes two of these four, and only one of them is lit. If they can never all be lit, say Impossible and mark them.":
    "Sieh auf die ersten zwei und die letzten zwei Lampen. Jeder Zug schaltet zwei dieser vier um, und nur eine davon leuchtet. Können sie nie alle leuchten, sag „Unmöglich“ und markiere sie.",
  "One is odd, four is even, and no press changes which it is.": "Eins ist ungerade, vier ist gerade, und kein Zug ändert das.",
  "Find a group of bulbs of which every press changes an even number, while an odd number of them is dark.":
    "Finde eine Gruppe von Lampen, von denen jeder Zug eine gerade Zahl umschaltet, während eine ungerade Zahl von ihnen dunkel ist.",
  "Whatever is pressed, an odd number of these bulbs stays dark.": "Was man auch drückt: Eine ungerade Zahl dieser Lampen bleibt dunkel.",
  "On five by five, too, there are boards that nobody can light. Is this one of them?":
    "Auch mit fünf mal fünf gibt es Bretter, die niemand zum Leuchten bringt. Ist das eines davon?",
  "No: every such group holds an even number of dark bulbs here, and four presses do it.":
    "Nein: Jede solche Gruppe hat hier eine gerade Zahl dunkler Lampen, und vier Züge genügen.",
  "Two dots that change each other are a pair. Every order needs an even number of pairs in a group. Here is a group with one pair: say Impossible, mark both dots, then Check.":
    "Zwei Punkte, die einander umschalten, sind ein Paar. Jede Reihenfolge braucht in einer Gruppe eine gerade Zahl von Paaren. Hier ist eine Gruppe mit einem Paar: Sag „Unmöglich“, markiere beide Punkte, dann „Prüfen“.",
  "Both are lit, so neither can be first. And a first one would end dark: the other changes it once more.":
    "Beide sind an, also kann keiner der erste sein. Und ein erster wäre am Ende dunkel: Der andere schaltet ihn noch einmal um.",
  "Now the group has five dots. Count its pairs.": "Jetzt hat die Gruppe fünf Punkte. Zähle ihre Paare.",
  "Five pairs are odd. In every order, some bulb of the group would end dark.":
    "Fünf Paare sind ungerade viele. In jeder Reihenfolge wäre am Ende eine Lampe der Gruppe dunkel.",
  "Four dots in a square. Count the pairs before you decide.": "Vier Punkte im Quadrat. Zähle die Paare, bevor du dich entscheidest.",
  "Four pairs are even. That proves nothing, and here there is an order.": "Vier Paare sind gerade viele. Das beweist nichts, und hier gibt es eine Reihenfolge.",
  "A press changes all bulbs around it now. The four dots have six pairs, an even number. But which of them can be pressed first?":
    "Jetzt schaltet ein Zug alle Lampen um sich herum um. Die vier Punkte haben sechs Paare, eine gerade Zahl. Aber welcher von ihnen kann zuerst gedrückt werden?",
  "None: all four are lit, and nothing else is pressed that could make one dark.":
    "Keiner: Alle vier leuchten, und sonst wird nichts gedrückt, was einen dunkel machen könnte.",
  "Here bulbs with a dashed ring must end lit, and the four dots dark. Which of the four can be pressed last?":
    "Hier müssen am Ende die Lampen mit gestricheltem Ring leuchten, und die vier Punkte müssen dunkel sein. Welcher der vier kann zuletzt gedrückt werden?",
  "None: a bulb is lit when it is pressed, and the last of the four would stay lit.":
    "Keiner: Eine Lampe leuchtet, sobald sie gedrückt ist, und die letzte der vier bliebe an.",
  "Five dots, and four of them are lit. Is there a first press?": "Fünf Punkte, und vier davon leuchten. Gibt es einen ersten Zug?",
  "The middle one is dark. Once it is pressed, the others are dark too.": "Der mittlere ist dunkel. Ist er gedrückt, sind es auch die anderen.",
  "In each line, half of the dots, rounded down, are pressed early. Column 4 needs one early press, but its two rows have one dot each, and room for none. Tick these three lines.":
    "In jeder Linie wird die Hälfte der Punkte, abgerundet, früh gedrückt. Spalte 4 braucht einen frühen Zug, aber ihre zwei Zeilen haben je einen Punkt und keinen Platz dafür. Hake diese drei Linien ab.",
  "What a line needs must fit into the lines across it. Here it does not.": "Was eine Linie braucht, muss in die Linien passen, die sie kreuzen. Hier passt es nicht.",
  "As many odd rows as odd columns. Find a line that needs an early press, and lines across it with room for none.":
    "Gleich viele ungerade Zeilen und Spalten. Finde eine Linie, die einen frühen Zug braucht, und Linien, die sie kreuzen und dafür keinen Platz haben.",
  "That is a cut: too much is needed on one side, and too little fits on the other.":
    "Das ist ein Schnitt: Auf der einen Seite wird zu viel gebraucht, und auf der anderen passt zu wenig.",
  "Is there a line here that finds no room for its early presses?": "Gibt es hier eine Linie, die für ihre frühen Züge keinen Platz findet?",
  "No: all early presses find room at once. Then there is always an order.": "Nein: Alle frühen Züge finden zugleich Platz. Dann gibt es immer eine Reihenfolge.",
  "A board of another shape. Only one bulb is dark: what do the pairs say?": "Ein Brett von anderer Form. Nur eine Lampe ist dunkel: Was sagen die Paare?",
  "Three pairs: odd. Holes change the board, and the argument stays.": "Drei Paare: ungerade viele. Löcher ändern das Brett, und das Argument bleibt.",
  "The goal is a picture: bulbs with a dashed ring must end lit, all others dark. Four presses make it.":
    "Das Ziel ist ein Bild: Lampen mit gestricheltem Ring müssen am Ende leuchten, alle anderen dunkel sein. Vier Züge genügen.",
  "Any goal will do. What counts is which bulbs have to change.": "Jedes Ziel ist recht. Es zählt nur, welche Lampen sich ändern müssen.",
  "A press changes the bulbs that a knight's move leads to. Are two dots that touch a pair here?":
    "Ein Zug schaltet die Lampen um, zu denen ein Springerzug führt. Sind zwei Punkte, die sich berühren, hier ein Paar?",
  "Bulbs that touch are no pairs here. The knight's moves make four pairs: even, and there is an order.":
    "Lampen, die sich berühren, sind hier keine Paare. Die Springerzüge ergeben vier Paare: gerade viele, und es gibt eine Reihenfolge.",
};

// Die längsten Sätze gehen vor; was in einer Lücke steht, wird ebenso übersetzt.
const engine = {
  // Namen
  "lit": "an",
  "unlit": "aus",
  "row {r}, column {c}": "Zeile {r}, Spalte {c}",
  "bulb {name}": "Lampe {name}",
  "{n} {n|bulb|bulbs}": "{n} {n|Lampe|Lampen}",
  "rows": "Zeilen",
  "columns": "Spalten",
  "no row": "keine Zeile",
  "no column": "keine Spalte",
  "row {n}": "Zeile {n}",
  "column {n}": "Spalte {n}",
  "{n} {n|row|rows}": "{n} {n|Zeile|Zeilen}",
  "{n} {n|column|columns}": "{n} {n|Spalte|Spalten}",
  "rows {list} and {n}": "die Zeilen {list} und {n}",
  "columns {list} and {n}": "die Spalten {list} und {n}",
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
  "Look at these {n} bulbs: all are to be pressed, and each changes another.":
    "Sieh dir diese {n} Lampen an: Alle sind zu drücken, und jede ändert eine andere.",
  "Look around here: one of these bulbs is to be pressed, and none beside it.":
    "Sieh dich hier um: Eine dieser Lampen ist zu drücken, und keine daneben.",
  "every solution presses it an odd number of times": "Jede Lösung drückt sie ungerade oft",
  "a solution in {n} {n|press|presses} presses it": "Eine Lösung in {n} {n|Zug|Zügen} drückt sie",
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
  "{every} have an odd component": "in {every} gibt es eine ungerade Komponente",
  "{every} have an odd component, or one of {n} refuted components": "in {every} gibt es eine ungerade Komponente oder eine von {n} widerlegten Komponenten",
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
  "{k} {k|row needs|rows need} {n} {n|press|presses} of colour 1, but {others} and the presses outside have room for only {m}":
    "{k} {k|Zeile braucht|Zeilen brauchen} {n} {n|Zug|Züge} der Farbe 1, aber {others} und die Züge außerhalb haben nur Platz für {m}",
  "{k} {k|column needs|columns need} {n} {n|press|presses} of colour 1, but {others} and the presses outside have room for only {m}":
    "{k} {k|Spalte braucht|Spalten brauchen} {n} {n|Zug|Züge} der Farbe 1, aber {others} und die Züge außerhalb haben nur Platz für {m}",
  "odd numbers of presses fall on {rows} and on {columns}; every order needs as many such rows as columns":
    "ungerade viele Züge fallen auf {rows} und auf {columns}; jede Reihenfolge braucht gleich viele solche Zeilen und Spalten",
  "none of these {n} bulbs can be the {place} of them to be pressed: {why}": "von diesen {n} Lampen kann keine als {place} gedrückt werden: {why}",
  "no press of this bulb can be its {place}: {why}": "kein Zug dieser Lampe kann ihr {place}r sein: {why}",
  "whichever it were, it would be {state} at its turn": "welche es auch wäre, sie wäre {state}, wenn sie drankommt",
  "whichever it were, the rule would forbid it": "welche es auch wäre, die Regel verböte sie",
  "each needs an odd number of neighbours after it": "jede braucht nach sich ungerade viele Nachbarn",
  "deg_B(v) ≢ t_B(v) (mod 2) for every v of B, {these}": "deg_B(v) ≢ t_B(v) (mod 2) für jedes v aus B, {these}",
  "t_B(v) = 1 for every v of B, {these}": "t_B(v) = 1 für jedes v aus B, {these}",
  "for the others to come out right, an odd number of its neighbours must be pressed after this bulb; so it ends {end}, not {goal}":
    "damit die anderen stimmen, muss nach dieser Lampe eine ungerade Zahl ihrer Nachbarn gedrückt werden; am Ende ist sie also {end}, nicht {goal}",
  "for the others to come out right, an even number of its neighbours (0 is even) must be pressed after this bulb; so it ends {end}, not {goal}":
    "damit die anderen stimmen, muss nach dieser Lampe eine gerade Zahl ihrer Nachbarn (auch 0 ist gerade) gedrückt werden; am Ende ist sie also {end}, nicht {goal}",
  "for the others to come out right, an odd number of its neighbours must be pressed after this bulb, and it needs an even number":
    "damit die anderen stimmen, muss nach dieser Lampe eine ungerade Zahl ihrer Nachbarn gedrückt werden, und sie braucht eine gerade",
  "for the others to come out right, an even number of its neighbours (0 is even) must be pressed after this bulb, and it needs an odd number":
    "damit die anderen stimmen, muss nach dieser Lampe eine gerade Zahl ihrer Nachbarn (auch 0 ist gerade) gedrückt werden, und sie braucht eine ungerade",
  "these {k} pressed bulbs have {n} {n|neighbouring pair|neighbouring pairs}; every order needs {need} number":
    "unter diesen {k} gedrückten Lampen {n|ist|sind} {n} {n|Nachbarpaar|Nachbarpaare}; jede Reihenfolge braucht {need} Zahl",
  "the presses of this bulb make {n} {n|neighbouring pair|neighbouring pairs}; every order needs {need} number":
    "die Züge dieser Lampe bilden {n} {n|Nachbarpaar|Nachbarpaare}; jede Reihenfolge braucht {need} Zahl",
  "every press changes an even number of these {k} bulbs; {n} of them {n|is|are} lit, and none may be: an {parity} number stays {which}":
    "jeder Zug ändert eine gerade Zahl dieser {k} Lampen; {n} davon {n|ist|sind} an, und am Ende darf es keine sein: {parity} bleibt {which}",
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
  "in every press set {lines} needs more presses of colour 1 than the {across} and the presses outside have room for":
    "bei jeder Auswahl braucht {lines} mehr Züge der Farbe 1, als in den {across} und den Zügen außerhalb Platz haben",
  "in every press set {lines} need more presses of colour 1 than the {across} and the presses outside have room for":
    "bei jeder Auswahl brauchen {lines} mehr Züge der Farbe 1, als in den {across} und den Zügen außerhalb Platz haben",
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
  "Presses outside of the group that touch it are tied to one bulb of it each. Whether they change that bulb an odd or an even number of times before its press is the same in every order, and is taken off what the rule asks for.":
    "Züge außerhalb der Gruppe, die sie berühren, hängen an je einer ihrer Lampen. Ob sie diese ungerade oder gerade oft ändern, bevor sie an der Reihe ist, ist in jeder Reihenfolge gleich und wird von dem abgezogen, was die Regel verlangt.",
  "These counts add up over the group, and so fix whether the number of pairs must be odd or even. Here it has the other parity, so no order exists.":
    "Über die ganze Gruppe summiert legt das fest, ob die Zahl der Paare ungerade oder gerade sein muss. Hier ist es umgekehrt, also gibt es keine Reihenfolge.",
  "Look only at the hatched bulbs. Each press, wherever it is made, changes an even number of them. So whether an odd or an even number of them is lit never changes.":
    "Sieh nur auf die schraffierten Lampen. Jeder Zug, wo auch immer, ändert eine gerade Zahl von ihnen. Ob eine ungerade oder eine gerade Zahl von ihnen an ist, ändert sich also nie.",
  "An odd number of them has to change, so no presses reach the goal.": "Eine ungerade Zahl von ihnen muss sich ändern; also führt kein Zug zum Ziel.",
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
  "needs an {need} number, gets an {have} one": "braucht eine {need} Zahl, bekommt eine {have}",
  "{n} {n|pair|pairs}: {parity}": "{n} {n|Paar|Paare}: {parity}",
  "{n} of these must change: odd": "{n} davon {n|muss|müssen} sich ändern: ungerade viele",
  "{n} of {m}": "{n} von {m}",
  "too full": "zu voll",
  "{n} sets of {lines}: one is too full": "{n} Mengen von {lines}: eine ist zu voll",
  "{n} odd, only {m} to match": "{n} ungerade, nur {m} als Gegenstück",

  // Möglich oder nicht?
  "{why}. So no order exists: proved.": "{why}. Also gibt es keine Reihenfolge: bewiesen.",
  "{n} is {parity}, so no presses reach the goal: proved.": "{n} ist {parity}, also führt kein Zug zum Ziel: bewiesen.",
  "{why}.": "{why}.",
  "Whatever the order, the lights say which bulbs must be pressed; what is marked is among them.":
    "In welcher Reihenfolge auch immer: Die Lichter sagen, welche Lampen gedrückt werden müssen; was markiert ist, gehört dazu.",
  "For the others to come out right, {what}.": "Damit die anderen stimmen, muss {what}.",
  "{place} must be pressed after this bulb": "{place} nach dieser Lampe gedrückt werden",
  "{place} must be pressed before this bulb": "{place} vor dieser Lampe gedrückt werden",
  "an odd number of {n} bulbs beside it must come after it": "von {n} Lampen daneben eine ungerade Zahl nach ihr gedrückt werden",
  "an even number of {n} bulbs beside it must come after it": "von {n} Lampen daneben eine gerade Zahl nach ihr gedrückt werden",
  "No other bulb that has to be pressed changes this one.": "Keine andere Lampe, die gedrückt werden muss, ändert diese.",
  "All {n} marked bulbs are {state}, and nothing that is pressed outside could change one first.":
    "Alle {n} markierten Lampen sind {state}, und nichts, was außerhalb gedrückt wird, könnte vorher eine ändern.",
  "The other presses that touch the group hang on one marked bulb each, so what they change before and after it is fixed: it is counted in.":
    "Die anderen Züge, die die Gruppe berühren, hängen an je einer markierten Lampe; was sie davor und danach ändern, steht also fest und ist mitgezählt.",
  "Take the marked bulb that is pressed first: all its marked neighbours come later.":
    "Nimm die markierte Lampe, die zuerst gedrückt wird: Alle ihre markierten Nachbarn kommen später.",
  "Take the marked bulb that is pressed last: none of its marked neighbours come later.":
    "Nimm die markierte Lampe, die zuletzt gedrückt wird: Keiner ihrer markierten Nachbarn kommt später.",
  "mark what shows why": "markiere, was zeigt, warum",
  "bulbs and lines are marked: a proof is about one or the other": "Lampen und Linien sind markiert: Ein Beweis handelt von den einen oder von den anderen",
  "every order is legal here, and the goal can be reached": "hier ist jede Reihenfolge erlaubt, und das Ziel ist erreichbar",
  "there are 2^{n} ways to choose the presses: too many to go through": "es gibt 2^{n} Möglichkeiten, die Lampen auszuwählen: zu viele zum Durchgehen",
  "there are {n} ways to choose the presses; in one of them, {why}": "es gibt {n} Möglichkeiten, die Lampen auszuwählen; bei einer davon gilt: {why}",
  "the check takes too long here": "die Prüfung dauert hier zu lange",
  "lines show nothing here: mark bulbs, of which every press changes an even number":
    "Linien zeigen hier nichts: Markiere Lampen, von denen jeder Zug eine gerade Zahl ändert",
  "{place} changes {n} of these, an odd number: that press could do it": "{place} ändert {n} davon, eine ungerade Zahl: Dieser Zug könnte es schaffen",
  "{n} of these bulbs have to change: an even number proves nothing": "{n} dieser Lampen müssen sich ändern: Eine gerade Zahl beweist nichts",
  "{place} changes {other} and has to be pressed too: mark it": "{place} ändert {other} und muss auch gedrückt werden: Markiere diese Lampe",
  "{place} does not have to be pressed: it is no part of a group": "{place} muss nicht gedrückt werden: Diese Lampe gehört zu keiner Gruppe",
  "this group has {n} {n|pair|pairs}: an {parity} number proves nothing here. Try another group, or dots of which none can be the first, or none the last":
    "diese Gruppe hat {n} {n|Paar|Paare}: Eine {parity} Zahl beweist hier nichts. Versuche eine andere Gruppe, oder Punkte, von denen keiner der erste sein kann oder keiner der letzte",
  "{one} and {two} touch {place}, which has to be pressed too: its pairs belong to the group":
    "{one} und {two} berühren {place}, und auch diese Lampe muss gedrückt werden: Ihre Paare gehören zur Gruppe",
  "{one} and {two} are joined by {n} {n|bulb|bulbs}, which {n|has|have} to be pressed too: they belong to the group":
    "{one} und {two} sind durch {n} {n|Lampe|Lampen} verbunden, und auch die {n|muss|müssen} gedrückt werden: Sie {n|gehört|gehören} zur Gruppe",
  "lines show something only where a press changes its row and its column": "Linien zeigen nur dort etwas, wo ein Zug seine Zeile und seine Spalte ändert",
  "{n} {n|row|rows} and {m} {m|column|columns}: they balance, so count early presses":
    "{n} {n|Zeile|Zeilen} und {m} {m|Spalte|Spalten}: Das gleicht sich aus, also zähle frühe Züge",
  "the ticked {lines} need {n} {n|early press|early presses}, and there is room for {m}":
    "die abgehakten {lines} brauchen {n} {n|frühen Zug|frühe Züge}, und Platz ist für {m}",
  "{line} is marked and has an even number of dots": "{line} ist markiert und hat eine gerade Zahl von Punkten",
  "{line} has an odd number of dots too": "auch {line} hat eine ungerade Zahl von Punkten",

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
  "the search was lost: its process ended": "die Suche ging verloren: Ihr Prozess ist zu Ende",
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
  "the body is larger than {n} bytes": "die Anfrage ist größer als {n} Bytes",
  "the server failed: {why}": "der Server ist gescheitert: {why}",
  "time is up": "die Zeit ist um",
  "the search goes on": "die Suche geht weiter",
  "the limits were reached before sequence and bound met": "die Zeit war um, bevor Zugfolge und Schranke sich trafen",
  "the bound of the chosen press set was not met": "die Schranke der gewählten Auswahl wurde nicht erreicht",
  "the limit was reached with {k} of {n} presses placed": "die Zeit war um, als {k} von {n} Zügen einen Platz hatten",
  "some clusters could not be decided": "manche Gruppen ließen sich nicht entscheiden",
  "some bounds need OR-tools, which is not installed": "manche Schranken brauchen OR-tools, und das ist nicht installiert",
  "the board is too large for a proof": "das Brett ist zu groß für einen Beweis",
  "{n} greedy {n|trial|trials} placed at most {k} of {m} presses": "{n} {n|Versuch|Versuche} ohne Umkehr setzten höchstens {k} von {m} Zügen",
  "{n} greedy {n|trial|trials} placed at most {k} of {m} presses before the limit was reached":
    "{n} {n|Versuch|Versuche} ohne Umkehr setzten höchstens {k} von {m} Zügen, bevor die Zeit um war",
  "the evidence says that there is no order, but nothing proves it": "manches spricht gegen eine Reihenfolge, aber nichts beweist es",
  "the problem's matrix would be too large": "die Matrix der Aufgabe wäre zu groß",
  "{one}; {other}": "{one}; {other}",
  "{place}: {reason}": "{place}: {reason}",

  // was kein Brett ist
  "text:{n}: {why}": "Text, Zeile {n}: {why}",
  "board:{n}: {why}": "Brett, Zeile {n}: {why}",
  "text: {why}": "Text: {why}",
  "board: {why}": "Brett: {why}",
  "the body: {why}": "die Anfrage: {why}",
  "a board of {size} is too large for the page (at most {most})": "ein Brett mit {size} ist für die Seite zu groß (höchstens {most})",
  "a graph of {n} {things} is too large for the page (at most {m})": "ein Graph mit {n} {things} ist für die Seite zu groß (höchstens {m})",
  "bulbs": "Lampen",
  "lights and buttons": "Lampen und Knöpfen",
  "the page does not play `toggles`: use `ponder order FILE` or `ponder solve FILE` for it":
    "die Seite spielt kein `toggles`: dafür gibt es `ponder order DATEI` und `ponder solve DATEI`",
  "no grid: the file holds no rows of 0, 1 and -": "kein Brett: Es gibt keine Zeilen aus 0, 1 und -",
  "this row has {n} {n|cell|cells}, the first row has {m}": "diese Zeile hat {n} {n|Feld|Felder}, die erste hat {m}",
  "foreign character {sign} in column {n}; cells are 0, 1 and - (or one of . _ · ○ ◎ □ ⬛ for unlit and one of # * @ O ● ◉ ■ 🟨 for lit)":
    "fremdes Zeichen {sign} in Spalte {n}; Felder sind 0, 1 und - (oder eines von . _ · ○ ◎ □ ⬛ für aus und eines von # * @ O ● ◉ ■ 🟨 für an)",
  "a board of {n} cells is too large (at most {m})": "ein Brett mit {n} Feldern ist zu groß (höchstens {m})",
  "the board has no bulbs: every cell is a hole": "das Brett hat keine Lampen: Jedes Feld ist ein Loch",
  "the board is too large for this machine's memory": "das Brett ist zu groß für den Speicher dieses Rechners",
  "the pattern is empty": "das Muster ist leer",
  "the key {key} is repeated (first in line {n})": "der Schlüssel {key} steht doppelt da (zuerst in Zeile {n})",
  "the key {key} is repeated": "der Schlüssel {key} steht doppelt da",
  "the goal is given twice (first in line {n})": "das Ziel steht doppelt da (zuerst in Zeile {n})",
  "the goal grid after `goal:` belongs after the board's grid": "das Zielbrett nach `goal:` gehört hinter das Brett",
  "the goal grid after `goal:` is empty": "das Zielbrett nach `goal:` ist leer",
  "the goal grid is {size}, the board {other}": "das Zielbrett ist {size}, das Brett {other}",
  "the goal grid has its holes elsewhere than the board": "das Zielbrett hat seine Löcher anderswo als das Brett",
  "{text} comes too late: header lines belong before the grid": "{text} kommt zu spät: Kopfzeilen gehören vor das Brett",
  "unknown {thing} {word}; known: {names}; did you mean `{guess}`?": "{thing} {word} ist unbekannt; es gibt: {names}; ist `{guess}` gemeint?",
  "unknown {thing} {word}; known: {names}": "{thing} {word} ist unbekannt; es gibt: {names}",
  "key": "Schlüssel",
  "pattern": "Muster",
  "rule": "Regel",
  "goal": "Ziel",
  "puzzle": "Rätsel",
  "a {kind} needs at least one offset, as in: {kind} 0,1 0,-1": "`{kind}` braucht mindestens eine Verschiebung, etwa so: {kind} 0,1 0,-1",
  "{word} is not a {kind} offset: write <dr,dc>, as in 1,-2": "{word} ist keine Verschiebung für `{kind}`: etwa so: 1,-2",
  "the {kind} offset {offset} is repeated": "bei `{kind}` steht die Verschiebung {offset} doppelt da",
  "the stencil is not symmetric: it has {one} but not {two}": "die Schablone ist nicht symmetrisch: Sie hat {one}, aber nicht {two}",
  "the link to a board is damaged: its bulbs do not fit its size": "der Link zu einem Brett ist beschädigt: Die Lampen passen nicht zur Größe",
  "this is not UTF-8 text": "das ist kein Text in UTF-8",
  "no valid JSON: {why} (column {n})": "kein gültiges JSON: {why} (Spalte {n})",
  "no valid JSON: {why}": "kein gültiges JSON: {why}",
  "Expecting value": "ein Wert fehlt",
  "Expecting ',' delimiter": "ein Komma fehlt",
  "Expecting ':' delimiter": "ein Doppelpunkt fehlt",
  "Expecting property name enclosed in double quotes": "ein Name in doppelten Anführungszeichen fehlt",
  "Extra data": "danach steht noch etwas",
  "Unterminated string starting at": "ein Text hat kein Ende",
  "it is not in UTF-8": "es ist nicht in UTF-8",
  "it is nested too deeply": "es ist zu tief verschachtelt",
  "{sign} is half of a surrogate pair, no character": "{sign} ist ein halbes Zeichen",
  "a number of thousands of digits": "eine Zahl mit Tausenden von Ziffern",
  "the JSON must be one object": "das JSON muss ein einzelnes Objekt sein",
  "the key `{key}` is missing: a number, or a list of names": "der Schlüssel `{key}` fehlt: eine Zahl oder eine Liste von Namen",
  "`{key}` is {value}: it must be a number or a list of names": "`{key}` ist {value}: Es muss eine Zahl oder eine Liste von Namen sein",
  "a board needs at least one {thing}": "ein Brett braucht mindestens eine Lampe",
  "{n} {things} are too many for this machine's memory": "{n} sind zu viele für den Speicher dieses Rechners",
  "{where} is {value}: a name is a string or a whole number": "{where} ist {value}: Ein Name ist ein Text oder eine ganze Zahl",
  "the {thing} {name} is repeated": "der Name {name} steht doppelt da",
  "`{key}` must be a list of pairs": "`{key}` muss eine Liste von Paaren sein",
  "`{key}` must be a list of objects": "`{key}` muss eine Liste von Objekten sein",
  "`positions` must be a list of {n} pairs of numbers [x, y]": "`positions` muss eine Liste von {n} Zahlenpaaren [x, y] sein",
  "`{key}` must be a list of {n} zeros and ones, one for each {thing}": "`{key}` muss eine Liste von {n} Nullen und Einsen sein, eine für jede Lampe",
  "{where} repeats the edge {edge}": "{where} wiederholt die Kante {edge}",
  "{where} is {value}: an edge is a pair of nodes": "{where} ist {value}: Eine Kante ist ein Paar von Knoten",
  "{where} joins {name} to itself: every bulb toggles itself anyway": "{where} verbindet {name} mit sich selbst: Jede Lampe schaltet sich ohnehin um",
  "{where} names {name}, which is not a {thing}": "{where} nennt {name}, und das ist kein Name",
  "{where} names the {thing} {name}, which is missing from `{key}`": "{where} nennt {name}, was in `{key}` fehlt",
  "{where} is {value}: it must be 0 or 1": "{where} ist {value}: Es muss 0 oder 1 sein",
  "{where} is {value}: it needs a list `toggles`": "{where} ist {value}: Es braucht eine Liste `toggles`",
  "{where} names a light twice": "{where} nennt eine Lampe zweimal",
  "{where}: the name {name} is not a string or whole number": "{where}: Der Name {name} ist weder ein Text noch eine ganze Zahl",
  "{where}: the name {name} is repeated": "{where}: Der Name {name} steht doppelt da",
  "{text} is not a machine: write [.##.] (3) (1,3) (2)": "{text} ist keine Maschine: etwa so: [.##.] (3) (1,3) (2)",
  "{text} names no lights 0 to {n}": "{text} nennt keine Lampen von 0 bis {n}",
  "there is no machine in it": "darin steht keine Maschine",
  "there is no graph in it": "darin steht kein Graph",
  "{n} machines in one file: `order`, `solve` answer each": "{n} Maschinen in einer Datei: hier geht nur eine",
  "{n} graphs in one file: `orient`, `order`, `solve` answer each": "{n} Graphen in einer Datei: hier geht nur einer",
  "digraph6 and incremental sparse6 are not read: write graph6": "digraph6 und inkrementelles sparse6 werden nicht gelesen: nimm graph6",
  "a graph board has no pattern: its edges say what a press toggles": "ein Graph hat kein Muster: Seine Kanten sagen, was ein Zug umschaltet",
  "a wiring has no pattern: its buttons say what they toggle": "eine Schaltung hat kein Muster: Ihre Knöpfe sagen, was sie umschalten",
  "GML and GraphML need networkx: pip install networkx": "GML und GraphML brauchen networkx: pip install networkx",
  "no GML: {why}": "kein GML: {why}",
  "no GraphML: {why}": "kein GraphML: {why}",
  "an edge joins a vertex to itself": "eine Kante verbindet einen Knoten mit sich selbst",
  "{n} vertices: there must be from 1 to {m}": "{n} Knoten: es müssen 1 bis {m} sein",
  "{text} is not an edge: write two names, or one and a colon for a vertex alone":
    "{text} ist keine Kante: zwei Namen, oder einer mit Doppelpunkt für einen einzelnen Knoten",
  "{text} is not an edge: write two names": "{text} ist keine Kante: das wären zwei Namen",
  "this edge joins {name} to itself": "diese Kante verbindet {name} mit sich selbst",
  "this edge is that of line {n} again": "diese Kante steht schon in Zeile {n}",
  "one number is written in two ways": "eine Zahl ist auf zwei Arten geschrieben",
  "{text}: vertices are 1 to {n}": "{text}: Knoten sind 1 bis {n}",
  "{text} is not a line of DIMACS: write e <u> <v>": "{text} ist keine Zeile von DIMACS: etwa so: e <u> <v>",
  "this graph6 line has the wrong length, or signs that do not belong in it": "diese graph6-Zeile hat die falsche Länge oder fremde Zeichen",
  "a simple graph is wanted: an edge is a loop, or is repeated": "ein einfacher Graph ist gefragt: Eine Kante ist eine Schleife oder steht doppelt da",
};

export default { page, engine };
