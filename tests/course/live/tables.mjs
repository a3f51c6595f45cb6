// Tables as people publish, export and copy them, and what each of them gets: points, or a sentence that says why not.
// [name, text or bytes, what is expected]: n points, `plus` of them +1, the first of them in the units of the table; `said` is a part of the
// report. Where it is refused, `problem` is a part of the reason.
const lines = (...all) => `${all.join("\n")}\n`;
const bytes = (...all) => Uint8Array.from(all);
const utf16 = (text, little) => Uint8Array.from([...`\ufeff${text}`].flatMap((c) => {
  const pair = [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8];
  return little ? pair : pair.reverse();
}));
const latin1 = (text) => Uint8Array.from([...text], (c) => c.charCodeAt(0));
const many = (count, row) => Array.from({ length: count }, (_, i) => row(i));

const IRIS = lines("sepal_length,sepal_width,petal_length,petal_width,species", "5.1,3.5,1.4,0.2,setosa", "4.9,3.0,1.4,0.2,setosa",
  "7.0,3.2,4.7,1.4,versicolor", "6.4,3.2,4.5,1.5,versicolor", "6.3,3.3,6.0,2.5,virginica", "5.8,2.7,5.1,1.9,virginica");

export const TABLES = [
  ["a plain table", lines("x,y,class", "1,2,a", "2,3,b", "3,1,a"), { n: 3, plus: 2, first: [1, 2], said: "3 rows, 3 columns, commas between them. The first row names the columns." }],
  ["three classes, four numbers", IRIS, { n: 6, plus: 2, first: [5.1, 3.5], said: "Class: “species”, 3 of them. +1 is “setosa”, −1 the rest: “versicolor” and “virginica”." }],
  ["no names", lines("1.5,2,a", "2,3.5,b", "3,1,a"), { n: 3, plus: 2, first: [1.5, 2], said: "No row names the columns." }],
  ["names that are numbers", lines(",0,1,2", "0,1.5,2.5,a", "1,2.5,3.5,b", "2,4.5,1.5,a"), { n: 3, plus: 2, first: [0, 1.5], said: "The first row names" }],
  ["counts and classes as names (scikit-learn's iris.csv)", lines("4,2,setosa,versicolor", "5.1,3.5,0", "4.9,3.0,0", "7.0,3.2,1", "6.4,3.2,1").replace("setosa,versicolor", "setosa"),
    { n: 4, plus: 2, first: [5.1, 3.5], said: "Class: “setosa”" }],
  ["BOM", `\ufeff${lines("x,y,class", "1,2,a", "2,3,b")}`, { n: 2, plus: 1, first: [1, 2], said: "3 columns" }],
  ["BOM, as bytes", bytes(0xef, 0xbb, 0xbf, ...new TextEncoder().encode("x,y,class\n1,2,a\n2,3,b\n")), { n: 2, plus: 1, first: [1, 2], names: ["x", "y"] }],
  ["CRLF", "x,y,class\r\n1,2,a\r\n2,3,b\r\n", { n: 2, plus: 1, first: [1, 2], names: ["x", "y"] }],
  ["CR alone", "x,y,class\r1,2,a\r2,3,b\r", { n: 2, plus: 1, first: [1, 2] }],
  ["UTF-16 with its mark", utf16("größe\ty\tclass\n1\t2\ta\n2\t3\tb\n", true), { n: 2, plus: 1, first: [1, 2], names: ["größe", "y"] }],
  ["UTF-16, the other way round", utf16("x;y;class\n1,5;2;a\n2;3;b\n", false), { n: 2, plus: 1, first: [1.5, 2] }],
  ["Windows-1252", latin1("Länge;y;Klasse\n1,5;2;a\n2;3;b\n"), { n: 2, plus: 1, first: [1.5, 2], names: ["Länge", "y"] }],
  ["empty lines, and lines of commas", lines("", "x,y,class", "", "1,2,a", ",,", "   ", "2,3,b", "", ""), { n: 2, plus: 1, first: [1, 2], said: "2 rows" }],
  ["quotes", lines('"x","y, of a kind","class"', '"1","2","a"', '"2","3","b, or so"', '"3","4","a"'), { n: 3, plus: 2, first: [1, 2], names: ["x", "y, of a kind"] }],
  ["quotes in quotes and a line break", lines('x,"the ""y""\nof all",class', "1,2,a", "2,3,b"), { n: 2, plus: 1, first: [1, 2], names: ["x", 'the "y" of all'] }],
  ["a quote that never ends", lines('x,y,class', '1,2,"a', "2,3,b", "3,4,b"), { n: 3, plus: 1, first: [1, 2] }],
  ["single quotes", lines("x,y,class", "1,2,'a'", "2,3,'b'"), { n: 2, plus: 1, first: [1, 2], said: "+1 is “a”" }],
  ["semicolons and a decimal comma", lines("x;y;Klasse", "1,5;2,25;ja", "2,5;-3;nein", "0,5;1;ja"), { n: 3, plus: 2, first: [1.5, 2.25], said: "semicolons between them, a comma before the decimals" }],
  ["semicolons and a decimal point", lines("x;y;class", "1.5;2.25;a", "2.5;3;b"), { n: 2, plus: 1, first: [1.5, 2.25] }],
  ["three decimals after a comma, between semicolons", lines("x;y;class", "1,234;2,345;a", "5,678;3,456;b"), { n: 2, plus: 1, first: [1.234, 2.345] }],
  ["tabs, from a spreadsheet", "x\ty\tclass\n1.5\t2\ta\n2\t3\tb", { n: 2, plus: 1, first: [1.5, 2], said: "tabs between them" }],
  ["tabs and a decimal comma", "x\ty\tclass\n1,5\t2\ta\n2\t3,25\tb", { n: 2, plus: 1, first: [1.5, 2] }],
  ["thousands, English", lines("x,y,class", '"1,234","2,345.5",a', '"12,345","1,000,000",b'), { n: 2, plus: 1, first: [1234, 2345.5] }],
  ["thousands, German", lines("x;y;class", "1.234;2.345,5;a", "12.345;1.000.000;b"), { n: 2, plus: 1, first: [1234, 2345.5] }],
  ["thousands, Swiss and French", lines("x;y;class", "1'234;2 345,5;a", "12'345;1\u202f000\u00a0000;b").replace("\u00a0", "\u202f"), { n: 2, plus: 1, first: [1234, 2345.5] }],
  ["per cent, money, a printed minus", lines("x,y,class", "12 %,$3.50,a", "15%,$4,b", "−3 %,$-1,a"), { n: 3, plus: 2, first: [12, 3.5] }],
  ["a separator at the end of each line", lines("x,y,class,", "1,2,a,", "2,3,b,"), { n: 2, plus: 1, first: [1, 2], said: "“column 4” is empty" }],
  ["that, but not in the first line", lines("x,y,class", "1,2,a,", "2,3,b,"), { n: 2, plus: 1, first: [1, 2], names: ["x", "y"] }],
  ["R: no name above the names of the rows", lines('"x" "y" "class"', '"r1" 1 2 "a"', '"r2" 2 3 "b"', '"r3" 3 4 "b"').replaceAll(" ", ","), { n: 3, plus: 1, first: [1, 2], names: ["x", "y"] }],
  ["what pandas counts", lines(",x,y,class", ...many(8, (i) => `${i},${i * i},${i % 3},${i % 2 ? "a" : "b"}`)), { n: 8, plus: 4, first: [0, 0], names: ["x", "y"], said: "“column 1” counts the rows" }],
  ["columns under each other", "  5.1   3.5  a\n  4.9   3.0  b\n 10.25 -1   a\n", { n: 3, plus: 2, first: [5.1, 3.5], said: "spaces between them" }],
  ["a title above", lines("Measured in May", "", "x,y,class", "1,2,a", "2,3,b", "4,4,b"), { n: 3, plus: 1, first: [1, 2], said: "1 line above the table left out." }],
  ["units below the names", lines("x,y,class", "cm,cm,", ...many(12, (i) => `${i},${i * i},${i % 2 ? "a" : "b"}`)), { n: 12, plus: 6, first: [0, 0], said: "1 row with missing values left out (“x” holds “cm”, not a number; “y” holds “cm”, not a number)." }],
  ["Excel names its separator", "sep=;\r\nx;y;class\r\n1,5;2;a\r\n2;3;b\r\n", { n: 2, plus: 1, first: [1.5, 2], names: ["x", "y"] }],
  ["bars, as in Markdown", lines("| x | y | class |", "|---|---:|:---|", "| 1 | 2 | a |", "| 2 | 3 | b |"), { n: 2, plus: 1, first: [1, 2], names: ["x", "y"] }],
  ["missing: NA, NaN, ?, -, nothing", lines("x,y,class", "1,2,a", "NA,3,b", "2,NaN,b", "?,1,a", "-,1,a", ",1,a", "3,4,", "4,5,b", "5,6,?"), { n: 2, plus: 1, first: [1, 2], said: "7 rows with missing values left out." }],
  ["True and False", lines("x,y,ok", "1,2,False", "2,3,True", "3,4,True"), { n: 3, plus: 2, first: [1, 2], said: "+1 is “True”, −1 “False”." }],
  ["classes 0 and 1", lines("a,b,target", "1.5,2,0", "2.5,3,1", "3.5,4,0"), { n: 3, plus: 1, first: [1.5, 2], said: "+1 is “1”" }],
  ["classes +1 and −1, first", lines("+1,1.5,2.5", "-1,2.5,1.5", "+1,3.25,1", "-1,0,0.5"), { n: 4, plus: 2, first: [1.5, 2.5], said: "+1 is “1”" }],
  ["classes + and -", lines("x,y,class", "1,2,+", "2,3,-", "4,4,-"), { n: 3, plus: 1, first: [1, 2], said: "+1 is “+”" }],
  ["columns of text, and dates", lines("day,who,x,y,class", ...many(10, (i) => `2021-03-${10 + i},n${i},${i},${(i * 7) % 5},${i % 2 ? "a" : "b"}`)), { n: 10, plus: 5, first: [0, 0], names: ["x", "y"], said: "“day” holds dates" }],
  ["a constant column", lines("x,c,y,class", "1,7,2,a", "2,7,3,b", "5,7,1,b"), { n: 3, plus: 1, first: [1, 2], names: ["x", "y"], said: "“c” never changes" }],
  ["two columns of one name", lines("x,x,class", "1,2,a", "2,3,b"), { n: 2, plus: 1, first: [1, 2], names: ["x", "x (2)"] }],
  ["very large numbers", lines("x,y,class", ...many(6, (i) => `${1e9 + i},${2e9 + 3 * i * i},${i % 2 ? "a" : "b"}`)), { n: 6, plus: 3, first: [1e9, 2e9] }],
  ["very small ones", lines("x,y,class", ...many(6, (i) => `${i}e-9,${i * i}e-9,${i % 2 ? "a" : "b"}`)), { n: 6, plus: 3, first: [0, 0] }],
  ["rows that are too long, and too short", lines("x,y,class", "1,2,a", "2,3,b", "3,4,b,5,6", "4", "5,6,a"), { n: 3, plus: 2, first: [1, 2], said: "1 row with more cells than there are columns left out." }],
  ["50,000 rows", lines("x,y,class", ...many(50000, (i) => `${Math.sin(i)},${Math.cos(3 * i)},${i % 5 ? "a" : "b"}`)), { n: 1000, plus: 200, said: "1,000 points drawn at random from 50,000 rows, of each class its share." }],
  ["3,000 rows, of which three are of the other class", lines("x,y,class", ...many(3000, (i) => `${Math.sin(i)},${Math.cos(3 * i)},${[7, 70, 700].includes(i) ? "rare" : "usual"}`)), { n: 1000, plus: 999 }],
  ["words that are HTML", lines("<img src=x onerror=alert(1)>,y,class", "1,2,<b>a</b>", "2,3,b"), { n: 2, plus: 1, first: [1, 2], names: ["<img src=x onerror=alert(1)>", "y"] }],

  ["nothing", "", { problem: "There is nothing in it." }],
  ["spaces and lines", " \n\n\t\n", { problem: "There is nothing in it." }],
  ["names alone", "x,y,class\n", { problem: "one row of values only" }],
  ["one row", "1,2,a", { problem: "one row of values only" }],
  ["one class", lines("x,y,class", "1,2,a", "2,3,a"), { problem: "There is one class only: each row has “a” in “class”. A machine needs two." }],
  ["one class among whole rows", lines("x,y,class", "1,2,a", "2,3,a", "NA,4,b", "5,NA,b"), { problem: "Without the rows in which a value is missing, one class is left" }],
  ["each row a class of its own", lines("x,y,who", ...many(40, (i) => `${i / 7},${(i * i) / 3},n${i}`)), { problem: "No column says which row is of which class." }],
  ["no numbers", lines("x,y,class", "red,small,a", "green,large,b", "red,large,a", "green,small,b"), { problem: "No column holds numbers that differ; the plane needs two." }],
  ["one column of numbers", lines("x,class", "1,a", "2,b", "3,a"), { problem: "Only one column holds numbers that differ: “x”; the plane needs two." }],
  ["constant columns", lines("x,y,class", "1,2,a", "1,2,b", "1,2,a"), { problem: "No column holds numbers that differ; the plane needs two. “x” and “y” have the same value in every row." }],
  ["one column", lines("a", "b", "c"), { problem: "No columns can be told apart in it" }],
  ["a workbook", bytes(0x50, 0x4b, 3, 4, 20, 0), { problem: "This is a workbook, not a text." }],
  ["an old workbook", bytes(0xd0, 0xcf, 0x11, 0xe0), { problem: "This is a workbook, not a text." }],
  ["a picture", bytes(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13), { problem: "This is not a text" }],
  ["prose", "Call me Ishmael.\nSome years ago never mind how long precisely\nhaving little or no money in my purse\n", { problem: "" }],
  ["y is an axis where there is no other", lines("x,y,kind", "1,2,a", "3,1,b", "2,2,a"), { n: 3, plus: 2, first: [1, 2], said: "Class: “kind”" }],
];
