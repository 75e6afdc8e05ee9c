#!/usr/bin/env node
// Pharos: makes, fetches and verifies proofs. Runs alone on Node 20 or later: node pharos.mjs --help
// Made from server/client/ and shared/ by server/client/build.ts. MIT licence; those of what is bundled stand below.
import { basename, dirname, isAbsolute, join, normalize, parse, relative, resolve, sep } from "node:path";
import process$1 from "node:process";
import { parseArgs, promisify } from "node:util";
import { createHash, createPublicKey, getHashes, randomBytes, randomFillSync, randomUUID, verify } from "node:crypto";
import { access, constants, link, mkdir, open, readFile, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir, hostname, tmpdir } from "node:os";
import { closeSync, constants as constants$1, createReadStream, existsSync, fstatSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, read, readSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { once } from "node:events";
import { isUtf8 } from "node:buffer";
// shared/cli/terminal.ts
var Complaint = class extends Error {
	name = "Complaint";
	exitCode;
	advice;
	constructor(message, { advice, exitCode = 2 } = {}) {
		super(message);
		this.advice = advice;
		this.exitCode = exitCode;
	}
};
var wordsOf = (error) => error instanceof Error ? error.message : String(error);
/** The system's code of a failed file or network call, e.g. `ENOENT`. */
var codeOf = (error) => error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : void 0;
var openTerminal = (out, err, env) => ({
	say: (line) => void out.write(`${line}\n`),
	write: (bytes) => {
		if (out.isTTY && !isShowable(bytes)) throw new Complaint("It is no text, so it was not written to the terminal.", { advice: "Name a file with -o, or send it to one: > FILE" });
		out.write(bytes);
	},
	note: (line) => void err.write(`${line}\n`),
	progress: err.isTTY && env.TERM !== "dumb" ? (line) => void err.write(`\r\x1b[2K${line}`) : void 0,
	paint: paintFor(out, env)
});
/** For `-q`: only the exit code answers, and bytes that `-o -` asks for. */
var quieted = (terminal) => ({
	...terminal,
	say: () => void 0,
	note: () => void 0,
	progress: void 0
});
/** The answer as one JSON document, for `--json`. */
var sayDocument = ({ say }, document) => say(JSON.stringify(document, null, 2));
/** NO_COLOR, set to any text, overrides everything else (no-color.org). */
var paintFor = ({ isTTY }, env) => isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb" ? coloured : plain;
var ansi = (code) => (text) => `\x1b[${code}m${text}\x1b[0m`;
var coloured = {
	green: ansi(32),
	red: ansi(31),
	yellow: ansi(33),
	dim: ansi(2),
	bold: ansi(1)
};
var same = (text) => text;
var plain = {
	green: same,
	red: same,
	yellow: same,
	dim: same,
	bold: same
};
/**
* Makes text of others safe to print as a part of a line. What ends a line or steers the terminal could overwrite the
* verdict; what has no width or changes the writing direction could hide or reorder it.
*/
var printable = (text) => text.replace(UNPRINTABLE, "�");
var UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** UTF-8 in which nothing but the ends of lines and tabs steers a terminal. */
function isShowable(bytes) {
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/[\t\r\n]/g, "");
		return printable(text) === text;
	} catch {
		return false;
	}
}
/** Names of files and words of a service may be in it. */
function tellComplaint({ note }, { message, advice }, about = "") {
	note(printable(`pharos: ${about}${message}`));
	if (advice !== void 0) note(printable(advice));
}
/** Such as 1 block, 2 blocks. */
var plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
/**
* Tells at most one line in `everyMs`, and none before `firstMs`. A line that is not told is not made.
* @param tell undefined where nobody looks
*/
function paced(tell, { everyMs, firstMs = everyMs, now = () => performance.now() }) {
	let next = now() + firstMs;
	return (line) => {
		if (tell === void 0 || now() < next) return;
		next = now() + everyMs;
		tell(line());
	};
}
// shared/cli/interrupt.ts
/** Ends the program with 130. */
var Interrupted = class extends Complaint {
	constructor(message) {
		super(message, { exitCode: 130 });
	}
};
var SIGNALS = ["SIGINT", "SIGTERM"];
/** An interrupt ends the program with 130, unless a command that is `interruptible` ends it in its own way. */
function endOnInterrupt(tidy) {
	process$1.on("SIGINT", () => {
		if (process$1.listenerCount("SIGINT") > 1) return;
		tidy?.();
		process$1.exit(130);
	});
}
/**
* Meanwhile these signals do not end the process. The signal of `work` is aborted with the error instead. They may come
* again while it tidies up: npm passes on what the terminal has sent already.
*/
async function interruptible(error, work) {
	const stop = new AbortController();
	const onSignal = () => stop.abort(error);
	for (const signal of SIGNALS) process$1.on(signal, onSignal);
	try {
		return await work(stop.signal);
	} finally {
		for (const signal of SIGNALS) process$1.off(signal, onSignal);
	}
}
/**
* For work without an end of its own. It is stopped by an interrupt, with 130, or because nobody reads standard output
* any more, with 0: `tail | head` has got what it wanted.
*/
async function endless(work) {
	const unheard = new AbortController();
	const onError = (error) => {
		if (codeOf(error) === "EPIPE") unheard.abort();
	};
	process$1.stdout.on("error", onError);
	try {
		return await interruptible(new Interrupted("It was interrupted."), async (interrupted) => {
			const stopped = AbortSignal.any([interrupted, unheard.signal]);
			try {
				await work(stopped);
			} catch (error) {
				if (!stopped.aborted) throw error;
			}
			return interrupted.aborted ? 130 : 0;
		});
	} finally {
		process$1.stdout.off("error", onError);
	}
}
// shared/cli/command.ts
/**
* What follows the name of a command.
* @param called the command as a person calls it
* @throws Complaint for an option that it does not take
*/
function readWords(called, options, args) {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			options,
			allowPositionals: true
		});
		return {
			values,
			words: positionals
		};
	} catch (error) {
		throw new Complaint(wordsOf(error).replaceAll("\n", " "), { advice: `${called} --help shows the options.` });
	}
}
var textOption = (values, name) => {
	const value = values[name];
	return typeof value === "string" ? value : void 0;
};
/** Milliseconds of a time such as 90 (seconds), 20m or 2h. @throws Complaint for what is none */
function timeOption(values, name) {
	const text = textOption(values, name);
	if (text === void 0) return void 0;
	const [, number, unit = ""] = /^(\d{1,6})([smh]?)$/.exec(text) ?? [];
	if (number === void 0) throw new Complaint(`--${name} is a time, such as 90 (seconds), 20m or 2h.`);
	return Number(number) * (UNITS$1.get(unit) ?? SECOND_MS);
}
var SECOND_MS = 1e3;
var UNITS$1 = /* @__PURE__ */ new Map([["m", 60 * SECOND_MS], ["h", 3600 * SECOND_MS]]);
var textOptions = (values, name) => {
	const value = values[name];
	return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
};
// shared/cli/program.ts
var tableOf = ({ commands, texts }) => ({
	...commands,
	...texts
});
/** The longest name that the words begin with. */
function commandIn(table, args) {
	for (const length of [2, 1]) {
		const name = args.slice(0, length).join(" ");
		const command = Object.hasOwn(table, name) ? table[name] : void 0;
		if (command !== void 0) return {
			name,
			command,
			rest: args.slice(length)
		};
	}
}
/** The commands of two words that begin with this one, by their names. */
var commandsOf = (table, noun) => Object.fromEntries(Object.entries(table).filter(([name]) => name.startsWith(`${noun} `)));
/** The name that mistyped words are nearest to. Undefined when none is near. */
function nearestName(names, typed) {
	return names.map((name) => {
		const length = name.split(" ").length;
		return {
			name,
			changes: changesBetween(typed.slice(0, length).join(" "), name)
		};
	}).filter(({ name, changes }) => changes <= MOST_CHANGES && changes < name.length).sort((one, other) => one.changes - other.changes)[0]?.name;
}
var MOST_CHANGES = 2;
/** How many letters must be put, taken or replaced to make one word of the other (Levenshtein). */
function changesBetween(one, other) {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let at = 1; at <= other.length; at += 1) {
			const replaced = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
			next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
// shared/cli/completion/rows.ts
function rowOf$1(name, { usage, meaning, options }, common) {
	const [noun = name, verb] = name.split(" ");
	return {
		name,
		noun,
		verb,
		meaning,
		choices: choicesIn(usage),
		options: Object.entries({
			...options,
			...common
		}).map(([option, text]) => ({
			...text,
			name: option,
			meaning: text.meaning ?? "",
			value: valueTaken(text)
		}))
	};
}
function valueTaken({ type, takes = "" }) {
	if (type === "boolean") return void 0;
	if (/<file\b/.test(takes)) return "file";
	if (/<folder\b/.test(takes)) return "folder";
	const choices = choicesIn(takes);
	return choices.length > 0 ? choices : "text";
}
/** The words of a choice that stands first, such as `[beacons|blocks] …`. */
var choicesIn = (text) => /^\[?([\w-]+(?:\|[\w-]+)+)/.exec(text)?.[1]?.split("|") ?? [];
var optionWords = ({ name, short }) => [`--${name}`, ...short === void 0 ? [] : [`-${short}`]];
/** For bash and zsh. */
var inQuotes = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
/** The nouns of commands that have two words, with those words. */
function verbsByNoun(rows) {
	const nouns = /* @__PURE__ */ new Map();
	for (const row of rows) if (row.verb !== void 0) nouns.set(row.noun, [...nouns.get(row.noun) ?? [], row]);
	return nouns;
}
var firstWords = (rows) => [...new Set(rows.map(({ noun }) => noun))];
// shared/cli/completion/bash.ts
function bashScript(rows) {
	const nouns = verbsByNoun(rows);
	const values = rows.flatMap(({ name, options }) => options.flatMap((option) => {
		if (option.value === void 0) return [];
		return [`    ${optionWords(option).map((word) => inQuotes(`${name} ${word}`)).join("|")}) ${bashValue(option.value)}; return ;;`];
	}));
	return `
# bash completion of pharos: source <(pharos completion bash)
_pharos() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]} at=2
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then _pharos_words ${inQuotes(firstWords(rows).join(" "))}; return; fi
  case $name in
${[...nouns].map(([noun, verbs]) => {
		return `    ${noun}) if ((COMP_CWORD == 2)); then _pharos_words ${inQuotes(verbs.map(({ verb }) => verb).join(" "))}; return; fi; name+=" \${COMP_WORDS[2]}" at=3 ;;`;
	}).join("\n")}
  esac
  case "$name $previous" in
${values.join("\n")}
  esac
  if [[ $word == -* ]]; then
    case $name in
${rows.map(({ name, options }) => `      ${inQuotes(name)}) _pharos_words ${inQuotes(options.flatMap(optionWords).join(" "))} ;;`).join("\n")}
    esac
    return
  fi
  case "$name $((COMP_CWORD - at))" in
${rows.filter(({ choices }) => choices.length > 0).map(({ name, choices }) => `    ${inQuotes(`${name} 0`)}) _pharos_words ${inQuotes(choices.join(" "))}; return ;;`).join("\n")}
  esac
  _pharos_files -f
}
_pharos_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_pharos_files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen "$1" -- "$word")); }
complete -F _pharos pharos
`;
}
function bashValue(value) {
	switch (value) {
		case "file": return "_pharos_files -f";
		case "folder": return "_pharos_files -d";
		case "text": return ":";
		default: return `_pharos_words ${inQuotes(value.join(" "))}`;
	}
}
// shared/cli/completion/fish.ts
function fishScript(rows) {
	const quoted = (text) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
	const nouns = verbsByNoun(rows);
	const line = (condition, ...words) => [
		"complete -c pharos",
		"-n",
		quoted(condition),
		...words
	].join(" ");
	return `
# fish completion of pharos: pharos completion fish | source
function __pharos_is
  set -l words (commandline -opc)
  set -e words[1]
  string match -q -- "$argv *" "$words "
end
function __pharos_stands_behind
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end
${[
		...firstWords(rows).map((noun) => {
			const meaning = rows.find(({ name }) => name === noun)?.meaning;
			const verbs = (nouns.get(noun) ?? []).map(({ verb }) => verb).join(", ");
			return line("__pharos_stands_behind", "-f", "-a", noun, "-d", quoted(meaning ?? verbs));
		}),
		...[...nouns].flatMap(([noun, verbs]) => verbs.map(({ verb = "", meaning }) => line(`__pharos_stands_behind ${noun}`, "-f", "-a", verb, "-d", quoted(meaning)))),
		...rows.flatMap(({ name, options, choices }) => [...choices.length === 0 ? [] : [line(`__pharos_stands_behind ${name}`, "-f", "-a", quoted(choices.join(" ")))], ...options.map(({ name: option, short, meaning, value }) => line(`__pharos_is ${name}`, "-l", option, ...short === void 0 ? [] : ["-s", short], ...fishValue(value), "-d", quoted(meaning)))])
	].join("\n")}
`;
}
function fishValue(value) {
	switch (value) {
		case void 0: return [];
		case "file": return ["-r", "-F"];
		case "folder": return [
			"-x",
			"-a",
			`'(__fish_complete_directories)'`
		];
		case "text": return ["-x"];
		default: return [
			"-x",
			"-a",
			`'${value.join(" ")}'`
		];
	}
}
// shared/cli/completion/zsh.ts
function zshScript(rows) {
	const described = (word, meaning) => inQuotes(`${word.replaceAll(":", "\\:")}:${meaning}`);
	const nouns = verbsByNoun(rows);
	return `
#compdef pharos
# zsh completion of pharos: source <(pharos completion zsh)
_pharos() {
  local -a words_of
  if ((CURRENT == 2)); then
    words_of=(${firstWords(rows).map((noun) => {
		const row = rows.find(({ name }) => name === noun);
		return described(noun, row?.meaning ?? (nouns.get(noun) ?? []).map(({ verb }) => verb).join(", "));
	}).join(" ")})
    _describe command words_of
    return
  fi
  local name=$words[2]
  case $name in
${[...nouns].map(([noun, verbs]) => `    ${noun})
      if ((CURRENT == 3)); then
        words_of=(${verbs.map(({ verb = "", meaning }) => described(verb, meaning)).join(" ")})
        _describe command words_of
        return
      fi
      name+=" $words[3]"
      shift words
      ((CURRENT--)) ;;`).join("\n")}
  esac
  shift words
  ((CURRENT--))
  case $name in
${rows.map(({ name, options, choices }) => `    ${inQuotes(name)}) _arguments ${[...options.flatMap(zshOption), ...zshWords(choices)].join(" ")} ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == _pharos ]]; then _pharos "$@"; else compdef _pharos pharos; fi
`;
}
var zshWords = (choices) => choices.length > 0 ? [inQuotes(`1: :(${choices.join(" ")})`)] : [inQuotes("*: :_files")];
function zshOption(option) {
	const { meaning, value, multiple } = option;
	const words = optionWords(option);
	const told = `[${meaning.replaceAll(/[[\]\\]/g, "\\$&")}]`;
	const taken = value === void 0 ? "" : `: :${zshValue(value)}`;
	const others = multiple === true ? "*" : `(${words.join(" ")})`;
	return words.map((word) => inQuotes(`${others}${word}${told}${taken}`));
}
function zshValue(value) {
	switch (value) {
		case "file": return "_files";
		case "folder": return "_files -/";
		case "text": return " ";
		default: return `(${value.join(" ")})`;
	}
}
// shared/cli/completion/script.ts
var SCRIPTS = {
	bash: bashScript,
	zsh: zshScript,
	fish: fishScript
};
var SHELLS = Object.keys(SCRIPTS);
var isShell = (name) => Object.hasOwn(SCRIPTS, name);
function completionScript(program, shell) {
	const rows = Object.entries(tableOf(program)).map(([name, command]) => rowOf$1(name, command, program.options));
	return SCRIPTS[shell](rows).trim();
}
// shared/cli/help_text.ts
/** Every program ends with these in the same cases. A command says in its own words when it ends with another one. */
var EXITS_OF_ALL = {
	0: "done",
	2: "not readable, or wrongly asked",
	130: "interrupted"
};
var exitsOf = ({ exits }) => Object.entries({
	...EXITS_OF_ALL,
	...exits
}).sort(([one], [other]) => Number(one) - Number(other));
var overview = (program) => [
	`Usage: ${program.self} <command> [options]`,
	"",
	...commandLines(tableOf(program)),
	"",
	"Every command takes:",
	...optionLines(program.options),
	...program.footer.flatMap((line) => ["", line])
].join("\n");
/** Each command with its usage, and below it what it is for. */
var commandLines = (commands) => Object.entries(commands).flatMap(([name, { usage, meaning }]) => [`  ${`${name} ${usage}`.trim()}`, ...wrapped(meaning, WIDTH - 6).map((line) => `      ${line}`)]);
function commandHelp({ self, options }, name, command) {
	return [
		`Usage: ${`${self} ${name} ${command.usage}`.trim()}`,
		"",
		...command.help === void 0 ? wrapped(sentence(command.meaning), WIDTH) : [command.help.trim()],
		"",
		...optionLines({
			...command.options,
			...options
		}),
		...command.exits === void 0 ? [] : exitLines(command)
	].join("\n");
}
var sentence = (meaning) => `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`;
var exitLines = (command) => [
	"",
	"Exit code:",
	...exitsOf(command).flatMap(([code, when]) => hung(`  ${code.padStart(3)}`, when, EXIT_AT))
];
/** Columns that the text of help fills. */
var WIDTH = 110;
/** Columns at which the meanings of options and of exit codes begin, and the spaces before them. */
var MEANING_AT = 26;
var EXIT_AT = 7;
var GAP = 2;
var optionLines = (options) => Object.entries(options).flatMap(([name, option]) => option.meaning === void 0 ? [] : hung(`  ${shownOption(name, option)}`, option.meaning, MEANING_AT));
var shownOption = (name, { type, short, takes }) => `${short === void 0 ? "" : `-${short}, `}--${name}${type === "boolean" ? "" : ` ${takes ?? "<text>"}`}`;
/** A text behind what it explains, or below it where that is long. Further lines stand below the first. */
function hung(head, text, column) {
	const lines = wrapped(text, WIDTH - column).map((line) => `${" ".repeat(column)}${line}`);
	const [first = "", ...more] = lines;
	return head.length <= column - GAP ? [`${head}${first.slice(head.length)}`, ...more] : [head, ...lines];
}
function wrapped(text, width) {
	const lines = [];
	let line = "";
	for (const word of text.split(" ")) if (line !== "" && line.length + 1 + word.length > width) {
		lines.push(line);
		line = word;
	} else line = line === "" ? word : `${line} ${word}`;
	return [...lines, line];
}
/** One command, or without a name all of them. */
var helpDocument = (program, commands = tableOf(program)) => ({
	version: program.version,
	common_options: optionRows(program.options),
	commands: Object.entries(commands).map(([name, command]) => ({
		name,
		usage: command.usage,
		meaning: command.meaning,
		options: optionRows(command.options),
		exit_codes: Object.fromEntries(exitsOf(command))
	}))
});
var optionRows = (options) => Object.entries(options).map(([name, { type, short, multiple, takes, meaning }]) => ({
	name,
	short: short ?? null,
	takes: type === "boolean" ? null : takes ?? "<text>",
	repeatable: multiple === true,
	meaning: meaning ?? ""
}));
// shared/cli/order.ts
/** @throws Complaint when there is no such command, or it does not take such options */
function readOrder(program, args) {
	const { self, version } = program;
	const [first = "--help", second = ""] = args;
	if (isHelp(first)) return {
		kind: "text",
		text: overview(program)
	};
	if (first === "--version") return {
		kind: "text",
		text: version
	};
	const found = commandIn(tableOf(program), args);
	if (found === void 0) {
		if (!isHelp(second)) throw unknownCommand(program, args);
		return {
			kind: "text",
			text: nounHelp(program, first)
		};
	}
	const { name, command, rest } = found;
	const { values, words } = readWords(`${self} ${name}`, {
		...program.options,
		...command.options
	}, rest);
	if (values.help === true) return {
		kind: "text",
		text: commandHelp(program, name, command)
	};
	if ("text" in command) return {
		kind: "text",
		text: command.text(program, values, words)
	};
	return {
		kind: "command",
		name,
		command,
		values,
		words
	};
}
var HELP_OPTION = { help: {
	type: "boolean",
	short: "h",
	meaning: "prints this"
} };
var isHelp = (word) => word === "--help" || word === "-h";
/** @throws Complaint when there is none */
function nounHelp(program, noun) {
	const commands = commandsOf(tableOf(program), noun);
	if (Object.keys(commands).length === 0) throw unknownCommand(program, [noun]);
	return [
		`Usage: ${program.self} ${noun} <command> [options]`,
		"",
		...commandLines(commands)
	].join("\n");
}
function unknownCommand(program, args) {
	const { self, elsewhere } = program;
	const [first = "", second] = args;
	const table = tableOf(program);
	const list = `${self} help lists the commands.`;
	if (first.startsWith("-")) return new Complaint(`${first} stands where the name of a command is expected.`, { advice: list });
	const ofNoun = Object.keys(commandsOf(table, first)).map((name) => `${self} ${name}`);
	if (ofNoun.length > 0) return new Complaint(second === void 0 ? `${first} needs one more word.` : `There is no command ${first} ${second}.`, { advice: `There is: ${ofNoun.join(", ")}.` });
	const near = nearestName(Object.keys(table), args);
	return new Complaint(`There is no command ${first}.`, { advice: elsewhere?.(args) ?? (near === void 0 ? list : `Did you mean ${self} ${near}? ${list}`) });
}
var HELP = {
	usage: "[<command>] [--json]",
	meaning: "lists the commands, or explains one",
	options: { json: {
		type: "boolean",
		meaning: "prints commands, options and exit codes as one JSON document"
	} },
	text: (program, { json }, words) => {
		const named = commandsNamed(program, words);
		if (json === true) return JSON.stringify(helpDocument(program, named), null, 2);
		if (words.length === 0) return overview(program);
		const [only, ...more] = Object.entries(named);
		return only !== void 0 && more.length === 0 ? commandHelp(program, ...only) : nounHelp(program, words.join(" "));
	}
};
/** @throws Complaint when the words name no command and no noun */
function commandsNamed(program, words) {
	const table = tableOf(program);
	if (words.length === 0) return table;
	const name = words.join(" ");
	const found = commandIn(table, words);
	if (found?.rest.length === 0) return { [found.name]: found.command };
	const ofNoun = commandsOf(table, name);
	if (Object.keys(ofNoun).length === 0) throw unknownCommand(program, words);
	return ofNoun;
}
var COMPLETION = {
	usage: SHELLS.join("|"),
	meaning: "prints what makes a shell complete the words behind pharos",
	help: `
For one session:

  bash   source <(pharos completion bash)
  zsh    source <(pharos completion zsh)
  fish   pharos completion fish | source

For all of them, put that line into ~/.bashrc, into ~/.zshrc below compinit, or into ~/.config/fish/config.fish.
The words of the command pharos are completed, so pharos has to be on your PATH.`,
	options: {},
	text: (program, _, [shell, ...more]) => {
		if (shell !== void 0 && more.length === 0 && isShell(shell)) return completionScript(program, shell);
		throw new Complaint(`Say for which shell: ${SHELLS.join(", ")}.`, { advice: `${program.self} completion --help` });
	}
};
var package_default = { version: "0.4.0" };
// shared/proof/bytes.ts
function toHex(bytes) {
	if (HEX_TEXT === void 0 || 2 * bytes.length > HEX_TEXT.length) return joinedPairs(bytes);
	let end = 0;
	for (const byte of bytes) {
		HEX_TEXT[end++] = HEX_CODES[byte >> 4] ?? 0;
		HEX_TEXT[end++] = HEX_CODES[byte & 15] ?? 0;
	}
	return HEX_TEXT.toString("latin1", 0, end);
}
function joinedPairs(bytes) {
	let text = "";
	for (const byte of bytes) text += HEX_PAIRS[byte];
	return text;
}
/**
* The bytes of lowercase hex.
* @throws RangeError on any other character or an odd length
*/
function fromHex(text) {
	const bytes = hexOrUndefined(text);
	if (bytes === void 0) throw new RangeError("not lowercase hex of whole bytes");
	return bytes;
}
/** As `fromHex`, but undefined for any other text. */
function hexOrUndefined(text) {
	if (text.length % 2 !== 0) return void 0;
	const bytes = new Uint8Array(text.length / 2);
	for (let i = 0; i < bytes.length; i++) {
		const high = HEX_VALUES[text.charCodeAt(2 * i)] ?? NOT_IN_ALPHABET;
		const low = HEX_VALUES[text.charCodeAt(2 * i + 1)] ?? NOT_IN_ALPHABET;
		if (high === NOT_IN_ALPHABET || low === NOT_IN_ALPHABET) return void 0;
		bytes[i] = high << 4 | low;
	}
	return bytes;
}
/** Whether `text` is lowercase hex of whole bytes, and of exactly `byteLength` bytes when that is given. */
function isHex(text, byteLength) {
	if (byteLength === void 0 ? text.length % 2 !== 0 : text.length !== 2 * byteLength) return false;
	return /^[0-9a-f]*$/.test(text);
}
/** Standard alphabet with `=` padding. Used for keys and signatures. */
function toBase64(bytes) {
	return encode(bytes, STANDARD) + "=".repeat((3 - bytes.length % 3) % 3);
}
/**
* Accepts one spelling only: padded, no white space, unused bits zero.
* @throws RangeError on any other text
*/
function fromBase64(text) {
	const unpadded = text.replace(/={1,2}$/, "");
	if (text.length % 4 !== 0 || text.length - unpadded.length !== (4 - unpadded.length % 4) % 4) throw new RangeError("base64 must be padded to a multiple of 4 characters");
	return decode$1(unpadded, STANDARD_VALUES);
}
/** URL alphabet without padding. Used for Merkle paths. */
function toBase64Url(bytes) {
	return encode(bytes, URL_SAFE);
}
/**
* Accepts one spelling only: no padding, no white space, unused bits zero.
* @throws RangeError on any other text
*/
function fromBase64Url(text) {
	return decode$1(text, URL_SAFE_VALUES);
}
function concatBytes$2(...parts) {
	return joinBytes(parts);
}
/** As `concatBytes`, for a list. The list may be longer than the number of arguments a call can take. */
function joinBytes(parts) {
	let length = 0;
	for (const part of parts) length += part.length;
	const joined = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	return joined;
}
/** @throws RangeError on an unpaired surrogate, because TextEncoder would silently replace it with U+FFFD */
function utf8(text) {
	if (!text.isWellFormed()) throw new RangeError("text with an unpaired surrogate has no UTF-8 form");
	return textEncoder.encode(text);
}
function u8(value) {
	return bigEndian(value, 1);
}
function u16(value) {
	return bigEndian(value, 2);
}
function u32$1(value) {
	return bigEndian(value, 4);
}
function u64(value) {
	if (typeof value === "number") return bigEndian(value, 8);
	if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`);
	return concatBytes$2(u32$1(Number(value >> 32n)), u32$1(Number(value & 4294967295n)));
}
/** `LP(x)`: the length as u32, then the bytes. */
function lengthPrefixed(bytes) {
	return concatBytes$2(u32$1(bytes.length), bytes);
}
/** Takes constant time for equal lengths. The length itself is not secret. */
function bytesEqual(a, b) {
	if (a.length !== b.length) return false;
	let difference = 0;
	for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
	return difference === 0;
}
/** What a reader makes of bytes or text. Undefined where they have another form: readers throw a RangeError then. */
function readOrUndefined(read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) return void 0;
		throw error;
	}
}
var NOT_IN_ALPHABET = 255;
/**
* Where Node writes the text of a hash, which takes half as long as joining pairs, and leaves no garbage: each pair that is
* joined takes 32 bytes. Browsers have nothing of the kind.
*/
var HEX_TEXT = globalThis.process?.getBuiltinModule?.("node:buffer").Buffer.alloc(256);
var HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
var ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
var STANDARD = charCodes(`${ALPHANUMERIC}+/`);
var URL_SAFE = charCodes(`${ALPHANUMERIC}-_`);
var STANDARD_VALUES = valuesByCharCode(STANDARD);
var URL_SAFE_VALUES = valuesByCharCode(URL_SAFE);
var HEX_CODES = charCodes("0123456789abcdef");
var HEX_VALUES = valuesByCharCode(HEX_CODES);
var textEncoder = new TextEncoder();
var textDecoder$1 = new TextDecoder();
/** Uses arithmetic, because bit shifts would cut the value to 32 bits. */
function bigEndian(value, size) {
	if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) throw new RangeError(`${value} is not an unsigned integer of ${size} bytes`);
	const bytes = new Uint8Array(size);
	for (let i = size - 1, rest = value; rest > 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
	return bytes;
}
/** The base64 characters of `bytes` without padding: ceil(8n / 6) of them. */
function encode(bytes, alphabet) {
	const characters = new Uint8Array(Math.ceil(bytes.length * 4 / 3));
	for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
		const group = (bytes[from] ?? 0) << 16 | (bytes[from + 1] ?? 0) << 8 | (bytes[from + 2] ?? 0);
		characters[to] = alphabet[group >>> 18] ?? 0;
		characters[to + 1] = alphabet[group >>> 12 & 63] ?? 0;
		characters[to + 2] = alphabet[group >>> 6 & 63] ?? 0;
		characters[to + 3] = alphabet[group & 63] ?? 0;
	}
	return textDecoder$1.decode(characters);
}
function decode$1(text, values) {
	if (text.length % 4 === 1) throw new RangeError("base64 of no whole number of bytes");
	const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < text.length; i++) {
		const value = values[text.charCodeAt(i)] ?? NOT_IN_ALPHABET;
		if (value === NOT_IN_ALPHABET) throw new RangeError(`character ${i} is not in the base64 alphabet`);
		bits = (bits & 63) << 6 | value;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		bytes[at++] = bits >>> held;
	}
	if ((bits & (1 << held) - 1) !== 0) throw new RangeError("unused bits of base64 must be zero");
	return bytes;
}
function charCodes(text) {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
function valuesByCharCode(alphabet) {
	const values = (/* @__PURE__ */ new Uint8Array(128)).fill(NOT_IN_ALPHABET);
	alphabet.forEach((code, value) => {
		values[code] = value;
	});
	return values;
}
// node_modules/@noble/hashes/_u64.js
var U32_MASK64 = /* @__PURE__ */ (() => BigInt(2 ** 32 - 1))();
var _32n = /* @__PURE__ */ BigInt(32);
function fromBig(n, le = false) {
	if (le) return {
		h: Number(n & U32_MASK64),
		l: Number(n >> _32n & U32_MASK64)
	};
	return {
		h: Number(n >> _32n & U32_MASK64) | 0,
		l: Number(n & U32_MASK64) | 0
	};
}
function split(lst, le = false) {
	const len = lst.length;
	let Ah = new Uint32Array(len);
	let Al = new Uint32Array(len);
	for (let i = 0; i < len; i++) {
		const { h, l } = fromBig(lst[i], le);
		[Ah[i], Al[i]] = [h, l];
	}
	return [Ah, Al];
}
var fromNumH = (n) => n / 2 ** 32 | 0;
var fromNumL = (n) => n >>> 0;
function setU64FromNum(view, byteOffset, n, isLE) {
	const h = fromNumH(n);
	const l = fromNumL(n);
	view.setUint32(byteOffset, isLE ? l : h, isLE);
	view.setUint32(byteOffset + 4, isLE ? h : l, isLE);
}
var shrSH = (h, _l, s) => h >>> s;
var shrSL = (h, l, s) => h << 32 - s | l >>> s;
var rotrSH = (h, l, s) => h >>> s | l << 32 - s;
var rotrSL = (h, l, s) => h << 32 - s | l >>> s;
var rotrBH = (h, l, s) => h << 64 - s | l >>> s - 32;
var rotrBL = (h, l, s) => h >>> s - 32 | l << 64 - s;
var rotr32H = (_h, l) => l;
var rotr32L = (h, _l) => h;
function add$1(Ah, Al, Bh, Bl) {
	const l = (Al >>> 0) + (Bl >>> 0);
	return {
		h: Ah + Bh + (l / 2 ** 32 | 0) | 0,
		l: l | 0
	};
}
var add3L = (Al, Bl, Cl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0);
var add3H = (low, Ah, Bh, Ch) => Ah + Bh + Ch + (low / 2 ** 32 | 0) | 0;
var add4L = (Al, Bl, Cl, Dl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0);
var add4H = (low, Ah, Bh, Ch, Dh) => Ah + Bh + Ch + Dh + (low / 2 ** 32 | 0) | 0;
var add5L = (Al, Bl, Cl, Dl, El) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0) + (El >>> 0);
var add5H = (low, Ah, Bh, Ch, Dh, Eh) => Ah + Bh + Ch + Dh + Eh + (low / 2 ** 32 | 0) | 0;
// node_modules/@noble/hashes/utils.js
/**
* Checks if something is Uint8Array. Be careful: nodejs Buffer will return true.
* @param a - value to test
* @returns `true` when the value is a Uint8Array-compatible view.
* @example
* Check whether a value is a Uint8Array-compatible view.
* ```ts
* isBytes(new Uint8Array([1, 2, 3]));
* ```
*/
function isBytes$1(a) {
	return a instanceof Uint8Array || ArrayBuffer.isView(a) && a.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in a && a.BYTES_PER_ELEMENT === 1;
}
var atitle$1 = (title) => title ? `"${title}" ` : "";
/**
* Asserts something is a non-negative integer.
* @param n - number to validate
* @param title - label included in thrown errors
* @returns The validated number.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a non-negative integer option.
* ```ts
* anumber(32, 'length');
* ```
*/
function anumber$1(n, title = "") {
	if (typeof n !== "number") throw new TypeError(atitle$1(title) + "expected number, got " + typeof n);
	if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(atitle$1(title) + "expected integer >= 0, got " + n);
	return n;
}
/**
* Asserts something is a boolean.
* @param value - value to validate
* @param title - label included in thrown errors
* @returns The validated boolean.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate a boolean option.
* ```ts
* abool(true, 'enableXOF');
* ```
*/
function abool$1(value, title = "") {
	if (typeof value !== "boolean") throw new TypeError(atitle$1(title) + "expected boolean, got type=" + typeof value);
	return value;
}
/**
* Asserts something is Uint8Array.
* @param value - value to validate
* @param length - optional exact length constraint
* @param title - label included in thrown errors
* @returns The validated byte array.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate that a value is a byte array.
* ```ts
* abytes(new Uint8Array([1, 2, 3]));
* ```
*/
function abytes$1(value, length, title = "") {
	if (isBytes$1(value) && (length === void 0 || value.length === length)) return value;
	if (length !== void 0) anumber$1(length, "length");
	const bytes = isBytes$1(value);
	const ofLen = length !== void 0 ? ` of length ${length}` : "";
	const got = bytes ? `length=${value.length}` : `type=${typeof value}`;
	const message = atitle$1(title) + "expected Uint8Array" + ofLen + ", got " + got;
	if (!bytes) throw new TypeError(message);
	throw new RangeError(message);
}
/**
* Copies bytes into a fresh Uint8Array.
* Buffer-style slices can alias the same backing store, so callers that need ownership should copy.
* @param bytes - source bytes to clone
* @returns Freshly allocated copy of `bytes`.
* @throws On wrong argument types. {@link TypeError}
* @example
* Clone a byte array before mutating it.
* ```ts
* const copy = copyBytes(new Uint8Array([1, 2, 3]));
* ```
*/
function copyBytes$1(bytes) {
	return Uint8Array.from(abytes$1(bytes));
}
/**
* Asserts something is a wrapped hash constructor.
* @param h - hash constructor to validate
* @throws On wrong argument types or invalid hash wrapper shape. {@link TypeError}
* @throws On invalid hash metadata ranges or values. {@link RangeError}
* @throws If the hash metadata allows empty outputs or block sizes. {@link Error}
* @example
* Validate a callable hash wrapper.
* ```ts
* import { ahash } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* ahash(sha256);
* ```
*/
function ahash(h) {
	if (typeof h !== "function" || typeof h.create !== "function") throw new TypeError("expected hash wrapped by utils.createHasher");
	anumber$1(h.outputLen);
	anumber$1(h.blockLen);
	if (h.outputLen < 1 || h.blockLen < 1) throw new Error("hash blockLen / outputLen must be >= 1");
}
var aobject$2 = (value, label) => {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError((label === "object" ? "" : `"${label}" `) + "expected object, got type=" + typeof value);
};
var aopts = (value, label) => {
	aobject$2(value, label);
	const proto = Object.getPrototypeOf(value);
	if (proto !== Object.prototype && proto !== null) throw new TypeError(`"${label}" expected plain object`);
	if (Object.hasOwn(value, "__proto__")) throw new TypeError(`"${label}.__proto__" is not allowed`);
};
/**
* Asserts a hash instance has not been destroyed or finished.
* @param instance - hash instance to validate
* @param checkFinished - whether to reject finalized instances
* @throws If the hash instance has already been destroyed or finalized. {@link Error}
* @example
* Validate that a hash instance is still usable.
* ```ts
* import { aexists } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const hash = sha256.create();
* aexists(hash);
* ```
*/
function aexists(instance, checkFinished = true) {
	if (instance.destroyed) throw new Error("hash was destroyed");
	if (checkFinished && instance.finished) throw new Error("digest() was already called");
}
/**
* Asserts output is a sufficiently-sized byte array.
* @param out - destination buffer
* @param instance - hash instance providing output length
* Oversized buffers are allowed; downstream code only promises to fill the first `outputLen` bytes.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a caller-provided digest buffer.
* ```ts
* import { aoutput } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const hash = sha256.create();
* aoutput(new Uint8Array(hash.outputLen), hash);
* ```
*/
function aoutput(out, instance) {
	abytes$1(out, void 0, "output");
	const min = instance.outputLen;
	if (!(out.length >= min)) throw new RangeError("\"output\" expected length >= " + min);
}
/**
* Casts a typed array view to Uint32Array.
* `arr.byteOffset` must already be 4-byte aligned or the platform
* Uint32Array constructor will throw.
* @param arr - source typed array
* @returns Uint32Array view over the same buffer.
* @example
* Reinterpret a byte array as 32-bit words.
* ```ts
* u32(new Uint8Array(8));
* ```
*/
function u32(arr) {
	return new Uint32Array(arr.buffer, arr.byteOffset, Math.floor(arr.byteLength / 4));
}
/**
* Zeroizes typed arrays in place. Warning: JS provides no guarantees.
* @param arrays - arrays to overwrite with zeros
* @example
* Zeroize sensitive buffers in place.
* ```ts
* clean(new Uint8Array([1, 2, 3]));
* ```
*/
function clean(...arrays) {
	for (let i = 0; i < arrays.length; i++) arrays[i].fill(0);
}
/**
* Creates a DataView for byte-level manipulation.
* @param arr - source typed array
* @returns DataView over the same buffer region.
* @example
* Create a DataView over an existing buffer.
* ```ts
* createView(new Uint8Array(4));
* ```
*/
function createView(arr) {
	return new DataView(arr.buffer, arr.byteOffset, arr.byteLength);
}
/**
* Rotate-right operation for uint32 values.
* @param word - source word
* @param shift - shift amount in bits
* @returns Rotated word.
* @example
* Rotate a 32-bit word to the right.
* ```ts
* rotr(0x12345678, 8);
* ```
*/
function rotr(word, shift) {
	return word << 32 - shift | word >>> shift;
}
/**
* Rotate-left operation for uint32 values.
* @param word - source word
* @param shift - shift amount in bits
* @returns Rotated word.
* @example
* Rotate a 32-bit word to the left.
* ```ts
* rotl(0x12345678, 8);
* ```
*/
function rotl(word, shift) {
	return word << shift | word >>> 32 - shift >>> 0;
}
/** Whether the current platform is little-endian. */
var isLE = /* @__PURE__ */ (() => new Uint8Array(new Uint32Array([287454020]).buffer)[0] === 68)();
/**
* Byte-swap operation for uint32 values.
* @param word - source word
* @returns Word with reversed byte order.
* @example
* Reverse the byte order of a 32-bit word.
* ```ts
* byteSwap(0x11223344);
* ```
*/
function byteSwap(word) {
	return word << 24 & 4278190080 | word << 8 & 16711680 | word >>> 8 & 65280 | word >>> 24 & 255;
}
/**
* Conditionally byte-swaps one 32-bit word on big-endian platforms.
* @param n - source word
* @returns Original or byte-swapped word depending on platform endianness.
* @example
* Normalize a 32-bit word for host endianness.
* ```ts
* swap8IfBE(0x11223344);
* ```
*/
var swap8IfBE = isLE ? (n) => n : (n) => byteSwap(n) >>> 0;
/**
* Byte-swaps every word of a Uint32Array in place.
* @param arr - array to mutate
* @returns The same array after mutation; callers pass live state arrays here.
* @example
* Reverse the byte order of every word in place.
* ```ts
* byteSwap32(new Uint32Array([0x11223344]));
* ```
*/
function byteSwap32(arr) {
	for (let i = 0; i < arr.length; i++) arr[i] = byteSwap(arr[i]);
	return arr;
}
/**
* Conditionally byte-swaps a Uint32Array on big-endian platforms.
* @param u - array to normalize for host endianness
* @returns Original or byte-swapped array depending on platform endianness.
*   On big-endian runtimes this mutates `u` in place via `byteSwap32(...)`.
* @example
* Normalize a word array for host endianness.
* ```ts
* swap32IfBE(new Uint32Array([0x11223344]));
* ```
*/
var swap32IfBE = isLE ? (u) => u : byteSwap32;
var hasHexBuiltin = /* @__PURE__ */ (() => typeof Uint8Array.from([]).toHex === "function" && typeof Uint8Array.fromHex === "function")();
var hexes = /* @__PURE__ */ Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
/**
* Convert byte array to hex string.
* Uses the built-in function when available and assumes it matches the tested
* fallback semantics.
* @param bytes - bytes to encode
* @returns Lowercase hexadecimal string.
* @throws On wrong argument types. {@link TypeError}
* @example
* Convert bytes to lowercase hexadecimal.
* ```ts
* bytesToHex(Uint8Array.from([0xca, 0xfe, 0x01, 0x23])); // 'cafe0123'
* ```
*/
function bytesToHex$1(bytes) {
	abytes$1(bytes);
	if (hasHexBuiltin) return bytes.toHex();
	let hex = "";
	for (let i = 0; i < bytes.length; i++) hex += hexes[bytes[i]];
	return hex;
}
function asciiToBase16(ch) {
	return ch >= 48 && ch <= 57 ? ch - 48 : ch >= 65 && ch <= 70 ? ch - 55 : ch >= 97 && ch <= 102 ? ch - 87 : void 0;
}
/**
* Convert hex string to byte array. Uses built-in function, when available.
* @param hex - hexadecimal string to decode
* @returns Decoded bytes.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Decode lowercase hexadecimal into bytes.
* ```ts
* hexToBytes('cafe0123'); // Uint8Array.from([0xca, 0xfe, 0x01, 0x23])
* ```
*/
function hexToBytes$1(hex) {
	if (typeof hex !== "string") throw new TypeError("hex string expected, got " + typeof hex);
	if (hasHexBuiltin) try {
		return Uint8Array.fromHex(hex);
	} catch (error) {
		if (error instanceof SyntaxError) throw new RangeError(error.message);
		throw error;
	}
	const hl = hex.length;
	const al = hl / 2;
	if (hl % 2) throw new RangeError("hex string expected, got unpadded hex of length " + hl);
	const array = new Uint8Array(al);
	for (let ai = 0, hi = 0; ai < al; ai++, hi += 2) {
		const n1 = asciiToBase16(hex.charCodeAt(hi));
		const n2 = asciiToBase16(hex.charCodeAt(hi + 1));
		if (n1 === void 0 || n2 === void 0) {
			const char = hex[hi] + hex[hi + 1];
			throw new RangeError("hex string expected, got non-hex character \"" + char + "\" at index " + hi);
		}
		array[ai] = n1 * 16 + n2;
	}
	return array;
}
/**
* Copies several Uint8Arrays into one.
* @param arrays - arrays to concatenate
* @returns Concatenated byte array.
* @throws On wrong argument types. {@link TypeError}
* @example
* Concatenate multiple byte arrays.
* ```ts
* concatBytes(new Uint8Array([1]), new Uint8Array([2]));
* ```
*/
function concatBytes$1(...arrays) {
	let sum = 0;
	for (let i = 0; i < arrays.length; i++) {
		const a = arrays[i];
		abytes$1(a);
		sum += a.length;
	}
	const res = new Uint8Array(sum);
	for (let i = 0, pad = 0; i < arrays.length; i++) {
		const a = arrays[i];
		res.set(a, pad);
		pad += a.length;
	}
	return res;
}
/**
* Merges default options and passed options.
* @param defaults - base option object
* @param opts - user overrides
* @param title - label included in thrown override errors
* @returns Fresh merged option object with a null prototype.
* @throws On wrong argument types. {@link TypeError}
* @example
* Merge user overrides onto default options.
* ```ts
* checkOpts({ dkLen: 32 }, { asyncTick: 10 });
* ```
*/
function checkOpts(defaults, opts, title = "opts") {
	aopts(defaults, "defaults");
	if (opts !== void 0) aopts(opts, title);
	return Object.assign(Object.create(null), defaults, opts);
}
/**
* Creates a callable hash function from a stateful class constructor.
* @param hashCons - hash constructor or factory
* @param info - optional metadata such as DER OID
* @returns Frozen callable hash wrapper with `.create()`.
*   Wrapper construction eagerly calls `hashCons(undefined)` once to read
*   `outputLen` / `blockLen`, so constructor side effects happen at module
*   init time.
* @throws On wrong argument types. {@link TypeError}
* @example
* Wrap a stateful hash constructor into a callable helper.
* ```ts
* import { createHasher } from '@noble/hashes/utils.js';
* import { sha256 } from '@noble/hashes/sha2.js';
* const wrapped = createHasher(sha256.create, { oid: sha256.oid });
* wrapped(new Uint8Array([1]));
* ```
*/
function createHasher(hashCons, info = {}) {
	if (typeof hashCons !== "function") throw new TypeError("\"hashCons\" expected function, got type=" + typeof hashCons);
	info = checkOpts({}, info, "info");
	const hashC = (msg, opts) => hashCons(opts).update(msg).digest();
	const tmp = hashCons(void 0);
	hashC.outputLen = tmp.outputLen;
	hashC.blockLen = tmp.blockLen;
	hashC.canXOF = tmp.canXOF;
	hashC.create = (opts) => hashCons(opts);
	Object.assign(hashC, info);
	return Object.freeze(hashC);
}
/**
* Cryptographically secure PRNG backed by `crypto.getRandomValues`.
* @param bytesLength - number of random bytes to generate
* @returns Random bytes.
* The platform `getRandomValues()` implementation still defines any
* single-call length cap, and this helper rejects oversize requests
* with a stable library `RangeError` instead of host-specific errors.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If the current runtime does not provide `crypto.getRandomValues`. {@link Error}
* @example
* Generate a fresh random key or nonce.
* ```ts
* const key = randomBytes(16);
* ```
*/
function randomBytes$4(bytesLength = 32) {
	anumber$1(bytesLength, "bytesLength");
	const cr = typeof globalThis === "object" ? globalThis.crypto : null;
	if (typeof cr?.getRandomValues !== "function") throw new Error("crypto.getRandomValues must be defined");
	if (bytesLength > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${bytesLength}`);
	return cr.getRandomValues(new Uint8Array(bytesLength));
}
/**
* Creates OID metadata for NIST hashes with prefix `06 09 60 86 48 01 65 03 04 02`.
* @param suffix - final OID byte for the selected hash.
*   The helper accepts any byte even though only the documented NIST hash
*   suffixes are meaningful downstream.
* @returns Object containing the DER-encoded OID.
* @example
* Build OID metadata for a NIST hash.
* ```ts
* oidNist(0x01);
* ```
*/
var oidNist = (suffix) => ({ oid: Uint8Array.from([
	6,
	9,
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2,
	suffix
]) });
// node_modules/@noble/hashes/_md.js
/**
* Internal Merkle-Damgard hash utils.
* @module
*/
/**
* Shared 32-bit conditional boolean primitive reused by SHA-256, SHA-1, and MD5 `F`.
* Returns bits from `b` when `a` is set, otherwise from `c`.
* The XOR form is equivalent to MD5's `F(X,Y,Z) = XY v not(X)Z` because the masked terms never
* set the same bit.
* @param a - selector word
* @param b - word chosen when selector bit is set
* @param c - word chosen when selector bit is clear
* @returns Mixed 32-bit word.
* @example
* Combine three words with the shared 32-bit choice primitive.
* ```ts
* Chi(0xffffffff, 0x12345678, 0x87654321);
* ```
*/
function Chi(a, b, c) {
	return a & b ^ ~a & c;
}
/**
* Shared 32-bit majority primitive reused by SHA-256 and SHA-1.
* Returns bits shared by at least two inputs.
* @param a - first input word
* @param b - second input word
* @param c - third input word
* @returns Mixed 32-bit word.
* @example
* Combine three words with the shared 32-bit majority primitive.
* ```ts
* Maj(0xffffffff, 0x12345678, 0x87654321);
* ```
*/
function Maj(a, b, c) {
	return a & b ^ a & c ^ b & c;
}
/**
* Merkle-Damgard hash construction base class.
* Could be used to create MD5, RIPEMD, SHA1, SHA2.
* Accepts only byte-aligned `Uint8Array` input, even when the underlying spec describes bit
* strings with partial-byte tails.
* @param blockLen - internal block size in bytes
* @param outputLen - digest size in bytes
* @param padOffset - trailing length field size in bytes
* @param isLE - whether length and state words are encoded in little-endian
* @example
* Use a concrete subclass to get the shared Merkle-Damgard update/digest flow.
* ```ts
* import { _SHA1 } from '@noble/hashes/legacy.js';
* const hash = new _SHA1();
* hash.update(new Uint8Array([97, 98, 99]));
* hash.digest();
* ```
*/
var HashMD = class {
	blockLen;
	outputLen;
	canXOF = false;
	padOffset;
	isLE;
	buffer;
	view;
	finished = false;
	length = 0;
	pos = 0;
	destroyed = false;
	constructor(blockLen, outputLen, padOffset, isLE) {
		this.blockLen = blockLen;
		this.outputLen = outputLen;
		this.padOffset = padOffset;
		this.isLE = isLE;
		this.buffer = new Uint8Array(blockLen);
		this.view = createView(this.buffer);
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { view, buffer, blockLen } = this;
		const len = data.length;
		let processed = false;
		for (let pos = 0; pos < len;) {
			const take = Math.min(blockLen - this.pos, len - pos);
			if (take === blockLen) {
				const dataView = createView(data);
				for (; blockLen <= len - pos; pos += blockLen) this.process(dataView, pos);
				processed = true;
				continue;
			}
			buffer.set(pos === 0 && take === len ? data : data.subarray(pos, pos + take), this.pos);
			this.pos += take;
			pos += take;
			if (this.pos === blockLen) {
				this.process(view, 0);
				this.pos = 0;
				processed = true;
			}
		}
		this.length += data.length;
		if (processed) this.roundClean();
		return this;
	}
	digestInto(out) {
		aexists(this);
		aoutput(out, this);
		this.finished = true;
		const { buffer, view, blockLen, isLE } = this;
		let { pos } = this;
		buffer[pos++] = 128;
		buffer.fill(0, pos);
		if (this.padOffset > blockLen - pos) {
			this.process(view, 0);
			buffer.fill(0);
		}
		setU64FromNum(view, blockLen - 8, this.length * 8, isLE);
		this.process(view, 0);
		this.roundClean();
		const oview = out === buffer ? view : createView(out);
		const len = this.outputLen;
		const outLen = len / 4;
		const state = this.get();
		if (len % 4 || outLen > state.length) throw new Error("invalid outputLen");
		for (let i = 0; i < outLen; i++) oview.setUint32(4 * i, state[i], isLE);
	}
	digest() {
		const { buffer, outputLen } = this;
		this.digestInto(buffer);
		const res = buffer.slice(0, outputLen);
		this.destroy();
		return res;
	}
	_cloneIntoMeta(to) {
		const { buffer, length, finished, destroyed, pos } = this;
		to.destroyed = destroyed;
		to.finished = finished;
		to.length = length;
		to.pos = pos;
		if (pos) to.buffer.set(buffer);
		return to;
	}
	clone() {
		return this._cloneInto();
	}
};
/**
* Initial SHA-2 state: fractional parts of square roots of first 16 primes 2..53.
* Check out `test/misc/sha2-gen-iv.js` for recomputation guide.
*/
/** Initial SHA256 state from RFC 6234 §6.1: the first 32 bits of the fractional parts of the
* square roots of the first eight prime numbers. Exported as a shared table; callers must treat
* it as read-only because constructors copy words from it by index. */
var SHA256_IV = /* @__PURE__ */ Uint32Array.from([
	1779033703,
	3144134277,
	1013904242,
	2773480762,
	1359893119,
	2600822924,
	528734635,
	1541459225
]);
/** Initial SHA224 state `H(0)` from RFC 6234 §6.1. Exported as a shared table; callers must
* treat it as read-only because constructors copy words from it by index. */
var SHA224_IV = /* @__PURE__ */ Uint32Array.from([
	3238371032,
	914150663,
	812702999,
	4144912697,
	4290775857,
	1750603025,
	1694076839,
	3204075428
]);
/** Initial SHA384 state from RFC 6234 §6.3: eight RFC 64-bit `H(0)` words stored as sixteen
* big-endian 32-bit halves. Derived from the fractional parts of the square roots of the ninth
* through sixteenth prime numbers. Exported as a shared table; callers must treat it as read-only
* because constructors copy halves from it by index. */
var SHA384_IV = /* @__PURE__ */ Uint32Array.from([
	3418070365,
	3238371032,
	1654270250,
	914150663,
	2438529370,
	812702999,
	355462360,
	4144912697,
	1731405415,
	4290775857,
	2394180231,
	1750603025,
	3675008525,
	1694076839,
	1203062813,
	3204075428
]);
/** Initial SHA512 state from RFC 6234 §6.3: eight RFC 64-bit `H(0)` words stored as sixteen
* big-endian 32-bit halves. Derived from the fractional parts of the square roots of the first
* eight prime numbers. Exported as a shared table; callers must treat it as read-only because
* constructors copy halves from it by index. */
var SHA512_IV = /* @__PURE__ */ Uint32Array.from([
	1779033703,
	4089235720,
	3144134277,
	2227873595,
	1013904242,
	4271175723,
	2773480762,
	1595750129,
	1359893119,
	2917565137,
	2600822924,
	725511199,
	528734635,
	4215389547,
	1541459225,
	327033209
]);
// node_modules/@noble/hashes/sha2.js
/**
* SHA2 hash function. A.k.a. sha256, sha384, sha512, sha512_224, sha512_256.
* SHA256 is the fastest hash implementable in JS, even faster than Blake3.
* Check out {@link https://www.rfc-editor.org/rfc/rfc4634 | RFC 4634} and
* {@link https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.180-4.pdf | FIPS 180-4}.
* @module
*/
/**
* SHA-224 / SHA-256 round constants from RFC 6234 §5.1: the first 32 bits
* of the cube roots of the first 64 primes (2..311).
*/
var SHA256_K = /* @__PURE__ */ Uint32Array.from([
	1116352408,
	1899447441,
	3049323471,
	3921009573,
	961987163,
	1508970993,
	2453635748,
	2870763221,
	3624381080,
	310598401,
	607225278,
	1426881987,
	1925078388,
	2162078206,
	2614888103,
	3248222580,
	3835390401,
	4022224774,
	264347078,
	604807628,
	770255983,
	1249150122,
	1555081692,
	1996064986,
	2554220882,
	2821834349,
	2952996808,
	3210313671,
	3336571891,
	3584528711,
	113926993,
	338241895,
	666307205,
	773529912,
	1294757372,
	1396182291,
	1695183700,
	1986661051,
	2177026350,
	2456956037,
	2730485921,
	2820302411,
	3259730800,
	3345764771,
	3516065817,
	3600352804,
	4094571909,
	275423344,
	430227734,
	506948616,
	659060556,
	883997877,
	958139571,
	1322822218,
	1537002063,
	1747873779,
	1955562222,
	2024104815,
	2227730452,
	2361852424,
	2428436474,
	2756734187,
	3204031479,
	3329325298
]);
/** Reusable SHA-224 / SHA-256 message schedule buffer `W_t` from RFC 6234 §6.2 step 1. */
var SHA256_W = /* @__PURE__ */ new Uint32Array(64);
/** Internal SHA-224 / SHA-256 compression engine from RFC 6234 §6.2. */
var SHA2_32B = class extends HashMD {
	A = 0;
	B = 0;
	C = 0;
	D = 0;
	E = 0;
	F = 0;
	G = 0;
	H = 0;
	constructor(outputLen, IV) {
		super(64, outputLen, 8, false);
		this.A = IV[0] | 0;
		this.B = IV[1] | 0;
		this.C = IV[2] | 0;
		this.D = IV[3] | 0;
		this.E = IV[4] | 0;
		this.F = IV[5] | 0;
		this.G = IV[6] | 0;
		this.H = IV[7] | 0;
	}
	get() {
		const { A, B, C, D, E, F, G, H } = this;
		return [
			A,
			B,
			C,
			D,
			E,
			F,
			G,
			H
		];
	}
	set(A, B, C, D, E, F, G, H) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
		this.E = E | 0;
		this.F = F | 0;
		this.G = G | 0;
		this.H = H | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) SHA256_W[i] = view.getUint32(offset, false);
		for (let i = 16; i < 64; i++) {
			const W15 = SHA256_W[i - 15];
			const W2 = SHA256_W[i - 2];
			const s0 = rotr(W15, 7) ^ rotr(W15, 18) ^ W15 >>> 3;
			const s1 = rotr(W2, 17) ^ rotr(W2, 19) ^ W2 >>> 10;
			SHA256_W[i] = s1 + SHA256_W[i - 7] + s0 + SHA256_W[i - 16] | 0;
		}
		let { A, B, C, D, E, F, G, H } = this;
		for (let i = 0; i < 64; i++) {
			const sigma1 = rotr(E, 6) ^ rotr(E, 11) ^ rotr(E, 25);
			const T1 = H + sigma1 + Chi(E, F, G) + SHA256_K[i] + SHA256_W[i] | 0;
			const T2 = (rotr(A, 2) ^ rotr(A, 13) ^ rotr(A, 22)) + Maj(A, B, C) | 0;
			H = G;
			G = F;
			F = E;
			E = D + T1 | 0;
			D = C;
			C = B;
			B = A;
			A = T1 + T2 | 0;
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		E = E + this.E | 0;
		F = F + this.F | 0;
		G = G + this.G | 0;
		H = H + this.H | 0;
		this.set(A, B, C, D, E, F, G, H);
	}
	roundClean() {
		clean(SHA256_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0, 0, 0, 0, 0);
		clean(this.buffer);
	}
};
/** Internal SHA-256 hash class grounded in RFC 6234 §6.2. */
var _SHA256 = class extends SHA2_32B {
	constructor() {
		super(32, SHA256_IV);
	}
};
/** Internal SHA-224 hash class grounded in RFC 6234 §6.2 and §8.5. */
var _SHA224 = class extends SHA2_32B {
	constructor() {
		super(28, SHA224_IV);
	}
};
var K512 = /* @__PURE__ */ (() => split([
	"0x428a2f98d728ae22",
	"0x7137449123ef65cd",
	"0xb5c0fbcfec4d3b2f",
	"0xe9b5dba58189dbbc",
	"0x3956c25bf348b538",
	"0x59f111f1b605d019",
	"0x923f82a4af194f9b",
	"0xab1c5ed5da6d8118",
	"0xd807aa98a3030242",
	"0x12835b0145706fbe",
	"0x243185be4ee4b28c",
	"0x550c7dc3d5ffb4e2",
	"0x72be5d74f27b896f",
	"0x80deb1fe3b1696b1",
	"0x9bdc06a725c71235",
	"0xc19bf174cf692694",
	"0xe49b69c19ef14ad2",
	"0xefbe4786384f25e3",
	"0x0fc19dc68b8cd5b5",
	"0x240ca1cc77ac9c65",
	"0x2de92c6f592b0275",
	"0x4a7484aa6ea6e483",
	"0x5cb0a9dcbd41fbd4",
	"0x76f988da831153b5",
	"0x983e5152ee66dfab",
	"0xa831c66d2db43210",
	"0xb00327c898fb213f",
	"0xbf597fc7beef0ee4",
	"0xc6e00bf33da88fc2",
	"0xd5a79147930aa725",
	"0x06ca6351e003826f",
	"0x142929670a0e6e70",
	"0x27b70a8546d22ffc",
	"0x2e1b21385c26c926",
	"0x4d2c6dfc5ac42aed",
	"0x53380d139d95b3df",
	"0x650a73548baf63de",
	"0x766a0abb3c77b2a8",
	"0x81c2c92e47edaee6",
	"0x92722c851482353b",
	"0xa2bfe8a14cf10364",
	"0xa81a664bbc423001",
	"0xc24b8b70d0f89791",
	"0xc76c51a30654be30",
	"0xd192e819d6ef5218",
	"0xd69906245565a910",
	"0xf40e35855771202a",
	"0x106aa07032bbd1b8",
	"0x19a4c116b8d2d0c8",
	"0x1e376c085141ab53",
	"0x2748774cdf8eeb99",
	"0x34b0bcb5e19b48a8",
	"0x391c0cb3c5c95a63",
	"0x4ed8aa4ae3418acb",
	"0x5b9cca4f7763e373",
	"0x682e6ff3d6b2b8a3",
	"0x748f82ee5defb2fc",
	"0x78a5636f43172f60",
	"0x84c87814a1f0ab72",
	"0x8cc702081a6439ec",
	"0x90befffa23631e28",
	"0xa4506cebde82bde9",
	"0xbef9a3f7b2c67915",
	"0xc67178f2e372532b",
	"0xca273eceea26619c",
	"0xd186b8c721c0c207",
	"0xeada7dd6cde0eb1e",
	"0xf57d4f7fee6ed178",
	"0x06f067aa72176fba",
	"0x0a637dc5a2c898a6",
	"0x113f9804bef90dae",
	"0x1b710b35131c471b",
	"0x28db77f523047d84",
	"0x32caab7b40c72493",
	"0x3c9ebe0a15c9bebc",
	"0x431d67c49c100d4c",
	"0x4cc5d4becb3e42b6",
	"0x597f299cfc657e2a",
	"0x5fcb6fab3ad6faec",
	"0x6c44198c4a475817"
].map((n) => BigInt(n))))();
var SHA512_Kh = /* @__PURE__ */ (() => K512[0])();
var SHA512_Kl = /* @__PURE__ */ (() => K512[1])();
var SHA512_W_H = /* @__PURE__ */ new Uint32Array(80);
var SHA512_W_L = /* @__PURE__ */ new Uint32Array(80);
/** Internal SHA-384 / SHA-512 compression engine from RFC 6234 §6.4. */
var SHA2_64B = class extends HashMD {
	Ah = 0;
	Al = 0;
	Bh = 0;
	Bl = 0;
	Ch = 0;
	Cl = 0;
	Dh = 0;
	Dl = 0;
	Eh = 0;
	El = 0;
	Fh = 0;
	Fl = 0;
	Gh = 0;
	Gl = 0;
	Hh = 0;
	Hl = 0;
	constructor(outputLen, IV) {
		super(128, outputLen, 16, false);
		this.Ah = IV[0] | 0;
		this.Al = IV[1] | 0;
		this.Bh = IV[2] | 0;
		this.Bl = IV[3] | 0;
		this.Ch = IV[4] | 0;
		this.Cl = IV[5] | 0;
		this.Dh = IV[6] | 0;
		this.Dl = IV[7] | 0;
		this.Eh = IV[8] | 0;
		this.El = IV[9] | 0;
		this.Fh = IV[10] | 0;
		this.Fl = IV[11] | 0;
		this.Gh = IV[12] | 0;
		this.Gl = IV[13] | 0;
		this.Hh = IV[14] | 0;
		this.Hl = IV[15] | 0;
	}
	get() {
		const { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
		return [
			Ah,
			Al,
			Bh,
			Bl,
			Ch,
			Cl,
			Dh,
			Dl,
			Eh,
			El,
			Fh,
			Fl,
			Gh,
			Gl,
			Hh,
			Hl
		];
	}
	set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl) {
		this.Ah = Ah | 0;
		this.Al = Al | 0;
		this.Bh = Bh | 0;
		this.Bl = Bl | 0;
		this.Ch = Ch | 0;
		this.Cl = Cl | 0;
		this.Dh = Dh | 0;
		this.Dl = Dl | 0;
		this.Eh = Eh | 0;
		this.El = El | 0;
		this.Fh = Fh | 0;
		this.Fl = Fl | 0;
		this.Gh = Gh | 0;
		this.Gl = Gl | 0;
		this.Hh = Hh | 0;
		this.Hl = Hl | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) {
			SHA512_W_H[i] = view.getUint32(offset);
			SHA512_W_L[i] = view.getUint32(offset += 4);
		}
		for (let i = 16; i < 80; i++) {
			const W15h = SHA512_W_H[i - 15] | 0;
			const W15l = SHA512_W_L[i - 15] | 0;
			const s0h = rotrSH(W15h, W15l, 1) ^ rotrSH(W15h, W15l, 8) ^ shrSH(W15h, W15l, 7);
			const s0l = rotrSL(W15h, W15l, 1) ^ rotrSL(W15h, W15l, 8) ^ shrSL(W15h, W15l, 7);
			const W2h = SHA512_W_H[i - 2] | 0;
			const W2l = SHA512_W_L[i - 2] | 0;
			const s1h = rotrSH(W2h, W2l, 19) ^ rotrBH(W2h, W2l, 61) ^ shrSH(W2h, W2l, 6);
			const SUMl = add4L(s0l, rotrSL(W2h, W2l, 19) ^ rotrBL(W2h, W2l, 61) ^ shrSL(W2h, W2l, 6), SHA512_W_L[i - 7], SHA512_W_L[i - 16]);
			const SUMh = add4H(SUMl, s0h, s1h, SHA512_W_H[i - 7], SHA512_W_H[i - 16]);
			SHA512_W_H[i] = SUMh | 0;
			SHA512_W_L[i] = SUMl | 0;
		}
		let { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
		for (let i = 0; i < 80; i++) {
			const sigma1h = rotrSH(Eh, El, 14) ^ rotrSH(Eh, El, 18) ^ rotrBH(Eh, El, 41);
			const sigma1l = rotrSL(Eh, El, 14) ^ rotrSL(Eh, El, 18) ^ rotrBL(Eh, El, 41);
			const CHIh = Eh & Fh ^ ~Eh & Gh;
			const CHIl = El & Fl ^ ~El & Gl;
			const T1ll = add5L(Hl, sigma1l, CHIl, SHA512_Kl[i], SHA512_W_L[i]);
			const T1h = add5H(T1ll, Hh, sigma1h, CHIh, SHA512_Kh[i], SHA512_W_H[i]);
			const T1l = T1ll | 0;
			const sigma0h = rotrSH(Ah, Al, 28) ^ rotrBH(Ah, Al, 34) ^ rotrBH(Ah, Al, 39);
			const sigma0l = rotrSL(Ah, Al, 28) ^ rotrBL(Ah, Al, 34) ^ rotrBL(Ah, Al, 39);
			const MAJh = Ah & Bh ^ Ah & Ch ^ Bh & Ch;
			const MAJl = Al & Bl ^ Al & Cl ^ Bl & Cl;
			Hh = Gh | 0;
			Hl = Gl | 0;
			Gh = Fh | 0;
			Gl = Fl | 0;
			Fh = Eh | 0;
			Fl = El | 0;
			({h: Eh, l: El} = add$1(Dh | 0, Dl | 0, T1h | 0, T1l | 0));
			Dh = Ch | 0;
			Dl = Cl | 0;
			Ch = Bh | 0;
			Cl = Bl | 0;
			Bh = Ah | 0;
			Bl = Al | 0;
			const All = add3L(T1l, sigma0l, MAJl);
			Ah = add3H(All, T1h, sigma0h, MAJh);
			Al = All | 0;
		}
		({h: Ah, l: Al} = add$1(this.Ah | 0, this.Al | 0, Ah | 0, Al | 0));
		({h: Bh, l: Bl} = add$1(this.Bh | 0, this.Bl | 0, Bh | 0, Bl | 0));
		({h: Ch, l: Cl} = add$1(this.Ch | 0, this.Cl | 0, Ch | 0, Cl | 0));
		({h: Dh, l: Dl} = add$1(this.Dh | 0, this.Dl | 0, Dh | 0, Dl | 0));
		({h: Eh, l: El} = add$1(this.Eh | 0, this.El | 0, Eh | 0, El | 0));
		({h: Fh, l: Fl} = add$1(this.Fh | 0, this.Fl | 0, Fh | 0, Fl | 0));
		({h: Gh, l: Gl} = add$1(this.Gh | 0, this.Gl | 0, Gh | 0, Gl | 0));
		({h: Hh, l: Hl} = add$1(this.Hh | 0, this.Hl | 0, Hh | 0, Hl | 0));
		this.set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl);
	}
	roundClean() {
		clean(SHA512_W_H, SHA512_W_L);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer);
		this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/** Internal SHA-512 hash class grounded in RFC 6234 §6.3 and §6.4. */
var _SHA512 = class extends SHA2_64B {
	constructor() {
		super(64, SHA512_IV);
	}
};
/** Internal SHA-384 hash class grounded in RFC 6234 §6.3 and §6.4. */
var _SHA384 = class extends SHA2_64B {
	constructor() {
		super(48, SHA384_IV);
	}
};
/**
* SHA2-256 hash function from RFC 4634. In JS it's the fastest: even faster than Blake3. Some info:
*
* - Trying 2^128 hashes would get 50% chance of collision, using birthday attack.
* - BTC network is doing 2^70 hashes/sec (2^95 hashes/year) as per 2025.
* - Each sha256 hash is executing 2^18 bit operations.
* - Good 2024 ASICs can do 200Th/sec with 3500 watts of power, corresponding to 2^36 hashes/joule.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-256.
* ```ts
* sha256(new Uint8Array([97, 98, 99]));
* ```
*/
var sha256$1 = /* @__PURE__ */ createHasher(() => new _SHA256(), /* @__PURE__ */ oidNist(1));
/**
* SHA2-224 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-224.
* ```ts
* sha224(new Uint8Array([97, 98, 99]));
* ```
*/
var sha224 = /* @__PURE__ */ createHasher(() => new _SHA224(), /* @__PURE__ */ oidNist(4));
/**
* SHA2-512 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-512.
* ```ts
* sha512(new Uint8Array([97, 98, 99]));
* ```
*/
var sha512 = /* @__PURE__ */ createHasher(() => new _SHA512(), /* @__PURE__ */ oidNist(3));
/**
* SHA2-384 hash function from RFC 4634.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA2-384.
* ```ts
* sha384(new Uint8Array([97, 98, 99]));
* ```
*/
var sha384 = /* @__PURE__ */ createHasher(() => new _SHA384(), /* @__PURE__ */ oidNist(2));
// node_modules/@noble/curves/utils.js
/**
* Hex, bytes and number utilities.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/**
* Validates that a value is an array, optionally validating each element.
* @param item - Value to validate.
* @param title - Label included in thrown errors.
* @param inner - Optional per-element validator, called with the element and its label.
* @returns The validated array.
* @example
* Validate an array of points before batch processing.
*
* ```ts
* aarray([1n, 2n], 'scalars');
* ```
*/
function aarray$1(item, title, inner = () => {}) {
	if (!Array.isArray(item)) throw new TypeError(`"${title}" expected array, got type=${typeof item}`);
	for (let i = 0; i < item.length; i++) inner(item[i], `${title}[${i}]`);
	return item;
}
/**
* Validates that a value is a byte array.
* @param value - Value to validate.
* @param length - Optional exact byte length.
* @param title - Optional field name.
* @returns Original byte array.
* @example
* Reject non-byte input before passing data into curve code.
*
* ```ts
* abytes(new Uint8Array(1));
* ```
*/
var abytes = (value, length, title) => abytes$1(value, length, title);
/**
* Validates that a value is a non-negative safe integer.
* @param n - Value to validate.
* @param title - Optional field name.
* @returns The validated number.
* @example
* Validate a numeric length before allocating buffers.
*
* ```ts
* anumber(1);
* ```
*/
var anumber = anumber$1;
/**
* Asserts something is a plain object-ish value, not null or array.
* @param value - Value to validate.
* @param title - Label included in thrown errors.
* @returns The validated object.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate an options object before checking fields.
*
* ```ts
* aobject({ flag: true });
* ```
*/
function aobject$1(value, title = "object") {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError(title === "object" ? "expected valid options object" : `"${title}" expected object, got type=${typeof value}`);
	return value;
}
/**
* Asserts something is a function.
* @param value - Value to validate.
* @param title - Label included in thrown errors.
* @returns The validated function.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate a required method before calling it.
*
* ```ts
* afunction(() => true, 'predicate');
* ```
*/
function afunction(value, title) {
	if (typeof value !== "function") throw new TypeError(`"${title}" is invalid: expected function, got ${typeof value}`);
	return value;
}
/**
* Encodes bytes as lowercase hex.
* @param bytes - Bytes to encode.
* @returns Lowercase hex string.
* @example
* Serialize bytes as hex for logging or fixtures.
*
* ```ts
* bytesToHex(Uint8Array.of(1, 2, 3));
* ```
*/
var bytesToHex = bytesToHex$1;
/**
* Concatenates byte arrays.
* @param arrays - Byte arrays to join.
* @returns Concatenated bytes.
* @example
* Join domain-separated chunks into one buffer.
*
* ```ts
* concatBytes(Uint8Array.of(1), Uint8Array.of(2));
* ```
*/
var concatBytes = (...arrays) => concatBytes$1(...arrays);
/**
* Decodes lowercase or uppercase hex into bytes.
* @param hex - Hex string to decode.
* @returns Decoded bytes.
* @example
* Parse fixture hex into bytes before hashing.
*
* ```ts
* hexToBytes('0102');
* ```
*/
var hexToBytes = (hex) => hexToBytes$1(hex);
/**
* Checks whether a value is a Uint8Array.
* @param a - Value to inspect.
* @returns `true` when `a` is a Uint8Array.
* @example
* Branch on byte input before decoding it.
*
* ```ts
* isBytes(new Uint8Array(1));
* ```
*/
var isBytes = isBytes$1;
/**
* Reads random bytes from the platform CSPRNG.
* @param bytesLength - Number of random bytes to read.
* @returns Fresh random bytes.
* @example
* Generate a random seed for a keypair.
*
* ```ts
* randomBytes(2);
* ```
*/
var randomBytes$3 = (bytesLength) => randomBytes$4(bytesLength);
var _0n$4 = /* @__PURE__ */ BigInt(0);
var _1n$5 = /* @__PURE__ */ BigInt(1);
var atitle = (title) => title ? `"${title}" ` : "";
/**
* Validates that a flag is boolean.
* @param value - Value to validate.
* @param title - Optional field name.
* @returns Original value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Reject non-boolean option flags early.
*
* ```ts
* abool(true);
* ```
*/
function abool(value, title = "") {
	if (typeof value !== "boolean") throw new TypeError(atitle(title) + "expected boolean, got type=" + typeof value);
	return value;
}
/**
* Validates that a value is a non-negative bigint or safe integer.
* @param n - Value to validate.
* @returns The same validated value.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate one integer-like value before serializing it.
*
* ```ts
* abignumber(1n);
* ```
*/
function abignumber(n) {
	if (typeof n === "bigint") {
		if (!isPosBig(n)) throw new RangeError("positive bigint expected, got " + n);
	} else anumber(n);
	return n;
}
/**
* Validates that a value is a safe integer.
* @param value - Integer to validate.
* @param title - Optional field name.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Validate a window size before scalar arithmetic uses it.
*
* ```ts
* asafenumber(1);
* ```
*/
function asafenumber(value, title = "") {
	if (typeof value !== "number") {
		const prefix = title && `"${title}" `;
		throw new TypeError(prefix + "expected number, got type=" + typeof value);
	}
	if (!Number.isSafeInteger(value)) {
		const prefix = title && `"${title}" `;
		throw new RangeError(prefix + "expected safe integer, got " + value);
	}
}
/**
* Parses a big-endian hex string into bigint.
* Accepts odd-length hex through the native `BigInt('0x' + hex)` parser and currently surfaces the
* same native `SyntaxError` for malformed hex instead of wrapping it in a library-specific error.
* @param hex - Hex string without `0x`.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Parse a scalar from fixture hex.
*
* ```ts
* hexToNumber('ff');
* ```
*/
function hexToNumber(hex) {
	if (typeof hex !== "string") throw new TypeError("hex string expected, got " + typeof hex);
	return hex === "" ? _0n$4 : BigInt("0x" + hex);
}
/**
* Parses big-endian bytes into bigint.
* @param bytes - Bytes in big-endian order.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Read a scalar encoded in network byte order.
*
* ```ts
* bytesToNumberBE(Uint8Array.of(1, 0));
* ```
*/
function bytesToNumberBE(bytes) {
	return hexToNumber(bytesToHex$1(bytes));
}
/**
* Parses little-endian bytes into bigint.
* @param bytes - Bytes in little-endian order.
* @returns Parsed bigint value.
* @throws On wrong argument types. {@link TypeError}
* @example
* Read a scalar encoded in little-endian form.
*
* ```ts
* bytesToNumberLE(Uint8Array.of(1, 0));
* ```
*/
function bytesToNumberLE(bytes) {
	return hexToNumber(bytesToHex$1(copyBytes(abytes$1(bytes)).reverse()));
}
/**
* Encodes a bigint into fixed-length big-endian bytes.
* @param n - Number to encode.
* @param len - Output length in bytes. Must be greater than zero.
* @returns Big-endian byte array.
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If a documented runtime validation or state check fails. {@link Error}
* @example
* Serialize a scalar into a 32-byte field element.
*
* ```ts
* numberToBytesBE(255n, 2);
* ```
*/
function numberToBytesBE(n, len) {
	anumber$1(len);
	if (len === 0) throw new Error("zero output length is invalid");
	n = abignumber(n);
	const expectedLen = len * 2;
	const hex = n.toString(16);
	if (hex.length > expectedLen) throw new RangeError("number is too large");
	return hexToBytes$1(hex.padStart(expectedLen, "0"));
}
/**
* Encodes a bigint into fixed-length little-endian bytes.
* @param n - Number to encode.
* @param len - Output length in bytes.
* @returns Little-endian byte array.
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If a documented runtime validation or state check fails. {@link Error}
* @example
* Serialize a scalar for little-endian protocols.
*
* ```ts
* numberToBytesLE(255n, 2);
* ```
*/
function numberToBytesLE(n, len) {
	return numberToBytesBE(n, len).reverse();
}
/**
* Copies Uint8Array. We can't use u8a.slice(), because u8a can be Buffer,
* and Buffer#slice creates mutable copy. Never use Buffers!
* @param bytes - Bytes to copy.
* @returns Detached copy.
* @example
* Make an isolated copy before mutating serialized bytes.
*
* ```ts
* copyBytes(Uint8Array.of(1, 2, 3));
* ```
*/
function copyBytes(bytes) {
	return Uint8Array.from(abytes(bytes));
}
/**
* Checks whether n is non-negative bigint. Historical name.
* @param n - candidate value
* @returns `true` when the value is bigint and 0 or larger
* @example
* Check a candidate scalar before range validation.
*
* ```ts
* isPosBig(2n);
* ```
*/
function isPosBig(n) {
	return typeof n === "bigint" && _0n$4 <= n;
}
/**
* Checks whether a bigint lies inside a half-open range.
* @param n - Candidate value.
* @param min - Inclusive lower bound.
* @param max - Exclusive upper bound.
* @returns `true` when the value is inside the range.
* @example
* Check whether a candidate scalar fits the field order.
*
* ```ts
* inRange(2n, 1n, 3n);
* ```
*/
function inRange(n, min, max) {
	return isPosBig(n) && isPosBig(min) && isPosBig(max) && min <= n && n < max;
}
/**
* Asserts `min <= n < max`. NOTE: upper bound is exclusive.
* @param title - Value label for error messages.
* @param n - Candidate value.
* @param min - Inclusive lower bound.
* @param max - Exclusive upper bound.
* Wrong-type inputs are not separated from out-of-range values here: they still flow through the
* shared `RangeError` path because this is only a throwing wrapper around `inRange(...)`.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Assert that a bigint stays within one half-open range.
*
* ```ts
* aInRange('x', 2n, 1n, 256n);
* ```
*/
function aInRange(title, n, min, max) {
	if (!inRange(n, min, max)) throw new RangeError("expected valid " + title + ": " + min + " <= n < " + max + ", got " + n);
}
/**
* Calculates amount of bits in a bigint.
* Same as `n.toString(2).length`
* TODO: merge with nLength in modular
* @param n - Value to inspect.
* @returns Bit length.
* @throws If the value is negative. {@link Error}
* @example
* Measure the bit length of a scalar before serialization.
*
* ```ts
* bitLen(8n);
* ```
*/
function bitLen(n) {
	if (n < _0n$4) throw new Error("expected non-negative bigint, got " + n);
	return n === _0n$4 ? 0 : n.toString(2).length;
}
/**
* Calculate mask for N bits. Not using ** operator with bigints because of old engines.
* Same as BigInt(`0b${Array(i).fill('1').join('')}`)
* @param n - Number of bits. Negative widths are currently passed through to raw bigint shift
*   semantics and therefore produce `-1n`.
* @returns Bitmask value.
* @example
* Calculate mask for N bits.
*
* ```ts
* bitMask(4);
* ```
*/
var bitMask = (n) => {
	asafenumber(n, "n");
	return (_1n$5 << BigInt(n)) - _1n$5;
};
/**
* Validates declared required and optional field types on a plain object.
* Extra keys are intentionally ignored because many callers validate only the subset they use from
* richer option bags or runtime objects.
* This walks field schemas and formats detailed errors, so avoid it on hot paths; use direct
* one-line guards such as `aobject()`, `afunction()`, `abool()`, or `asafenumber()` instead.
* @param object - Object to validate.
* @param fields - Required field types.
* @param optFields - Optional field types.
* @param title - Object label included in thrown errors.
* @throws On wrong argument types. {@link TypeError}
* @example
* Check user options before building a curve helper.
*
* ```ts
* validateObject({ flag: true }, { flag: 'boolean' });
* ```
*/
function validateObject(object, fields = {}, optFields = {}, title = "object") {
	aobject$1(object, title);
	aobject$1(fields, "fields");
	aobject$1(optFields, "optFields");
	function checkField(fieldName, expectedType, isOpt) {
		const label = title === "object" ? `param "${String(fieldName)}"` : `"${title}.${String(fieldName)}"`;
		const val = object[fieldName];
		if (!Object.hasOwn(object, fieldName) && (isOpt ? val !== void 0 : expectedType !== "function")) throw new TypeError(`${label} is invalid: expected own property`);
		if (isOpt && val === void 0) return;
		const current = typeof val;
		if (current !== expectedType || val === null) throw new TypeError(`${label} is invalid: expected ${expectedType}, got ${current}`);
	}
	const iter = (f, isOpt) => Object.entries(f).forEach(([k, v]) => checkField(k, v, isOpt));
	iter(fields, false);
	iter(optFields, true);
}
// node_modules/@noble/curves/abstract/modular.js
/**
* Utils for modular division and fields.
* Field over 11 is a finite (Galois) field is integer number operations `mod 11`.
* There is no division: it is replaced by modular multiplicative inverse.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$3 = /* @__PURE__ */ BigInt(0);
var _1n$4 = /* @__PURE__ */ BigInt(1);
var _2n$3 = /* @__PURE__ */ BigInt(2);
var _3n = /* @__PURE__ */ BigInt(3);
var _4n$2 = /* @__PURE__ */ BigInt(4);
var _5n$1 = /* @__PURE__ */ BigInt(5);
var _7n$1 = /* @__PURE__ */ BigInt(7);
var _8n$2 = /* @__PURE__ */ BigInt(8);
var _9n = /* @__PURE__ */ BigInt(9);
var _15n = /* @__PURE__ */ BigInt(15);
var _16n = /* @__PURE__ */ BigInt(16);
var POW_WINDOWED_MIN = /* @__PURE__ */ BigInt("0x10000000000000000");
/**
* @param a - Dividend value.
* @param b - Positive modulus.
* @returns Reduced value in `[0, b)` only when `b` is positive.
* @throws If the modulus is not positive. {@link Error}
* @example
* Normalize a bigint into one field residue.
*
* ```ts
* mod(-1n, 5n);
* ```
*/
function mod(a, b) {
	if (b <= _0n$3) throw new Error("mod: expected positive modulus, got " + b);
	const result = a % b;
	return result >= _0n$3 ? result : b + result;
}
/**
* Efficiently raise num to a power with modular reduction.
* Unsafe in some contexts: uses ladder, so can expose bigint bits.
* Low-level helper: callers that need canonical residues must pass a valid `num` for the chosen
* modulus instead of relying on the `power===0/1` fast paths to normalize it.
* @param num - Base value.
* @param power - Exponent value.
* @param modulo - Reduction modulus.
* @returns Modular exponentiation result.
* @throws If the modulus or exponent is invalid. {@link Error}
* @example
* Raise one bigint to a modular power.
*
* ```ts
* pow(2n, 6n, 11n) // 64n % 11n == 9n
* ```
*/
function pow(num, power, modulo) {
	if (modulo <= _1n$4) throw new Error("pow: expected modulus > 1, got " + modulo);
	if (typeof power !== "bigint") throw new TypeError("invalid exponent: expected bigint, got " + typeof power);
	if (power < _0n$3) throw new Error("invalid exponent, negatives unsupported");
	if (power === _0n$3) return _1n$4;
	if (power === _1n$4) return num;
	let d = num % modulo;
	if (d < _0n$3) d += modulo;
	if (power < POW_WINDOWED_MIN) {
		let p = _1n$4;
		while (power > _0n$3) {
			if (power & _1n$4) p = p * d % modulo;
			d = d * d % modulo;
			power >>= _1n$4;
		}
		return p;
	}
	const digits = [];
	while (power > _0n$3) {
		digits.push(Number(power & _15n));
		power >>= _4n$2;
	}
	const table = new Array(16);
	table[0] = _1n$4;
	table[1] = d;
	for (let i = 2; i < 16; i++) table[i] = table[i - 1] * d % modulo;
	let p = table[digits[digits.length - 1]];
	for (let w = digits.length - 2; w >= 0; w--) {
		p = p * p % modulo;
		p = p * p % modulo;
		p = p * p % modulo;
		p = p * p % modulo;
		const digit = digits[w];
		if (digit !== 0) p = p * table[digit] % modulo;
	}
	return p;
}
/**
* Does `x^(2^power)` mod p. `pow2(30, 4)` == `30^(2^4)`.
* Low-level helper: callers that need canonical residues must pass a valid `x` for the chosen
* modulus; the `power===0` fast path intentionally returns the input unchanged.
* @param x - Base value.
* @param power - Number of squarings.
* @param modulo - Reduction modulus.
* @returns Repeated-squaring result.
* @throws If the exponent is negative. {@link Error}
* @example
* Apply repeated squaring inside one field.
*
* ```ts
* pow2(3n, 2n, 11n);
* ```
*/
function pow2(x, power, modulo) {
	if (modulo <= _1n$4) throw new Error("pow2: expected modulus > 1, got " + modulo);
	if (power < _0n$3) throw new Error("pow2: expected non-negative exponent, got " + power);
	let res = x;
	while (power-- > _0n$3) {
		res *= res;
		res %= modulo;
	}
	return res;
}
/**
* Inverses number over modulo.
* Implemented using the {@link https://brilliant.org/wiki/extended-euclidean-algorithm/ | extended Euclidean algorithm}.
* @param number - Value to invert.
* @param modulo - Modulus greater than 1.
* @returns Multiplicative inverse.
* @throws If the modulus is invalid or the inverse does not exist. {@link Error}
* @example
* Compute one modular inverse with the extended Euclidean algorithm.
*
* ```ts
* invert(3n, 11n);
* ```
*/
function invert(number, modulo) {
	if (number === _0n$3) throw new Error("invert: expected non-zero number");
	if (modulo <= _1n$4) throw new Error("invert: expected modulus > 1, got " + modulo);
	let a = mod(number, modulo);
	let b = modulo;
	let x = _0n$3, u = _1n$4;
	while (a !== _0n$3) {
		const q = b / a;
		const r = b - a * q;
		const m = x - u * q;
		b = a, a = r, x = u, u = m;
	}
	if (b !== _1n$4) throw new Error("invert: does not exist");
	return mod(x, modulo);
}
function assertIsSquare(Fp, root, n) {
	const F = Fp;
	if (!F.eql(F.sqr(root), n)) throw new Error("Cannot find square root");
}
function aoddModulus(order, fnName) {
	if ((order & _1n$4) === _0n$3) throw new Error(fnName + ": expected odd modulus, got " + order);
}
function sqrt3mod4(Fp, n) {
	const F = Fp;
	const p1div4 = (F.ORDER + _1n$4) / _4n$2;
	const root = F.pow(n, p1div4);
	assertIsSquare(F, root, n);
	return root;
}
function sqrt5mod8(Fp, n) {
	const F = Fp;
	const p5div8 = (F.ORDER - _5n$1) / _8n$2;
	const n2 = F.mul(n, _2n$3);
	const v = F.pow(n2, p5div8);
	const nv = F.mul(n, v);
	const i = F.mul(F.mul(nv, _2n$3), v);
	const root = F.mul(nv, F.sub(i, F.ONE));
	assertIsSquare(F, root, n);
	return root;
}
function sqrt9mod16(P) {
	const Fp_ = Field(P);
	const tn = tonelliShanks(P);
	const c1 = tn(Fp_, Fp_.neg(Fp_.ONE));
	const c2 = tn(Fp_, c1);
	const c3 = tn(Fp_, Fp_.neg(c1));
	const c4 = (P + _7n$1) / _16n;
	return ((Fp, n) => {
		const F = Fp;
		let tv1 = F.pow(n, c4);
		let tv2 = F.mul(tv1, c1);
		const tv3 = F.mul(tv1, c2);
		const tv4 = F.mul(tv1, c3);
		const e1 = F.eql(F.sqr(tv2), n);
		const e2 = F.eql(F.sqr(tv3), n);
		tv1 = F.cmov(tv1, tv2, e1);
		tv2 = F.cmov(tv4, tv3, e2);
		const e3 = F.eql(F.sqr(tv2), n);
		const root = F.cmov(tv1, tv2, e3);
		assertIsSquare(F, root, n);
		return root;
	});
}
/**
* Tonelli-Shanks square root search algorithm.
* This implementation is variable-time: it searches data-dependently for the first non-residue `Z`
* and for the smallest `i` in the main loop, unlike RFC 9380 Appendix I.4's constant-time shape.
* 1. {@link https://eprint.iacr.org/2012/685.pdf | eprint 2012/685}, page 12
* 2. Square Roots from 1; 24, 51, 10 to Dan Shanks
* @param P - field order
* @returns function that takes field Fp (created from P) and number n
* @throws If the field is too small, non-prime, or the square root does not exist. {@link Error}
* @example
* Construct a square-root helper for primes that need Tonelli-Shanks.
*
* ```ts
* import { Field, tonelliShanks } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const sqrt = tonelliShanks(17n)(Fp, 4n);
* ```
*/
function tonelliShanks(P) {
	if (P < _3n) throw new Error("sqrt is not defined for small field");
	aoddModulus(P, "tonelliShanks");
	let Q = P - _1n$4;
	let S = 0;
	while (Q % _2n$3 === _0n$3) {
		Q /= _2n$3;
		S++;
	}
	let Z = _2n$3;
	const _Fp = Field(P);
	while (FpLegendre(_Fp, Z) === 1) if (Z++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
	if (S === 1) return sqrt3mod4;
	let cc = _Fp.pow(Z, Q);
	const Q1div2 = (Q + _1n$4) / _2n$3;
	return function tonelliSlow(Fp, n) {
		const F = Fp;
		if (F.is0(n)) return n;
		if (FpLegendre(F, n) !== 1) throw new Error("Cannot find square root");
		let M = S;
		let c = F.mul(F.ONE, cc);
		let t = F.pow(n, Q);
		let R = F.pow(n, Q1div2);
		while (!F.eql(t, F.ONE)) {
			if (F.is0(t)) throw new Error("Cannot find square root: probably non-prime P");
			let i = 1;
			let t_tmp = F.sqr(t);
			while (!F.eql(t_tmp, F.ONE)) {
				i++;
				t_tmp = F.sqr(t_tmp);
				if (i === M) throw new Error("Cannot find square root");
			}
			const exponent = _1n$4 << BigInt(M - i - 1);
			const b = F.pow(c, exponent);
			M = i;
			c = F.sqr(b);
			t = F.mul(t, c);
			R = F.mul(R, b);
		}
		return R;
	};
}
/**
* Square root for a finite field. Will try optimized versions first:
*
* 1. P ≡ 3 (mod 4)
* 2. P ≡ 5 (mod 8)
* 3. P ≡ 9 (mod 16)
* 4. Tonelli-Shanks algorithm
*
* Different algorithms can give different roots, it is up to user to decide which one they want.
* For example there is FpSqrtOdd/FpSqrtEven to choose a root by oddness
* (used for hash-to-curve).
* @param P - Field order.
* @returns Square-root helper. The generic fallback inherits Tonelli-Shanks' variable-time
*   behavior and this selector assumes prime-field-style integer moduli.
* @throws If the field is unsupported or the square root does not exist. {@link Error}
* @example
* Choose the square-root helper appropriate for one field modulus.
*
* ```ts
* import { Field, FpSqrt } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const sqrt = FpSqrt(17n)(Fp, 4n);
* ```
*/
function FpSqrt(P) {
	aoddModulus(P, "Fp.sqrt");
	if (P % _4n$2 === _3n) return sqrt3mod4;
	if (P % _8n$2 === _5n$1) return sqrt5mod8;
	if (P % _16n === _9n) return sqrt9mod16(P);
	return tonelliShanks(P);
}
/**
* @param num - Value to inspect.
* @param modulo - Field modulus.
* @returns `true` when the least-significant little-endian bit is set.
* @throws If the modulus is invalid for `mod(...)`. {@link Error}
* @example
* Inspect the low bit used by little-endian sign conventions.
*
* ```ts
* isNegativeLE(3n, 11n);
* ```
*/
var isNegativeLE = (num, modulo) => (mod(num, modulo) & _1n$4) === _1n$4;
var FIELD_FIELDS = [
	"create",
	"isValid",
	"is0",
	"neg",
	"inv",
	"sqrt",
	"sqr",
	"eql",
	"add",
	"sub",
	"mul",
	"pow",
	"div",
	"addN",
	"subN",
	"mulN",
	"sqrN"
];
/**
* @param field - Field implementation.
* @returns Validated field. This only checks the arithmetic subset needed by generic helpers; it
*   does not guarantee full runtime-method coverage for serialization, batching, `cmov`, or
*   field-specific extras beyond positive `BYTES` / `BITS`.
* @throws If the field shape or numeric metadata are invalid. {@link Error}
* @example
* Check that a field implementation exposes the operations curve code expects.
*
* ```ts
* import { Field, validateField } from '@noble/curves/abstract/modular.js';
* const Fp = validateField(Field(17n));
* ```
*/
function validateField(field) {
	aobject$1(field, "field");
	if (typeof field.ORDER !== "bigint") throw new TypeError("param \"ORDER\" is invalid: expected bigint, got " + typeof field.ORDER);
	asafenumber(field.BYTES, "BYTES");
	asafenumber(field.BITS, "BITS");
	for (const name of FIELD_FIELDS) afunction(field[name], "field." + name);
	if (field.BYTES < 1 || field.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
	if (field.ORDER <= _1n$4) throw new Error("invalid field: expected ORDER > 1, got " + field.ORDER);
	return field;
}
function FpInvertBatch(Fp, nums, passZero = false) {
	validateField(Fp);
	aarray$1(nums, "nums");
	abool(passZero, "passZero");
	const F = Fp;
	const inverted = new Array(nums.length).fill(passZero ? F.ZERO : void 0);
	const multipliedAcc = nums.reduce((acc, num, i) => {
		if (F.is0(num)) return acc;
		inverted[i] = acc;
		return F.mul(acc, num);
	}, F.ONE);
	const invertedAcc = F.inv(multipliedAcc);
	nums.reduceRight((acc, num, i) => {
		if (F.is0(num)) return acc;
		inverted[i] = F.mul(acc, inverted[i]);
		return F.mul(acc, num);
	}, invertedAcc);
	return inverted;
}
/**
* Legendre symbol.
* Legendre constant is used to calculate Legendre symbol (a | p)
* which denotes the value of a^((p-1)/2) (mod p).
*
* * (a | p) ≡ 1    if a is a square (mod p), quadratic residue
* * (a | p) ≡ -1   if a is not a square (mod p), quadratic non residue
* * (a | p) ≡ 0    if a ≡ 0 (mod p)
* @param Fp - Field implementation.
* @param n - Value to inspect.
* @returns Legendre symbol.
* @throws If the powered value does not match a valid Legendre symbol. {@link Error}
* @example
* Compute the Legendre symbol of one field element.
*
* ```ts
* import { Field, FpLegendre } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const symbol = FpLegendre(Fp, 4n);
* ```
*/
function FpLegendre(Fp, n) {
	validateField(Fp);
	const F = Fp;
	aoddModulus(F.ORDER, "FpLegendre");
	const p1mod2 = (F.ORDER - _1n$4) / _2n$3;
	const powered = F.pow(n, p1mod2);
	const yes = F.eql(powered, F.ONE);
	const zero = F.eql(powered, F.ZERO);
	const no = F.eql(powered, F.neg(F.ONE));
	if (!yes && !zero && !no) throw new Error("invalid Legendre symbol result");
	return yes ? 1 : zero ? 0 : -1;
}
/**
* @param n - Curve order. Callers are expected to pass a positive order.
* @param nBitLength - Optional cached bit length. Callers are expected to pass a positive cached
*   value when overriding the derived bit length.
* @returns Byte and bit lengths.
* @throws If the order or cached bit length is invalid. {@link Error}
* @example
* Measure the encoding sizes needed for one modulus.
*
* ```ts
* nLength(255n);
* ```
*/
function nLength(n, nBitLength) {
	if (nBitLength !== void 0) anumber(nBitLength);
	if (n <= _0n$3) throw new Error("invalid n length: expected positive n, got " + n);
	if (nBitLength !== void 0 && nBitLength < 1) throw new Error("invalid n length: expected positive bit length, got " + nBitLength);
	const bits = bitLen(n);
	if (nBitLength !== void 0 && nBitLength < bits) throw new Error(`invalid n length: expected nBitLength (${nBitLength}) >= bitLen(n) (${bits})`);
	const _nBitLength = nBitLength !== void 0 ? nBitLength : bits;
	return {
		nBitLength: _nBitLength,
		nByteLength: Math.ceil(_nBitLength / 8)
	};
}
var FIELD_SQRT = /* @__PURE__ */ new WeakMap();
var _Field = class {
	ORDER;
	BITS;
	BYTES;
	isLE;
	ZERO = _0n$3;
	ONE = _1n$4;
	_lengths;
	_mod;
	constructor(ORDER, opts = {}) {
		if (ORDER <= _1n$4) throw new Error("invalid field: expected ORDER > 1, got " + ORDER);
		let _nbitLength = void 0;
		this.isLE = false;
		if (opts != null && typeof opts === "object") {
			if (typeof opts.BITS === "number") _nbitLength = opts.BITS;
			if (typeof opts.sqrt === "function") Object.defineProperty(this, "sqrt", {
				value: opts.sqrt,
				enumerable: true
			});
			if (typeof opts.isLE === "boolean") this.isLE = opts.isLE;
			if (opts.allowedLengths) this._lengths = Object.freeze(opts.allowedLengths.slice());
			if (typeof opts.modFromBytes === "boolean") this._mod = opts.modFromBytes;
		}
		const { nBitLength, nByteLength } = nLength(ORDER, _nbitLength);
		if (nByteLength > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
		this.ORDER = ORDER;
		this.BITS = nBitLength;
		this.BYTES = nByteLength;
		Object.freeze(this);
	}
	create(num) {
		return mod(num, this.ORDER);
	}
	isValid(num) {
		if (typeof num !== "bigint") throw new TypeError("invalid field element: expected bigint, got " + typeof num);
		return _0n$3 <= num && num < this.ORDER;
	}
	is0(num) {
		return num === _0n$3;
	}
	isValidNot0(num) {
		return !this.is0(num) && this.isValid(num);
	}
	isOdd(num) {
		return (num & _1n$4) === _1n$4;
	}
	neg(num) {
		return mod(-num, this.ORDER);
	}
	eql(lhs, rhs) {
		return lhs === rhs;
	}
	sqr(num) {
		return mod(num * num, this.ORDER);
	}
	add(lhs, rhs) {
		return mod(lhs + rhs, this.ORDER);
	}
	sub(lhs, rhs) {
		return mod(lhs - rhs, this.ORDER);
	}
	mul(lhs, rhs) {
		return mod(lhs * rhs, this.ORDER);
	}
	pow(num, power) {
		return pow(num, power, this.ORDER);
	}
	div(lhs, rhs) {
		return mod(lhs * invert(rhs, this.ORDER), this.ORDER);
	}
	sqrN(num) {
		return num * num;
	}
	addN(lhs, rhs) {
		return lhs + rhs;
	}
	subN(lhs, rhs) {
		return lhs - rhs;
	}
	mulN(lhs, rhs) {
		return lhs * rhs;
	}
	inv(num) {
		return invert(num, this.ORDER);
	}
	sqrt(num) {
		let sqrt = FIELD_SQRT.get(this);
		if (!sqrt) FIELD_SQRT.set(this, sqrt = FpSqrt(this.ORDER));
		return sqrt(this, num);
	}
	toBytes(num) {
		return this.isLE ? numberToBytesLE(num, this.BYTES) : numberToBytesBE(num, this.BYTES);
	}
	fromBytes(bytes, skipValidation = false) {
		abytes(bytes);
		const { _lengths: allowedLengths, BYTES, isLE, ORDER, _mod: modFromBytes } = this;
		if (allowedLengths) {
			if (bytes.length < 1 || !allowedLengths.includes(bytes.length) || bytes.length > BYTES) throw new Error("Field.fromBytes: expected " + allowedLengths + " bytes, got " + bytes.length);
			const padded = new Uint8Array(BYTES);
			padded.set(bytes, isLE ? 0 : padded.length - bytes.length);
			bytes = padded;
		}
		if (bytes.length !== BYTES) throw new Error("Field.fromBytes: expected " + BYTES + " bytes, got " + bytes.length);
		let scalar = isLE ? bytesToNumberLE(bytes) : bytesToNumberBE(bytes);
		if (modFromBytes) scalar = mod(scalar, ORDER);
		if (!skipValidation) {
			if (!this.isValid(scalar)) throw new Error("invalid field element: outside of range 0..ORDER");
		}
		return scalar;
	}
	invertBatch(lst) {
		return FpInvertBatch(this, lst, true);
	}
	cmov(a, b, condition) {
		abool(condition, "condition");
		return condition ? b : a;
	}
};
/**
* Creates a finite field. Major performance optimizations:
* * 1. Denormalized operations like mulN instead of mul.
* * 2. Identical object shape: never add or remove keys.
* * 3. Frozen stable object shape; the lazy sqrt cache lives in a module-level `WeakMap`.
* Fragile: always run a benchmark on a change.
* Security note: operations and low-level serializers like `toBytes` don't check `isValid` for
* all elements for performance and protocol-flexibility reasons; callers are responsible for
* supplying valid elements when they need canonical field behavior.
* This is low-level code, please make sure you know what you're doing.
*
* Note about field properties:
* * CHARACTERISTIC p = prime number, number of elements in main subgroup.
* * ORDER q = similar to cofactor in curves, may be composite `q = p^m`.
*
* @param ORDER - field order, probably prime, or could be composite
* @param opts - Field options such as bit length or endianness. See {@link FieldOpts}.
* @returns Frozen field instance with a stable object shape. This wrapper forwards `opts` straight
*   into `_Field`, so it inherits `_Field`'s assumptions about cached sizes and `allowedLengths`.
* @example
* Construct one prime field with optional overrides.
*
* ```ts
* Field(11n);
* ```
*/
function Field(ORDER, opts = {}) {
	Object.freeze(_Field.prototype);
	return new _Field(ORDER, opts);
}
// node_modules/@noble/curves/abstract/curve.js
/**
* Methods for elliptic curve multiplication by scalars.
* Contains wNAF-based ScalarMultiplier, pippenger.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$2 = /* @__PURE__ */ BigInt(0);
var _1n$3 = /* @__PURE__ */ BigInt(1);
var _4n$1 = /* @__PURE__ */ BigInt(4);
var BLIND_BYTES = 16;
var BLIND_BITS = 128;
var FW_WINDOW = 5;
var TABLE_BYTES_MAX = /* @__PURE__ */ (() => 2 ** 31)();
/**
* Validates the static surface of a point constructor.
* This is only a cheap sanity check for the constructor hooks and fields consumed by generic
* factories; it does not certify `BASE`/`ZERO` semantics or prove the curve implementation itself.
* @param Point - Runtime point constructor.
* @throws On missing constructor hooks or malformed field metadata. {@link TypeError}
* @example
* Check that one point constructor exposes the static hooks generic helpers need.
*
* ```ts
* import { ed25519 } from '@noble/curves/ed25519.js';
* import { validatePointCons } from '@noble/curves/abstract/curve.js';
* validatePointCons(ed25519.Point);
* ```
*/
function validatePointCons(Point) {
	const pc = Point;
	if (typeof pc !== "function") throw new TypeError("\"Point\" expected constructor, got type=" + typeof Point);
	afunction(pc.fromAffine, "Point.fromAffine");
	afunction(pc.fromBytes, "Point.fromBytes");
	afunction(pc.fromHex, "Point.fromHex");
	aobject$1(pc.BASE, "Point.BASE");
	aobject$1(pc.ZERO, "Point.ZERO");
	validateField(pc.Fp);
	validateField(pc.Fn);
}
/**
* Takes a bunch of Projective Points but executes only one
* inversion on all of them. Inversion is very slow operation,
* so this improves performance massively.
* Optimization: converts a list of projective points to a list of identical points with Z=1.
* Input points are left unchanged; the normalized points are returned as fresh instances.
* @param c - Point constructor.
* @param points - Projective points.
* @returns Fresh projective points reconstructed from normalized affine coordinates.
* @example
* Batch-normalize projective points with a single shared inversion.
*
* ```ts
* import { normalizeZ } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const points = normalizeZ(p256.Point, [p256.Point.BASE, p256.Point.BASE.double()]);
* ```
*/
function normalizeZ(c, points) {
	validatePointCons(c);
	validateMSMPoints(points, c);
	const invertedZs = FpInvertBatch(c.Fp, points.map((p) => p.Z));
	return points.map((p, i) => c.fromAffine(p.toAffine(invertedZs[i])));
}
function validateW(W, bits, min = 1) {
	if (!Number.isSafeInteger(W) || W < min || W > bits) throw new Error("invalid window size, expected [" + min + ".." + bits + "], got W=" + W);
}
function validateTableBytes(numPoints, fpBytes) {
	const bytes = numPoints * (4 * fpBytes + 128);
	if (bytes > TABLE_BYTES_MAX) throw new Error("invalid window size: table would need ~" + Math.ceil(bytes / 2 ** 20) + " MiB, max " + TABLE_BYTES_MAX / 2 ** 20 + " MiB");
}
/**
* Probes an RNG once, at construction time: returns `undefined` when it is unavailable —
* throws or returns malformed bytes — so callers can downgrade to their unblinded /
* deterministic constant-time fallback. Blinding is defense-in-depth (DPA/template
* hardening), not a correctness or key-secrecy requirement, so availability-based
* downgrade is acceptable.
*
* The downgrade decision is deliberately static. After a successful probe the RNG becomes
* part of the trusted contract: later misbehavior must fail closed in per-call validation
* (throw), never downgrade — a dynamic fallback would let a tampered RNG silently strip
* blinding on demand. A probe can only ever classify broken environments, not adversarial
* RNGs: a stateful RNG can always behave while probed and misbehave later.
* @param randomBytes - RNG to probe, or `undefined` when the environment provides none.
* @param length - Byte length requested from the probe call.
* @returns The RNG when the probe produced `length` valid bytes; `undefined` otherwise.
* @example
* Probe an RNG once before enabling scalar blinding.
*
* ```ts
* import { probeRandomBytes } from '@noble/curves/abstract/curve.js';
* import { randomBytes } from '@noble/hashes/utils.js';
* const rng = probeRandomBytes(randomBytes, 16);
* ```
*/
function probeRandomBytes(randomBytes, length) {
	if (randomBytes === void 0) return void 0;
	afunction(randomBytes, "randomBytes");
	try {
		const probe = randomBytes(length);
		if (!isBytes(probe) || probe.length !== length) return void 0;
	} catch {
		return;
	}
	return randomBytes;
}
function validateMSMPoints(points, c) {
	aarray$1(points, "points");
	points.forEach((p, i) => {
		if (!(p instanceof c)) throw new Error("invalid point at index " + i);
	});
}
function validateMSMScalars(scalars, field, maxScalar) {
	if (!Array.isArray(scalars)) throw new Error("array of scalars expected");
	scalars.forEach((s, i) => {
		if (!(maxScalar === void 0 ? field.isValid(s) : isPosBig(s) && s < maxScalar)) throw new Error("invalid scalar at index " + i);
	});
}
var pointWindowSizes = /* @__PURE__ */ new WeakMap();
function getWindowSize(P) {
	return pointWindowSizes.get(P) || 1;
}
/** Table of odd multiples [1P, 3P, ..., (2⋅size−1)P]; width-W wNAF uses size = 2^(W−2). */
function oddMultiples(p, size) {
	const dbl = p.double();
	const t = [p];
	for (let j = 1; j < size; j++) t.push(t[j - 1].add(dbl));
	return t;
}
/**
* Width-W wNAF signed-digit recoding (W >= 2), LSB-first: digits are 0 or odd with
* |digit| < 2^(W−1); nonzero density ~1/(W+1) (a nonzero digit is followed by W−1 zeros).
*/
function wnafDigits(n, W) {
	const size = 2 ** W;
	const half = size / 2;
	const mask = BigInt(size - 1);
	const d = [];
	while (n > _0n$2) {
		let w = 0;
		if (n & _1n$3) {
			w = Number(n & mask);
			if (w >= half) w -= size;
			n -= BigInt(w);
		}
		d.push(w);
		n >>= _1n$3;
	}
	return d;
}
/**
* Fixed-position signed-window recoding for precomputed wNAF: `n = Σ digits[w]⋅2^(w⋅W)` with
* digits in `[−2^(W−1)+1, 2^(W−1)]`. Digit count is fixed by `windows` (callers reserve one
* extra window for the final carry), so recoding length does not depend on the scalar.
*/
function signedWindowDigits(n, W, windows) {
	const size = 2 ** W;
	const half = size / 2;
	const mask = BigInt(size - 1);
	const shiftBy = BigInt(W);
	const d = [];
	for (let w = 0; w < windows; w++) {
		let v = Number(n & mask);
		n >>= shiftBy;
		if (v > half) {
			v -= size;
			n += _1n$3;
		}
		d.push(v);
	}
	if (n !== _0n$2) throw new Error("invalid wnaf");
	return d;
}
/**
* Shared vartime walk over per-scalar wNAF digit streams: one doubling of a single shared
* accumulator per bit position of the longest recoding, one signed table addition per
* nonzero digit. `tables[i]` must hold the odd multiples of the i-th point.
*/
function wnafWalk(zero, tables, digits) {
	let max = 0;
	for (const d of digits) max = Math.max(max, d.length);
	let acc = zero;
	for (let bit = max - 1; bit >= 0; bit--) {
		if (bit !== max - 1) acc = acc.double();
		for (let i = 0; i < digits.length; i++) {
			const w = digits[i][bit];
			if (w) {
				const item = tables[i][Math.abs(w) - 1 >> 1];
				acc = acc.add(w < 0 ? item.negate() : item);
			}
		}
	}
	return acc;
}
/**
* Elliptic curve multiplication of Point by scalar.
* Routes between cached-table, fixed-window, and one-shot wNAF paths; entry points validate
* their own scalars (`mulCT`/`mulCTBlinded`: `1 <= s < Fn.ORDER`; `mulUnsafe`: up to the
* `Fn.ORDER^4` DoS cap via {@link mulAddUnsafe}).
* Table generation is expensive and happens on first call of `multiply()`
* (or eagerly via `precompute(W, false)`). By default, `BASE` point is precomputed.
*
* Cached algorithm is signed fixed-window wNAF:
* - table stores, for every window w, the multiples `[1..2^(W−1)]⋅2^(w⋅W)⋅P` — all doublings
*   are baked in, so a multiplication is exactly one table addition per window
* - window count is fixed (`ceil(bits/W) + 1`), so the point-operation count is scalar-independent
*   (basis of the constant-time path)
* - for a 256-bit curve and W=6: 44⋅32 = 1408 table points, 44 additions per multiply
* - secret scalars are additionally blinded (see {@link ScalarMultiplier.mulCTBlinded}), which
*   widens tables by 128 bits
* @param Point - Point constructor.
* @param randomBytes - RNG used for scalar blinding; required by the blinded secret path.
* @example
* Elliptic curve multiplication of Point by scalar.
*
* ```ts
* import { ScalarMultiplier } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const mul = new ScalarMultiplier(p256.Point);
* ```
*/
var ScalarMultiplier = class {
	Point;
	BASE;
	ZERO;
	randomBytes;
	wnafPrecomputes = /* @__PURE__ */ new WeakMap();
	baseCanBeBlinded;
	bits;
	constructor(Point, randomBytes) {
		validatePointCons(Point);
		this.randomBytes = probeRandomBytes(randomBytes, BLIND_BYTES);
		this.Point = Point;
		this.BASE = Point.BASE;
		this.ZERO = Point.ZERO;
		this.bits = Point.Fn.BITS;
	}
	/**
	* Creates a signed fixed-window wNAF precomputation table: for every window w, the
	* multiples `[1..2^(W−1)]⋅2^(w⋅W)⋅P`, flattened. All doublings are baked into the table,
	* so cached multiplication is additions-only. `windows = ceil(bits/W) + 1`: the extra
	* window absorbs the final carry of signed-digit recoding.
	* For a 256-bit curve and W=6, the table is 44⋅32 = 1408 points.
	* @param point - Point instance
	* @param W - window size
	* @param bits - scalar bitlength the table must cover
	*/
	buildWnafTable(point, W, bits) {
		const windows = Math.ceil(bits / W) + 1;
		const half = 2 ** (W - 1);
		const comp = [];
		let base = point;
		for (let w = 0; w < windows; w++) {
			let acc = base;
			for (let i = 0; i < half; i++) {
				comp.push(acc);
				acc = acc.add(base);
			}
			base = comp[comp.length - 1].double();
		}
		return {
			W,
			bits,
			windows,
			comp
		};
	}
	/**
	* Implements ec multiplication using precomputed signed fixed-window wNAF tables.
	* Constant-time: fixed window count with one table addition per window — zero digits feed
	* the fake accumulator — and no doublings; the lookup scans the whole window slice.
	* Scalar bounds are validated by the public entry points ({@link ScalarMultiplier.mulCT},
	* {@link ScalarMultiplier.mulCTBlinded}, {@link ScalarMultiplier.mulUnsafe});
	* signedWindowDigits throws if `n` exceeds the table.
	* @returns real and fake (for const-time) points
	*/
	wnafCachedCT(precomputes, n) {
		const { W, windows, comp } = precomputes;
		const half = 2 ** (W - 1);
		const digits = signedWindowDigits(n, W, windows);
		let p = this.ZERO;
		let f = this.BASE;
		for (let w = 0; w < windows; w++) {
			const digit = digits[w];
			const start = w * half;
			const idx = Math.abs(digit) - 1;
			let sel = comp[start];
			for (let i = 1; i < half; i++) sel = i === idx ? comp[start + i] : sel;
			const neg = sel.negate();
			if (digit === 0) f = f.add(comp[start]);
			else p = p.add(digit < 0 ? neg : sel);
		}
		return {
			p,
			f
		};
	}
	getWnafPrecomputes(W, point, bits, transform) {
		let entries = this.wnafPrecomputes.get(point);
		let comp = entries?.find((entry) => entry.W === W && entry.bits === bits);
		if (!comp) {
			comp = this.buildWnafTable(point, W, bits);
			if (typeof transform === "function") comp = {
				...comp,
				comp: transform(comp.comp)
			};
			if (!entries) {
				entries = [];
				this.wnafPrecomputes.set(point, entries);
			}
			entries.push(comp);
		}
		return comp;
	}
	assertPoint(point) {
		if (!(point instanceof this.Point)) throw new TypeError("\"point\" expected Point instance, got type=" + typeof point);
	}
	validateMulInput(point, scalar) {
		this.assertPoint(point);
		if (!inRange(scalar, _1n$3, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
	}
	runCT(point, n, bits, transform) {
		const W = getWindowSize(point);
		if (W === 1) return this.fixedWindowCT(point, n, bits);
		return this.wnafCachedCT(this.getWnafPrecomputes(W, point, bits, transform), n);
	}
	mulCT(point, scalar, transform) {
		this.validateMulInput(point, scalar);
		return this.runCT(point, scalar, this.bits, transform);
	}
	mulCTBlinded(point, scalar, transform) {
		this.validateMulInput(point, scalar);
		if (this.randomBytes === void 0) throw new Error("randomBytes is required for scalar blinding");
		const bits = this.Point.Fn.BITS + BLIND_BITS;
		const blind = this.randomBytes(BLIND_BYTES);
		if (!isBytes(blind) || blind.length !== BLIND_BYTES) throw new Error("randomBytes returned invalid byte array");
		blind[0] = blind[0] & 63 | 128;
		const n = scalar + bytesToNumberBE(blind) * this.Point.Fn.ORDER;
		return this.runCT(point, n, bits, transform);
	}
	/**
	* Constant-time multiplication `n*point` for an un-precomputed point, via a small fixed window.
	* A cached wNAF table only pays off when reused; a flat 2^FW_WINDOW table (`size-1` adds) is
	* far cheaper to build for a single use. The point-operation sequence is independent of `n`:
	* build the table, then per window exactly FW_WINDOW doublings, a data-oblivious scan over
	* every table entry, and one addition (adds the identity when the window digit is 0 — never
	* skipped).
	*
	* `n` must be `< 2^bits`. Assumes complete addition (adding the identity costs the same as any
	* add), which holds for the Weierstrass/Edwards point types used here. The table is left in
	* projective form (no normalizeZ): normalizing this small a table costs more than the
	* mixed-add savings it would buy for a single multiply.
	* @returns real point `p`; `f` duplicates it only to match {@link wnafCachedCT}'s return shape
	* (this path needs no fake accumulator — its op-count is already scalar-independent).
	*/
	fixedWindowCT(point, n, bits) {
		const W = FW_WINDOW;
		const size = 32;
		const mask = bitMask(W);
		const table = new Array(size);
		table[0] = this.ZERO;
		for (let i = 1; i < size; i++) table[i] = table[i - 1].add(point);
		const windows = Math.ceil(bits / W);
		let acc = this.ZERO;
		for (let window = windows - 1; window >= 0; window--) {
			if (window !== windows - 1) for (let d = 0; d < W; d++) acc = acc.double();
			const digit = Number(n >> BigInt(window * W) & mask);
			let sel = table[0];
			for (let i = 1; i < size; i++) sel = i === digit ? table[i] : sel;
			acc = acc.add(sel);
		}
		return {
			p: acc,
			f: acc
		};
	}
	shouldBlind(point, cofactor) {
		if (this.randomBytes === void 0) return false;
		if (cofactor === _1n$3) return true;
		if (point !== this.BASE) return false;
		if (this.baseCanBeBlinded === void 0) this.baseCanBeBlinded = this.mulUnsafe(this.BASE, this.Point.Fn.ORDER).is0();
		return this.baseCanBeBlinded;
	}
	mulSecret(point, scalar, cofactor, transform) {
		return this.shouldBlind(point, cofactor) ? this.mulCTBlinded(point, scalar, transform) : this.mulCT(point, scalar, transform);
	}
	mulUnsafe(point, scalar, transform) {
		this.assertPoint(point);
		if (!isPosBig(scalar)) throw new Error("invalid scalar");
		const W = getWindowSize(point);
		if (W === 1 || scalar >= this.Point.Fn.ORDER) return mulAddUnsafe(this.Point, [point], [scalar], true);
		const precomputes = this.getWnafPrecomputes(W, point, this.bits, transform);
		return this.wnafCachedCT(precomputes, scalar).p;
	}
	setWindowSize(point, W) {
		this.assertPoint(point);
		validateW(W, this.bits);
		validateTableBytes((Math.ceil((this.bits + BLIND_BITS) / W) + 1) * 2 ** (W - 1), this.Point.Fp.BYTES);
		pointWindowSizes.set(point, W);
		this.wnafPrecomputes.delete(point);
	}
	hasWindowSize(point) {
		return getWindowSize(point) !== 1;
	}
};
/**
* Combined multi-scalar multiplication `Σ scalars[i]⋅points[i]` via interleaved width-4 wNAF
* (Strauss–Shamir). Every input gets its own table of odd multiples `[1P, 3P, 5P, 7P]` and
* signed-digit recoding, but all walks share one doubling chain, so total cost is
* `~bits` doublings + `L⋅bits/5` additions instead of `L⋅bits` doublings for separate
* multiplications. Intended for the 2-4 point shapes of signature verification
* (`R = u1⋅G + u2⋅P`); use {@link pippenger} for larger batches.
*
* Not constant-time: only for public inputs. Scalars must satisfy `0 <= s < Fn.ORDER`;
* fold negative signs into the points before calling.
* @param c - Point constructor.
* @param points - Array of curve points.
* @param scalars - Array of non-negative scalars, same length as points.
* @param allowOversized - Replace the `s < Fn.ORDER` scalar check with a `Fn.ORDER^4` DoS cap.
*   Off by default. For scalars that must NOT be reduced mod ORDER: torsion checks
*   (`Fn.ORDER⋅P ≟ O`) and cofactor-clearing multiples. Walk length grows with `bitLen(s)`.
* @returns Combined multiplication result; identity for empty input.
* @throws If the point set or scalar set is invalid. {@link Error}
* @example
* Combined multi-scalar multiplication via Strauss–Shamir.
*
* ```ts
* import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const G = p256.Point.BASE;
* const R = mulAddUnsafe(p256.Point, [G, G.double()], [2n, 3n]); // 2⋅G + 3⋅(2⋅G)
* ```
*/
function mulAddUnsafe(c, points, scalars, allowOversized = false) {
	validatePointCons(c);
	validateMSMPoints(points, c);
	abool(allowOversized, "allowOversized");
	validateMSMScalars(scalars, c.Fn, allowOversized ? c.Fn.ORDER ** _4n$1 : void 0);
	if (points.length !== scalars.length) throw new Error("arrays of points and scalars must have equal length");
	const tables = points.map((p) => oddMultiples(p, 4));
	const digits = scalars.map((n) => wnafDigits(n, 4));
	return wnafWalk(c.ZERO, tables, digits);
}
function createField(order, field, isLE) {
	if (field) {
		if (field.ORDER !== order) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
		validateField(field);
		return field;
	} else return Field(order, { isLE });
}
/**
* Validates basic CURVE shape and field membership, then creates fields.
* This does not prove that the generator is on-curve, that subgroup/order data are consistent, or
* that the curve equation itself is otherwise sane.
* @param type - Curve family.
* @param CURVE - Curve parameters.
* @param curveOpts - Optional field overrides. See {@link FpFn}:
*   - `Fp` (optional): Optional base-field override.
*   - `Fn` (optional): Optional scalar-field override.
* @param FpFnLE - Whether field encoding is little-endian.
* @returns Frozen curve parameters and fields.
* @throws If the curve parameters or field overrides are invalid. {@link Error}
* @example
* Build curve fields from raw constants before constructing a curve instance.
*
* ```ts
* const curve = createCurveFields('weierstrass', {
*   p: 17n,
*   n: 19n,
*   h: 1n,
*   a: 2n,
*   b: 2n,
*   Gx: 5n,
*   Gy: 1n,
* });
* ```
*/
function createCurveFields(type, CURVE, curveOpts = {}, FpFnLE) {
	if (type !== "weierstrass" && type !== "edwards") throw new Error("expected curve type \"weierstrass\" or \"edwards\"");
	if (FpFnLE === void 0) FpFnLE = type === "edwards";
	if (!CURVE || typeof CURVE !== "object") throw new Error(`expected valid ${type} CURVE object`);
	validateObject(curveOpts);
	for (const p of [
		"p",
		"n",
		"h"
	]) {
		const val = CURVE[p];
		if (!(isPosBig(val) && val !== _0n$2)) throw new Error(`CURVE.${p} must be positive bigint`);
	}
	const Fp = createField(CURVE.p, curveOpts.Fp, FpFnLE);
	const Fn = createField(CURVE.n, curveOpts.Fn, FpFnLE);
	const params = [
		"Gx",
		"Gy",
		"a",
		type === "weierstrass" ? "b" : "d"
	];
	for (const p of params) if (!Fp.isValid(CURVE[p])) throw new Error(`CURVE.${p} must be valid field element of CURVE.Fp`);
	CURVE = Object.freeze(Object.assign({}, CURVE));
	return {
		CURVE,
		Fp,
		Fn
	};
}
/**
* @param randomSecretKey - Secret-key generator.
* @param getPublicKey - Public-key derivation helper.
* @returns Keypair generator.
* @example
* Build a `keygen()` helper from existing secret-key and public-key primitives.
*
* ```ts
* import { createKeygen } from '@noble/curves/abstract/curve.js';
* import { p256 } from '@noble/curves/nist.js';
* const keygen = createKeygen(p256.utils.randomSecretKey, p256.getPublicKey);
* const pair = keygen();
* ```
*/
function createKeygen(randomSecretKey, getPublicKey) {
	return function keygen(seed) {
		const secretKey = randomSecretKey(seed);
		return {
			secretKey,
			publicKey: getPublicKey(secretKey)
		};
	};
}
// node_modules/@noble/curves/abstract/edwards.js
/**
* Twisted Edwards curve. The formula is: ax² + y² = 1 + dx²y².
* For design rationale of types / exports, see weierstrass module documentation.
* Untwisted Edwards curves exist, but they aren't used in real-world protocols.
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n$1 = /* @__PURE__ */ BigInt(0);
var _1n$2 = /* @__PURE__ */ BigInt(1);
var _2n$2 = /* @__PURE__ */ BigInt(2);
var _4n = /* @__PURE__ */ BigInt(4);
var _8n$1 = /* @__PURE__ */ BigInt(8);
function isEdValidXY(Fp, CURVE, x, y) {
	const x2 = Fp.sqr(x);
	const y2 = Fp.sqr(y);
	const left = Fp.add(Fp.mul(CURVE.a, x2), y2);
	const right = Fp.add(Fp.ONE, Fp.mul(CURVE.d, Fp.mul(x2, y2)));
	return Fp.eql(left, right);
}
/**
* @param params - Curve parameters. See {@link EdwardsOpts}.
* @param extraOpts - Optional helpers and overrides. See {@link EdwardsExtraOpts}.
* @returns Edwards point constructor. Generator validation here only checks
*   that `(Gx, Gy)` satisfies the affine Edwards equation.
*   RFC 8032 base-point constraints like `B != (0,1)` and `[L]B = 0`
*   are left to the caller's chosen parameters, since eager subgroup
*   validation here adds about 10-15ms to heavyweight imports like ed448.
*   The returned constructor also eagerly marks `Point.BASE` for W=6
*   precompute caching. Some code paths still assume
*   `Fp.BYTES === Fn.BYTES`, so mismatched byte lengths are not fully audited here.
* @throws If the curve parameters or Edwards overrides are invalid. {@link Error}
* @example
* ```ts
* import { edwards } from '@noble/curves/abstract/edwards.js';
* import { jubjub } from '@noble/curves/misc.js';
* // Build a point constructor from explicit curve parameters, then use its base point.
* const Point = edwards(jubjub.Point.CURVE());
* Point.BASE.toHex();
* ```
*/
function edwards(params, extraOpts = {}) {
	validateObject(extraOpts, {}, {}, "extraOpts");
	const opts = extraOpts;
	const validated = createCurveFields("edwards", params, opts, opts.FpFnLE);
	const { Fp, Fn } = validated;
	let CURVE = validated.CURVE;
	const { h: cofactor } = CURVE;
	if (FpLegendre(Fp, CURVE.a) !== 1) throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
	if (FpLegendre(Fp, CURVE.d) !== -1) throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
	validateObject(opts, {}, {
		uvRatio: "function",
		randomBytes: "function"
	});
	const randomBytes = opts.randomBytes === void 0 ? randomBytes$3 : opts.randomBytes;
	const MASK = _2n$2 << BigInt(Fp.BYTES * 8) - _1n$2;
	function isOdd(n) {
		if (!Fp.isOdd) throw new Error("Field does not have .isOdd()");
		return Fp.isOdd(n);
	}
	const uvRatio = opts.uvRatio === void 0 ? (u, v) => {
		try {
			return {
				isValid: true,
				value: Fp.sqrt(Fp.div(u, v))
			};
		} catch (e) {
			return {
				isValid: false,
				value: _0n$1
			};
		}
	} : opts.uvRatio;
	if (!isEdValidXY(Fp, CURVE, CURVE.Gx, CURVE.Gy)) throw new Error("bad curve params: generator point");
	const mulA = Fp.eql(CURVE.a, Fp.neg(Fp.ONE)) ? (x) => Fp.neg(x) : Fp.eql(CURVE.a, Fp.ONE) ? (x) => x : (x) => Fp.mul(CURVE.a, x);
	/**
	* Asserts coordinate is valid: 0 <= n < MASK.
	* Coordinates >= Fp.ORDER are allowed for zip215.
	*/
	function acoord(title, n, banZero = false) {
		const min = banZero ? _1n$2 : _0n$1;
		aInRange("coordinate " + title, n, min, MASK);
		return n;
	}
	function aedpoint(other) {
		if (!(other instanceof Point)) throw new Error("EdwardsPoint expected");
	}
	class Point {
		static BASE = new Point(CURVE.Gx, CURVE.Gy, Fp.ONE, Fp.mul(CURVE.Gx, CURVE.Gy));
		static ZERO = new Point(Fp.ZERO, Fp.ONE, Fp.ONE, Fp.ZERO);
		static Fp = Fp;
		static Fn = Fn;
		X;
		Y;
		Z;
		T;
		constructor(X, Y, Z, T) {
			this.X = acoord("x", X);
			this.Y = acoord("y", Y);
			this.Z = acoord("z", Z, true);
			this.T = acoord("t", T);
			Object.freeze(this);
		}
		static CURVE() {
			return CURVE;
		}
		/**
		* Create one extended Edwards point from affine coordinates.
		* Does NOT validate that the point is on-curve or torsion-free.
		* Use `.assertValidity()` on adversarial inputs.
		*/
		static fromAffine(p) {
			if (p instanceof Point) throw new Error("extended point not allowed");
			const { x, y } = p || {};
			acoord("x", x);
			acoord("y", y);
			return new Point(x, y, Fp.ONE, Fp.mul(x, y));
		}
		static fromBytes(bytes, zip215 = false) {
			const len = Fp.BYTES;
			const { a, d } = CURVE;
			bytes = copyBytes(abytes(bytes, len, "point"));
			abool(zip215, "zip215");
			const normed = copyBytes(bytes);
			const lastByte = bytes[len - 1];
			normed[len - 1] = lastByte & -129;
			const y = bytesToNumberLE(normed);
			aInRange("point.y", y, _0n$1, zip215 ? MASK : Fp.ORDER);
			const y2 = Fp.sqr(y);
			const u = Fp.sub(y2, Fp.ONE);
			const v = Fp.sub(Fp.mulN(d, y2), a);
			let { isValid, value: x } = uvRatio(u, v);
			if (!isValid) throw new Error("bad point: invalid y coordinate");
			const isXOdd = isOdd(x);
			const isLastByteOdd = (lastByte & 128) !== 0;
			if (!zip215 && Fp.is0(x) && isLastByteOdd) throw new Error("bad point: x=0 and x_0=1");
			if (isLastByteOdd !== isXOdd) x = Fp.neg(x);
			return Point.fromAffine({
				x,
				y
			});
		}
		static fromHex(hex, zip215 = false) {
			return Point.fromBytes(hexToBytes(hex), zip215);
		}
		get x() {
			return this.toAffine().x;
		}
		get y() {
			return this.toAffine().y;
		}
		precompute(windowSize = 6, isLazy = true) {
			wnaf.setWindowSize(this, windowSize);
			if (!isLazy) this.multiply(_2n$2);
			return this;
		}
		assertValidity() {
			const p = this;
			const { a, d } = CURVE;
			if (p.is0()) throw new Error("bad point: ZERO");
			const { X, Y, Z, T } = p;
			const X2 = Fp.sqr(X);
			const Y2 = Fp.sqr(Y);
			const Z2 = Fp.sqr(Z);
			const Z4 = Fp.sqr(Z2);
			const aX2 = Fp.mul(X2, a);
			const left = Fp.mul(Fp.add(aX2, Y2), Z2);
			const right = Fp.add(Z4, Fp.mul(d, Fp.mul(X2, Y2)));
			if (!Fp.eql(left, right)) throw new Error("bad point: equation left != right (1)");
			const XY = Fp.mul(X, Y);
			const ZT = Fp.mul(Z, T);
			if (!Fp.eql(XY, ZT)) throw new Error("bad point: equation left != right (2)");
		}
		equals(other) {
			aedpoint(other);
			const { X: X1, Y: Y1, Z: Z1 } = this;
			const { X: X2, Y: Y2, Z: Z2 } = other;
			const X1Z2 = Fp.mul(X1, Z2);
			const X2Z1 = Fp.mul(X2, Z1);
			const Y1Z2 = Fp.mul(Y1, Z2);
			const Y2Z1 = Fp.mul(Y2, Z1);
			return Fp.eql(X1Z2, X2Z1) && Fp.eql(Y1Z2, Y2Z1);
		}
		is0() {
			return this.equals(Point.ZERO);
		}
		negate() {
			return new Point(Fp.neg(this.X), this.Y, this.Z, Fp.neg(this.T));
		}
		double() {
			const { X: X1, Y: Y1, Z: Z1 } = this;
			const A = Fp.sqr(X1);
			const B = Fp.sqr(Y1);
			const C = Fp.mul(Fp.sqr(Z1), _2n$2);
			const D = mulA(A);
			const x1y1 = Fp.addN(X1, Y1);
			const E = Fp.sub(Fp.subN(Fp.sqr(x1y1), A), B);
			const G = Fp.addN(D, B);
			const F = Fp.subN(G, C);
			const H = Fp.subN(D, B);
			const X3 = Fp.mul(E, F);
			const Y3 = Fp.mul(G, H);
			const T3 = Fp.mul(E, H);
			const Z3 = Fp.mul(F, G);
			return new Point(X3, Y3, Z3, T3);
		}
		add(other) {
			aedpoint(other);
			const { d } = CURVE;
			const { X: X1, Y: Y1, Z: Z1, T: T1 } = this;
			const { X: X2, Y: Y2, Z: Z2, T: T2 } = other;
			const A = Fp.mul(X1, X2);
			const B = Fp.mul(Y1, Y2);
			const C = Fp.mul(Fp.mulN(T1, d), T2);
			const D = Fp.mul(Z1, Z2);
			const E = Fp.sub(Fp.subN(Fp.mulN(Fp.addN(X1, Y1), Fp.addN(X2, Y2)), A), B);
			const F = Fp.subN(D, C);
			const G = Fp.addN(D, C);
			const H = Fp.sub(B, mulA(A));
			const X3 = Fp.mul(E, F);
			const Y3 = Fp.mul(G, H);
			const T3 = Fp.mul(E, H);
			const Z3 = Fp.mul(F, G);
			return new Point(X3, Y3, Z3, T3);
		}
		subtract(other) {
			aedpoint(other);
			return this.add(other.negate());
		}
		multiply(scalar) {
			if (!Fn.isValidNot0(scalar)) throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
			const { p, f } = wnaf.mulSecret(this, scalar, cofactor, normalize);
			return normalize([p, f])[0];
		}
		multiplyUnsafe(scalar) {
			if (!Fn.isValid(scalar)) throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
			if (scalar === _0n$1) return Point.ZERO;
			if (this.is0() || scalar === _1n$2) return this;
			return wnaf.mulUnsafe(this, scalar, normalize);
		}
		isSmallOrder() {
			return this.clearCofactor().is0();
		}
		isTorsionFree() {
			return wnaf.mulUnsafe(this, CURVE.n).is0();
		}
		toAffine(invertedZ) {
			const p = this;
			let iz = invertedZ;
			if (iz != null && typeof iz !== "bigint") throw new TypeError("\"invertedZ\" expected bigint, got type=" + typeof iz);
			const { X, Y, Z } = p;
			const is0 = p.is0();
			if (iz == null) iz = is0 ? Fp.create(_8n$1) : Fp.inv(Z);
			const x = Fp.mul(X, iz);
			const y = Fp.mul(Y, iz);
			const zz = Fp.mul(Z, iz);
			if (is0) return {
				x: Fp.ZERO,
				y: Fp.ONE
			};
			if (!Fp.eql(zz, Fp.ONE)) throw new Error("invZ was invalid");
			return {
				x,
				y
			};
		}
		clearCofactor() {
			if (cofactor === _1n$2) return this;
			if (cofactor === _2n$2) return this.double();
			if (cofactor === _4n) return this.double().double();
			if (cofactor === _8n$1) return this.double().double().double();
			return this.multiplyUnsafe(cofactor);
		}
		toBytes() {
			const { x, y } = this.toAffine();
			const bytes = Fp.toBytes(y);
			bytes[bytes.length - 1] |= isOdd(x) ? 128 : 0;
			return bytes;
		}
		toHex() {
			return bytesToHex(this.toBytes());
		}
		toString() {
			return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
		}
	}
	const normalize = (points) => normalizeZ(Point, points);
	const wnaf = new ScalarMultiplier(Point, randomBytes);
	if (wnaf.bits >= 6) Point.BASE.precompute(6);
	Object.freeze(Point.prototype);
	Object.freeze(Point);
	return Point;
}
/**
* Initializes EdDSA signatures over given Edwards curve.
* @param Point - Edwards point constructor.
* @param cHash - Hash function.
* @param eddsaOpts - Optional signature helpers. See {@link EdDSAOpts}.
* @returns EdDSA helper namespace.
* @throws If the hash function, options, or derived point operations are invalid. {@link Error}
* @example
* Initializes EdDSA signatures over given Edwards curve.
*
* ```ts
* import { eddsa } from '@noble/curves/abstract/edwards.js';
* import { jubjub } from '@noble/curves/misc.js';
* import { sha512 } from '@noble/hashes/sha2.js';
* const sigs = eddsa(jubjub.Point, sha512);
* const { secretKey, publicKey } = sigs.keygen();
* const msg = new TextEncoder().encode('hello noble');
* const sig = sigs.sign(msg, secretKey);
* const isValid = sigs.verify(sig, msg, publicKey);
* ```
*/
function eddsa(Point, cHash, eddsaOpts = {}) {
	validatePointCons(Point);
	if (typeof cHash !== "function") throw new Error("\"hash\" function param is required");
	const hash = cHash;
	const opts = eddsaOpts;
	validateObject(opts, {}, {
		adjustScalarBytes: "function",
		randomBytes: "function",
		domain: "function",
		prehash: "function",
		zip215: "boolean",
		mapToCurve: "function",
		toMontgomery: "function",
		toMontgomerySecret: "function"
	});
	const { prehash } = opts;
	const { BASE, Fp, Fn } = Point;
	const outputLen = hash.outputLen;
	const expectedLen = 2 * Fp.BYTES;
	if (outputLen !== void 0) {
		asafenumber(outputLen, "hash.outputLen");
		if (outputLen !== expectedLen) throw new Error(`hash.outputLen must be ${expectedLen}, got ${outputLen}`);
	}
	const randomBytes = opts.randomBytes === void 0 ? randomBytes$3 : opts.randomBytes;
	const toMontgomery = opts.toMontgomery;
	const toMontgomerySecret = opts.toMontgomerySecret;
	const adjustScalarBytes = opts.adjustScalarBytes === void 0 ? (bytes) => bytes : opts.adjustScalarBytes;
	const domain = opts.domain === void 0 ? (data, ctx, phflag) => {
		abool(phflag, "phflag");
		if (ctx.length || phflag) throw new Error("Contexts/pre-hash are not supported");
		return data;
	} : opts.domain;
	function modN_LE(hash) {
		return Fn.create(bytesToNumberLE(hash));
	}
	function getPrivateScalar(key) {
		const len = lengths.secretKey;
		abytes(key, lengths.secretKey, "secretKey");
		const hashed = abytes(hash(key), 2 * len, "hashedSecretKey");
		const head = adjustScalarBytes(hashed.slice(0, len));
		return {
			head,
			prefix: hashed.slice(len, 2 * len),
			scalar: modN_LE(head)
		};
	}
	/** Convenience method that creates public key from scalar. RFC8032 5.1.5
	* Also exposes the derived scalar/prefix tuple and point form reused by sign().
	*/
	function getExtendedPublicKey(secretKey) {
		const { head, prefix, scalar } = getPrivateScalar(secretKey);
		const point = BASE.multiply(scalar);
		return {
			head,
			prefix,
			scalar,
			point,
			pointBytes: point.toBytes()
		};
	}
	/** Calculates EdDSA pub key. RFC8032 5.1.5. */
	function getPublicKey(secretKey) {
		return getExtendedPublicKey(secretKey).pointBytes;
	}
	function hashDomainToScalar(context = Uint8Array.of(), ...msgs) {
		const msg = concatBytes(...msgs);
		return modN_LE(hash(domain(msg, abytes(context, void 0, "context"), !!prehash)));
	}
	/** Signs message with secret key. RFC8032 5.1.6 */
	function sign(msg, secretKey, options = {}) {
		validateObject(options, {}, {}, "options");
		msg = copyBytes(abytes(msg, void 0, "message"));
		if (prehash) msg = prehash(msg);
		const { prefix, scalar, pointBytes } = getExtendedPublicKey(secretKey);
		const r = hashDomainToScalar(options.context, prefix, msg);
		const R = BASE.multiply(r).toBytes();
		const k = hashDomainToScalar(options.context, R, pointBytes, msg);
		const s = Fn.create(r + k * scalar);
		if (!Fn.isValid(s)) throw new Error("sign failed: invalid s");
		return abytes(concatBytes(R, Fn.toBytes(s)), lengths.signature, "result");
	}
	const verifyOpts = { zip215: opts.zip215 };
	/**
	* Verifies EdDSA signature against message and public key. RFC 8032 §§5.1.7 and 5.2.7.
	* A cofactored verification equation is checked.
	*/
	function verify(sig, msg, publicKey, options = verifyOpts) {
		validateObject(options);
		const { context } = options;
		const zip215 = options.zip215 === void 0 ? !!verifyOpts.zip215 : options.zip215;
		const len = lengths.signature;
		sig = abytes(sig, len, "signature");
		msg = abytes(msg, void 0, "message");
		publicKey = abytes(publicKey, lengths.publicKey, "publicKey");
		if (zip215 !== void 0) abool(zip215, "zip215");
		if (prehash) msg = prehash(msg);
		const mid = len / 2;
		const r = sig.subarray(0, mid);
		const s = bytesToNumberLE(sig.subarray(mid, len));
		let A, R, SB;
		try {
			A = Point.fromBytes(publicKey, zip215);
			R = Point.fromBytes(r, zip215);
			SB = BASE.multiplyUnsafe(s);
		} catch (error) {
			return false;
		}
		if (!zip215 && A.isSmallOrder()) return false;
		const k = hashDomainToScalar(context, r, publicKey, msg);
		return R.add(A.multiplyUnsafe(k)).subtract(SB).clearCofactor().is0();
	}
	const _size = Fp.BYTES;
	const lengths = {
		secretKey: _size,
		publicKey: _size,
		signature: 2 * _size,
		seed: _size
	};
	function randomSecretKey(seed) {
		seed = seed === void 0 ? randomBytes(lengths.seed) : seed;
		return abytes(seed, lengths.seed, "seed");
	}
	function isValidSecretKey(key) {
		return isBytes(key) && key.length === lengths.secretKey;
	}
	function isValidPublicKey(key, zip215) {
		try {
			return !!Point.fromBytes(key, zip215 === void 0 ? verifyOpts.zip215 : zip215);
		} catch (error) {
			return false;
		}
	}
	const utils = {
		getExtendedPublicKey,
		randomSecretKey,
		isValidSecretKey,
		isValidPublicKey,
		/** Converts an Edwards public key to a companion Montgomery public key. */
		toMontgomery(publicKey) {
			if (toMontgomery === void 0) throw new Error("Montgomery conversion is not supported for this curve");
			return toMontgomery(Point.fromBytes(publicKey));
		},
		toMontgomerySecret(secretKey) {
			if (toMontgomerySecret === void 0) throw new Error("Montgomery conversion is not supported for this curve");
			return toMontgomerySecret(secretKey);
		}
	};
	Object.freeze(lengths);
	Object.freeze(utils);
	return Object.freeze({
		keygen: createKeygen(randomSecretKey, getPublicKey),
		getPublicKey,
		sign,
		verify,
		utils,
		Point,
		lengths
	});
}
// node_modules/@noble/curves/abstract/fft.js
/**
* Experimental implementation of NTT / FFT (Fast Fourier Transform) over finite fields.
* API may change at any time. The code has not been audited. Feature requests are welcome.
* @module
*/
function checkU32(n, title = "n") {
	if (typeof n !== "number") throw new TypeError(`wrong u32 integer "${title}": expected number, got type=${typeof n}`);
	if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError(`wrong u32 integer "${title}": expected 0..4294967295, got ${n}`);
	return n;
}
/**
* Checks if integer is in form of `1 << X`.
* @param x - Integer to inspect.
* @returns `true` when the value is a power of two.
* @example
* Validate that an FFT size is a power of two.
*
* ```ts
* isPowerOfTwo(8);
* ```
*/
function isPowerOfTwo(x) {
	checkU32(x, "x");
	return (x & x - 1) === 0 && x !== 0;
}
/**
* @param n - Value to reverse.
* @param bits - Number of bits to use.
* @returns Bit-reversed integer.
* @throws If `n` is not a valid unsigned 32-bit integer. {@link Error}
* @example
* Reverse the low `bits` bits of one index.
*
* ```ts
* reverseBits(3, 3);
* ```
*/
function reverseBits(n, bits) {
	checkU32(n);
	if (typeof bits !== "number") throw new TypeError("\"bits\" expected number, got type=" + typeof bits);
	if (!Number.isSafeInteger(bits) || bits < 0 || bits > 32) throw new Error(`expected integer 0 <= bits <= 32, got ${bits}`);
	let reversed = 0;
	for (let i = 0; i < bits; i++, n >>>= 1) reversed = reversed << 1 | n & 1;
	return reversed >>> 0;
}
/**
* Similar to `bitLen(x)-1` but much faster for small integers, like indices.
* @param n - Input value.
* @returns Base-2 logarithm. For `n = 0`, the current implementation returns `-1`.
* @example
* Compute the radix-2 stage count for one transform size.
*
* ```ts
* log2(8);
* ```
*/
function log2(n) {
	checkU32(n);
	return 31 - Math.clz32(n);
}
/**
* Moves lowest bit to highest position, which at first step splits
* array on even and odd indices, then it applied again to each part,
* which is core of fft
* @param values - Mutable coefficient array.
* @returns Mutated input array.
* @throws If the array length is not a positive power of two. {@link Error}
* @example
* Reorder coefficients into bit-reversed order in place.
*
* ```ts
* const values = Uint8Array.from([0, 1, 2, 3]);
* bitReversalInplace(values);
* ```
*/
function bitReversalInplace(values) {
	if (!values || typeof values !== "object" || typeof values.length !== "number") throw new TypeError("\"values\" expected array-like, got type=" + typeof values);
	const n = values.length;
	if (!isPowerOfTwo(n)) throw new Error("expected positive power-of-two length, got " + n);
	const bits = log2(n);
	for (let i = 0; i < n; i++) {
		const j = reverseBits(i, bits);
		if (i < j) {
			const tmp = values[i];
			values[i] = values[j];
			values[j] = tmp;
		}
	}
	return values;
}
/**
* Constructs different flavors of FFT. radix2 implementation of low level mutating API. Flavors:
*
* - DIT (Decimation-in-Time): Bottom-Up (leaves to root), Cooley-Tukey
* - DIF (Decimation-in-Frequency): Top-Down (root to leaves), Gentleman-Sande
*
* DIT takes brp input, returns natural output.
* DIF takes natural input, returns brp output.
*
* The output is actually identical. Time / frequence distinction is not meaningful
* for Polynomial multiplication in fields.
* Which means if protocol supports/needs brp output/inputs, then we can skip this step.
*
* Cyclic NTT: Rq = Zq[x]/(x^n-1). butterfly_DIT+loop_DIT OR butterfly_DIF+loop_DIT, roots are omega
* Negacyclic NTT: Rq = Zq[x]/(x^n+1). butterfly_DIT+loop_DIF, at least for mlkem / mldsa
*
* `invertButterflies` indexes roots by a per-butterfly-group counter (`grp`): forward
* (`dit: false`) reads `roots[grp]` with grp = 1..; inverse (`dit: true`) reads `roots[N - grp]`
* with grp restarting at 1. With `skipStages: 0` one table serves both directions (ωᴺ = 1 makes
* the reversed walk self-inverse). With `skipStages > 0` the inverse walk starts at `N - 1`
* instead of continuing where the skipped stages would have left off, so the caller must supply
* a table shaped for that (ML-KEM: `ζ^BitRev7(i)` over all N=256 indices, whose aliased upper
* half is exactly the FIPS 203 inverse walk).
* @param F - Field operations.
* @param coreOpts - FFT configuration. See {@link FFTCoreOpts}:
*   - `N`: Transform size. Must be a power of two.
*   - `roots`: Stage roots for the selected transform size.
*   - `dit`: Whether to run the DIT variant instead of DIF.
*   - `invertButterflies` (optional): Whether to invert butterfly placement.
*   - `skipStages` (optional): Number of initial stages to skip.
*   - `brp` (optional): Whether to apply bit-reversal permutation at the boundary.
* @returns Low-level FFT loop.
* @throws If the FFT options or cached roots are invalid for the requested size. {@link Error}
* @example
* Constructs different flavors of FFT.
*
* ```ts
* import { FFTCore, rootsOfUnity } from '@noble/curves/abstract/fft.js';
* import { Field } from '@noble/curves/abstract/modular.js';
* const Fp = Field(17n);
* const roots = rootsOfUnity(Fp).roots(2);
* const loop = FFTCore(Fp, { N: 4, roots, dit: true });
* const values = loop([1n, 2n, 3n, 4n]);
* ```
*/
var FFTCore = (F, coreOpts) => {
	validateObject(coreOpts, {
		N: "number",
		roots: "object",
		dit: "boolean"
	}, {
		invertButterflies: "boolean",
		skipStages: "number",
		brp: "boolean"
	}, "coreOpts");
	const { N, roots, dit, invertButterflies = false, skipStages = 0, brp = true } = coreOpts;
	checkU32(N, "coreOpts.N");
	const bits = log2(N);
	if (!isPowerOfTwo(N)) throw new Error("FFT: Polynomial size should be power of two");
	checkU32(skipStages, "coreOpts.skipStages");
	const maxSkipStages = bits === 0 ? 0 : bits - 1;
	if (skipStages > maxSkipStages) throw new Error(`FFT: wrong skipStages: expected 0 <= skipStages <= ${maxSkipStages}`);
	if (roots.length !== N) throw new Error(`FFT: wrong roots length: expected ${N}, got ${roots.length}`);
	const isDit = dit !== invertButterflies;
	return (values) => {
		if (values.length !== N) throw new Error("FFT: wrong Polynomial length");
		if (dit && brp) bitReversalInplace(values);
		for (let i = 0, g = 1; i < bits - skipStages; i++) {
			const s = dit ? i + 1 + skipStages : bits - i;
			const m = 1 << s;
			const m2 = m >> 1;
			const stride = N >> s;
			for (let k = 0; k < N; k += m) for (let j = 0, grp = g++; j < m2; j++) {
				const rootPos = invertButterflies ? dit ? N - grp : grp : j * stride;
				const i0 = k + j;
				const i1 = k + j + m2;
				const omega = roots[rootPos];
				const b = values[i1];
				const a = values[i0];
				if (isDit) {
					const t = F.mul(b, omega);
					values[i0] = F.add(a, t);
					values[i1] = F.sub(a, t);
				} else if (invertButterflies) {
					values[i0] = F.add(b, a);
					values[i1] = F.mul(F.sub(b, a), omega);
				} else {
					values[i0] = F.add(a, b);
					values[i1] = F.mul(F.sub(a, b), omega);
				}
			}
		}
		if (!dit && brp) bitReversalInplace(values);
		return values;
	};
};
// node_modules/@noble/curves/ed25519.js
/**
* ed25519 Twisted Edwards curve with following addons:
* - X25519 ECDH
* - Ristretto cofactor elimination
* - Elligator hash-to-group / point indistinguishability
* @module
*/
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _1n$1 = /* @__PURE__ */ BigInt(1);
var _2n$1 = /* @__PURE__ */ BigInt(2);
var _5n = /* @__PURE__ */ BigInt(5);
var _8n = /* @__PURE__ */ BigInt(8);
var ed25519_CURVE_p = /* @__PURE__ */ BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
var ed25519_CURVE = /* @__PURE__ */ (() => ({
	p: ed25519_CURVE_p,
	n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
	h: _8n,
	a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
	d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
	Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
	Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658")
}))();
function ed25519_pow_2_252_3(x) {
	const _10n = BigInt(10), _20n = BigInt(20), _40n = BigInt(40), _80n = BigInt(80);
	const P = ed25519_CURVE_p;
	const b2 = x * x % P * x % P;
	const b5 = pow2(pow2(b2, _2n$1, P) * b2 % P, _1n$1, P) * x % P;
	const b10 = pow2(b5, _5n, P) * b5 % P;
	const b20 = pow2(b10, _10n, P) * b10 % P;
	const b40 = pow2(b20, _20n, P) * b20 % P;
	const b80 = pow2(b40, _40n, P) * b40 % P;
	return {
		pow_p_5_8: pow2(pow2(pow2(pow2(b80, _80n, P) * b80 % P, _80n, P) * b80 % P, _10n, P) * b10 % P, _2n$1, P) * x % P,
		b2
	};
}
function adjustScalarBytes(bytes) {
	bytes[0] &= 248;
	bytes[31] &= 127;
	bytes[31] |= 64;
	return bytes;
}
var ED25519_SQRT_M1 = /* @__PURE__ */ BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function uvRatio(u, v) {
	const P = ed25519_CURVE_p;
	const v3 = mod(v * v * v, P);
	const pow = ed25519_pow_2_252_3(u * mod(v3 * v3 * v, P)).pow_p_5_8;
	let x = mod(u * v3 * pow, P);
	const vx2 = mod(v * x * x, P);
	const root1 = x;
	const root2 = mod(x * ED25519_SQRT_M1, P);
	const useRoot1 = vx2 === u;
	const useRoot2 = vx2 === mod(-u, P);
	const noRoot = vx2 === mod(-u * ED25519_SQRT_M1, P);
	if (useRoot1) x = root1;
	if (useRoot2 || noRoot) x = root2;
	if (isNegativeLE(x, P)) x = mod(-x, P);
	return {
		isValid: useRoot1 || useRoot2,
		value: x
	};
}
var ed25519_Point = /* @__PURE__ */ edwards(ed25519_CURVE, { uvRatio });
var Fp = /* @__PURE__ */ (() => ed25519_Point.Fp)();
function toMontgomery(point) {
	const { y } = point;
	return Fp.toBytes(Fp.div(_1n$1 + y, _1n$1 - y));
}
function toMontgomerySecret(secretKey) {
	const size = ed25519_Point.Fp.BYTES;
	abytes$1(secretKey, size);
	return adjustScalarBytes(sha512(secretKey.subarray(0, size))).subarray(0, size);
}
function ed(opts) {
	return eddsa(ed25519_Point, sha512, Object.assign({
		adjustScalarBytes,
		toMontgomery,
		toMontgomerySecret,
		zip215: true
	}, opts));
}
/**
* ed25519 curve with EdDSA signatures.
* Seeded `keygen(seed)` / `utils.randomSecretKey(seed)` reuse the provided
* 32-byte seed buffer instead of copying it.
* @example
* Generate one Ed25519 keypair, sign a message, and verify it.
*
* ```js
* import { ed25519 } from '@noble/curves/ed25519.js';
* const { secretKey, publicKey } = ed25519.keygen();
* // const publicKey = ed25519.getPublicKey(secretKey);
* const msg = new TextEncoder().encode('hello noble');
* const sig = ed25519.sign(msg, secretKey);
* const isValid = ed25519.verify(sig, msg, publicKey); // ZIP215
* // RFC8032 / FIPS 186-5
* const isValid2 = ed25519.verify(sig, msg, publicKey, { zip215: false });
* ```
*/
var ed25519 = /* @__PURE__ */ ed({});
// shared/proof/ed25519.ts
/**
* `publicKey` is 32 bytes, `digest` is the signed digest, `signature` is 64 bytes. Returns false for other
* sizes. Never throws.
* Verifiers disagree only on keys and signatures that were made for that purpose. This function accepts
* nothing that Node (OpenSSL), Go or noble refuse, so a bundle that passes here passes everywhere. It refuses
* encodings beyond the field, S beyond the group order, and keys of small order (one signature would fit any
* message). It checks the equation without cofactor, which noble's own `verify` does not. The keys of this
* service are never of these kinds.
*/
function verifySignature(publicKey, digest, signature) {
	if (publicKey.length !== 32 || signature.length !== 64) return false;
	const { Point } = ed25519;
	const encodedR = signature.subarray(0, 32);
	const s = bytesToNumberLE(signature.subarray(32));
	if (s >= Point.Fn.ORDER) return false;
	try {
		const key = Point.fromBytes(publicKey);
		if (key.isSmallOrder()) return false;
		const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes$2(encodedR, publicKey, digest))));
		return bytesEqual(Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k)).toBytes(), encodedR);
	} catch {
		return false;
	}
}
// shared/proof/domain_hash.ts
/**
* A byte never gets a second meaning. 0x41 to 0x45 are used elsewhere. Names are those of the `hash` utility
* where it has one.
*/
var DOMAIN_BYTES = {
	leaf: 0,
	node: 1,
	items_claims: 17,
	items_metadata: 18,
	item: 19,
	entropy: 33,
	entropy_metadata: 34,
	observation: 35,
	block_genesis: 49,
	block: 50,
	block_metadata: 51,
	commitment_data: 52,
	commitment: 53,
	public_key: 81,
	next_public_key: 83,
	proof: 97
};
/** 32 bytes: SHA-256 over the domain's byte followed by the parts. */
function domainHash(domain, ...parts) {
	let length = 1;
	for (const part of parts) length += part.length;
	const message = new Uint8Array(length);
	message[0] = DOMAIN_BYTES[domain];
	let at = 1;
	for (const part of parts) {
		message.set(part, at);
		at += part.length;
	}
	return sha256(message);
}
/**
* Node's own SHA-256. As text of one byte a character it takes a third of the time, because a short typed array of our
* own lies in the heap and Node's buffers do not. Browsers have no function that answers at once.
*/
var nodeHash$1 = globalThis.process?.getBuiltinModule?.("node:crypto").hash;
/** 32 bytes, without a domain byte. Used for the empty tree and for Bitcoin. */
function sha256(bytes) {
	const digest = /* @__PURE__ */ new Uint8Array(32);
	sha256Into(bytes, digest, 0);
	return digest;
}
/** As `sha256`, into `target` from `start` on: large trees have many hashes in one piece of memory. */
function sha256Into(bytes, target, start) {
	if (nodeHash$1 === void 0) {
		target.set(sha256$1(bytes), start);
		return;
	}
	const text = nodeHash$1("sha256", bytes, "binary");
	for (let at = 0; at < 32; at++) target[start + at] = text.charCodeAt(at);
}
// shared/log/verifier_key.ts
/** The types that this reader knows: the log's own signature, and the two kinds of cosignatures. */
var SIGNATURE_TYPES = {
	/** Ed25519 over the text of the note. */
	ed25519: 1,
	/** Ed25519 over a time and the text of a checkpoint. */
	ed25519Cosignature: 4,
	/** ML-DSA-44 over the name, a time and what the checkpoint says. */
	mlDsa44Cosignature: 6
};
/**
* A key with its id.
* @throws RangeError when the name is not a key name, or the public key has the wrong length for its type
*/
function verifierKey$1(name, type, publicKey) {
	if (!isKeyName(name)) throw new RangeError("not a key name");
	if (publicKey.length !== PUBLIC_KEY_BYTES[type]) throw new RangeError(`a public key of type ${hexByte(type)} has ${PUBLIC_KEY_BYTES[type]} bytes`);
	const hash = sha256(concatBytes$2(utf8(name), NEWLINE, Uint8Array.of(type), publicKey));
	return {
		name,
		id: new DataView(hash.buffer, hash.byteOffset).getUint32(0),
		type,
		publicKey
	};
}
/** @throws RangeError on any other text, on another id than the key's own, and on types that are not known here */
function readVerifierKey(text) {
	if (text.length > MOST_KEY_CHARACTERS) throw new RangeError("a verifier key is too long");
	const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
	if (match === null) throw new RangeError("not a verifier key: name+id+key");
	const [, name = "", id = "", encoded = ""] = match;
	const [type, ...publicKey] = fromBase64(encoded);
	const known = Object.values(SIGNATURE_TYPES).find((one) => one === type);
	if (known === void 0) throw new RangeError(`keys of type ${hexByte(type ?? 0)} are not supported`);
	const key = verifierKey$1(name, known, Uint8Array.from(publicKey));
	if (keyLabel(key) !== `${name}+${id}`) throw new RangeError("the id of a verifier key is not that of its name and key");
	return key;
}
function writeVerifierKey(key) {
	return `${keyLabel(key)}+${toBase64(concatBytes$2(Uint8Array.of(key.type), key.publicKey))}`;
}
/** `witness.example/w1+c249f154`: a key without its public key. Name and id together stand for one key. */
function keyLabel(key) {
	return `${key.name}+${key.id.toString(16).padStart(8, "0")}`;
}
function isSameKey(a, b) {
	return a.name === b.name && a.id === b.id;
}
/** Not empty, no spaces, no plus sign, no control characters. */
function isKeyName(text) {
	if (text === "" || !text.isWellFormed() || /[\p{White_Space}+]/u.test(text)) return false;
	const bytes = utf8(text);
	return bytes.length <= 255 && bytes.every((byte) => byte >= 32);
}
var NEWLINE = Uint8Array.of(10);
var PUBLIC_KEY_BYTES = {
	1: 32,
	4: 32,
	6: 1312
};
/** A name, an id, and 1,313 bytes in base64, with the plus signs between them. */
var MOST_KEY_CHARACTERS = 2017;
var hexByte = (byte) => `0x${toHex(Uint8Array.of(byte))}`;
// shared/log/signed_note.ts
/** The largest note that is read. A witness's signature by ML-DSA-44 has 3.3 KB, and a policy 64 witnesses. */
var NOTE_CEILINGS = {
	bytes: 262144,
	signatures: 128,
	signatureBytes: 8192
};
/**
* The parts of a note. Nothing is verified.
* @throws RangeError on any other bytes, and above the ceilings
*/
function readNote(bytes) {
	if (bytes.length > NOTE_CEILINGS.bytes) throw new RangeError("a note is too long");
	if (bytes.some((byte) => byte < 32 && byte !== 10)) throw new RangeError("a note has control characters");
	const whole = decode(bytes);
	const split = whole.lastIndexOf("\n\n");
	if (split < 0) throw new RangeError("a note has no empty line before its signatures");
	return {
		text: whole.slice(0, split + 1),
		signatures: readSignatureLines(whole.slice(split + 2))
	};
}
/**
* One or more signature lines, each with its newline.
* @throws RangeError on any other text, and above the ceilings
*/
function readSignatureLines(text) {
	if (!text.endsWith("\n")) throw new RangeError("the last line of a note has no newline");
	const lines = text.slice(0, -1).split("\n", NOTE_CEILINGS.signatures + 1);
	if (lines.length > NOTE_CEILINGS.signatures) throw new RangeError("a note has too many signatures");
	return lines.map(readSignatureLine);
}
/** The first signature with the key's name and id. Undefined when the key has not signed. */
function signatureBy(signatures, key) {
	return signatures.find((one) => isSameKey(one, key))?.signature;
}
/** Whether the first signature with the name and id of this Ed25519 key is a valid one over the text. */
function isSignedBy(note, key) {
	if (key.type !== SIGNATURE_TYPES.ed25519) return false;
	const signature = signatureBy(note.signatures, key);
	return signature !== void 0 && verifySignature(key.publicKey, utf8(note.text), signature);
}
function readSignatureLine(line) {
	const [dash, name, encoded, ...more] = line.split(" ", 4);
	if (dash !== "—" || name === void 0 || encoded === void 0 || more.length > 0 || !isKeyName(name)) throw new RangeError("a signature line of a note is malformed");
	if (encoded.length > MOST_ENCODED) throw new RangeError("a signature of a note is too long");
	const bytes = fromBase64(encoded);
	if (bytes.length < 5) throw new RangeError("a signature of a note is too short");
	return {
		name,
		id: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
		signature: bytes.subarray(4)
	};
}
var MOST_ENCODED = Math.ceil((NOTE_CEILINGS.signatureBytes + 4) / 3) * 4;
function decode(bytes) {
	try {
		return strictUtf8.decode(bytes);
	} catch {
		throw new RangeError("a note is not UTF-8");
	}
}
/** Keeps a byte order mark, which is part of the text that is signed. */
var strictUtf8 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
/**
* At most 2^53 - 1, so that it stays exact.
* @throws RangeError on any other text
*/
function readDecimal(text) {
	if (!DECIMAL.test(text) || !Number.isSafeInteger(Number(text))) throw new RangeError("not a decimal number without leading zeros below 2^53");
	return Number(text);
}
var DECIMAL = /^(?:0|[1-9]\d{0,15})$/;
/**
* Reads lines without their newlines.
* @throws RangeError when there are too many, or one is not the base64 of 32 bytes
*/
function readHashLines(lines) {
	if (lines.length > 63) throw new RangeError(`a proof has at most 63 hashes`);
	return lines.map(readHash);
}
/** @throws RangeError on any text but the base64 of 32 bytes */
function readHash(line) {
	if (line.length !== HASH_CHARACTERS) throw new RangeError("a line is not a hash in base64");
	const hash = fromBase64(line);
	if (hash.length !== 32) throw new RangeError("a line is not a hash in base64");
	return hash;
}
var HASH_CHARACTERS = 44;
// shared/log/checkpoint.ts
/**
* What a text says. Extension lines are allowed and mean nothing.
* @throws RangeError on any other text
*/
function readCheckpoint(text) {
	const [origin = "", size = "", root = "", ...more] = text.split("\n");
	if (more.pop() !== "" || origin === "" || more.includes("")) throw new RangeError("not the text of a checkpoint");
	if (utf8(origin).length > 255) throw new RangeError("the origin of a checkpoint is too long");
	return {
		origin,
		size: readDecimal(size),
		root: readHash(root)
	};
}
/**
* The parts of a note and what it says. Nothing is verified.
* @throws RangeError on any other bytes
*/
function readSignedCheckpoint(bytes) {
	const note = readNote(bytes);
	return {
		...readCheckpoint(note.text),
		note
	};
}
/**
* The checkpoint of a note that the log has signed. The key's name is the origin.
* @throws RangeError on any other bytes, on another origin, and without a valid signature of the log
*/
function openCheckpoint(bytes, logKey) {
	const checkpoint = readSignedCheckpoint(bytes);
	if (checkpoint.origin !== logKey.name) throw new RangeError("the checkpoint is of another log");
	if (!isSignedBy(checkpoint.note, logKey)) throw new RangeError("the checkpoint has no valid signature of its log");
	return checkpoint;
}
// shared/proof/json_value.ts
function isJsonObject$1(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The object's own member, never an inherited one. Undefined when absent. */
function memberOf(object, name) {
	return Object.hasOwn(object, name) ? object[name] : void 0;
}
/** The member, when the value is an object that has it. */
var memberAt = (value, name) => isJsonObject$1(value) ? memberOf(value, name) : void 0;
/** The member, when the value is an object that has it and it is text. */
var textAt = (value, name) => {
	const member = memberAt(value, name);
	return typeof member === "string" ? member : void 0;
};
/** Adds a member of any name. Assigning to `__proto__` would change the prototype instead. */
function setMember(object, name, value) {
	if (name !== "__proto__") object[name] = value;
	else Object.defineProperty(object, name, {
		value,
		writable: true,
		enumerable: true,
		configurable: true
	});
}
/**
* The one text of `value` that is hashed (its UTF-8 bytes). Names are sorted by UTF-16 code units, numbers
* are as in ECMAScript (`-0` is `0`, `1e21` is `1e+21`), escapes are the shortest, no white space. Null
* members are kept. Recurses once per level of nesting; the depth limit of the strict reader keeps this far
* below the stack's limit.
* @throws RangeError for values JSON does not have: NaN, infinities, unpaired surrogates, undefined,
* functions, symbols
*/
function canonicalJson(value) {
	switch (typeof value) {
		case "string": return canonicalString(value);
		case "number":
			if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`);
			return String(value);
		case "bigint":
		case "boolean": return String(value);
		case "object":
			if (value === null) return "null";
			return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
		default: throw new RangeError(`${typeof value} is not a JSON value`);
	}
}
function canonicalArray(values) {
	let text = "";
	for (const value of values) text += `${text === "" ? "" : ","}${canonicalJson(value)}`;
	return `[${text}]`;
}
/** Reads own members only, so a member called `__proto__` is an ordinary name. */
function canonicalObject(object) {
	let text = "";
	for (const name of Object.keys(object).sort()) {
		const value = object[name];
		if (value === void 0) throw new RangeError("undefined is not a JSON value");
		text += `${text === "" ? "" : ","}${canonicalString(name)}:${canonicalJson(value)}`;
	}
	return `{${text}}`;
}
/**
* JSON.stringify escapes exactly what RFC 8785 section 3.2.2.2 requires, provided there are no unpaired
* surrogates.
*/
function canonicalString(text) {
	if (!text.isWellFormed()) throw new RangeError("unpaired surrogate in a JSON string");
	return JSON.stringify(text);
}
// shared/proof/public_chains.ts
/**
* In the order in which a verification reports them. The verifier's part is in `verify/facts.ts`, the writing
* in the server's `chains/`.
*/
var CHAINS = {
	stellar: {
		code: 40,
		title: "Stellar",
		evidence: "ledger",
		networks: ["public", "testnet"]
	},
	bitcoin: {
		code: 41,
		title: "Bitcoin",
		evidence: "block",
		networks: [
			"mainnet",
			"testnet",
			"regtest"
		]
	}
};
var isChainName = (name) => typeof name === "string" && Object.hasOwn(CHAINS, name);
var CHAIN_NAMES = Object.keys(CHAINS).filter(isChainName);
var isLedgerChain = (name) => CHAINS[name].evidence === "ledger";
/** False for a name that is unknown, or that of a network of another chain. */
var isNetworkOf = (chain, network) => CHAINS[chain].networks.some((known) => known === network);
/** The report step of the chain. */
var commitmentStep = (name) => `${CHAINS[name].title} Commitment`;
// shared/proof/strict_json.ts
/**
* Reads one JSON text, as JSON.parse does. Also refuses duplicate member names, unpaired surrogates (plain or
* escaped), invalid UTF-8, a byte order mark, nesting deeper than `maxDepth` (a scalar has depth 0, `[]` has
* 1), objects of more than `maxMembers` (no limit by default; a large object costs more than its bytes) and
* numbers beyond the range of a double.
* An integer literal that a double cannot hold safely becomes a bigint with exactly its digits. `-0` stays
* -0. Every other number literal is a number. Objects are plain objects with own members only; a member
* `__proto__` is defined, not assigned, so it is an ordinary member.
* Takes linear time. Recurses once per level, so keep `maxDepth` under about 1,000.
* @throws StrictJsonError
*/
function readStrictJson(input, { maxDepth = DEFAULT_MAX_DEPTH, maxMembers = Number.POSITIVE_INFINITY } = {}) {
	const text = typeof input === "string" ? input : decodeUtf8$1(input);
	if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw new StrictJsonError("invalid_utf8", 0);
	if (!text.isWellFormed()) throw new StrictJsonError("unpaired_surrogate", firstUnpairedSurrogate(text));
	return new Reader(text, maxDepth, maxMembers).document();
}
var DEFAULT_MAX_DEPTH = 64;
var BYTE_ORDER_MARK = 65279;
var QUOTE = 34;
var COMMA = 44;
var MINUS = 45;
var DOT = 46;
var ZERO = 48;
var NINE = 57;
var COLON = 58;
var OPEN_BRACKET = 91;
var BACKSLASH = 92;
var CLOSE_BRACKET = 93;
var LOWER_E = 101;
var LOWER_F = 102;
var LOWER_N = 110;
var LOWER_T = 116;
var LOWER_U = 117;
var OPEN_BRACE$1 = 123;
var CLOSE_BRACE = 125;
/** A read position in one text. Beyond the end `charCodeAt` returns NaN, and every comparison below then refuses. */
var Reader = class {
	text;
	maxDepth;
	maxMembers;
	at = 0;
	constructor(text, maxDepth, maxMembers) {
		this.text = text;
		this.maxDepth = maxDepth;
		this.maxMembers = maxMembers;
	}
	document() {
		this.skipSpace();
		const value = this.value(0);
		this.skipSpace();
		if (this.at < this.text.length) throw this.syntaxError();
		return value;
	}
	value(depth) {
		switch (this.text.charCodeAt(this.at)) {
			case QUOTE: return this.string();
			case OPEN_BRACE$1: return this.object(depth + 1);
			case OPEN_BRACKET: return this.array(depth + 1);
			case LOWER_T: return this.word("true", true);
			case LOWER_F: return this.word("false", false);
			case LOWER_N: return this.word("null", null);
			default: return this.number();
		}
	}
	object(depth) {
		const members = {};
		if (this.opensEmpty(depth, CLOSE_BRACE)) return members;
		let within;
		try {
			for (let read = 1;; read += 1) {
				const nameAt = this.at;
				if (read > this.maxMembers) throw new StrictJsonError("too_many_members", nameAt);
				if (this.text.charCodeAt(nameAt) !== QUOTE) throw this.syntaxError();
				const name = this.string();
				if (Object.hasOwn(members, name)) throw new StrictJsonError("duplicate_member", nameAt);
				this.skipSpace();
				if (this.text.charCodeAt(this.at) !== COLON) throw this.syntaxError();
				this.at++;
				this.skipSpace();
				within = name;
				setMember(members, name, this.value(depth));
				within = void 0;
				if (this.endsAfterValue(CLOSE_BRACE)) return members;
			}
		} catch (error) {
			throw placed(error, within);
		}
	}
	array(depth) {
		if (this.opensEmpty(depth, CLOSE_BRACKET)) return [];
		let read = 0;
		try {
			const values = [this.value(depth)];
			for (read = 1; !this.endsAfterValue(CLOSE_BRACKET); read = values.length) values.push(this.value(depth));
			return values;
		} catch (error) {
			throw placed(error, String(read));
		}
	}
	opensEmpty(depth, close) {
		if (depth > this.maxDepth) throw new StrictJsonError("too_deep", this.at);
		this.at++;
		this.skipSpace();
		if (this.text.charCodeAt(this.at) !== close) return false;
		this.at++;
		return true;
	}
	endsAfterValue(close) {
		this.skipSpace();
		const code = this.text.charCodeAt(this.at);
		if (code !== close && code !== COMMA) throw this.syntaxError();
		this.at++;
		if (code === close) return true;
		this.skipSpace();
		return false;
	}
	string() {
		const start = this.at + 1;
		const end = this.endOfRun(start);
		if (this.text.charCodeAt(end) === BACKSLASH) return this.escapedString(start, end);
		this.at = end + 1;
		return this.text.slice(start, end);
	}
	/** Continues a string at its first backslash. `start` is the character after the opening quote. */
	escapedString(start, firstBackslash) {
		let at = firstBackslash;
		let value = this.text.slice(start, at);
		while (this.text.charCodeAt(at) === BACKSLASH) {
			const kind = this.text.charCodeAt(at + 1);
			const runStart = at + (kind === LOWER_U ? 6 : 2);
			const character = kind === LOWER_U ? this.unicodeEscape(at) : SHORT_ESCAPES.get(kind);
			if (character === void 0) throw this.syntaxError(at);
			at = this.endOfRun(runStart);
			value += character;
			if (at > runStart) value += this.text.slice(runStart, at);
		}
		if (!value.isWellFormed()) throw new StrictJsonError("unpaired_surrogate", start - 1);
		this.at = at + 1;
		return value;
	}
	/** The offset of the quote or backslash that ends a run of plain characters. */
	endOfRun(start) {
		const text = this.text;
		let at = start;
		for (;;) {
			const code = text.charCodeAt(at);
			if (code === QUOTE || code === BACKSLASH) return at;
			if (!(code >= 32)) throw this.syntaxError(at);
			at++;
		}
	}
	unicodeEscape(backslash) {
		const digits = this.text.slice(backslash + 2, backslash + 6);
		return FOUR_HEX.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : void 0;
	}
	number() {
		const start = this.at;
		let at = start + (this.text.charCodeAt(start) === MINUS ? 1 : 0);
		at = this.text.charCodeAt(at) === ZERO ? at + 1 : this.endOfDigits(at);
		const endOfInteger = at;
		if (this.text.charCodeAt(at) === DOT) at = this.endOfDigits(at + 1);
		if ((this.text.charCodeAt(at) | 32) === LOWER_E) {
			const sign = this.text.charAt(at + 1);
			at = this.endOfDigits(at + (sign === "+" || sign === "-" ? 2 : 1));
		}
		this.at = at;
		const literal = this.text.slice(start, at);
		const value = Number(literal);
		if (!Number.isFinite(value)) throw new StrictJsonError("number_out_of_range", start);
		return at === endOfInteger && !Number.isSafeInteger(value) ? BigInt(literal) : value;
	}
	/** The offset after one or more digits. */
	endOfDigits(start) {
		let at = start;
		for (;;) {
			const code = this.text.charCodeAt(at);
			if (!(code >= ZERO && code <= NINE)) break;
			at++;
		}
		if (at === start) throw this.syntaxError(at);
		return at;
	}
	word(word, value) {
		if (!this.text.startsWith(word, this.at)) throw this.syntaxError();
		this.at += word.length;
		return value;
	}
	skipSpace() {
		for (;;) {
			const code = this.text.charCodeAt(this.at);
			if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
			this.at++;
		}
	}
	syntaxError(at = this.at) {
		return new StrictJsonError("syntax", at);
	}
};
/** Adds the member or element that contains the error. Called from the inside outwards. */
function placed(error, within) {
	if (error instanceof StrictJsonError && within !== void 0) error.path.unshift(within);
	return error;
}
var FOUR_HEX = /^[0-9a-fA-F]{4}$/;
var SHORT_ESCAPES = new Map(Object.entries({
	"\"": "\"",
	"\\": "\\",
	"/": "/",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "	"
}).map(([letter, character]) => [letter.charCodeAt(0), character]));
var UTF_8$2 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
function decodeUtf8$1(bytes) {
	try {
		return UTF_8$2.decode(bytes);
	} catch {
		throw new StrictJsonError("invalid_utf8", firstInvalidByte(bytes));
	}
}
/** The offset of the first byte where the input and the output of the lenient decoder differ. */
function firstInvalidByte(bytes) {
	const lenient = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
	let at = 0;
	while (at < bytes.length && bytes[at] === lenient[at]) at++;
	return at;
}
function firstUnpairedSurrogate(text) {
	const repaired = text.toWellFormed();
	let at = 0;
	while (text.charCodeAt(at) === repaired.charCodeAt(at)) at++;
	return at;
}
/** A RangeError, like those of all readers. `offset` counts UTF-16 code units of the text; bytes for `invalid_utf8`. */
var StrictJsonError = class extends RangeError {
	name = "StrictJsonError";
	reason;
	offset;
	/** The members and elements that contain the error, as far as they were read: `['data', 'json']`. */
	path = [];
	constructor(reason, offset) {
		super(`${MEANINGS[reason]} at offset ${offset}`);
		this.reason = reason;
		this.offset = offset;
	}
};
var MEANINGS = {
	syntax: "not JSON",
	duplicate_member: "duplicate member name",
	unpaired_surrogate: "unpaired surrogate",
	invalid_utf8: "not UTF-8 without byte order mark",
	too_deep: "nested too deep",
	too_many_members: "too many members",
	number_out_of_range: "number too large"
};
// shared/log/copy_files.ts
/** A transaction has at most 64 KiB, and its proof less. */
var MAX_EPOCH_FILE_BYTES = 524288;
/**
* Where the epochs of a series are. The first network that a chain was used with has the chain's name, every later one
* its own name behind it.
*/
var seriesFolder = (chain, laterNetwork) => `epochs/${chain}${laterNetwork === void 0 ? "" : `-${laterNetwork}`}`;
/** Every folder in which a copy may have a series. */
var SERIES_FOLDERS = CHAIN_NAMES.toSorted().flatMap((chain) => [seriesFolder(chain), ...CHAINS[chain].networks.map((network) => seriesFolder(chain, network))]);
var epochPath = (folder, sequence) => `${folder}/${sequence}.json`;
/** @throws RangeError unless the bytes are such a file, in its only spelling */
function readEpochFile(bytes) {
	const document = asObject(readStrictJson(bytes));
	const { sha256: sum, ...rest } = document;
	if (sum !== checksum(rest)) throw new RangeError("sha256 is not that of the rest");
	if (new TextDecoder().decode(bytes) !== `${canonicalJson(document)}\n`) throw new RangeError("not canonical JSON");
	const chain = memberOf(document, "chain");
	if (!isChainName(chain)) throw new RangeError("chain is not known");
	return {
		chain,
		network: textIn(document, "network"),
		sequence: countIn(document, "sequence"),
		root: hexIn(document, "root", 32),
		first_height: countIn(document, "first_height"),
		last_height: countIn(document, "last_height"),
		commitment: commitmentOf(memberOf(document, "commitment"))
	};
}
function commitmentOf(value) {
	if (value === null) return null;
	if (!isJsonObject$1(value)) throw new RangeError("commitment is missing");
	const has = (name) => Object.hasOwn(value, name);
	return {
		id: textIn(value, "id"),
		signing_key_id: hexIn(value, "signing_key_id", 4),
		commitment_hash: hexIn(value, "commitment_hash", 32),
		transaction_hash: hexIn(value, "transaction_hash", 32),
		timestamp: textIn(value, "timestamp"),
		...has("ledger") ? { ledger: countIn(value, "ledger") } : {},
		...has("block_height") ? {
			block_height: countIn(value, "block_height"),
			block_hash: hexIn(value, "block_hash", 32),
			block_merkle_root: hexIn(value, "block_merkle_root", 32),
			raw_transaction: hexIn(value, "raw_transaction"),
			txoutproof: hexIn(value, "txoutproof")
		} : {}
	};
}
var checksum = (document) => toHex(sha256(utf8(canonicalJson(document))));
/** Canonical JSON and a newline: a published keyring, and the height of the block that introduced each key. */
var writeKeyringFile = (keys) => utf8(`${canonicalJson({
	version: "1.0",
	keys: keys.map(({ keyId, publicKey, sequence, introducedAtHeight }, at) => ({
		key_id: toHex(keyId),
		public_key: toBase64(publicKey),
		sequence,
		active: at === keys.length - 1,
		introduced_at_height: introducedAtHeight
	}))
})}\n`);
/** The keys alone: whether a file has the one spelling, `writeKeyringFile` tells. @throws RangeError on other bytes */
function readKeyringFile(bytes) {
	const keys = memberOf(asObject(readStrictJson(bytes)), "keys");
	if (!Array.isArray(keys)) throw new RangeError("keys are missing");
	return keys.map(asObject).map((key) => ({
		keyId: fromHex(hexIn(key, "key_id", 4)),
		publicKey: fromBase64(textIn(key, "public_key")),
		sequence: countIn(key, "sequence"),
		introducedAtHeight: countIn(key, "introduced_at_height")
	}));
}
function asObject(value) {
	if (!isJsonObject$1(value)) throw new RangeError("not a JSON object");
	return value;
}
function textIn(object, name) {
	const value = memberOf(object, name);
	if (typeof value !== "string") throw new RangeError(`${name} is missing`);
	return value;
}
function countIn(object, name) {
	const value = memberOf(object, name);
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is not a count`);
	return value;
}
function hexIn(object, name, bytes) {
	const value = textIn(object, name);
	if (!isHex(value, bytes)) throw new RangeError(`${name} is not hex`);
	return value;
}
// node_modules/@noble/hashes/sha3.js
/**
* SHA3 (keccak) hash function, based on a new "Sponge function" design.
* Different from older hashes, the internal state is bigger than output size.
*
* Check out
* {@link https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.202.pdf | FIPS-202},
* {@link https://keccak.team/keccak.html | Website}, and
* {@link https://crypto.stackexchange.com/q/15727 | the differences between
* SHA-3 and Keccak}.
*
* Check out `sha3-addons` module for cSHAKE, k12, and others.
* @module
*/
var _0n = BigInt(0);
var _1n = BigInt(1);
var _2n = BigInt(2);
var _7n = BigInt(7);
var _256n = BigInt(256);
var _0x71n = BigInt(113);
var SHA3_PI = [];
var SHA3_ROTL = [];
var _SHA3_IOTA = [];
for (let round = 0, R = _1n, x = 1, y = 0; round < 24; round++) {
	[x, y] = [y, (2 * x + 3 * y) % 5];
	SHA3_PI.push(2 * (5 * y + x));
	SHA3_ROTL.push((round + 1) * (round + 2) / 2 % 64);
	let t = _0n;
	for (let j = 0; j < 7; j++) {
		R = (R << _1n ^ (R >> _7n) * _0x71n) % _256n;
		if (R & _2n) t ^= _1n << (_1n << BigInt(j)) - _1n;
	}
	_SHA3_IOTA.push(t);
}
var IOTAS = split(_SHA3_IOTA, true);
var SHA3_IOTA_H = IOTAS[0];
var SHA3_IOTA_L = IOTAS[1];
var rotlSH = (h, l, s) => h << s | l >>> 32 - s;
var rotlSL = (h, l, s) => l << s | h >>> 32 - s;
var rotlBH = (h, l, s) => l << s - 32 | h >>> 64 - s;
var rotlBL = (h, l, s) => h << s - 32 | l >>> 64 - s;
var rotlH = (h, l, s) => s > 32 ? rotlBH(h, l, s) : rotlSH(h, l, s);
var rotlL = (h, l, s) => s > 32 ? rotlBL(h, l, s) : rotlSL(h, l, s);
var B = /* @__PURE__ */ new Uint32Array(10);
/**
* `keccakf1600` internal permutation, additionally allows adjusting the round count.
* @param s - 5x5 Keccak state encoded as 25 lanes split into 50 uint32 words
*   in this file's local little-endian lane-word order
* @param rounds - number of rounds to execute
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @throws If `rounds` is outside the supported `1..24` range. {@link Error}
* @example
* Permute a Keccak state with the default 24 rounds.
* ```ts
* keccakP(new Uint32Array(50));
* ```
*/
function keccakP(s, rounds = 24) {
	if (!(s instanceof Uint32Array)) throw new TypeError("\"s\" expected Uint32Array(50), got type=" + typeof s);
	if (s.length !== 50) throw new RangeError("\"s\" expected Uint32Array(50), got length=" + s.length);
	anumber$1(rounds, "rounds");
	if (rounds < 1 || rounds > 24) throw new Error("\"rounds\" expected integer 1..24");
	for (let round = 24 - rounds; round < 24; round++) {
		for (let x = 0; x < 10; x++) B[x] = s[x] ^ s[x + 10] ^ s[x + 20] ^ s[x + 30] ^ s[x + 40];
		for (let x = 0; x < 10; x += 2) {
			const idx1 = (x + 8) % 10;
			const idx0 = (x + 2) % 10;
			const B0 = B[idx0];
			const B1 = B[idx0 + 1];
			const Th = rotlH(B0, B1, 1) ^ B[idx1];
			const Tl = rotlL(B0, B1, 1) ^ B[idx1 + 1];
			for (let y = 0; y < 50; y += 10) {
				s[x + y] ^= Th;
				s[x + y + 1] ^= Tl;
			}
		}
		let curH = s[2];
		let curL = s[3];
		for (let t = 0; t < 24; t++) {
			const shift = SHA3_ROTL[t];
			const Th = rotlH(curH, curL, shift);
			const Tl = rotlL(curH, curL, shift);
			const PI = SHA3_PI[t];
			curH = s[PI];
			curL = s[PI + 1];
			s[PI] = Th;
			s[PI + 1] = Tl;
		}
		for (let y = 0; y < 50; y += 10) {
			const b0 = s[y], b1 = s[y + 1], b2 = s[y + 2], b3 = s[y + 3];
			s[y] ^= ~s[y + 2] & s[y + 4];
			s[y + 1] ^= ~s[y + 3] & s[y + 5];
			s[y + 2] ^= ~s[y + 4] & s[y + 6];
			s[y + 3] ^= ~s[y + 5] & s[y + 7];
			s[y + 4] ^= ~s[y + 6] & s[y + 8];
			s[y + 5] ^= ~s[y + 7] & s[y + 9];
			s[y + 6] ^= ~s[y + 8] & b0;
			s[y + 7] ^= ~s[y + 9] & b1;
			s[y + 8] ^= ~b0 & b2;
			s[y + 9] ^= ~b1 & b3;
		}
		s[0] ^= SHA3_IOTA_H[round];
		s[1] ^= SHA3_IOTA_L[round];
	}
	clean(B);
}
/**
* Keccak sponge function.
* @param blockLen - absorb/squeeze rate in bytes
* @param suffix - domain separation suffix byte
* @param outputLen - default digest length in bytes. This base sponge only
*   requires a non-negative integer; wrappers that need positive output
*   lengths must enforce that themselves.
* @param enableXOF - whether XOF output is allowed
* @param rounds - number of Keccak-f rounds
* @example
* Build a sponge state, absorb bytes, then finalize a digest.
* ```ts
* const hash = new Keccak(136, 0x06, 32);
* hash.update(new Uint8Array([1, 2, 3]));
* hash.digest();
* ```
*/
var Keccak = class Keccak {
	state;
	pos = 0;
	posOut = 0;
	finished = false;
	state32;
	destroyed = false;
	blockLen;
	suffix;
	outputLen;
	canXOF;
	enableXOF = false;
	rounds;
	constructor(blockLen, suffix, outputLen, enableXOF = false, rounds = 24) {
		anumber$1(blockLen, "blockLen");
		anumber$1(suffix, "suffix");
		anumber$1(rounds, "rounds");
		abool$1(enableXOF, "enableXOF");
		this.blockLen = blockLen;
		this.suffix = suffix;
		this.outputLen = outputLen;
		this.enableXOF = enableXOF;
		this.canXOF = enableXOF;
		this.rounds = rounds;
		anumber$1(outputLen, "outputLen");
		if (!(0 < blockLen && blockLen < 200)) throw new Error("\"blockLen\" must be 1..199");
		this.state = /* @__PURE__ */ new Uint8Array(200);
		this.state32 = u32(this.state);
	}
	clone() {
		return this._cloneInto();
	}
	keccak() {
		swap32IfBE(this.state32);
		keccakP(this.state32, this.rounds);
		swap32IfBE(this.state32);
		this.posOut = 0;
		this.pos = 0;
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { blockLen, state, state32 } = this;
		const len = data.length;
		const canUseU32 = blockLen % 4 === 0 && data.byteOffset % 4 === 0;
		const blockLen32 = blockLen / 4;
		const data32 = canUseU32 && len >= blockLen ? u32(data) : void 0;
		for (let pos = 0; pos < len;) {
			if (data32 !== void 0 && this.pos === 0 && pos % 4 === 0 && len - pos >= blockLen) {
				for (let i = 0, o = pos / 4; i < blockLen32; i++) state32[i] ^= data32[o + i];
				pos += blockLen;
				this.pos = blockLen;
				this.keccak();
				continue;
			}
			const take = Math.min(blockLen - this.pos, len - pos);
			for (let i = 0; i < take; i++) state[this.pos++] ^= data[pos++];
			if (this.pos === blockLen) this.keccak();
		}
		return this;
	}
	finish() {
		if (this.finished) return;
		this.finished = true;
		const { state, suffix, pos, blockLen } = this;
		state[pos] ^= suffix;
		if ((suffix & 128) !== 0 && pos === blockLen - 1) this.keccak();
		state[blockLen - 1] ^= 128;
		this.keccak();
	}
	writeInto(out) {
		aexists(this, false);
		abytes$1(out);
		this.finish();
		const bufferOut = this.state;
		const { blockLen } = this;
		for (let pos = 0, len = out.length; pos < len;) {
			if (this.posOut >= blockLen) this.keccak();
			const take = Math.min(blockLen - this.posOut, len - pos);
			out.set(bufferOut.subarray(this.posOut, this.posOut + take), pos);
			this.posOut += take;
			pos += take;
		}
		return out;
	}
	xofInto(out) {
		if (!this.enableXOF) throw new Error("XOF is not enabled");
		return this.writeInto(out);
	}
	xof(bytes) {
		anumber$1(bytes);
		return this.xofInto(new Uint8Array(bytes));
	}
	digestInto(out) {
		aoutput(out, this);
		if (this.finished) throw new Error("digest() was already called");
		this.writeInto(out.length === this.outputLen ? out : out.subarray(0, this.outputLen));
		this.destroy();
	}
	digest() {
		const out = new Uint8Array(this.outputLen);
		this.digestInto(out);
		return out;
	}
	destroy() {
		this.destroyed = true;
		clean(this.state);
	}
	_cloneInto(to) {
		const { blockLen, suffix, outputLen, rounds, enableXOF } = this;
		to ||= new Keccak(blockLen, suffix, outputLen, enableXOF, rounds);
		to.blockLen = blockLen;
		to.state32.set(this.state32);
		to.pos = this.pos;
		to.posOut = this.posOut;
		to.finished = this.finished;
		to.rounds = rounds;
		to.suffix = suffix;
		to.outputLen = outputLen;
		to.enableXOF = enableXOF;
		to.canXOF = this.canXOF;
		to.destroyed = this.destroyed;
		return to;
	}
};
var genKeccak = (suffix, blockLen, outputLen, info = {}) => createHasher(() => new Keccak(blockLen, suffix, outputLen), info);
/**
* SHA3-224 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-224.
* ```ts
* sha3_224(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_224 = /* @__PURE__ */ genKeccak(6, 144, 28, /* @__PURE__ */ oidNist(7));
/**
* SHA3-256 hash function. Different from keccak-256.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-256.
* ```ts
* sha3_256(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_256 = /* @__PURE__ */ genKeccak(6, 136, 32, /* @__PURE__ */ oidNist(8));
/**
* SHA3-384 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-384.
* ```ts
* sha3_384(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_384 = /* @__PURE__ */ genKeccak(6, 104, 48, /* @__PURE__ */ oidNist(9));
/**
* SHA3-512 hash function.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA3-512.
* ```ts
* sha3_512(new Uint8Array([97, 98, 99]));
* ```
*/
var sha3_512 = /* @__PURE__ */ genKeccak(6, 72, 64, /* @__PURE__ */ oidNist(10));
/**
* Keccak-256 hash function. Different from SHA3-256.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with Keccak-256.
* ```ts
* keccak_256(new Uint8Array([97, 98, 99]));
* ```
*/
var keccak_256 = /* @__PURE__ */ genKeccak(1, 136, 32);
var genShake = (suffix, blockLen, outputLen, info = {}) => createHasher((opts = {}) => {
	opts = checkOpts({}, opts);
	return new Keccak(blockLen, suffix, opts.dkLen === void 0 ? outputLen : opts.dkLen, true);
}, info);
/**
* SHAKE128 XOF with 128-bit security and a 16-byte default output.
* @param msg - message bytes to hash
* @param opts - Optional output-length override. See {@link ShakeOpts}.
* @returns Digest bytes.
* @example
* Hash a message with SHAKE128.
* ```ts
* shake128(new Uint8Array([97, 98, 99]), { dkLen: 32 });
* ```
*/
var shake128 = /* @__PURE__ */ genShake(31, 168, 16, /* @__PURE__ */ oidNist(11));
/**
* SHAKE256 XOF with 256-bit security and a 32-byte default output.
* @param msg - message bytes to hash
* @param opts - Optional output-length override. See {@link ShakeOpts}.
* @returns Digest bytes.
* @example
* Hash a message with SHAKE256.
* ```ts
* shake256(new Uint8Array([97, 98, 99]), { dkLen: 64 });
* ```
*/
var shake256 = /* @__PURE__ */ genShake(31, 136, 32, /* @__PURE__ */ oidNist(12));
// node_modules/@noble/post-quantum/utils.js
/**
* Utilities for hex, bytearray and number handling.
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Asserts that a value is a byte array and optionally checks its length.
* Returns the original reference unchanged on success, and currently also accepts Node `Buffer`
* values through the upstream validator.
* This helper throws on malformed input, so APIs that must return `false` need to guard lengths
* before decoding or before calling it.
* @example
* Validate that a value is a byte array with the expected length.
* ```ts
* abytes(new Uint8Array([1]), 1);
* ```
*/
var abytesDoc = abytes$1;
/**
* Returns cryptographically secure random bytes.
* Requires `globalThis.crypto.getRandomValues` and throws if that API is unavailable.
* `bytesLength` is validated by the upstream helper as a non-negative integer before allocation,
* so negative and fractional values both throw instead of truncating through JS `ToIndex`.
* @param bytesLength - Number of random bytes to generate.
* @returns Fresh random bytes.
* @example
* Generate a fresh random seed.
* ```ts
* const seed = randomBytes(4);
* ```
*/
var randomBytes$2 = randomBytes$4;
function aarray(item, title, inner = () => {}) {
	if (!Array.isArray(item)) throw new TypeError(`"${title}" expected array, got type=${typeof item}`);
	for (let i = 0; i < item.length; i++) inner(item[i], `${title}[${i}]`);
	return item;
}
function aobject(value, title = "object") {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError(title === "object" ? "expected valid options object" : `"${title}" expected object, got type=${typeof value}`);
	return value;
}
/**
* Compares two byte arrays in a length-constant way for equal lengths.
* Inputs are validated as byte arrays; unequal lengths return `false` immediately.
* @param a - First byte array.
* @param b - Second byte array.
* @returns Whether both arrays contain the same bytes.
* @example
* Compare two byte arrays for equality.
* ```ts
* equalBytes(new Uint8Array([1]), new Uint8Array([1]));
* ```
*/
function equalBytes(a, b) {
	a = abytes$1(a);
	b = abytes$1(b);
	if (a.length !== b.length) return false;
	let diff = 0;
	for (let i = 0; i < a.length; i++) diff |= a[i] ^ b[i];
	return diff === 0;
}
/**
* Validates that an options bag is a plain object.
* @param opts - Options object to validate.
* @throws On wrong argument types. {@link TypeError}
* @example
* Validate that an options bag is a plain object.
* ```ts
* validateOpts({});
* ```
*/
function validateOpts(opts) {
	if (isBytes$1(opts)) throw new TypeError("\"opts\" expected object, got Uint8Array");
	aobject(opts, "opts");
	const proto = Object.getPrototypeOf(opts);
	if (proto !== null && proto !== Object.prototype) throw new TypeError("\"opts\" expected a plain object");
}
/** Keys accepted by `verify`. */
var VER_OPT_KEYS = /* @__PURE__ */ Object.freeze(["context"]);
/** Keys accepted by `sign`. */
var SIG_OPT_KEYS = /* @__PURE__ */ Object.freeze(["context", "extraEntropy"]);
/**
* Rejects option keys the caller did not mean to set.
*
* Validating the types of known keys while ignoring unknown ones makes a typo
* indistinguishable from an omission, and for these options an omission is a
* security downgrade rather than a no-op: `{ ctx }` instead of `{ context }` signs
* with no domain separation, succeeds, and verifies for anyone who also supplies
* none. Nothing at any layer reports it. TypeScript catches this through excess
* property checks, so the exposure is JavaScript callers specifically.
*
* @param opts - Options object to check.
* @param allowed - The keys this call site accepts.
* Returns a frozen null-prototype snapshot so later reads cannot fall through to a polluted
* prototype. Like `checkOpts()` in noble-hashes, only enumerable own properties are copied.
* @throws If any other copied key is present or the bag has a custom prototype. {@link TypeError}
* @returns Sanitized snapshot of the enumerable own options.
* @example
* Accept a known option key. A key the list does not name, such as `ctx`, throws instead.
* ```ts
* import { checkOptKeys } from '@noble/post-quantum/utils.js';
* checkOptKeys({ context: new Uint8Array() }, ['context']);
* ```
*/
function checkOptKeys(opts, allowed) {
	validateOpts(opts);
	const normalized = Object.assign(Object.create(null), opts);
	for (const [k, v] of Object.entries(normalized)) {
		if (v === void 0) continue;
		if (!allowed.includes(k)) throw new TypeError("unexpected option \"" + String(k) + "\"; expected one of: " + allowed.join(", "));
	}
	return Object.freeze(normalized);
}
/**
* Validates common verification options.
* `context` itself is validated with `abytes(...)`, and individual algorithms may narrow support
* further after this shared plain-object gate.
* @param opts - Verification options. See {@link VerOpts}.
* @param allowed - Keys this call site accepts. Defaults to {@link VER_OPT_KEYS}; surfaces that
* take extra keys, or take fewer, pass their own list.
* @throws On wrong argument types. {@link TypeError}
* @returns Frozen null-prototype snapshot of the validated options.
* @example
* Validate common verification options.
* ```ts
* validateVerOpts({ context: new Uint8Array([1]) });
* ```
*/
function validateVerOpts(opts, allowed = VER_OPT_KEYS) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.context !== void 0) abytes$1(normalized.context, void 0, "opts.context");
	return normalized;
}
/**
* Validates common signing options.
* `extraEntropy` is validated with `abytes(...)`; exact lengths and extra algorithm-specific
* restrictions are enforced later by callers.
* @param opts - Signing options. See {@link SigOpts}.
* @param allowed - Keys this call site accepts. Defaults to {@link SIG_OPT_KEYS}; surfaces that
* take extra keys, or take fewer, pass their own list.
* @throws On wrong argument types. {@link TypeError}
* @returns Frozen null-prototype snapshot of the validated options.
* @example
* Validate common signing options.
* ```ts
* validateSigOpts({ extraEntropy: new Uint8Array([1]) });
* ```
*/
function validateSigOpts(opts, allowed = SIG_OPT_KEYS) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.context !== void 0) abytes$1(normalized.context, void 0, "opts.context");
	if (normalized.extraEntropy !== false && normalized.extraEntropy !== void 0) abytes$1(normalized.extraEntropy, void 0, "opts.extraEntropy");
	return normalized;
}
/**
* Builds a fixed-layout coder from byte lengths and nested coders.
* Raw-length fields decode as zero-copy `subarray(...)` views, and nested coders may preserve that
* aliasing too. Nested coder `encode(...)` results are treated as owned scratch: `splitCoder`
* copies them into the output and then zeroizes them with `fill(0)`. If a nested encoder forwards
* caller-owned bytes, it must do so only after detaching them into a disposable copy.
* @param label - Label used in validation errors.
* @param lengths - Field lengths or nested coders.
* @returns Composite fixed-length coder.
* @example
* Build a fixed-layout coder from byte lengths and nested coders.
* ```ts
* splitCoder('demo', 1, 2).encode([new Uint8Array([1]), new Uint8Array([2, 3])]);
* ```
*/
function splitCoder(label, ...lengths) {
	const getLength = (c) => typeof c === "number" ? c : c.bytesLen;
	const bytesLen = lengths.reduce((sum, a) => sum + getLength(a), 0);
	return {
		bytesLen,
		encode: (bufs) => {
			const res = new Uint8Array(bytesLen);
			for (let i = 0, pos = 0; i < lengths.length; i++) {
				const c = lengths[i];
				const l = getLength(c);
				const b = typeof c === "number" ? bufs[i] : c.encode(bufs[i]);
				abytes$1(b, l, label);
				res.set(b, pos);
				if (typeof c !== "number") b.fill(0);
				pos += l;
			}
			return res;
		},
		decode: (buf) => {
			abytes$1(buf, bytesLen, label);
			const res = [];
			for (const c of lengths) {
				const l = getLength(c);
				const b = buf.subarray(0, l);
				res.push(typeof c === "number" ? b : c.decode(b));
				buf = buf.subarray(l);
			}
			return res;
		}
	};
}
/**
* Builds a fixed-length vector coder from another fixed-length coder.
* Element decoding receives `subarray(...)` views, so aliasing depends on the element coder.
* Element coder `encode(...)` results are treated as owned scratch: `vecCoder` copies them into
* the output and then zeroizes them with `fill(0)`. If an element encoder forwards caller-owned
* bytes, it must do so only after detaching them into a disposable copy. `vecCoder` also trusts
* the `BytesCoderLen` contract: each encoded element must already be exactly `c.bytesLen` bytes.
* @param c - Element coder.
* @param vecLen - Number of elements in the vector.
* @returns Fixed-length vector coder.
* @example
* Build a fixed-length vector coder from another fixed-length coder.
* ```ts
* vecCoder(
*   { bytesLen: 1, encode: (n: number) => Uint8Array.of(n), decode: (b: Uint8Array) => b[0] || 0 },
*   2
* ).encode([1, 2]);
* ```
*/
function vecCoder(c, vecLen) {
	const coder = c;
	const bytesLen = vecLen * coder.bytesLen;
	return {
		bytesLen,
		encode: (u) => {
			const uArr = aarray(u, "u");
			if (uArr.length !== vecLen) throw new RangeError(`vecCoder.encode: wrong length=${uArr.length}. Expected: ${vecLen}`);
			const res = new Uint8Array(bytesLen);
			for (let i = 0, pos = 0; i < uArr.length; i++) {
				const b = coder.encode(uArr[i]);
				res.set(b, pos);
				b.fill(0);
				pos += b.length;
			}
			return res;
		},
		decode: (a) => {
			abytes$1(a, bytesLen);
			const r = [];
			for (let i = 0; i < a.length; i += coder.bytesLen) r.push(coder.decode(a.subarray(i, i + coder.bytesLen)));
			return r;
		}
	};
}
/**
* Overwrites supported typed-array inputs with zeroes in place.
* Accepts direct typed arrays and one-level arrays of them.
* @param list - Typed arrays or one-level lists of typed arrays to clear.
* @example
* Overwrite typed arrays with zeroes.
* ```ts
* const buf = Uint8Array.of(1, 2, 3);
* cleanBytes(buf);
* ```
*/
function cleanBytes(...list) {
	for (const t of list) if (Array.isArray(t)) for (const b of t) b.fill(0);
	else t.fill(0);
}
/**
* Creates a 32-bit mask with the lowest `bits` bits set.
* @param bits - Number of low bits to keep.
* @returns Bit mask with `bits` ones.
* @throws On wrong argument types. {@link TypeError}
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Create a low-bit mask for packed-field operations.
* ```ts
* const mask = getMask(4);
* ```
*/
function getMask(bits) {
	anumber$1(bits, "bits");
	if (bits > 32) throw new RangeError("\"bits\" expected <= 32, got " + bits);
	return bits === 32 ? 4294967295 : ~(-1 << bits) >>> 0;
}
/** Shared empty byte array used as the default context. */
var EMPTY = /* @__PURE__ */ Uint8Array.of();
/**
* Builds the domain-separated message payload for the pure sign/verify paths.
* Context length `255` is valid; only `ctx.length > 255` is rejected.
* @param msg - Message bytes.
* @param ctx - Optional context bytes.
* @returns Domain-separated message payload.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Build the domain-separated payload before direct signing.
* ```ts
* const payload = getMessage(new Uint8Array([1, 2]));
* ```
*/
function getMessage(msg, ctx = EMPTY) {
	abytes$1(msg, void 0, "msg");
	abytes$1(ctx, void 0, "ctx");
	if (ctx.length > 255) throw new RangeError("context should be 255 bytes or less");
	return concatBytes$1(new Uint8Array([0, ctx.length]), ctx, msg);
}
var oidNistP = /* @__PURE__ */ Uint8Array.from([
	6,
	9,
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2
]);
/**
* Output length, in bytes, that each XOF OID under this arc denotes.
*
* Unlike a fixed hash, an XOF's OID is a promise about the digest length: RFC 8702
* defines id-shake128 as SHAKE128 with 256-bit output and id-shake256 as SHAKE256 with
* 512-bit output, and FIPS 204 / FIPS 205 use exactly those pairings for pre-hash. Both
* bare noble-hashes defaults are half these values, so neither can be signed under its
* own OID.
*/
var XOF_OID_OUTPUT_LEN = /* @__PURE__ */ (() => ({
	"060960864801650304020b": 32,
	"060960864801650304020c": 64
}))();
/**
* Validates that a hash exposes a NIST hash OID and enough collision resistance.
* Current accepted surface is broader than the FIPS algorithm tables: any hash/XOF under the NIST
* `2.16.840.1.101.3.4.2.*` subtree is accepted if its effective `outputLen` is strong enough.
* XOF callers must pass a callable whose `outputLen` matches the digest length they actually intend
* to sign; bare `shake128` / `shake256` defaults are too short for the stronger prehash modes.
* @param hash - Hash function to validate.
* @param requiredStrength - Minimum required collision-resistance strength in bits.
* @throws If the hash metadata or collision resistance is insufficient. {@link Error}
* @example
* Validate that a hash exposes a NIST hash OID and enough collision resistance.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { checkHash } from '@noble/post-quantum/utils.js';
* checkHash(sha256, 128);
* ```
*/
function checkHash(hash, requiredStrength = 0) {
	if (typeof hash !== "function" || typeof hash.create !== "function") throw new TypeError("\"hash\" expected hash function, got type=" + typeof hash);
	ahash(hash);
	anumber$1(requiredStrength, "requiredStrength");
	const oid = hash.oid;
	abytes$1(oid, void 0, "hash.oid");
	if (!equalBytes(oid.subarray(0, 10), oidNistP)) throw new Error("\"hash.oid\" is invalid: expected NIST hash");
	const xofLen = XOF_OID_OUTPUT_LEN[bytesToHex$1(oid)];
	if (xofLen !== void 0 && hash.outputLen !== xofLen) throw new Error("Pre-hash XOF output length must be " + xofLen + " bytes for this OID, got: " + hash.outputLen);
	const collisionResistance = hash.outputLen * 8 / 2;
	if (requiredStrength > collisionResistance) throw new Error("Pre-hash security strength too low: " + collisionResistance + ", required: " + requiredStrength);
}
/**
* Builds the domain-separated prehash payload for the prehash sign/verify paths.
* Callers are expected to vet `hash.oid` first, e.g. via `checkHash(...)`; calling this helper
* directly with a hash object that lacks `oid` currently throws later inside `concatBytes(...)`.
* Context length `255` is valid; only `ctx.length > 255` is rejected.
* @param hash - Prehash function.
* @param msg - Message bytes.
* @param ctx - Optional context bytes.
* @returns Domain-separated prehash payload.
* @throws On wrong argument ranges or values. {@link RangeError}
* @example
* Build the domain-separated prehash payload for external hashing.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { getMessagePrehash } from '@noble/post-quantum/utils.js';
* getMessagePrehash(sha256, new Uint8Array([1, 2]));
* ```
*/
function getMessagePrehash(hash, msg, ctx = EMPTY) {
	checkHash(hash);
	abytes$1(msg, void 0, "msg");
	abytes$1(ctx, void 0, "ctx");
	if (ctx.length > 255) throw new RangeError("context should be 255 bytes or less");
	const hashed = hash(msg);
	return concatBytes$1(new Uint8Array([1, ctx.length]), ctx, hash.oid, hashed);
}
// node_modules/@noble/post-quantum/_crystals.js
/**
* Internal methods for lattice-based ML-KEM and ML-DSA.
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Creates shared modular arithmetic, NTT, and packing helpers for CRYSTALS schemes.
* @param opts - Polynomial and transform parameters. See {@link CrystalOpts}.
* @returns CRYSTALS arithmetic and encoding helpers.
* @example
* Create shared modular arithmetic and NTT helpers for a CRYSTALS parameter set.
* ```ts
* const crystals = genCrystals({
*   newPoly: (n) => new Uint16Array(n),
*   N: 256,
*   Q: 3329,
*   F: 3303,
*   ROOT_OF_UNITY: 17,
*   brvBits: 7,
*   isKyber: true,
* });
* const reduced = crystals.mod(-1);
* ```
*/
var genCrystals = (opts) => {
	const { newPoly, N, Q, F, ROOT_OF_UNITY, brvBits, isKyber } = opts;
	const mod = (a, modulo = Q) => {
		const result = a % modulo | 0;
		return (result >= 0 ? result | 0 : modulo + result | 0) | 0;
	};
	const smod = (a, modulo = Q) => {
		const r = mod(a, modulo) | 0;
		return (r > modulo >> 1 ? r - modulo | 0 : r) | 0;
	};
	function getZettas() {
		const out = newPoly(N);
		for (let i = 0; i < N; i++) {
			const b = reverseBits(i, brvBits);
			const p = BigInt(ROOT_OF_UNITY) ** BigInt(b) % BigInt(Q);
			out[i] = Number(p) | 0;
		}
		return out;
	}
	const nttZetas = getZettas();
	const inv = (_a) => {
		throw new Error("not implemented");
	};
	const field = isKyber ? {
		add: (a, b) => {
			const r = a + b | 0;
			return r >= Q ? r - Q | 0 : r;
		},
		sub: (a, b) => {
			const r = a - b | 0;
			return r < 0 ? r + Q | 0 : r;
		},
		mul: (a, b) => mod((a | 0) * (b | 0)) | 0,
		inv
	} : {
		add: (a, b) => mod((a | 0) + (b | 0)) | 0,
		sub: (a, b) => mod((a | 0) - (b | 0)) | 0,
		mul: (a, b) => mod((a | 0) * (b | 0)) | 0,
		inv
	};
	const nttOpts = {
		N,
		roots: nttZetas,
		invertButterflies: true,
		skipStages: isKyber ? 1 : 0,
		brp: false
	};
	const dif = FFTCore(field, {
		dit: false,
		...nttOpts
	});
	const dit = FFTCore(field, {
		dit: true,
		...nttOpts
	});
	const NTT = {
		encode: (r) => {
			return dif(r);
		},
		decode: (r) => {
			dit(r);
			for (let i = 0; i < r.length; i++) r[i] = mod(F * r[i]);
			return r;
		}
	};
	const bitsCoder = (d, c) => {
		for (let i = 0, bufLen = 0; i < N; i++) {
			bufLen += d;
			if (bufLen > 32) getMask(bufLen);
			bufLen %= 8;
		}
		const mask = getMask(d);
		const bytesLen = d * (N / 8);
		return {
			bytesLen,
			encode: (poly_) => {
				const poly = poly_;
				const r = new Uint8Array(bytesLen);
				for (let i = 0, buf = 0, bufLen = 0, pos = 0; i < poly.length; i++) {
					buf |= (c.encode(poly[i]) & mask) << bufLen;
					bufLen += d;
					for (; bufLen >= 8; bufLen -= 8, buf >>= 8) r[pos++] = buf & 255;
				}
				return r;
			},
			decode: (bytes) => {
				const r = newPoly(N);
				for (let i = 0, buf = 0, bufLen = 0, pos = 0; i < bytes.length; i++) {
					buf |= bytes[i] << bufLen;
					bufLen += 8;
					for (; bufLen >= d; bufLen -= d, buf >>= d) r[pos++] = c.decode(buf & mask);
				}
				return r;
			}
		};
	};
	return {
		mod,
		smod,
		nttZetas,
		NTT: {
			encode: (r) => NTT.encode(r),
			decode: (r) => NTT.decode(r)
		},
		bitsCoder
	};
};
var createXofShake = (shake) => (seed, blockLen) => {
	if (!blockLen) blockLen = shake.blockLen;
	const _seed = new Uint8Array(seed.length + 2);
	_seed.set(seed);
	const seedLen = seed.length;
	const buf = new Uint8Array(blockLen);
	let h = shake.create({});
	let calls = 0;
	let xofs = 0;
	return {
		stats: () => ({
			calls,
			xofs
		}),
		get: (x, y) => {
			_seed[seedLen + 0] = x;
			_seed[seedLen + 1] = y;
			h.destroy();
			h = shake.create({}).update(_seed);
			calls++;
			return () => {
				xofs++;
				return h.xofInto(buf);
			};
		},
		clean: () => {
			h.destroy();
			cleanBytes(buf, _seed);
		}
	};
};
/**
* SHAKE128-based extendable-output reader factory used by ML-KEM.
* `get(x, y)` selects one coordinate pair at a time; calling it again invalidates previously
* returned readers, and each squeeze reuses one mutable internal output buffer.
* @param seed - Seed bytes for the reader.
* @param blockLen - Optional output block length.
* @returns Stateful XOF reader.
* @example
* Build the ML-KEM SHAKE128 matrix expander and read one block.
* ```ts
* import { randomBytes } from '@noble/post-quantum/utils.js';
* import { XOF128 } from '@noble/post-quantum/_crystals.js';
* const reader = XOF128(randomBytes(32));
* const block = reader.get(0, 0)();
* ```
*/
var XOF128 = /* @__PURE__ */ createXofShake(shake128);
/**
* SHAKE256-based extendable-output reader factory used by ML-DSA.
* `get(x, y)` appends raw one-byte coordinates to the seed, invalidates previously returned
* readers, and reuses one mutable internal output buffer for each squeeze.
* @param seed - Seed bytes for the reader.
* @param blockLen - Optional output block length.
* @returns Stateful XOF reader.
* @example
* Build the ML-DSA SHAKE256 coefficient expander and read one block.
* ```ts
* import { randomBytes } from '@noble/post-quantum/utils.js';
* import { XOF256 } from '@noble/post-quantum/_crystals.js';
* const reader = XOF256(randomBytes(32));
* const block = reader.get(0, 0)();
* ```
*/
var XOF256 = /* @__PURE__ */ createXofShake(shake256);
// node_modules/@noble/post-quantum/ml-dsa.js
/**
* ML-DSA: Module Lattice-based Digital Signature Algorithm from
* [FIPS-204](https://csrc.nist.gov/pubs/fips/204/ipd). A.k.a. CRYSTALS-Dilithium.
*
* Has similar internals to ML-KEM, but their keys and params are different.
* Check out [official site](https://www.pq-crystals.org/dilithium/index.shtml),
* [repo](https://github.com/pq-crystals/dilithium).
* @module
*/
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/**
* Keys each internal surface accepts.
*
* `context` is deliberately absent from both. The internal functions never read it: the
* public wrappers consume it when they format `M'` and must not pass it down, because a
* key that is accepted and then not acted on is the same silent downgrade this validation
* exists to prevent. `externalMu` is the mirror case, existing here and rejected above.
* `extraEntropy` is signing-only, so verification does not take it either.
*/
var INTERNAL_SIG_OPT_KEYS = /* @__PURE__ */ Object.freeze(["extraEntropy", "externalMu"]);
var INTERNAL_VER_OPT_KEYS = /* @__PURE__ */ Object.freeze(["externalMu"]);
function validateInternalOpts(opts, allowed) {
	const normalized = checkOptKeys(opts, allowed);
	if (normalized.externalMu !== void 0) abool(normalized.externalMu, "opts.externalMu");
	return normalized;
}
var N = 256;
var Q = 8380417;
var ROOT_OF_UNITY = 1753;
var F = 8347681;
var D = 13;
var GAMMA2_1 = Math.floor(95232) | 0;
var GAMMA2_2 = Math.floor(261888) | 0;
/** Internal params for different versions of ML-DSA  */
/** Built-in ML-DSA parameter presets keyed by security categories `2/3/5`
* for `ml_dsa44` / `ml_dsa65` / `ml_dsa87`.
* This is only the Table 1 subset used directly here: `BETA = TAU * ETA` is derived later,
* while `C_TILDE_BYTES`, `TR_BYTES`, `CRH_BYTES`, and `securityLevel` live in the preset wrappers.
*/
var PARAMS = /* @__PURE__ */ (() => Object.freeze({
	2: Object.freeze({
		K: 4,
		L: 4,
		D,
		GAMMA1: 2 ** 17,
		GAMMA2: GAMMA2_1,
		TAU: 39,
		ETA: 2,
		OMEGA: 80
	}),
	3: Object.freeze({
		K: 6,
		L: 5,
		D,
		GAMMA1: 2 ** 19,
		GAMMA2: GAMMA2_2,
		TAU: 49,
		ETA: 4,
		OMEGA: 55
	}),
	5: Object.freeze({
		K: 8,
		L: 7,
		D,
		GAMMA1: 2 ** 19,
		GAMMA2: GAMMA2_2,
		TAU: 60,
		ETA: 2,
		OMEGA: 75
	})
}))();
var newPoly = (n) => new Int32Array(n);
var crystals = /* @__PURE__ */ genCrystals({
	N,
	Q,
	F,
	ROOT_OF_UNITY,
	newPoly,
	isKyber: false,
	brvBits: 8
});
var id = (n) => n;
var polyCoder = (d, compress = id, verify = id) => crystals.bitsCoder(d, {
	encode: (i) => compress(verify(i)),
	decode: (i) => verify(compress(i))
});
var polyAdd = (a_, b_) => {
	const a = a_;
	const b = b_;
	for (let i = 0; i < a.length; i++) a[i] = crystals.mod(a[i] + b[i]);
	return a;
};
var polySub = (a_, b_) => {
	const a = a_;
	const b = b_;
	for (let i = 0; i < a.length; i++) a[i] = crystals.mod(a[i] - b[i]);
	return a;
};
var polyShiftl = (p_) => {
	const p = p_;
	for (let i = 0; i < N; i++) p[i] <<= D;
	return p;
};
var polyChknorm = (p_, B) => {
	const p = p_;
	for (let i = 0; i < N; i++) if (Math.abs(crystals.smod(p[i])) >= B) return true;
	return false;
};
var MultiplyNTTs = (a_, b_) => {
	const a = a_;
	const b = b_;
	const c = newPoly(N);
	for (let i = 0; i < a.length; i++) c[i] = crystals.mod(a[i] * b[i]);
	return c;
};
function RejNTTPoly(xof_) {
	const xof = xof_;
	const r = newPoly(N);
	for (let j = 0; j < N;) {
		const b = xof();
		if (b.length % 3) throw new Error("RejNTTPoly: unaligned block");
		for (let i = 0; j < N && i <= b.length - 3; i += 3) {
			const t = (b[i + 0] | b[i + 1] << 8 | b[i + 2] << 16) & 8388607;
			if (t < Q) r[j++] = t;
		}
	}
	return r;
}
function getDilithium(opts_) {
	const opts = opts_;
	const { K, L, GAMMA1, GAMMA2, TAU, ETA, OMEGA } = opts;
	const { CRH_BYTES, TR_BYTES, C_TILDE_BYTES, XOF128, XOF256, securityLevel } = opts;
	if (![2, 4].includes(ETA)) throw new Error("Wrong ETA");
	if (![1 << 17, 1 << 19].includes(GAMMA1)) throw new Error("Wrong GAMMA1");
	if (![GAMMA2_1, GAMMA2_2].includes(GAMMA2)) throw new Error("Wrong GAMMA2");
	const BETA = TAU * ETA;
	const decompose = (r) => {
		const rPlus = crystals.mod(r);
		const r0 = crystals.smod(rPlus, 2 * GAMMA2) | 0;
		if (rPlus - r0 === 8380416) return {
			r1: 0,
			r0: r0 - 1 | 0
		};
		return {
			r1: Math.floor((rPlus - r0) / (2 * GAMMA2)) | 0,
			r0
		};
	};
	const HighBits = (r) => decompose(r).r1;
	const LowBits = (r) => decompose(r).r0;
	const MakeHint = (z, r) => {
		return z <= GAMMA2 || z > Q - GAMMA2 || z === Q - GAMMA2 && r === 0 ? 0 : 1;
	};
	const HINT_M = Math.floor(8380416 / (2 * GAMMA2));
	const UseHint = (h, r) => {
		const { r1, r0 } = decompose(r);
		if (h === 1) return r0 > 0 ? crystals.mod(r1 + 1, HINT_M) | 0 : crystals.mod(r1 - 1, HINT_M) | 0;
		return r1 | 0;
	};
	const Power2Round = (r) => {
		const rPlus = crystals.mod(r);
		const r0 = crystals.smod(rPlus, 2 ** D) | 0;
		return {
			r1: Math.floor((rPlus - r0) / 2 ** D) | 0,
			r0
		};
	};
	const hintCoder = {
		bytesLen: OMEGA + K,
		encode: (h_) => {
			const h = h_;
			if (h === false) throw new Error("hint.encode: hint is false");
			const res = new Uint8Array(OMEGA + K);
			for (let i = 0, k = 0; i < K; i++) {
				for (let j = 0; j < N; j++) if (h[i][j] !== 0) res[k++] = j;
				res[OMEGA + i] = k;
			}
			return res;
		},
		decode: (buf) => {
			const h = [];
			let k = 0;
			for (let i = 0; i < K; i++) {
				const hi = newPoly(N);
				if (buf[OMEGA + i] < k || buf[OMEGA + i] > OMEGA) return false;
				for (let j = k; j < buf[OMEGA + i]; j++) {
					if (j > k && buf[j] <= buf[j - 1]) return false;
					hi[buf[j]] = 1;
				}
				k = buf[OMEGA + i];
				h.push(hi);
			}
			for (let j = k; j < OMEGA; j++) if (buf[j] !== 0) return false;
			return h;
		}
	};
	const ETACoder = polyCoder(ETA === 2 ? 3 : 4, (i) => ETA - i, (i) => {
		if (!(-ETA <= i && i <= ETA)) throw new Error(`malformed key s1/s3 ${i} outside of ETA range [${-ETA}, ${ETA}]`);
		return i;
	});
	const T0Coder = polyCoder(13, (i) => 4096 - i);
	const T1Coder = polyCoder(10);
	const ZCoder = polyCoder(GAMMA1 === 1 << 17 ? 18 : 20, (i) => crystals.smod(GAMMA1 - i));
	const W1Vec = vecCoder(polyCoder(GAMMA2 === GAMMA2_1 ? 6 : 4), K);
	const publicCoder = splitCoder("publicKey", 32, vecCoder(T1Coder, K));
	const secretCoder = splitCoder("secretKey", 32, 32, TR_BYTES, vecCoder(ETACoder, L), vecCoder(ETACoder, K), vecCoder(T0Coder, K));
	const sigCoder = splitCoder("signature", C_TILDE_BYTES, vecCoder(ZCoder, L), hintCoder);
	const CoefFromHalfByte = ETA === 2 ? (n) => n < 15 ? 2 - n % 5 : false : (n) => n < 9 ? 4 - n : false;
	function RejBoundedPoly(xof_) {
		const xof = xof_;
		const r = newPoly(N);
		for (let j = 0; j < N;) {
			const b = xof();
			for (let i = 0; j < N && i < b.length; i += 1) {
				const d1 = CoefFromHalfByte(b[i] & 15);
				const d2 = CoefFromHalfByte(b[i] >> 4 & 15);
				if (d1 !== false) r[j++] = d1;
				if (j < N && d2 !== false) r[j++] = d2;
			}
		}
		return r;
	}
	const SampleInBall = (seed) => {
		const pre = newPoly(N);
		const s = shake256.create({}).update(seed);
		const buf = new Uint8Array(shake256.blockLen);
		s.xofInto(buf);
		const masks = buf.slice(0, 8);
		for (let i = N - TAU, pos = 8, maskPos = 0, maskBit = 0; i < N; i++) {
			let b = i + 1;
			for (; b > i;) {
				b = buf[pos++];
				if (pos < shake256.blockLen) continue;
				s.xofInto(buf);
				pos = 0;
			}
			pre[i] = pre[b];
			pre[b] = 1 - ((masks[maskPos] >> maskBit++ & 1) << 1);
			if (maskBit >= 8) {
				maskPos++;
				maskBit = 0;
			}
		}
		return pre;
	};
	const polyPowerRound = (p_) => {
		const p = p_;
		const res0 = newPoly(N);
		const res1 = newPoly(N);
		for (let i = 0; i < p.length; i++) {
			const { r0, r1 } = Power2Round(p[i]);
			res0[i] = r0;
			res1[i] = r1;
		}
		return {
			r0: res0,
			r1: res1
		};
	};
	const polyUseHint = (u_, h_) => {
		const u = u_;
		const h = h_;
		for (let i = 0; i < N; i++) u[i] = UseHint(h[i], u[i]);
		return u;
	};
	const polyMakeHint = (a_, b_) => {
		const a = a_;
		const b = b_;
		const v = newPoly(N);
		let cnt = 0;
		for (let i = 0; i < N; i++) {
			const h = MakeHint(a[i], b[i]);
			v[i] = h;
			cnt += h;
		}
		return {
			v,
			cnt
		};
	};
	const signRandBytes = 32;
	const seedCoder = splitCoder("seed", 32, 64, 32);
	const internal = Object.freeze({
		info: Object.freeze({ type: "internal-ml-dsa" }),
		lengths: Object.freeze({
			secretKey: secretCoder.bytesLen,
			publicKey: publicCoder.bytesLen,
			seed: 32,
			signature: sigCoder.bytesLen,
			signRand: signRandBytes
		}),
		keygen: (seed) => {
			const seedDst = /* @__PURE__ */ new Uint8Array(34);
			const randSeed = seed === void 0;
			if (randSeed) seed = randomBytes$2(32);
			abytesDoc(seed, 32, "seed");
			seedDst.set(seed);
			if (randSeed) cleanBytes(seed);
			seedDst[32] = K;
			seedDst[33] = L;
			const [rho, rhoPrime, K_] = seedCoder.decode(shake256(seedDst, { dkLen: seedCoder.bytesLen }));
			const xofPrime = XOF256(rhoPrime);
			const s1 = [];
			for (let i = 0; i < L; i++) s1.push(RejBoundedPoly(xofPrime.get(i & 255, i >> 8 & 255)));
			const s2 = [];
			for (let i = L; i < L + K; i++) s2.push(RejBoundedPoly(xofPrime.get(i & 255, i >> 8 & 255)));
			const s1Hat = s1.map((i) => crystals.NTT.encode(i.slice()));
			const t0 = [];
			const t1 = [];
			const xof = XOF128(rho);
			const t = newPoly(N);
			for (let i = 0; i < K; i++) {
				cleanBytes(t);
				for (let j = 0; j < L; j++) polyAdd(t, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), s1Hat[j]));
				crystals.NTT.decode(t);
				const { r0, r1 } = polyPowerRound(polyAdd(t, s2[i]));
				t0.push(r0);
				t1.push(r1);
			}
			const publicKey = publicCoder.encode([rho, t1]);
			const tr = shake256(publicKey, { dkLen: TR_BYTES });
			const secretKey = secretCoder.encode([
				rho,
				K_,
				tr,
				s1,
				s2,
				t0
			]);
			xof.clean();
			xofPrime.clean();
			cleanBytes(rho, rhoPrime, K_, s1, s2, s1Hat, t, t0, t1, tr, seedDst);
			return {
				publicKey,
				secretKey
			};
		},
		getPublicKey: (secretKey) => {
			const [rho, _K, _tr, s1, s2, _t0] = secretCoder.decode(secretKey);
			const xof = XOF128(rho);
			const s1Hat = s1.map((p) => crystals.NTT.encode(p.slice()));
			const t1 = [];
			const tmp = newPoly(N);
			for (let i = 0; i < K; i++) {
				tmp.fill(0);
				for (let j = 0; j < L; j++) polyAdd(tmp, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), s1Hat[j]));
				crystals.NTT.decode(tmp);
				polyAdd(tmp, s2[i]);
				const { r1 } = polyPowerRound(tmp);
				t1.push(r1);
			}
			xof.clean();
			cleanBytes(tmp, s1Hat, _t0, s1, s2);
			return publicCoder.encode([rho, t1]);
		},
		sign: (msg, secretKey, opts = {}) => {
			opts = validateSigOpts(opts, INTERNAL_SIG_OPT_KEYS);
			opts = validateInternalOpts(opts, INTERNAL_SIG_OPT_KEYS);
			const { extraEntropy: random, externalMu = false } = opts;
			if (externalMu) abytesDoc(msg, CRH_BYTES, "mu");
			const ownRnd = random === false || random === void 0;
			const rnd = random === false ? /* @__PURE__ */ new Uint8Array(32) : random === void 0 ? randomBytes$2(signRandBytes) : random;
			abytesDoc(rnd, 32, "extraEntropy");
			const [rho, _K, tr, s1, s2, t0] = (() => {
				try {
					return secretCoder.decode(secretKey);
				} catch (error) {
					if (ownRnd) cleanBytes(rnd);
					throw error;
				}
			})();
			const A = [];
			const xof = XOF128(rho);
			for (let i = 0; i < K; i++) {
				const pv = [];
				for (let j = 0; j < L; j++) pv.push(RejNTTPoly(xof.get(j, i)));
				A.push(pv);
			}
			xof.clean();
			for (let i = 0; i < L; i++) crystals.NTT.encode(s1[i]);
			for (let i = 0; i < K; i++) {
				crystals.NTT.encode(s2[i]);
				crystals.NTT.encode(t0[i]);
			}
			const mu = externalMu ? msg : shake256.create({ dkLen: CRH_BYTES }).update(tr).update(msg).digest();
			const rhoprime = shake256.create({ dkLen: CRH_BYTES }).update(_K).update(rnd).update(mu).digest();
			if (ownRnd) cleanBytes(rnd);
			abytesDoc(rhoprime, CRH_BYTES);
			const x256 = XOF256(rhoprime, ZCoder.bytesLen);
			main_loop: for (let kappa = 0;;) {
				const y = [];
				for (let i = 0; i < L; i++, kappa++) y.push(ZCoder.decode(x256.get(kappa & 255, kappa >> 8)()));
				const z = y.map((i) => crystals.NTT.encode(i.slice()));
				const w = [];
				for (let i = 0; i < K; i++) {
					const wi = newPoly(N);
					for (let j = 0; j < L; j++) polyAdd(wi, MultiplyNTTs(A[i][j], z[j]));
					crystals.NTT.decode(wi);
					w.push(wi);
				}
				const w1 = w.map((j) => j.map(HighBits));
				const cTilde = shake256.create({ dkLen: C_TILDE_BYTES }).update(mu).update(W1Vec.encode(w1)).digest();
				const cHat = crystals.NTT.encode(SampleInBall(cTilde));
				const cs1 = s1.map((i) => MultiplyNTTs(i, cHat));
				for (let i = 0; i < L; i++) {
					polyAdd(crystals.NTT.decode(cs1[i]), y[i]);
					if (polyChknorm(cs1[i], GAMMA1 - BETA)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y);
						continue main_loop;
					}
				}
				let cnt = 0;
				const h = [];
				for (let i = 0; i < K; i++) {
					const cs2 = crystals.NTT.decode(MultiplyNTTs(s2[i], cHat));
					const r0 = polySub(w[i], cs2).map(LowBits);
					if (polyChknorm(r0, GAMMA2 - BETA)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h, cs2, r0);
						continue main_loop;
					}
					const ct0 = crystals.NTT.decode(MultiplyNTTs(t0[i], cHat));
					if (polyChknorm(ct0, GAMMA2)) {
						cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h, cs2, r0, ct0);
						continue main_loop;
					}
					polyAdd(r0, ct0);
					const hint = polyMakeHint(r0, w1[i]);
					h.push(hint.v);
					cnt += hint.cnt;
				}
				if (cnt > OMEGA) {
					cleanBytes(cTilde, cs1, cHat, w1, w, z, y, h);
					continue;
				}
				x256.clean();
				const res = sigCoder.encode([
					cTilde,
					cs1,
					h
				]);
				cleanBytes(cTilde, cs1, h, cHat, w1, w, z, y, rhoprime, s1, s2, t0, ...A);
				if (!externalMu) cleanBytes(mu);
				return res;
			}
			throw new Error("Unreachable code path reached, report this error");
		},
		verify: (sig, msg, publicKey, opts = {}) => {
			opts = validateInternalOpts(opts, INTERNAL_VER_OPT_KEYS);
			const { externalMu = false } = opts;
			if (externalMu) abytesDoc(msg, CRH_BYTES, "mu");
			const [rho, t1] = publicCoder.decode(publicKey);
			const tr = shake256(publicKey, { dkLen: TR_BYTES });
			if (sig.length !== sigCoder.bytesLen) return false;
			const [cTilde, z, h] = sigCoder.decode(sig);
			if (h === false) return false;
			for (let i = 0; i < L; i++) if (polyChknorm(z[i], GAMMA1 - BETA)) return false;
			const mu = externalMu ? msg : shake256.create({ dkLen: CRH_BYTES }).update(tr).update(msg).digest();
			const c = crystals.NTT.encode(SampleInBall(cTilde));
			const zNtt = z.map((i) => i.slice());
			for (let i = 0; i < L; i++) crystals.NTT.encode(zNtt[i]);
			const wTick1 = [];
			const xof = XOF128(rho);
			for (let i = 0; i < K; i++) {
				const ct12d = MultiplyNTTs(crystals.NTT.encode(polyShiftl(t1[i])), c);
				const Az = newPoly(N);
				for (let j = 0; j < L; j++) polyAdd(Az, MultiplyNTTs(RejNTTPoly(xof.get(j, i)), zNtt[j]));
				const wApprox = crystals.NTT.decode(polySub(Az, ct12d));
				wTick1.push(polyUseHint(wApprox, h[i]));
			}
			xof.clean();
			const c2 = shake256.create({ dkLen: C_TILDE_BYTES }).update(mu).update(W1Vec.encode(wTick1)).digest();
			for (const t of h) if (!(t.reduce((acc, i) => acc + i, 0) <= OMEGA)) return false;
			for (const t of z) if (polyChknorm(t, GAMMA1 - BETA)) return false;
			return equalBytes(cTilde, c2);
		}
	});
	return Object.freeze({
		info: Object.freeze({ type: "ml-dsa" }),
		internal,
		securityLevel,
		keygen: internal.keygen,
		lengths: internal.lengths,
		getPublicKey: internal.getPublicKey,
		sign: (msg, secretKey, opts = {}) => {
			opts = validateSigOpts(opts);
			const M = getMessage(msg, opts.context);
			const res = internal.sign(M, secretKey, {
				extraEntropy: opts.extraEntropy,
				externalMu: false
			});
			cleanBytes(M);
			return res;
		},
		verify: (sig, msg, publicKey, opts = {}) => {
			opts = validateVerOpts(opts);
			abytesDoc(sig, void 0, "signature");
			return internal.verify(sig, getMessage(msg, opts.context), publicKey, { externalMu: false });
		},
		prehash: (hash) => {
			checkHash(hash, securityLevel);
			const rawHash = hash;
			return Object.freeze({
				info: Object.freeze({ type: "hashml-dsa" }),
				securityLevel,
				lengths: internal.lengths,
				keygen: internal.keygen,
				getPublicKey: internal.getPublicKey,
				sign: (msg, secretKey, opts = {}) => {
					opts = validateSigOpts(opts);
					const M = getMessagePrehash(rawHash, msg, opts.context);
					const res = internal.sign(M, secretKey, {
						extraEntropy: opts.extraEntropy,
						externalMu: false
					});
					cleanBytes(M);
					return res;
				},
				verify: (sig, msg, publicKey, opts = {}) => {
					opts = validateVerOpts(opts);
					abytesDoc(sig, void 0, "signature");
					return internal.verify(sig, getMessagePrehash(rawHash, msg, opts.context), publicKey, { externalMu: false });
				}
			});
		}
	});
}
/**
* ML-DSA-44 for 128-bit security level. Not recommended after 2030, as per ASD.
* @example
* Generate deterministic ML-DSA-44 keys, sign one message, and verify the signature.
* ```ts
* import { sha256 } from '@noble/hashes/sha2.js';
* import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
* const seed = new Uint8Array(ml_dsa44.lengths.seed!);
* const { secretKey, publicKey } = ml_dsa44.keygen(seed);
* const msg = new TextEncoder().encode('hello noble');
* const sig = ml_dsa44.sign(msg, secretKey);
* const isValid = ml_dsa44.verify(sig, msg, publicKey);
* const recovered = ml_dsa44.getPublicKey(secretKey);
* const context = new Uint8Array([1, 2, 3]);
* const prehash = ml_dsa44.prehash(sha256);
* const preSig = prehash.sign(msg, secretKey, { context });
* const preValid = prehash.verify(preSig, msg, publicKey, { context });
* const internalSig = ml_dsa44.internal.sign(msg, secretKey);
* ```
*/
var ml_dsa44 = /* @__PURE__ */ (() => getDilithium({
	...PARAMS[2],
	CRH_BYTES: 64,
	TR_BYTES: 64,
	C_TILDE_BYTES: 32,
	XOF128,
	XOF256,
	securityLevel: 128
}))();
// shared/log/cosignature.ts
/**
* What a cosignature says when it is the key's over the checkpoint with this text. Undefined when it is not.
* Never throws. Times from 2^53 on are refused.
*/
function verifyCosignature(key, text, cosignature) {
	if (cosignature.length !== 8 + SIGNATURE_BYTES$1[key.type] || key.type === SIGNATURE_TYPES.ed25519) return void 0;
	const time = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0);
	if (time > BigInt(Number.MAX_SAFE_INTEGER)) return void 0;
	const timestamp = Number(time);
	try {
		return verifies(key, cosignedMessage(key, text, timestamp), cosignature.subarray(8)) ? { timestamp } : void 0;
	} catch {
		return;
	}
}
/**
* The bytes that a witness signs. An Ed25519 cosignature is over the whole text, one by ML-DSA-44 over what it says.
* @throws RangeError when the text is not that of a checkpoint, and for keys that do not cosign
*/
function cosignedMessage(key, text, timestamp) {
	const { origin, size, root } = readCheckpoint(text);
	switch (key.type) {
		case SIGNATURE_TYPES.ed25519Cosignature: return utf8(`cosignature/v1\ntime ${timestamp}\n${text}`);
		case SIGNATURE_TYPES.mlDsa44Cosignature: return concatBytes$2(utf8("subtree/v1\n\0"), shortPrefixed(utf8(key.name)), u64(timestamp), shortPrefixed(utf8(origin)), u64(0), u64(size), root);
		case SIGNATURE_TYPES.ed25519: throw new RangeError("the key does not cosign");
		default: throw new RangeError(`a key of type ${key.type}`);
	}
}
/** Bytes of a signature without its time. */
var SIGNATURE_BYTES$1 = {
	1: 64,
	4: 64,
	6: 2420
};
function verifies(key, message, signature) {
	return key.type === SIGNATURE_TYPES.mlDsa44Cosignature ? ml_dsa44.verify(signature, message, key.publicKey) : verifySignature(key.publicKey, message, signature);
}
/** The length in one byte, then the bytes. */
var shortPrefixed = (bytes) => concatBytes$2(u8(bytes.length), bytes);
// shared/log/log_policy.ts
/** The largest policy that is read. 32 of each kind are always allowed; an ML-DSA-44 key has 1.8 KB. */
var POLICY_CEILINGS = {
	bytes: 524288,
	lines: 4096,
	logs: 64,
	witnesses: 64,
	groups: 64
};
/** @throws RangeError with the number of the line, on any other bytes and above the ceilings */
function readPolicy(bytes) {
	if (bytes.length > POLICY_CEILINGS.bytes) throw new RangeError("the policy is too long");
	const lines = oneCharacterPerByte(bytes).split("\n", POLICY_CEILINGS.lines + 1);
	if (lines.length > POLICY_CEILINGS.lines) throw new RangeError("the policy has too many lines");
	const read = {
		logs: [],
		witnesses: [],
		groups: [],
		quorum: void 0,
		members: /* @__PURE__ */ new Set()
	};
	for (const [index, line] of lines.entries()) try {
		readLine(read, line);
	} catch (error) {
		if (error instanceof RangeError) throw new RangeError(`line ${index + 1}: ${error.message}`);
		throw error;
	}
	const { logs, witnesses, groups, quorum } = read;
	if (quorum === void 0) throw new RangeError("the policy has no quorum line");
	return {
		logs,
		witnesses,
		groups,
		quorum: quorum === NO_QUORUM ? void 0 : quorum
	};
}
/** Whether the witnesses with these names are enough. */
function meetsQuorum({ groups, quorum }, cosigned) {
	if (quorum === void 0) return true;
	const met = new Set(cosigned);
	for (const { name, threshold, members } of groups) if (members.filter((member) => met.has(member)).length >= threshold) met.add(name);
	return met.has(quorum);
}
function readLine(read, line) {
	const [keyword, ...items] = line.split(/[ \t]+/).filter((item) => item !== "");
	if (keyword === void 0 || keyword.startsWith("#")) return;
	const readItems = READERS.get(keyword);
	if (readItems === void 0) throw new RangeError("a line begins with log, witness, group or quorum");
	readItems(read, items);
}
function readLog({ logs }, items) {
	const [encoded, url, ...more] = items;
	if (encoded === void 0 || more.length > 0) throw new RangeError("log <vkey> [<url>]");
	const key = readKey$1(encoded, [SIGNATURE_TYPES.ed25519], logs);
	logs.push({
		key,
		...url === void 0 ? {} : { url: textOf$4(url) }
	});
	if (logs.length > POLICY_CEILINGS.logs) throw new RangeError("too many logs");
}
function readWitness$1(read, items) {
	const [name, encoded, url, ...more] = items;
	if (name === void 0 || encoded === void 0 || more.length > 0) throw new RangeError("witness <name> <vkey> [<url>]");
	expectNewName(read, name);
	const key = readKey$1(encoded, [SIGNATURE_TYPES.ed25519Cosignature, SIGNATURE_TYPES.mlDsa44Cosignature], read.witnesses);
	read.witnesses.push({
		name,
		key,
		...url === void 0 ? {} : { url: textOf$4(url) }
	});
	if (read.witnesses.length > POLICY_CEILINGS.witnesses) throw new RangeError("too many witnesses");
}
function readGroup(read, items) {
	const [name, count, ...members] = items;
	if (name === void 0 || count === void 0 || members.length === 0) throw new RangeError("group <name> all|any|<k> <name>...");
	expectNewName(read, name);
	for (const member of members) {
		if (!isDefined(read, member)) throw new RangeError("a member is not defined on a line before");
		if (read.members.has(member)) throw new RangeError("a name is a member more than once");
		read.members.add(member);
	}
	read.groups.push({
		name,
		threshold: readThreshold(count, members.length),
		members
	});
	if (read.groups.length > POLICY_CEILINGS.groups) throw new RangeError("too many groups");
}
function readThreshold(text, members) {
	if (text === "any") return 1;
	if (text === "all") return members;
	if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > members) throw new RangeError("a threshold is all, any, or from 1 to the number of members");
	return Number(text);
}
function readQuorum(read, items) {
	const [name, ...more] = items;
	if (name === void 0 || more.length > 0) throw new RangeError("quorum <name>");
	if (read.quorum !== void 0) throw new RangeError("there is a quorum already");
	if (name !== NO_QUORUM && !isDefined(read, name)) throw new RangeError("the quorum is not defined on a line before");
	read.quorum = name;
}
/** Two keys are duplicates when their public keys are the same, whatever their names are. */
function readKey$1(encoded, types, others) {
	const key = readVerifierKey(textOf$4(encoded));
	if (!types.includes(key.type)) throw new RangeError(`keys of type ${key.type} are not supported on such a line`);
	const hex = toHex(key.publicKey);
	if (others.some((other) => toHex(other.key.publicKey) === hex)) throw new RangeError("a public key is there already");
	return key;
}
function expectNewName(read, name) {
	if (name === NO_QUORUM || isDefined(read, name)) throw new RangeError("a name is defined already");
}
var isDefined = ({ witnesses, groups }, name) => [...witnesses, ...groups].some((one) => one.name === name);
var READERS = /* @__PURE__ */ new Map([
	["log", readLog],
	["witness", readWitness$1],
	["group", readGroup],
	["quorum", readQuorum]
]);
var NO_QUORUM = "none";
/** Policies may have tabs and newlines, and no other control characters. */
function oneCharacterPerByte(bytes) {
	let text = "";
	for (const byte of bytes) {
		if (byte < 32 && byte !== 9 && byte !== 10 || byte === 127) throw new RangeError("the policy has control characters");
		text += String.fromCharCode(byte);
	}
	return text;
}
var nameBytes = (name) => Uint8Array.from(name, (character) => character.charCodeAt(0));
/** @throws RangeError when the bytes are not UTF-8 */
function textOf$4(item) {
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(nameBytes(item));
	} catch {
		throw new RangeError("a key or an address is not UTF-8");
	}
}
// shared/proof/merkle.ts
/** Root of the empty tree: SHA-256 of no bytes. */
var EMPTY_ROOT = sha256(/* @__PURE__ */ new Uint8Array());
function leafHash(value) {
	return domainHash("leaf", value);
}
function nodeHash(left, right) {
	if (left.length !== HASH_BYTES$1 || right.length !== HASH_BYTES$1) return domainHash("node", left, right);
	NODE.set(left, 1);
	NODE.set(right, 1 + HASH_BYTES$1);
	return sha256(NODE);
}
/** The node over two hashes that lie side by side, into `target` from `start` on. @param pair 64 bytes */
function pairHashInto(pair, target, start) {
	NODE.set(pair, 1);
	sha256Into(NODE, target, start);
}
var HASH_BYTES$1 = 32;
/** Filled again for each node, because large trees have many. Nothing else runs in between. */
var NODE = Uint8Array.of(DOMAIN_BYTES.node, .../* @__PURE__ */ new Uint8Array(64));
/** The root over hashes of leaves, or over roots of perfect subtrees of one height. 32 bytes. */
var rootOf = (hashes) => hashes.length === 0 ? EMPTY_ROOT : subtreeRoot(hashes, 0, hashes.length);
/** The root computed from `value` (not yet hashed as a leaf) and its siblings. */
function walkPath(value, steps) {
	let hash = leafHash(value);
	for (const step of steps) hash = step.side === "left" ? nodeHash(step.hash, hash) : nodeHash(hash, step.hash);
	return hash;
}
/** Root over `hashes[start..end)`, which must not be empty. Recurses log2 of their number. */
function subtreeRoot(hashes, start, end) {
	const only = hashes[start];
	if (only === void 0) throw new RangeError(`no leaf ${start}`);
	if (end - start === 1) return only;
	const middle = start + splitOf(end - start);
	return nodeHash(subtreeRoot(hashes, start, middle), subtreeRoot(hashes, middle, end));
}
/** The largest power of two below `count`, which is from 2 to the largest safe integer. */
function splitOf(count) {
	let power = 1;
	while (power * 2 < count) power *= 2;
	return power;
}
var MAX_PATH_DEPTH = 64;
/**
* Ignores unused side bits.
* @throws RangeError unless the text is strict base64url of exactly the length that its depth requires
*/
function decodePath(text) {
	const bytes = fromBase64Url(text);
	const depth = bytes[0];
	if (depth === void 0) throw new RangeError("an empty text is no path");
	if (depth > MAX_PATH_DEPTH) throw new RangeError(`a path has at most ${MAX_PATH_DEPTH} steps`);
	if (bytes.length !== encodedLength(depth)) throw new RangeError(`a path of ${depth} steps takes ${encodedLength(depth)} bytes, not ${bytes.length}`);
	return Array.from({ length: depth }, (_, i) => {
		const start = siblingsStart(depth) + HASH_BYTES$1 * i;
		return {
			side: ((bytes[sideByte(i)] ?? 0) & sideBit(i)) !== 0 ? "right" : "left",
			hash: bytes.subarray(start, start + HASH_BYTES$1)
		};
	});
}
function sideByte(step) {
	return 1 + (step >> 3);
}
function sideBit(step) {
	return 1 << (step & 7);
}
function siblingsStart(depth) {
	return 1 + Math.ceil(depth / 8);
}
function encodedLength(depth) {
	return siblingsStart(depth) + HASH_BYTES$1 * depth;
}
/** As `rootOf`, over hashes that lie one after the other, as in a tile. */
var rootOfTile = (tile) => rootOf(hashesOf(tile));
/** Views of the hashes that lie one after the other. @throws RangeError for a part of a hash */
function hashesOf(tile) {
	if (tile.length % 32 !== 0) throw new RangeError("not whole hashes");
	return Array.from({ length: tile.length / 32 }, (_, at) => tile.subarray(at * 32, (at + 1) * 32));
}
/** Joins the roots of neighbours, the leftmost first, from the right: how the right edge of a tree is hashed. */
function joinRight(roots) {
	const last = roots.at(-1);
	if (last === void 0) return EMPTY_ROOT;
	return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}
/** The newest tile of a level, or any other, as a tree of `size` has it. Undefined when it has no such tile. */
function tileAt(size, level, index) {
	const hashes = Math.floor(size / 256 ** level);
	const width = Math.min(256, hashes - index * 256);
	return width > 0 ? {
		level,
		index,
		width
	} : void 0;
}
/**
* The hashes of nodes of a tree of `size` leaves, each 32 bytes, with one call of the reader.
* @throws RangeError when the reader yields too little, or the ranges are no nodes of this tree
*/
async function readNodes(read, size, ranges) {
	const parts = ranges.map(perfectParts);
	const tiles = tilesOf(size, parts.flat());
	const found = tiles.size === 0 ? [] : await read([...tiles.values()]);
	const bytes = new Map([...tiles.keys()].map((key, at) => [key, found[at]]));
	return parts.map((perfect) => joinRight(perfect.map((part) => {
		const { level, index, from, count } = placeOf$1(part);
		const tile = bytes.get(keyOf(level, index));
		const end = (from + count) * 32;
		if (tile === void 0 || tile.length < end) throw new RangeError(`tile ${level}/${index} has fewer than ${from + count} hashes`);
		return rootOf(hashesOf(tile.subarray(from * 32, end)));
	})));
}
/** @throws RangeError unless it is a number of leaves */
function checkedSize(size) {
	if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is no size of a tree`);
	return size;
}
/** The perfect subtrees of a node, the largest first: `end - start` of each is a power of two that divides its `start`. */
function perfectParts({ start, end }) {
	const parts = [];
	for (let from = start; from < end;) {
		let width = 1;
		while (from + width * 2 <= end) width *= 2;
		if (from % width !== 0) throw new RangeError(`leaves ${start} to ${end} are no node`);
		parts.push({
			start: from,
			end: from + width
		});
		from += width;
	}
	return parts;
}
/** Where the hashes lie whose root is a perfect subtree: a power of two of them, within one tile. */
function placeOf$1({ start, end }) {
	let level = 0;
	let leaves = 1;
	while (leaves * 256 <= end - start) {
		level += 1;
		leaves *= 256;
	}
	const first = start / leaves;
	const index = Math.floor(first / 256);
	return {
		level,
		index,
		from: first - index * 256,
		count: (end - start) / leaves
	};
}
/** Each tile once. */
function tilesOf(size, parts) {
	const tiles = /* @__PURE__ */ new Map();
	for (const part of parts) {
		const { level, index } = placeOf$1(part);
		const tile = tileAt(size, level, index);
		if (tile === void 0) throw new RangeError(`a tree of ${size} leaves has no tile ${level}/${index}`);
		tiles.set(keyOf(level, index), tile);
	}
	return tiles;
}
var keyOf = (level, index) => `${level}/${index}`;
/** `tile/0/x001/x234/067` for the full tile 1234067 of level 0, and `.p/<width>` behind it for a partial one. */
function tilePath({ level, index, width }) {
	const groups = [String(index % 1e3).padStart(3, "0")];
	for (let rest = Math.floor(index / 1e3); rest > 0; rest = Math.floor(rest / 1e3)) groups.unshift(`x${String(rest % 1e3).padStart(3, "0")}`);
	return `tile/${level}/${groups.join("/")}${width === 256 ? "" : `.p/${width}`}`;
}
// shared/proof/composites.ts
/** Must never change once a chain exists, because the genesis block hashes it. */
var GENESIS_MESSAGE = "pharos:genesis:v1";
/**
* `D(domain, JCS(value))`, 32 bytes.
* @throws RangeError when the value has no canonical form
*/
function jsonHash(domain, value) {
	return canonicalTextHash(domain, canonicalJson(value));
}
/** As `jsonHash`, from text that is already canonical, such as the stored text. */
function canonicalTextHash(domain, canonicalText) {
	return domainHash(domain, utf8(canonicalText));
}
/** 4 bytes, displayed as 8 hex. `publicKey` is the raw 32 bytes. */
function keyIdOf(publicKey) {
	return domainHash("public_key", publicKey).slice(0, 4);
}
function itemHash({ id, claimsHash, metadataHash, keyId }) {
	return composite("item", utf8(id), claimsHash, metadataHash, keyId);
}
function observationHash({ id, entropyHash, metadataHash, keyId }) {
	return composite("observation", utf8(id), entropyHash, metadataHash, keyId);
}
function blockHash$1({ id, previousBlockHash, merkleRoot, metadataHash, keyId }) {
	return composite("block", utf8(id), previousBlockHash, merkleRoot, metadataHash, keyId);
}
function commitmentHash({ id, dataHash, ownerId, keyId }) {
	return composite("commitment", utf8(id), dataHash, utf8(ownerId), keyId);
}
/** The hash of the commitment of an epoch, from what is committed. */
function epochCommitmentHash({ id, series, root, transaction, keyId }) {
	const { chain, network } = series;
	return commitmentHash({
		id,
		dataHash: jsonHash("commitment_data", {
			chain,
			epoch_root: root,
			network,
			tx: transaction
		}),
		ownerId: `epoch:${chain}`,
		keyId
	});
}
/** The previous block hash of the first block. The message is `pharos:genesis:v1`. */
function genesisPreviousHash(message) {
	return domainHash("block_genesis", utf8(message));
}
/** The hash by which a key event commits to the next key. `nextPublicKey` is the raw 32 bytes. */
function prerotationCommitment(nextPublicKey) {
	return domainHash("next_public_key", nextPublicKey);
}
function composite(domain, ...parts) {
	return domainHash(domain, ...parts.map(lengthPrefixed));
}
// shared/proof/ids.ts
/**
* Lowercase with hyphens, version 7, RFC variant, such as `01a2ce8e-9320-7630-bb7f-73edc8868b1d`. The text
* itself is hashed, so an id has only one spelling.
*/
function isUuid7(text) {
	return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}
/** Accepts either case and returns the canonical spelling. Undefined for any other text. */
function normalizeUuid7(text) {
	if (!/^[0-9a-fA-F-]{36}$/.test(text)) return void 0;
	const lower = text.toLowerCase();
	return isUuid7(lower) ? lower : void 0;
}
/** Milliseconds since 1970. Undefined for other text and other versions. Does not check the variant bits. */
function uuid7Time(id) {
	if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return void 0;
	return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
/**
* Uppercase only and at most 128 bits, such as `01MB78W7FGY7TZHKNWE7WA3Z57`. The text itself is hashed, so an
* id has only one spelling.
*/
function isUlid(text) {
	return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
/**
* Accepts either case and returns the canonical spelling. Undefined for any other text. Does not accept
* Crockford's look-alikes (I, L, O).
*/
function normalizeUlid(text) {
	if (!/^[0-9a-zA-Z]{26}$/.test(text)) return void 0;
	const upper = text.toUpperCase();
	return isUlid(upper) ? upper : void 0;
}
/**
* Milliseconds since 1970.
* @throws RangeError when the text is not a ULID
*/
function ulidTime(ulid) {
	if (!isUlid(ulid)) throw new RangeError("not a ULID");
	let ms = 0;
	for (const character of ulid.slice(0, TIME_LENGTH)) ms = ms * 32 + CROCKFORD.indexOf(character);
	return ms;
}
var CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
var TIME_LENGTH = 10;
// shared/audit/disagreement.ts
/** Returns undefined when the text is not JSON or is not in canonical spelling. */
function readCanonical(text) {
	const value = readOrUndefined(() => readStrictJson(text));
	return value !== void 0 && canonicalJson(value) === text ? value : void 0;
}
/** Yields a disagreement when the two values differ. Bytes are shown as hex. */
function* agree(place, field, expected, found) {
	const wanted = shown$1(expected);
	const had = shown$1(found);
	if (wanted !== had) yield {
		...place,
		field,
		expected: wanted,
		found: had
	};
}
/** Yields a disagreement when the statement is false. The found value is not shown. */
function* holds(place, field, statement, expected) {
	if (!statement) yield {
		...place,
		field,
		...expected === void 0 ? {} : { expected }
	};
}
/** Example: `block 12, item 01MB…: item_hash should be …, is …` */
function describeDisagreement({ height, subject, field, expected, found }) {
	return `${[height === null ? "no block" : `block ${height}`, ...subject === void 0 ? [] : [subject]].join(", ")}: ${field} ${expected === void 0 ? "is wrong" : `should be ${expected}`}${found === void 0 ? "" : `, is ${found}`}`;
}
function shown$1(value) {
	if (value === null || value === void 0) return "null";
	return typeof value === "object" ? toHex(value) : String(value);
}
// shared/audit/chain_audit.ts
/**
* @param previous undefined for the first block only
* @param signer the key that must have signed the block, according to the key events up to and including this block
*/
function* auditChainBlock(block, previous, signer) {
	const place = { height: block.height };
	yield* link$1(place, block, previous);
	yield* contents(place, block, signer);
}
function* contents(place, block, signer) {
	const { metadata, signature, block_hash } = block;
	yield* holds(place, "metadata", readCanonical(metadata) !== void 0, "canonical JSON");
	yield* agree(place, "metadata_hash", canonicalTextHash("block_metadata", metadata), block.metadata_hash);
	yield* agree(place, "signing_key_id", signer?.keyId, toHex(block.signing_key_id));
	yield* agree(place, "block_hash", hashOf$1(block), block_hash);
	if (signer !== void 0) yield* holds(place, "signature", signer.signed(block_hash, signature), `that of key ${signer.keyId} over the block hash`);
	yield* holds(place, "id", isUuid7(block.id), "a UUIDv7");
}
function* link$1(place, block, previous) {
	if (previous === void 0) {
		yield* agree(place, "previous_block_hash", genesisPreviousHash(GENESIS_MESSAGE), block.previous_block_hash);
		yield* agree(place, "merkle_root", EMPTY_ROOT, block.merkle_root);
		return;
	}
	yield* agree(place, "previous_block_hash", previous.block_hash, block.previous_block_hash);
	yield* holds(place, "finalized_at", block.finalized_ms > previous.finalized_ms, "later than the block before");
}
var hashOf$1 = (block) => blockHash$1({
	id: block.id,
	previousBlockHash: block.previous_block_hash,
	merkleRoot: block.merkle_root,
	metadataHash: block.metadata_hash,
	keyId: block.signing_key_id
});
/**
* Collects keys from the key events only. The table `signing_keys` is not trusted here, because a key without a key
* event is not valid.
*/
var KeyChain = class {
	#keys = [];
	#check;
	#commitment = null;
	constructor(check) {
		this.#check = check;
	}
	get keys() {
		return this.#keys;
	}
	/** Hex of the commitment to the next key in the last key event. Null when that event has no commitment. */
	get commitment() {
		return this.#commitment;
	}
	byId(keyId) {
		const hex = toHex(keyId);
		return this.#keys.find((key) => key.keyId === hex);
	}
	/** The key that signed everything made while the block of this height was the head. */
	currentAt(height) {
		return this.#keys.findLast((key) => key.introducedAtHeight <= height);
	}
	/** Reads the key event of the next block, if it has one, and returns the key that must have signed the block. */
	*follow(block) {
		const place = { height: block.height };
		const outgoing = this.#keys.at(-1);
		const event = readKeyEvent$1(block.metadata);
		if (event === void 0) {
			const expected = outgoing === void 0 ? "the key event of genesis" : "nothing, or a key event with its five members";
			yield* holds(place, "metadata", outgoing !== void 0 && block.metadata === "{}", expected);
			return outgoing;
		}
		yield* agree(place, "key_event.sequence", outgoing === void 0 ? 0 : outgoing.sequence + 1, event.sequence);
		yield* holds(place, "key_event.type", event.type === "genesis" === (outgoing === void 0), "genesis first and once");
		yield* agree(place, "key_event.key_id", keyIdOf(event.publicKey), fromHex(event.keyId));
		yield* holds(place, "key_event.key_id", this.byId(fromHex(event.keyId)) === void 0, "a key id of its own");
		if (this.#commitment !== null || event.type === "emergency_rotation") yield* agree(place, "key_event.public_key", this.#commitment, toHex(prerotationCommitment(event.publicKey)));
		const introduced = chainKey(event, block, this.#check);
		this.#keys.push(introduced);
		this.#commitment = event.commitment;
		return event.type === "rotation" ? outgoing : introduced;
	}
};
var MEMBERS = "key_id,prerotation_commitment,public_key,sequence,type";
/** Returns undefined when the metadata is not exactly one key event. */
function readKeyEvent$1(metadata) {
	const value = readCanonical(metadata);
	if (!isJsonObject$1(value) || Object.keys(value).join() !== "key_event") return void 0;
	const event = memberOf(value, "key_event");
	if (!isJsonObject$1(event) || Object.keys(event).join() !== MEMBERS) return void 0;
	const { key_id: keyId, prerotation_commitment: commitment, public_key, sequence, type } = event;
	if (typeof keyId !== "string" || !isHex(keyId, 4) || typeof sequence !== "number") return void 0;
	if (commitment !== null && (typeof commitment !== "string" || !isHex(commitment, 32))) return void 0;
	if (type !== "genesis" && type !== "rotation" && type !== "emergency_rotation") return void 0;
	if (typeof public_key !== "string") return void 0;
	const publicKey = readOrUndefined(() => fromBase64(public_key));
	return publicKey?.length === 32 ? {
		keyId,
		publicKey,
		sequence,
		type,
		commitment
	} : void 0;
}
function chainKey({ keyId, publicKey, sequence, type }, { height, finalized_ms }, check) {
	return Object.freeze({
		keyId,
		publicKey,
		sequence,
		type,
		introducedAtHeight: height,
		introducedMs: finalized_ms,
		signed: check(publicKey)
	});
}
// shared/log/log_entry.ts
/** Every call throws a RangeError where the bytes end too early. What it returns are views of the same memory. */
var ByteReader = class {
	#bytes;
	#at = 0;
	constructor(bytes) {
		this.#bytes = bytes;
	}
	get left() {
		return this.#bytes.length - this.#at;
	}
	take(count) {
		if (count > this.left) throw new RangeError(`${count} bytes are needed where ${this.left} are left`);
		this.#at += count;
		return this.#bytes.subarray(this.#at - count, this.#at);
	}
	u16() {
		return this.#integer(2);
	}
	u32() {
		return this.#integer(4);
	}
	end() {
		if (this.left > 0) throw new RangeError(`${this.left} bytes are left over`);
	}
	#integer(size) {
		return this.take(size).reduce((value, byte) => value * 256 + byte, 0);
	}
};
/** A byte of the domain, then the parts, each with four bytes of its length. */
var COMPOSITE_BYTES = 157;
/** 157 bytes for an id that is a UUID and parts of the lengths that `BlockParts` says. */
var blockComposite = (block) => concatBytes$2(u8(DOMAIN_BYTES.block), lengthPrefixed(utf8(block.id)), lengthPrefixed(block.previousBlockHash), lengthPrefixed(block.merkleRoot), lengthPrefixed(block.metadataHash), lengthPrefixed(block.keyId));
/** @throws RangeError unless the bytes are the composite of a block in its only spelling */
function readBlockComposite(bytes) {
	const from = new ByteReader(bytes);
	if (from.take(1)[0] !== DOMAIN_BYTES.block) throw new RangeError("not the composite of a block");
	const part = (length) => {
		if (from.u32() !== length) throw new RangeError(`a part of the composite is not ${length} bytes long`);
		return from.take(length);
	};
	const id = String.fromCharCode(...part(36));
	if (!isUuid7(id)) throw new RangeError("the id in the composite is not a UUIDv7");
	const parts = {
		id,
		previousBlockHash: part(32),
		merkleRoot: part(32),
		metadataHash: part(32),
		keyId: part(4)
	};
	from.end();
	return parts;
}
/** The length of an entry is two bytes in an entry bundle. */
var MAX_ENTRY_BYTES = 65535;
var SIGNATURE_BYTES = 64;
/** UTF-8 bytes that the metadata of a block may have, so that its entry fits. */
var MAX_METADATA_BYTES = 65302;
/** @throws RangeError for parts of other lengths, or metadata above `MAX_METADATA_BYTES` */
function entryBytes({ composite, signature, metadata }) {
	if (composite.length !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`);
	if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`);
	const text = utf8(metadata);
	if (text.length > MAX_METADATA_BYTES) throw new RangeError(`metadata of a block is at most ${MAX_METADATA_BYTES} bytes, not ${text.length}`);
	return concatBytes$2(lengthPrefixed(composite), lengthPrefixed(signature), lengthPrefixed(text));
}
/** @throws RangeError unless the bytes are one entry. Whether its parts agree is not checked. */
function readLogEntry(entry) {
	if (entry.length > 65535) throw new RangeError(`an entry is at most ${MAX_ENTRY_BYTES} bytes`);
	const from = new ByteReader(entry);
	if (from.u32() !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`);
	const composite = from.take(COMPOSITE_BYTES);
	if (from.u32() !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`);
	const signature = from.take(SIGNATURE_BYTES);
	const metadata = textOf$3(from.take(from.u32()));
	from.end();
	return {
		composite,
		signature,
		metadata
	};
}
/** 32 bytes. */
var entryLeafHash = (entry) => leafHash(entry);
/** A byte order mark stays, because an entry must have one reading. */
var utf8Decoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
function textOf$3(bytes) {
	try {
		return utf8Decoder.decode(bytes);
	} catch {
		throw new RangeError("the metadata is not UTF-8");
	}
}
/**
* The entries, as views of the bundle's memory.
* @throws RangeError unless the bytes are exactly `width` entries, by default from 1 to 256
*/
function readEntryBundle(bundle, width) {
	const from = new ByteReader(bundle);
	const entries = [];
	while (from.left > 0) {
		if (entries.length === (width ?? 256)) throw new RangeError("the bundle has more entries");
		entries.push(from.take(from.u16()));
	}
	if (entries.length < (width ?? 1)) throw new RangeError(`the bundle has only ${entries.length} entries`);
	return entries;
}
// shared/audit/copy_reader.ts
/** A whole file that is missing or cannot be read. */
var fileFinding = (file, expected, found) => ({
	file,
	height: null,
	field: "the file",
	expected,
	...found === void 0 ? {} : { found }
});
/** Example: `tile/entries/000: block 12: signature should be that of key 5ebf12a9 over the block hash` */
var describeCopyFinding = ({ file, ...disagreement }) => `${file}: ${describeDisagreement(disagreement).replace(/^no block: /, "")}`;
/** The most bytes of a file. */
var COPY_CEILINGS = {
	checkpoint: NOTE_CEILINGS.bytes,
	tile: 8192,
	bundle: 256 * (2 + MAX_ENTRY_BYTES),
	keyring: 1048576,
	epoch: MAX_EPOCH_FILE_BYTES
};
/** A partial tile may be gone once the full one is there, which begins with it. */
async function readTileFile(read, tile) {
	const most = tile.level === "entries" ? COPY_CEILINGS.bundle : COPY_CEILINGS.tile;
	const file = tilePath(tile);
	const bytes = await read(file, most);
	if (bytes !== void 0 || tile.width === 256) return {
		file,
		width: tile.width,
		bytes
	};
	const full = tilePath({
		...tile,
		width: 256
	});
	const instead = await read(full, most);
	return instead === void 0 ? {
		file,
		width: tile.width,
		bytes
	} : {
		file: full,
		width: 256,
		bytes: instead
	};
}
/** What a file says, or why it cannot be read. */
function readOrReason(read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) return error.message;
		throw error;
	}
}
/** Calls `read` for 0, 1, 2 … up to `count`, `ahead` of them at once, and yields the answers in order. */
async function* readAhead(count, ahead, read) {
	const under = [];
	for (let next = 0; next < count || under.length > 0;) {
		while (next < count && under.length < ahead) {
			const begun = read(next);
			begun.catch(() => void 0);
			under.push(begun);
			next += 1;
		}
		const first = under.shift();
		if (first !== void 0) yield await first;
	}
}
// shared/log/growing_tree.ts
var TileBuilder = class {
	/** The newest tile of each level, which is never full. */
	#edges = [];
	#size = 0;
	/** Leaves so far. */
	get size() {
		return this.#size;
	}
	/** Adds the hash of the next leaf. Returns the tiles that are full with it, the lowest first. */
	add(leaf) {
		this.#size += 1;
		const full = [];
		let hash = leaf;
		for (let level = 0;; level += 1) {
			const edge = this.#edge(level);
			edge.bytes.set(hash, edge.width * 32);
			edge.width += 1;
			if (edge.width < 256) return full;
			full.push({
				level,
				...edge
			});
			hash = rootOfTile(edge.bytes);
			this.#edges[level] = newEdge(edge.index + 1);
		}
	}
	/** The partial tiles of the tree so far, the lowest first. */
	partial() {
		return this.#edges.flatMap(({ index, width, bytes }, level) => width === 0 ? [] : [{
			level,
			index,
			width,
			bytes: bytes.slice(0, width * 32)
		}]);
	}
	/** The root of the tree so far, 32 bytes. */
	root() {
		let below = [];
		for (const { bytes } of this.partial()) below = [rootOf([...hashesOf(bytes), ...below])];
		return rootOf(below);
	}
	#edge(level) {
		const edge = this.#edges[level] ?? newEdge(0);
		this.#edges[level] = edge;
		return edge;
	}
};
var newEdge = (index) => ({
	index,
	width: 0,
	bytes: /* @__PURE__ */ new Uint8Array(8192)
});
// shared/proof/bitcoin/bitcoin_bytes.ts
/**
* A read position in a byte array. It only moves forward.
* Every method throws RangeError when the bytes end too early.
*/
var BitcoinCursor = class {
	bytes;
	at = 0;
	view;
	constructor(bytes) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}
	get atEnd() {
		return this.at === this.bytes.length;
	}
	/** A view of the next `length` bytes, not a copy. */
	take(length) {
		const start = this.advance(length);
		return this.bytes.subarray(start, start + length);
	}
	u32() {
		return this.view.getUint32(this.advance(4), true);
	}
	u64() {
		return this.view.getBigUint64(this.advance(8), true);
	}
	/** A count or a length. Accepts only the shortest encoding, as every Bitcoin node does. */
	compactSize() {
		const first = this.view.getUint8(this.advance(1));
		if (first < 253) return first;
		if (first === 253) return shortest(this.view.getUint16(this.advance(2), true), 253);
		if (first === 254) return shortest(this.u32(), 65536);
		return shortest(Number(this.u64()), 4294967296);
	}
	/** A byte string with its length in front. */
	sized() {
		return this.take(this.compactSize());
	}
	advance(length) {
		const start = this.at;
		if (length > this.bytes.length - start) throw new RangeError("the bytes end too early");
		this.at = start + length;
		return start;
	}
};
function u32LittleEndian(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, value, true);
	return bytes;
}
function u64LittleEndian(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, value, true);
	return bytes;
}
/** For counts below 2^32. */
function compactSize(value) {
	if (value < 253) return Uint8Array.of(value);
	if (value < 65536) return Uint8Array.of(253, value & 255, value >> 8);
	return concatBytes$2(Uint8Array.of(254), u32LittleEndian(value));
}
function sizedBytes(bytes) {
	return concatBytes$2(compactSize(bytes.length), bytes);
}
function shortest(value, least) {
	if (value < least) throw new RangeError("a count is not written in its shortest form");
	return value;
}
/** 32 bytes in internal order, as they stand inside Bitcoin structures. */
function doubleSha256(bytes) {
	return sha256(sha256(bytes));
}
/** The hex form that people and interfaces use: the internal byte order reversed. */
function displayHash(internal) {
	return toHex(internal.toReversed());
}
/** @throws RangeError unless there are exactly 80 bytes */
function readHeader(bytes) {
	if (bytes.length !== 80) throw new RangeError(`a block header has 80 bytes`);
	const cursor = new BitcoinCursor(bytes);
	return {
		version: cursor.u32(),
		previousBlock: cursor.take(32),
		merkleRoot: cursor.take(32),
		time: cursor.u32(),
		bits: cursor.u32(),
		nonce: cursor.u32()
	};
}
/** The block hash: 64 hex, display order. */
function headerHash(header) {
	return displayHash(doubleSha256(header));
}
/** Returns whether the hash, read as a little-endian number, is at most the target that `bits` encodes. */
var meetsTarget = (hash, bits) => BigInt(`0x${displayHash(hash)}`) <= targetOf(bits);
/** A target with the sign bit is negative in Bitcoin, so no hash meets it. */
var targetOf = (bits) => (bits & 8388608) !== 0 ? -1n : BigInt(bits & 8388607) << BigInt(8 * ((bits >>> 24) - 3));
/**
* Whether the hash of the header meets its own target, and that target is not easier than the network allows. So a header
* of a development chain, which anybody makes in a moment, does not pass for one of mainnet. A network that is not known
* here is held to the easiest of all.
*/
function hasWorkOf(network, header) {
	const { bits } = readHeader(header);
	return meetsTarget(doubleSha256(header), bits) && targetOf(bits) <= targetOf(easiestOf(network));
}
/**
* Whether the target is easier than every public network allows, so that the header is one of a development chain,
* whatever network is named beside it.
*/
var isOfDevelopmentChain = ({ bits }) => targetOf(bits) > targetOf(EASIEST_BITS.testnet);
/** `testnet` stands for testnet3, testnet4 and signet alike. Signet is the easiest of them; the others have 1d00ffff. */
var EASIEST_BITS = {
	mainnet: 486604799,
	testnet: 503543726,
	regtest: 545259519
};
var easiestOf = (network) => network === "mainnet" || network === "testnet" ? EASIEST_BITS[network] : EASIEST_BITS.regtest;
// shared/proof/bitcoin/transaction.ts
/**
* Reads exactly one transaction. Time is linear in the number of bytes, whatever counts the bytes declare.
* @throws RangeError when the bytes are malformed or more bytes follow
*/
function readTransaction(bytes) {
	const cursor = new BitcoinCursor(bytes);
	const version = cursor.u32();
	const hasWitnesses = bytes[cursor.at] === 0 && bytes[cursor.at + 1] === 1;
	if (hasWitnesses) cursor.take(2);
	const inputs = readEach(cursor, readInput);
	const outputs = readEach(cursor, readOutput);
	const signed = hasWitnesses ? inputs.map((input) => ({
		...input,
		witness: readWitness(cursor)
	})) : inputs;
	const lockTime = cursor.u32();
	if (!cursor.atEnd) throw new RangeError("bytes behind the transaction");
	return {
		version,
		inputs: signed,
		outputs,
		lockTime
	};
}
/** The serialisation without witness data, whose hash is the txid. */
function transactionBytes(transaction) {
	return joinBytes([
		u32LittleEndian(transaction.version),
		...inputsAndOutputs(transaction),
		u32LittleEndian(transaction.lockTime)
	]);
}
/** 32 bytes in internal order, as trees and inputs hold it. Witness data is never part of the hash. */
function transactionHash(transaction) {
	return doubleSha256(transactionBytes(transaction));
}
/** The txid: 64 hex, display order. */
function transactionId(transaction) {
	return displayHash(transactionHash(transaction));
}
function inputsAndOutputs({ inputs, outputs }) {
	return [
		compactSize(inputs.length),
		...inputs.flatMap((input) => [
			input.previousTransaction,
			u32LittleEndian(input.previousOutput),
			sizedBytes(input.script),
			u32LittleEndian(input.sequence)
		]),
		compactSize(outputs.length),
		...outputs.flatMap(({ value, script }) => [u64LittleEndian(value), sizedBytes(script)])
	];
}
/**
* Reads as many values as the count in front of them declares. Reserves no memory for the count, because a
* false count may be huge; the read fails where the bytes end.
*/
function readEach(cursor, readOne) {
	const values = [];
	for (let left = cursor.compactSize(); left > 0; left--) values.push(readOne(cursor));
	return values;
}
function readInput(cursor) {
	return {
		previousTransaction: cursor.take(32),
		previousOutput: cursor.u32(),
		script: cursor.sized(),
		sequence: cursor.u32(),
		witness: []
	};
}
function readOutput(cursor) {
	return {
		value: cursor.u64(),
		script: cursor.sized()
	};
}
function readWitness(cursor) {
	return readEach(cursor, (at) => at.sized());
}
/**
* The data of the first output whose script is OP_RETURN with exactly one push. Undefined when there is no
* such output.
*/
function opReturnOf(transaction) {
	for (const output of transaction.outputs) {
		const pushed = opReturnPush(output.script);
		if (pushed !== void 0) return pushed;
	}
}
/** The data that one script pushes after OP_RETURN. Undefined for any other script. */
function opReturnPush(script) {
	const [code, push] = script;
	if (code !== OP_RETURN || push === void 0 || push > OP_PUSHDATA4) return void 0;
	const lengthBytes = push <= LAST_DIRECT_PUSH ? 0 : LENGTH_BYTES[push - OP_PUSHDATA1];
	if (lengthBytes === void 0 || script.length < 2 + lengthBytes) return void 0;
	let length = lengthBytes === 0 ? push : 0;
	for (let i = lengthBytes - 1; i >= 0; i--) length = length * 256 + (script[2 + i] ?? 0);
	if (length > MOST_PUSHED || script.length !== 2 + lengthBytes + length) return void 0;
	return script.subarray(2 + lengthBytes);
}
var OP_RETURN = 106;
var LAST_DIRECT_PUSH = 75;
var OP_PUSHDATA1 = 76;
var OP_PUSHDATA4 = 78;
/** Length bytes of OP_PUSHDATA1, 2 and 4, little-endian. */
var LENGTH_BYTES = [
	1,
	2,
	4
];
var MOST_PUSHED = 80;
// shared/proof/bitcoin/txoutproof.ts
/**
* A tree that does not add up is reported by `isValid`. Time is linear in the number of bytes, whatever
* number of transactions they declare.
* @throws RangeError when the bytes cannot be parsed
*/
function readTxoutproof(bytes) {
	const cursor = new BitcoinCursor(bytes);
	const header = cursor.take(80);
	const transactions = cursor.u32();
	const hashes = new BitcoinCursor(cursor.take(32 * cursor.compactSize()));
	const flags = cursor.sized();
	if (!cursor.atEnd) throw new RangeError("bytes behind the proof");
	const fields = readHeader(header);
	const found = matchedLeaves({
		transactions,
		hashes,
		flags,
		merkleRoot: fields.merkleRoot
	});
	return {
		header,
		fields,
		isValid: found !== void 0,
		...found ?? {
			matched: [],
			path: []
		}
	};
}
/** Each visit uses up one flag, so there are at most as many visits as the proof has flag bits. */
function matchedLeaves(tree) {
	const { transactions, hashes, flags, merkleRoot } = tree;
	if (transactions === 0) return void 0;
	const matched = [];
	const path = [];
	let flagsUsed = 0;
	const visit = (height, position) => {
		const byte = flags[flagsUsed >> 3];
		if (byte === void 0) throw new RangeError("too few flags");
		const flag = byte >> (flagsUsed++ & 7) & 1;
		if (height === 0 || flag === 0) {
			const hash = hashes.take(32);
			if (height === 0 && flag === 1) matched.push(hash);
			return hash;
		}
		const before = matched.length;
		const left = visit(height - 1, 2 * position);
		const isFirstLeft = before === 0 && matched.length > 0;
		if (2 * position + 1 >= widthAt(transactions, height - 1)) {
			if (isFirstLeft) path.push({
				side: "right",
				hash: left
			});
			return doubleSha256(concatBytes$2(left, left));
		}
		const right = visit(height - 1, 2 * position + 1);
		if (isFirstLeft) path.push({
			side: "right",
			hash: right
		});
		else if (before === 0 && matched.length > 0) path.push({
			side: "left",
			hash: left
		});
		if (bytesEqual(left, right)) throw new RangeError("equal children");
		return doubleSha256(concatBytes$2(left, right));
	};
	try {
		const root = visit(32 - Math.clz32(transactions - 1), 0);
		return hashes.atEnd && flags.length === Math.ceil(flagsUsed / 8) && bytesEqual(root, merkleRoot) ? {
			matched,
			path
		} : void 0;
	} catch (error) {
		if (error instanceof RangeError) return void 0;
		throw error;
	}
}
/** Number of nodes at `height`. Uses division, because the number of transactions may take all 32 bits. */
function widthAt(transactions, height) {
	return Math.ceil(transactions / 2 ** height);
}
// shared/audit/series_audit.ts
function* auditEvidence(place, evidence) {
	const { raw_transaction, txoutproof } = evidence;
	const read = raw_transaction === null || txoutproof === null ? void 0 : readOrUndefined(() => ({
		transaction: readTransaction(raw_transaction),
		proof: readTxoutproof(txoutproof)
	}));
	if (read === void 0) return yield* holds(place, "evidence", false, "a transaction and its proof");
	const { transaction, proof } = read;
	const txid = transactionId(transaction);
	yield* agree(place, "raw_transaction", evidence.transaction_hash, fromHex(txid));
	yield* agree(place, "OP_RETURN", evidence.root, opReturnOf(transaction) ?? null);
	yield* holds(place, "txoutproof", proof.isValid && proof.matched.map(displayHash).includes(txid));
	yield* holds(place, "header", hasWorkOf(evidence.network, proof.header), "one with at least the least work that its network ever allowed");
	yield* agree(place, "block_hash", headerHash(proof.header), evidence.block_hash);
	yield* agree(place, "block_merkle_root", displayHash(proof.fields.merkleRoot), evidence.block_merkle_root);
}
var SeriesAudit = class {
	counts;
	#read;
	#sequence = 0;
	#epoch;
	/** The tree over the block hashes of the epoch. Undefined when one of them is not known. */
	#tree;
	constructor(read, folder) {
		this.#read = read;
		this.counts = {
			folder,
			epochs: 0,
			coveredTo: -1,
			confirmed: 0,
			confirmedTo: void 0
		};
	}
	/** Begins with the epoch of this sequence. False when there is none. */
	async *begin(sequence) {
		this.#sequence = sequence;
		return yield* this.#open(void 0);
	}
	/** Blocks come in the order of their heights. Undefined for one whose hash is not known. True when its epoch ends. */
	add(height, hash) {
		const epoch = this.#epoch;
		if (epoch === void 0 || height < epoch.first_height) return false;
		if (hash === void 0) this.#tree = void 0;
		else this.#tree?.add(leafHash(hash));
		return height === epoch.last_height;
	}
	/** Checks the epoch that has ended, and begins the next. */
	async *finish() {
		const epoch = this.#epoch;
		if (epoch === void 0) return;
		const file = epochPath(this.counts.folder, this.#sequence);
		for (const found of auditEpoch(epoch, this.#tree?.root())) yield {
			file,
			...found
		};
		this.counts.epochs += 1;
		this.counts.coveredTo = epoch.last_height;
		if (epoch.commitment !== null) {
			this.counts.confirmed += 1;
			this.counts.confirmedTo = epoch.last_height;
		}
		this.#sequence += 1;
		yield* this.#open(epoch);
	}
	async *#open(before) {
		this.#epoch = void 0;
		this.#tree = new TileBuilder();
		const file = epochPath(this.counts.folder, this.#sequence);
		const bytes = await this.#read(file, COPY_CEILINGS.epoch);
		if (bytes === void 0) {
			const next = epochPath(this.counts.folder, this.#sequence + 1);
			const isGap = await this.#read(next, COPY_CEILINGS.epoch) !== void 0;
			if (isGap) yield fileFinding(file, `an epoch, because ${next} is there`, "missing");
			return isGap;
		}
		const epoch = readOrReason(() => readEpochFile(bytes));
		if (typeof epoch === "string") {
			yield fileFinding(file, "an epoch", epoch);
			return true;
		}
		const misplaced = [...auditPlace({ height: epoch.last_height }, epoch, {
			sequence: this.#sequence,
			before
		})];
		for (const found of misplaced) yield {
			file,
			...found
		};
		if (misplaced.length === 0) this.#epoch = epoch;
		return true;
	}
};
function* auditPlace(place, epoch, { sequence, before }) {
	yield* agree(place, "sequence", sequence, epoch.sequence);
	yield* holds(place, "last_height", epoch.first_height <= epoch.last_height, "at least first_height");
	if (before === void 0) return;
	yield* agree(place, "chain", before.chain, epoch.chain);
	yield* agree(place, "network", before.network, epoch.network);
	yield* agree(place, "first_height", before.last_height + 1, epoch.first_height);
}
function* auditEpoch(epoch, root) {
	const place = { height: epoch.last_height };
	if (root !== void 0) yield* agree(place, "root", root, epoch.root);
	const { commitment } = epoch;
	if (commitment === null) return;
	yield* agree(place, "commitment_hash", toHex(epochCommitmentHash({
		id: commitment.id,
		series: epoch,
		root: epoch.root,
		transaction: commitment.transaction_hash,
		keyId: fromHex(commitment.signing_key_id)
	})), commitment.commitment_hash);
	if (isLedgerChain(epoch.chain)) return;
	yield* auditEvidence(place, {
		network: epoch.network,
		root: fromHex(epoch.root),
		transaction_hash: fromHex(commitment.transaction_hash),
		block_hash: bytesOrNull(commitment.block_hash),
		block_merkle_root: bytesOrNull(commitment.block_merkle_root),
		raw_transaction: bytesOrNull(commitment.raw_transaction),
		txoutproof: bytesOrNull(commitment.txoutproof)
	});
}
var bytesOrNull = (hex) => hexOrUndefined(hex ?? "-") ?? null;
// shared/audit/tree_audit.ts
var BundleAudit = class {
	keys;
	/** The last block that was read. Undefined before the first one, and behind one that did not hold. */
	#previous;
	constructor(keys) {
		this.keys = keys;
	}
	/**
	* Checks the first `count` blocks of a bundle, or those that a checkpoint has of it. Yields what is wrong, and returns
	* one element a block: undefined where it does not hold.
	*/
	*bundle({ file, width, bytes }, { firstHeight, count }) {
		const entries = bytes === void 0 ? void 0 : readOrUndefined(() => readEntryBundle(bytes, width));
		if (entries === void 0) {
			yield fileFinding(file, `${width} entries`, bytes === void 0 ? "missing" : "something else");
			this.#previous = void 0;
			return Array.from({ length: count }, () => void 0);
		}
		const sound = [];
		for (const [at, entry] of entries.slice(0, count).entries()) {
			const height = firstHeight + at;
			const block = readOrUndefined(() => blockOf$1(entry, height));
			const found = block === void 0 ? [notABlock(height)] : [...this.#block(block)];
			for (const disagreement of found) yield {
				file,
				...disagreement
			};
			this.#previous = found.length === 0 ? block : void 0;
			sound.push(block === void 0 || found.length > 0 ? void 0 : {
				leaf: entryLeafHash(entry),
				hash: block.block_hash
			});
		}
		return sound;
	}
	*#block(block) {
		const signer = yield* this.keys.follow(block);
		yield* auditChainBlock(block, block.height === 0 ? void 0 : this.#previous ?? assumedBefore(block), signer);
	}
};
/** What the block says about the one before it, where that cannot be read or does not hold. */
var assumedBefore = (block) => ({
	...block,
	block_hash: block.previous_block_hash,
	finalized_ms: -1
});
var notABlock = (height) => ({
	height,
	field: "the entry",
	expected: "a composite, a signature and metadata"
});
/** @throws RangeError unless the entry has the form of a block */
function blockOf$1(entry, height) {
	const { composite, signature, metadata } = readLogEntry(entry);
	const parts = readBlockComposite(composite);
	return {
		height,
		id: parts.id,
		previous_block_hash: parts.previousBlockHash,
		block_hash: sha256(composite),
		merkle_root: parts.merkleRoot,
		metadata,
		metadata_hash: parts.metadataHash,
		signing_key_id: parts.keyId,
		signature,
		finalized_ms: uuid7Time(parts.id) ?? -1
	};
}
var TileAudit = class {
	#read;
	#builder = new TileBuilder();
	#since;
	tiles = 0;
	/** The tree must have the root of `since` when it has its size. */
	constructor(read, since) {
		this.#read = read;
		this.#since = since;
	}
	/**
	* Checks a tile of level 0 with the blocks below it, and the tiles above that are full with it. Where a block does not
	* hold, the tile is believed, so that one damaged entry is not told as damage of every tile above.
	*/
	async *leaves(tile, blocks) {
		const found = hashesIn(tile);
		if (found === void 0) yield notATile(tile);
		this.tiles += 1;
		for (const [at, block] of blocks.entries()) {
			const stored = found?.subarray(at * 32, (at + 1) * 32);
			if (block !== void 0 && stored !== void 0) yield* compared$2(tile.file, at, block.leaf, stored);
			const full = this.#builder.add(block?.leaf ?? stored ?? UNKNOWN);
			for (const made of full) if (made.level > 0) yield* this.#above(made);
			if (this.#builder.size === this.#since?.size) yield* sameRoot(this.root(), this.#since);
		}
	}
	/** Checks the partial tiles above level 0, once every block was added. */
	async *edges() {
		for (const made of this.#builder.partial()) if (made.level > 0) yield* this.#above(made);
	}
	root() {
		return this.#builder.root();
	}
	async *#above(made) {
		const tile = await readTileFile(this.#read, made);
		this.tiles += 1;
		const found = hashesIn(tile);
		if (found === void 0) return yield notATile(tile);
		for (let at = 0; at < made.width; at += 1) {
			const [from, to] = [at * 32, (at + 1) * 32];
			yield* compared$2(tile.file, at, made.bytes.subarray(from, to), found.subarray(from, to));
		}
	}
};
function* sameRoot(root, { size, root: before }) {
	if (!bytesEqual(root, before)) yield {
		file: "checkpoint",
		height: null,
		field: `the root at size ${size}`,
		expected: toBase64(before),
		found: toBase64(root)
	};
}
/** In place of the hash of an entry that neither its bundle nor its tile tells. */
var UNKNOWN = /* @__PURE__ */ new Uint8Array(32);
var hashesIn = ({ bytes, width }) => bytes?.length === width * 32 ? bytes : void 0;
var notATile = ({ file, width, bytes }) => fileFinding(file, `${width} hashes`, bytes === void 0 ? "missing" : `${bytes.length} bytes`);
function* compared$2(file, at, expected, found) {
	if (!bytesEqual(expected, found)) yield {
		file,
		height: null,
		field: `hash ${at}`,
		expected: toHex(expected),
		found: toHex(found)
	};
}
// shared/audit/audit_copy.ts
/** Yields what is wrong with it. Returns undefined when it is not a checkpoint. */
function* auditCheckpoint(file, bytes, { keys, policy }) {
	const read = readOrReason(() => readSignedCheckpoint(bytes));
	if (typeof read === "string") {
		yield fileFinding(file, "a checkpoint", read);
		return;
	}
	const { note, ...head } = read;
	const wrong = (field, expected) => ({
		file,
		height: null,
		field,
		expected
	});
	const logKeys = [...keys, ...(policy?.logs ?? []).map(({ key }) => key)];
	let signer;
	for (const key of logKeys.filter((one) => hasSigned(note, one))) if (isSignedBy(note, key)) signer = key;
	else yield wrong(`the signature of ${key.name}`, "one over this text");
	if (signer === void 0 && logKeys.length > 0) yield wrong("the signatures", `one by ${logKeys.map(({ name }) => name).join(" or ")}`);
	if (signer !== void 0 && signer.name !== head.origin) yield wrong("the origin", `${signer.name}, whose key signed it`);
	const cosigned = [];
	for (const { name, key } of (policy?.witnesses ?? []).filter((one) => hasSigned(note, one.key))) {
		const cosignature = signatureBy(note.signatures, key);
		if (cosignature !== void 0 && verifyCosignature(key, note.text, cosignature) !== void 0) cosigned.push(name);
		else yield wrong(`the cosignature of ${key.name}`, "one over this text");
	}
	if (policy !== void 0 && !meetsQuorum(policy, new Set(cosigned))) yield wrong("the cosignatures", `the quorum of the policy: ${policy.quorum ?? "none"}`);
	const known = [...logKeys, ...(policy?.witnesses ?? []).map(({ key }) => key)];
	const ignored = note.signatures.filter((one) => !known.some((key) => isSameKey(one, key))).length;
	return {
		head,
		text: note.text,
		signer,
		cosigned,
		ignored
	};
}
var hasSigned = (note, key) => signatureBy(note.signatures, key) !== void 0;
/** Yields what is wrong, in the order of the blocks. A caller may stop at any finding. */
async function* auditCopy({ read, check, since, requireEpochs = false, ahead, onProgress }, head) {
	const bundles = new BundleAudit(new KeyChain(check));
	const tiles = new TileAudit(read, since);
	const series = yield* openSeries(read);
	const readPair = async (index) => {
		const width = Math.min(256, head.size - index * 256);
		const [bundle, tile] = await Promise.all([readTileFile(read, {
			level: "entries",
			index,
			width
		}), readTileFile(read, {
			level: 0,
			index,
			width
		})]);
		return {
			firstHeight: index * 256,
			count: width,
			bundle,
			tile
		};
	};
	for await (const pair of readAhead(Math.ceil(head.size / 256), ahead, readPair)) {
		const blocks = yield* bundles.bundle(pair.bundle, pair);
		yield* tiles.leaves(pair.tile, blocks);
		for (const [at, block] of blocks.entries()) for (const one of series) if (one.add(pair.firstHeight + at, block?.hash)) yield* one.finish();
		onProgress?.({
			done: pair.firstHeight + pair.count,
			total: head.size
		});
	}
	yield* tiles.edges();
	if (!bytesEqual(tiles.root(), head.root)) yield {
		file: "checkpoint",
		height: null,
		field: "the root",
		expected: toBase64(tiles.root()),
		found: toBase64(head.root)
	};
	const counts = series.map((one) => one.counts).filter(({ epochs }) => epochs > 0);
	const laterKeys = yield* auditKeyring(read, bundles.keys, head.size);
	const hasKeyring = laterKeys !== void 0;
	if (requireEpochs && !hasKeyring) yield fileFinding(KEYRING, "the keys that blocks introduced", "missing");
	if (requireEpochs && counts.length === 0) yield fileFinding("epochs/", "an epoch of some public chain", "missing");
	return {
		blocks: head.size,
		tiles: tiles.tiles,
		keys: bundles.keys.keys.length,
		hasKeyring,
		laterKeys: laterKeys ?? [],
		uncovered: head.size - Math.max(0, ...counts.map(({ coveredTo }) => coveredTo + 1)),
		series: counts
	};
}
var KEYRING = "keyring.json";
async function* openSeries(read) {
	const found = [];
	for (const folder of SERIES_FOLDERS) {
		const series = new SeriesAudit(read, folder);
		if (yield* series.begin(0)) found.push(series);
	}
	return found;
}
/**
* The file of a log that goes on may be newer than the checkpoint, and have keys of later blocks. Whoever made the copy
* can have added such keys, so they are returned: a caller has to say that nobody checked them. Undefined without a file.
*/
async function* auditKeyring(read, { keys, commitment }, size) {
	const bytes = await read(KEYRING, COPY_CEILINGS.keyring);
	if (bytes === void 0) return void 0;
	const introduced = keys.map((key) => ({
		...key,
		keyId: fromHex(key.keyId)
	}));
	const later = (readOrUndefined(() => readKeyringFile(bytes)) ?? []).filter(({ introducedAtHeight }) => introducedAtHeight >= size);
	if (!bytesEqual(bytes, writeKeyringFile([...introduced, ...later]))) yield fileFinding(KEYRING, `exactly the ${keys.length} keys that blocks introduced`, "something else");
	let before = size - 1;
	for (const [at, { keyId, publicKey, sequence, introducedAtHeight }] of later.entries()) {
		if (!(publicKey.length === 32 && bytesEqual(keyId, keyIdOf(publicKey)) && sequence === keys.length + at && introducedAtHeight > before && (at > 0 || commitment === null || commitment === toHex(prerotationCommitment(publicKey))))) yield fileFinding(KEYRING, `a key ${toHex(keyId)} that can follow the one before it`, "another key");
		before = introducedAtHeight;
	}
	return later;
}
// server/client/files.ts
/** @throws Complaint when it cannot be read or is larger than `most` bytes */
async function readNamed(name, most) {
	const stream = name === "-" ? process.stdin : await streamOf(name);
	const chunks = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk);
			size += bytes.length;
			if (size > most) throw new Complaint(`${shownName(name)} is larger than ${most / 1024} KiB.`);
			chunks.push(bytes);
		}
	} catch (error) {
		throw unreadable(name, error);
	}
	return Buffer.concat(chunks);
}
/**
* A stream over an existing regular file.
* @throws Complaint otherwise
*/
async function streamOf(name) {
	try {
		return (await open(name)).createReadStream({ highWaterMark: 1048576 });
	} catch (error) {
		throw unreadable(name, error);
	}
}
var unreadable = (name, error) => {
	if (error instanceof Complaint) return error;
	const shown = shownName(name);
	switch (codeOf(error)) {
		case "ENOENT": return new Complaint(`There is no file ${shown}.`);
		case "EISDIR": return new Complaint(`${shown} is a folder, not a file.`);
		case "EACCES": return new Complaint(`${shown} may not be read by this account.`);
		default: return new Complaint(`${shown} could not be read: ${wordsOf(error)}`);
	}
};
var shownName = (name) => name === "-" ? "Standard input" : name;
/** @throws Complaint */
async function writeMade(path, bytes) {
	try {
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
	} catch (error) {
		throw new Complaint(`${basename(path)} could not be written: ${wordsOf(error)}`);
	}
}
/** @throws Complaint unless it is a regular file: a pipe may never end, and nothing else can be replaced */
async function statRegular(name) {
	const found = await stat(name, { bigint: true }).catch((error) => {
		throw unreadable(name, error);
	});
	if (found.isFile()) return found;
	throw new Complaint(`${name} is not a regular file.`);
}
/** Whether the file was neither replaced nor written between the two looks. */
var isUntouched = (before, now) => [
	"dev",
	"ino",
	"size",
	"mtimeNs"
].every((one) => before[one] === now[one]);
/** What is remembered from one command to the next. */
var configFolder = (env) => env.PHAROS_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "pharos");
/**
* The file is there in whole: as it was, or as it is to be.
* @param mode by default it is for its owner alone
* @param check is asked last, and throws when the file is to stay as it is
*/
async function replaceFile(path, content, { mode = 384, check } = {}) {
	await mkdir(dirname(path), {
		recursive: true,
		mode: 448
	});
	const fresh = `${path}.${randomBytes(6).toString("hex")}.new`;
	const file = await open(fresh, "wx", 384);
	try {
		try {
			await writeFile(file, content);
			await file.chmod(mode);
			await file.sync();
		} finally {
			await file.close();
		}
		await check?.();
		await rename(fresh, path);
	} catch (error) {
		await rm(fresh, { force: true });
		throw error;
	}
}
/** For a shell. */
var quoted = (text) => /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
// shared/cli/get_bytes.ts
var isAddress = (source) => /^https?:\/\//i.test(source);
var isOwnComputer = (hostname) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
/** There was no answer, and a later request may get one. */
var NoAnswer = class extends Complaint {};
/** The connection was there, and ended before the answer did. */
var CutOff = class extends NoAnswer {};
/** Milliseconds before a request is made again: longer than a proxy takes to notice that a server is gone. */
var AGAIN_MS = [
	100,
	500,
	2e3
];
/** What a proxy answers in the name of a server that it did not reach. */
var GATEWAY = /* @__PURE__ */ new Set([502, 504]);
/**
* Any status counts as an answer.
* @throws NoAnswer when there is none, Complaint when it has too many bytes
*/
async function getBytes(url, { isRepeatable, ...question }, ceilings) {
	const pauses = isRepeatable ?? (question.method ?? "GET") === "GET" ? AGAIN_MS : [];
	for (const pauseMs of pauses) {
		const answer = await getOnce(url, question, ceilings).catch((error) => {
			if (!(error instanceof CutOff) || question.signal?.aborted === true) throw error;
		});
		if (answer !== void 0 && !GATEWAY.has(answer.status)) return answer;
		await setTimeout$1(pauseMs);
	}
	return getOnce(url, question, ceilings);
}
async function getOnce(url, { signal, ...question }, ceilings) {
	const ending = endingAfter(ceilings.milliseconds, signal);
	try {
		const response = await fetch(url, {
			...question,
			redirect: "manual",
			signal: ending.signal
		});
		const wait = Number(response.headers.get("retry-after") ?? NaN);
		return {
			status: response.status,
			bytes: await boundedBytes(response, url, ceilings.bytes),
			retryAfterSeconds: Number.isFinite(wait) ? wait : void 0
		};
	} catch (error) {
		if (error instanceof Complaint) throw error;
		throw new (CUT_CODES.has(causeCode(error)) ? CutOff : NoAnswer)(`${url.origin} ${reasonOf(error, ceilings.milliseconds)}.`, { advice: "Is the address right, and the service running?" });
	} finally {
		ending.clear();
	}
}
/** Of fetch and of the system. */
var CUT_CODES = /* @__PURE__ */ new Set([
	"UND_ERR_SOCKET",
	"ECONNRESET",
	"EPIPE"
]);
var causeCode = (error) => (error instanceof Error ? codeOf(error.cause) : void 0) ?? "";
/** A signal of its own for each request: one that outlives many would keep something of each. */
function endingAfter(milliseconds, signal) {
	const ending = new AbortController();
	const stop = () => ending.abort(signal?.reason);
	const late = setTimeout(() => ending.abort(new DOMException("late", "TimeoutError")), milliseconds);
	if (signal?.aborted) stop();
	signal?.addEventListener("abort", stop);
	return {
		signal: ending.signal,
		clear: () => {
			clearTimeout(late);
			signal?.removeEventListener("abort", stop);
		}
	};
}
async function boundedBytes(response, url, most) {
	const chunks = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > most) throw new Complaint(`${url.origin} sent more than ${shownBytes(most)}.`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
var shownBytes = (bytes) => bytes % 1048576 === 0 ? `${bytes / 1048576} MiB` : `${bytes} bytes`;
var reasonOf = (error, milliseconds) => {
	if (error instanceof Error && error.name === "TimeoutError") return `did not answer within ${milliseconds / 1e3} seconds`;
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
	return cause === "" ? "cannot be reached" : `cannot be reached (${cause})`;
};
/** Hardly any answer in JSON is longer. */
var LARGEST_ANSWER_BYTES$1 = 1048576;
var USUAL = {
	bytes: LARGEST_ANSWER_BYTES$1,
	milliseconds: 1e4
};
/** The same of what answers in JSON. */
var askHttp = (url, { ceilings, ...question } = {}) => {
	const headers = {
		accept: "application/vnd.api+json, application/json",
		...question.headers
	};
	return getBytes(url, {
		...question,
		headers
	}, {
		...USUAL,
		...ceilings
	});
};
// shared/log/tree_proofs.ts
/** The root to which the path leads. Undefined for anything that is no path of leaf `index` in a tree of that size. */
function inclusionRoot({ leaf, ...place }) {
	return inclusionSteps(place)?.reduce((below, { side, hash }) => side === "right" ? nodeHash(below, hash) : nodeHash(hash, below), leaf);
}
/** The siblings with their sides, the nearest first. Undefined for anything that is no path in a tree of that size. */
function inclusionSteps({ index, size, proof }) {
	if (!isIndex(index, size)) return void 0;
	const ranges = siblingsOf(index, size);
	if (ranges.length !== proof.length) return void 0;
	return proof.map((hash, at) => ({
		side: (ranges[at]?.start ?? 0) > index ? "right" : "left",
		hash
	}));
}
/** Whether leaf `index` of the tree with this size and root is `leaf`. False for anything that is no proof. */
function verifyInclusion({ root, ...place }) {
	const reached = inclusionRoot(place);
	return reached !== void 0 && bytesEqual(reached, root);
}
/** The ranges of the siblings, the nearest first. */
function siblingsOf(index, size) {
	const fromRoot = [];
	let start = 0;
	let end = size;
	while (end - start > 1) {
		const middle = start + splitOf(end - start);
		if (index < middle) {
			fromRoot.push({
				start: middle,
				end
			});
			end = middle;
		} else {
			fromRoot.push({
				start,
				end: middle
			});
			start = middle;
		}
	}
	return fromRoot.reverse();
}
var isIndex = (index, size) => Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size;
/**
* The proof between the trees of `oldSize` and `newSize` leaves: 32 bytes a hash. Empty when the sizes are equal, or
* the old one is 0. Calls the reader at most once.
* @throws RangeError when the new size is the smaller one
*/
async function consistencyProof(read, oldSize, newSize) {
	if (checkedSize(oldSize) > checkedSize(newSize)) throw new RangeError(`a tree of ${oldSize} leaves is no beginning of one of ${newSize}`);
	return readNodes(read, newSize, proofRanges(oldSize, newSize));
}
/** Whether the old tree is the beginning of the new one. False for anything that is no proof of it. */
function verifyConsistency({ oldSize, oldRoot, newSize, newRoot, proof }) {
	if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(newSize)) return false;
	if (oldSize < 0 || oldSize > newSize) return false;
	if (oldSize === newSize) return proof.length === 0 && bytesEqual(oldRoot, newRoot);
	if (oldSize === 0) return proof.length === 0 && bytesEqual(oldRoot, EMPTY_ROOT);
	const ranges = proofRanges(oldSize, newSize);
	if (ranges.length !== proof.length) return false;
	const isPart = ranges[0]?.end === oldSize;
	const lowest = isPart ? proof[0] : oldRoot;
	if (lowest === void 0) return false;
	let ofOld = lowest;
	let ofNew = lowest;
	for (const [at, { start }] of ranges.entries()) {
		const hash = proof[at];
		if (hash === void 0) return false;
		if (isPart && at === 0) continue;
		if (start < oldSize) {
			ofOld = nodeHash(hash, ofOld);
			ofNew = nodeHash(hash, ofNew);
		} else ofNew = nodeHash(ofNew, hash);
	}
	return bytesEqual(ofOld, oldRoot) && bytesEqual(ofNew, newRoot);
}
/** SUBPROOF of the RFC as ranges of leaves, the lowest node first. */
function proofRanges(oldSize, newSize) {
	if (oldSize === 0 || oldSize === newSize) return [];
	const fromRoot = [];
	let start = 0;
	let end = newSize;
	while (end !== oldSize) {
		const middle = start + splitOf(end - start);
		if (oldSize <= middle) {
			fromRoot.push({
				start: middle,
				end
			});
			end = middle;
		} else {
			fromRoot.push({
				start,
				end: middle
			});
			start = middle;
		}
	}
	if (start > 0) fromRoot.push({
		start,
		end
	});
	return fromRoot.reverse();
}
/** Both must bear the signature of the log's key: otherwise they say nothing about the log. */
async function compareCheckpoints(seen, now, ask) {
	if (seen.size === now.size) return bytesEqual(seen.root, now.root) ? "same" : "split";
	const [older, newer] = seen.size < now.size ? [seen, now] : [now, seen];
	const proof = await ask(older.size, newer.size);
	if (proof === void 0) return "open";
	if (!verifyConsistency({
		oldSize: older.size,
		oldRoot: older.root,
		newSize: newer.size,
		newRoot: newer.root,
		proof
	})) return "split";
	return older === seen ? "grown" : "older";
}
/**
* The parts of a proof. Nothing is verified; `checkpoint` may be any text.
* @throws RangeError on any other text, and above the ceilings
*/
function readLogProof(text) {
	if (text.length > MOST_CHARACTERS) throw new RangeError("a log proof is too long");
	const split = text.indexOf("\n\n");
	if (split < 0) throw new RangeError("a log proof has no empty line before its checkpoint");
	const [first, ...lines] = text.slice(0, split).split("\n");
	if (first !== FIRST_LINE$1) throw new RangeError("not a log proof");
	const extra = lines[0]?.startsWith("extra ") ? lines.shift() : void 0;
	const index = lines.shift();
	if (index === void 0 || !index.startsWith("index ")) throw new RangeError("a log proof has no index");
	return {
		index: readDecimal(index.slice(6)),
		hashes: readHashLines(lines),
		checkpoint: text.slice(split + 2),
		...extra === void 0 ? {} : { extra: fromBase64(extra.slice(6)) }
	};
}
var FIRST_LINE$1 = "c2sp.org/tlog-proof@v1";
/** Of the whole text: a note, 63 hashes, and as much of other data as a note may have. */
var MOST_CHARACTERS = 2 * NOTE_CEILINGS.bytes + 4096;
// shared/proof/entropy_names.ts
var ENTROPY_NAMES = [
	"entropy_nist",
	"entropy_stellar",
	"entropy_bitcoin"
];
/**
* Frozen: the numbers in the signed payload and in the compact layout. A number never changes and is never
* used again.
*/
var ENTROPY_CODES = {
	entropy_nist: 30,
	entropy_stellar: 31,
	entropy_bitcoin: 32
};
var isEntropyName = (name) => Object.hasOwn(ENTROPY_CODES, name);
// shared/proof/bundle/bundle_parts.ts
/** The value of an own member. Undefined when it is absent or null. */
function carried(object, name) {
	return memberOf(object, name) ?? void 0;
}
function readBlock(map) {
	return {
		id: carried(map, "id"),
		previousBlockHash: carried(map, "previous_block_hash"),
		merkleRoot: carried(map, "merkle_root"),
		metadata: carried(map, "metadata"),
		metadataHash: void 0,
		signingKeyId: carried(map, "signing_key_id")
	};
}
/**
* Undefined when the entry lacks a required member: a known chain, a path as text, and an epoch root of any
* form.
*/
function readEntry(value) {
	if (!isJsonObject$1(value)) return void 0;
	const chain = carried(value, "chain");
	const epochProof = carried(value, "epoch_proof");
	const epochMerkleRoot = carried(value, "epoch_merkle_root");
	if (!isChainName(chain) || typeof epochProof !== "string") return void 0;
	if (epochMerkleRoot === void 0) return void 0;
	return {
		chain,
		epochMerkleRoot,
		epochProof,
		transactionHash: carried(value, "transaction_hash"),
		network: carried(value, "network"),
		timestamp: carried(value, "timestamp"),
		ledger: carried(value, "ledger"),
		blockHeight: carried(value, "block_height"),
		rawTransaction: carried(value, "raw_transaction"),
		txoutproof: carried(value, "txoutproof"),
		blockMerkleRoot: carried(value, "block_merkle_root")
	};
}
var BundleRejected = class extends Error {
	name = "BundleRejected";
	reason;
	constructor(reason) {
		super(`not a proof bundle: ${reason}`);
		this.reason = reason;
	}
};
/** As `presentMembers`, with new names: each entry of the table gives the old and the new name. */
function renamedMembers(map, names) {
	const renamed = {};
	for (const [from, to] of names) {
		const value = memberOf(map, from);
		if (value !== void 0 && value !== null) renamed[to] = value;
	}
	return renamed;
}
// shared/proof/instant.ts
/**
* Milliseconds since 1970 of `YYYY-MM-DDTHH:MM:SS[.f…](Z|±HH:MM)`, such as `2027-01-01T00:01:40Z`. Finer
* fractions are cut off. Undefined for any other text, for days that the calendar does not have, and for leap
* seconds, which a Date cannot hold.
*/
function instantMs(text) {
	const match = INSTANT.exec(text);
	if (match === null) return void 0;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
	const [, , , , , , , fraction = "", sign = "", offsetHour = "0", offsetMinute = "0"] = match;
	if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return void 0;
	const date = /* @__PURE__ */ new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return void 0;
	const local = date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
	const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 6e4;
	return sign === "-" ? local + offset : local - offset;
}
var INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
// shared/proof/verify/carried_values.ts
/** Lowercase hex of exactly `size` bytes. */
function hexBytes(value, size) {
	return typeof value === "string" && value.length === 2 * size ? hexOrUndefined(value) : void 0;
}
/** Padded base64 of exactly `size` bytes. */
function base64Bytes(value, size) {
	if (typeof value !== "string" || value.length !== 4 * Math.ceil(size / 3)) return void 0;
	const bytes = readOrUndefined(() => fromBase64(value));
	return bytes?.length === size ? bytes : void 0;
}
/**
* The bytes of text that is hex when it looks like hex, otherwise base64url.
* @throws RangeError when it is neither
*/
function hexOrBase64Url(text) {
	return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? fromHex(text.toLowerCase()) : fromBase64Url(text);
}
/** Takes constant time. False when either side is missing. */
function sameBytes(a, b) {
	return a !== void 0 && b !== void 0 && bytesEqual(a, b);
}
function textOf$2(value) {
	return typeof value === "string" ? value : void 0;
}
function integerOf(value) {
	return typeof value === "number" && Number.isSafeInteger(value) ? value : void 0;
}
/** Milliseconds since 1970 of an RFC 3339 time, in either case. */
function momentOf(value) {
	return typeof value === "string" ? instantMs(value.toUpperCase()) : void 0;
}
/** Whether two times are in the same second. False when either is missing. */
function sameSecond(a, b) {
	return a !== void 0 && b !== void 0 && Math.floor(a / 1e3) === Math.floor(b / 1e3);
}
/** `2027-01-01T00:01:40Z`. Undefined outside the years 0 to 9999, which that form cannot express. */
function utcSeconds(ms) {
	if (ms === void 0 || ms < EARLIEST_MS || ms > LATEST_MS) return void 0;
	return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
/** The value as text for messages. Always short, whatever the bundle holds. */
function shown(value) {
	if (value instanceof Uint8Array) return toHex(value);
	if (typeof value !== "string") return value === void 0 ? "nothing" : `a ${kindOf$1(value)}`;
	if (value === "") return "an empty text";
	return value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN).toWellFormed()}…`;
}
var MOST_SHOWN = 80;
var EARLIEST_MS = Date.parse("0000-01-01T00:00:00Z");
var LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");
function kindOf$1(value) {
	if (Array.isArray(value)) return "list";
	if (typeof value === "object") return "map";
	return typeof value === "boolean" ? "boolean" : "number";
}
// shared/proof/verify/report.ts
var finding = (status) => (message) => ({
	status,
	message
});
var pass = finding("pass");
var fail = finding("fail");
var warn = finding("warn");
var skip = finding("skip");
var info$1 = finding("info");
function unconfirmed(...findings) {
	return {
		findings,
		isConfirmed: false
	};
}
// shared/proof/verify/derived_hashes.ts
function derivedBlockHash(block) {
	const { id } = block;
	const previousBlockHash = hexBytes(block.previousBlockHash, 32);
	const merkleRoot = hexBytes(block.merkleRoot, 32);
	const metadataHash = mapHash("block_metadata", block);
	const keyId = hexBytes(block.signingKeyId, 4);
	if (typeof id !== "string" || previousBlockHash === void 0 || merkleRoot === void 0) return void 0;
	if (metadataHash === void 0 || keyId === void 0) return void 0;
	return blockHash$1({
		id,
		previousBlockHash,
		merkleRoot,
		metadataHash,
		keyId
	});
}
function derivedSubject(type, subject) {
	const { id, data } = subject;
	const isItem = type === "item";
	if (!isJsonObject$1(data)) return { flaw: "data" };
	const metadataHash = mapHash(isItem ? "items_metadata" : "entropy_metadata", subject);
	if (metadataHash === void 0) return { flaw: "metadata" };
	const keyId = hexBytes(subject.signingKeyId, 4);
	if (typeof id !== "string" || keyId === void 0) return { flaw: "identity" };
	return {
		hash: isItem ? itemHash({
			id,
			claimsHash: jsonHash("items_claims", data),
			metadataHash,
			keyId
		}) : observationHash({
			id,
			entropyHash: jsonHash("entropy", data),
			metadataHash,
			keyId
		}),
		data
	};
}
/** The root computed from `value` and a carried path. Undefined when the path is malformed. */
var walked = (value, path) => readOrUndefined(() => walkPath(value, decodePath(path)));
/** The hash of the metadata, or the hash that the compact layout carries in its place. */
function mapHash(domain, part) {
	if (part.metadataHash !== void 0) return hexBytes(part.metadataHash, 32);
	return isJsonObject$1(part.metadata) ? jsonHash(domain, part.metadata) : void 0;
}
function epochFinding(blockHash, entry) {
	const { chain } = entry;
	if (blockHash === void 0) return fail(`Without a block hash nothing leads to the ${chain} epoch root.`);
	const reached = walked(blockHash, entry.epochProof);
	if (reached === void 0) return fail(`The path to the ${chain} epoch root is malformed.`);
	return sameBytes(reached, hexBytes(entry.epochMerkleRoot, 32)) ? pass(`The path leads from the block hash to the ${chain} epoch root.`) : fail(`The path does not lead from the block hash to the ${chain} epoch root.`);
}
// shared/proof/lookups/lookup.ts
async function look$1(lookups, { place, path, read }) {
	const answer = await lookups.ask(place, path);
	if (answer.outcome !== "found") return answer;
	const value = read(answer.value);
	return value === void 0 ? {
		outcome: "unreachable",
		why: "its answer is not readable"
	} : {
		outcome: "found",
		value
	};
}
function memberIn$2(body, name) {
	if (typeof body !== "object" || body === null || Array.isArray(body)) return void 0;
	return Object.getOwnPropertyDescriptor(body, name)?.value;
}
function stringIn(body, name) {
	const value = memberIn$2(body, name);
	return typeof value === "string" ? value : void 0;
}
function booleanIn(body, name) {
	const value = memberIn$2(body, name);
	return typeof value === "boolean" ? value : void 0;
}
function integerIn(body, name) {
	const value = memberIn$2(body, name);
	return typeof value === "number" && Number.isSafeInteger(value) ? value : void 0;
}
/** Lookups over HTTP. Each question gets one attempt, and only status 200 is an answer. */
var httpLookups = ({ getJson, addresses }) => ({ ask: async (place, path) => {
	const answer = await getJson(`${addresses[place].replace(/\/+$/, "")}/${path}`);
	if ("failure" in answer) return {
		outcome: "unreachable",
		why: answer.failure
	};
	if (answer.status === 404) return { outcome: "absent" };
	if (answer.status !== 200) return {
		outcome: "unreachable",
		why: `it answered with status ${answer.status}`
	};
	return {
		outcome: "found",
		value: answer.body
	};
} });
var LOOKUP_PLACES = {
	horizonPublic: {
		setting: "LOOKUP_HORIZON_PUBLIC_URL",
		verifierSetting: "PHAROS_HORIZON",
		byDefault: "https://horizon.stellar.org",
		meaning: "Horizon of the public network that verifications ask"
	},
	horizonTestnet: {
		setting: "LOOKUP_HORIZON_TESTNET_URL",
		verifierSetting: "PHAROS_HORIZON_TESTNET",
		byDefault: "https://horizon-testnet.stellar.org",
		meaning: "Horizon of the test network that verifications ask"
	},
	esploraMainnet: {
		setting: "LOOKUP_ESPLORA_MAINNET_URL",
		verifierSetting: "PHAROS_ESPLORA",
		byDefault: "https://blockstream.info/api",
		meaning: "Esplora API of Bitcoin mainnet that verifications ask"
	},
	esploraTestnet: {
		setting: "LOOKUP_ESPLORA_TESTNET_URL",
		verifierSetting: "PHAROS_ESPLORA_TESTNET",
		byDefault: "https://blockstream.info/testnet/api",
		meaning: "Esplora API of the Bitcoin test network that verifications ask"
	},
	nist: {
		setting: "LOOKUP_NIST_URL",
		verifierSetting: "PHAROS_NIST",
		byDefault: "https://beacon.nist.gov/beacon/2.0",
		meaning: "NIST Randomness Beacon that verifications ask"
	}
};
var isLookupPlace = (name) => Object.hasOwn(LOOKUP_PLACES, name);
var LOOKUP_PLACE_NAMES = Object.keys(LOOKUP_PLACES).filter(isLookupPlace);
/** One address for each place. */
var lookupAddresses = (of) => ({
	horizonPublic: of("horizonPublic"),
	horizonTestnet: of("horizonTestnet"),
	esploraMainnet: of("esploraMainnet"),
	esploraTestnet: of("esploraTestnet"),
	nist: of("nist")
});
// shared/proof/lookups/public_services.ts
/** @param hash display order, 64 hex */
var bitcoinBlock = (network, hash) => ({
	place: network === "mainnet" ? "esploraMainnet" : "esploraTestnet",
	path: `block/${hash}`,
	read: (body) => {
		const height = integerIn(body, "height");
		const timestamp = integerIn(body, "timestamp");
		if (height === void 0 || timestamp === void 0) return void 0;
		return {
			id: stringIn(body, "id"),
			height,
			timestamp
		};
	}
});
/** The header of the block at a height, among the ten that the service lists from there downwards. */
var bitcoinBlockAt = (network, height) => ({
	place: network === "mainnet" ? "esploraMainnet" : "esploraTestnet",
	path: `blocks/${height}`,
	read: (body) => {
		const block = Array.isArray(body) ? body.find((one) => integerIn(one, "height") === height) : void 0;
		const merkleRoot = stringIn(block, "merkle_root");
		const timestamp = integerIn(block, "timestamp");
		return merkleRoot === void 0 || timestamp === void 0 ? void 0 : {
			merkleRoot,
			timestamp
		};
	}
});
var stellarTransaction = (network, hash) => ({
	place: horizonOf(network),
	path: `transactions/${hash}`,
	read: (body) => {
		const memoType = stringIn(body, "memo_type");
		const ledger = integerIn(body, "ledger");
		if (memoType === void 0 || ledger === void 0) return void 0;
		return {
			hash: stringIn(body, "hash"),
			successful: booleanIn(body, "successful"),
			memo_type: memoType,
			memo: stringIn(body, "memo"),
			ledger,
			created_at: stringIn(body, "created_at")
		};
	}
});
var stellarLedger = (network, sequence) => ({
	place: horizonOf(network),
	path: `ledgers/${sequence}`,
	read: (body) => {
		const hash = stringIn(body, "hash");
		const closedAt = stringIn(body, "closed_at");
		if (hash === void 0 || closedAt === void 0) return void 0;
		return {
			sequence: integerIn(body, "sequence"),
			hash,
			closed_at: closedAt
		};
	}
});
/** `public` selects the public network; any other text selects the test network. */
var horizonOf = (network) => network === "public" ? "horizonPublic" : "horizonTestnet";
var nistPulse = (chainIndex, pulseIndex) => ({
	place: "nist",
	path: `chain/${chainIndex}/pulse/${pulseIndex}`,
	read: (body) => {
		const pulse = memberIn$2(body, "pulse");
		const outputValue = stringIn(pulse, "outputValue");
		const timeStamp = stringIn(pulse, "timeStamp");
		if (outputValue === void 0 || timeStamp === void 0) return void 0;
		return {
			chainIndex: integerIn(pulse, "chainIndex"),
			pulseIndex: integerIn(pulse, "pulseIndex"),
			outputValue,
			timeStamp
		};
	}
});
// shared/proof/verify/entropy_readers.ts
var comparing = (question, agrees) => async (lookups) => {
	const answer = await look$1(lookups, question);
	return answer.outcome === "found" ? {
		outcome: "found",
		value: agrees(answer.value)
	} : answer;
};
/**
* False when the answer has another number, because it is then about another record. True when it has no
* number: the hash or output identifies it.
*/
function isNumbered(found, asked) {
	return found === void 0 || found === asked;
}
function countOf(value) {
	const integer = integerOf(value);
	return integer !== void 0 && integer >= 0 ? integer : void 0;
}
function sameIgnoringCase(found, value) {
	return typeof value === "string" && found.toLowerCase() === value.toLowerCase();
}
function sameMoment(found, value) {
	const moment = momentOf(found);
	return moment !== void 0 && moment === momentOf(value);
}
var ENTROPY_READERS = {
	entropy_nist: {
		publishedAt: (payload) => {
			const pulse = carried(payload, "pulse");
			return isJsonObject$1(pulse) ? momentOf(carried(pulse, "timeStamp")) : void 0;
		},
		question: (payload) => {
			const pulse = carried(payload, "pulse");
			if (!isJsonObject$1(pulse)) return void 0;
			const chainIndex = countOf(carried(pulse, "chainIndex"));
			const pulseIndex = countOf(carried(pulse, "pulseIndex"));
			if (chainIndex === void 0 || pulseIndex === void 0) return void 0;
			return comparing(nistPulse(chainIndex, pulseIndex), (found) => isNumbered(found.chainIndex, chainIndex) && isNumbered(found.pulseIndex, pulseIndex) && sameIgnoringCase(found.outputValue, carried(pulse, "outputValue")) && sameMoment(found.timeStamp, carried(pulse, "timeStamp")));
		}
	},
	entropy_stellar: {
		publishedAt: (payload) => momentOf(carried(payload, "closed_at")),
		question: (payload, stellarNetwork) => {
			const sequence = countOf(carried(payload, "sequence"));
			if (sequence === void 0) return void 0;
			return comparing(stellarLedger(stellarNetwork, sequence), (found) => isNumbered(found.sequence, sequence) && sameIgnoringCase(found.hash, carried(payload, "hash")) && sameMoment(found.closed_at, carried(payload, "closed_at")));
		}
	},
	entropy_bitcoin: {
		publishedAt: (payload) => {
			const seconds = integerOf(carried(payload, "time"));
			return seconds === void 0 ? void 0 : seconds * 1e3;
		},
		question: (payload) => {
			const hash = textOf$2(carried(payload, "hash"))?.toLowerCase();
			if (hash === void 0 || !/^[0-9a-f]{64}$/.test(hash)) return void 0;
			const height = carried(payload, "height");
			const time = carried(payload, "time");
			return comparing(bitcoinBlock("mainnet", hash), (found) => found.id === hash && (height === void 0 || height === found.height) && (time === void 0 || time === found.timestamp));
		}
	}
};
/**
* Undefined when the payload lacks a member that the request needs. `stellarNetwork` is where ledgers are
* looked up.
*/
var entropyQuestion = (name, payload, stellarNetwork) => isJsonObject$1(payload) ? ENTROPY_READERS[name].question(payload, stellarNetwork) : void 0;
async function confirmEntropy(lookups, name, question) {
	if (lookups === void 0) return unconfirmed(skip(`${name} was not compared with its source: external checks are off.`));
	if (question === void 0) return unconfirmed(fail(`The payload of ${name} does not say what to ask its source for.`));
	const answer = await question(lookups);
	switch (answer.outcome) {
		case "found": return answer.value ? {
			findings: [pass(`The source of ${name} has published this payload.`)],
			isConfirmed: true
		} : unconfirmed(fail(`The source of ${name} has published something else.`));
		case "absent": return unconfirmed(skip(`The source of ${name} does not have what the payload names.`));
		case "unreachable": return unconfirmed(skip(`The source of ${name} could not be asked: ${answer.why}.`));
		default: return answer;
	}
}
// shared/proof/verify/bitcoin_commitment.ts
var readBitcoinEntry = (entry) => {
	const evidence = bitcoinEvidence(entry);
	const { findings, isBare, question } = evidence;
	return {
		findings,
		isBare,
		asks: question !== void 0,
		confirm: (lookups) => confirmBitcoin(lookups, evidence)
	};
};
function bitcoinEvidence(entry) {
	const { rawTransaction, txoutproof, blockMerkleRoot } = entry;
	if (rawTransaction === void 0 && txoutproof === void 0 && blockMerkleRoot === void 0) return {
		findings: [skip("The Bitcoin entry carries no transaction, txoutproof or block Merkle root to check.")],
		isBare: true,
		question: void 0
	};
	const ofTransaction = transactionFindings(entry);
	const proof = decoded(txoutproof, readTxoutproof);
	const ofProof = proofFindings(entry, proof);
	const agrees = [
		ofTransaction[0],
		ofTransaction[1],
		ofProof[0]
	].every((finding) => finding?.status === "info");
	return {
		findings: [...ofTransaction, ...ofProof],
		isBare: false,
		question: agrees && proof !== void 0 ? blockQuestion(entry, proof) : void 0
	};
}
/** The report row about the network. */
async function confirmBitcoin(lookups, { question }) {
	if (lookups === void 0) return unconfirmed(skip("The Bitcoin block was not looked up: external checks are off."));
	if (question === void 0) return unconfirmed(skip("The Bitcoin block was not looked up: that takes a public network, a height and bytes that agree."));
	const { network, hash, height, headerTime } = question;
	const answer = await look$1(lookups, bitcoinBlock(network, hash));
	switch (answer.outcome) {
		case "found": {
			const { id, height: found } = answer.value;
			if (id !== hash) return unconfirmed(fail(`Asked for Bitcoin block ${hash}, ${network} answered about another one.`));
			if (found !== height) return unconfirmed(fail(`Bitcoin ${network} has block ${hash} at height ${found}, not ${height}.`));
			return {
				findings: [pass(`Bitcoin ${network} has block ${hash} at height ${height}.`)],
				isConfirmed: true,
				shownAt: headerTime
			};
		}
		case "absent": return unconfirmed(fail(`Bitcoin ${network} does not know block ${hash}.`));
		case "unreachable": return unconfirmed(skip(`Bitcoin block ${hash} could not be looked up: ${answer.why}.`));
		default: return answer;
	}
}
/** The report rows a and b. */
function transactionFindings({ rawTransaction, transactionHash, epochMerkleRoot }) {
	if (rawTransaction === void 0) return [skip("No raw Bitcoin transaction is carried.")];
	const transaction = decoded(rawTransaction, readTransaction);
	const hasNoHash = skip("No transaction hash is carried to compare the raw Bitcoin transaction with.");
	if (transaction === void 0) {
		const undecodable = fail("The raw Bitcoin transaction cannot be decoded.");
		return [undecodable, transactionHash === void 0 ? hasNoHash : undecodable];
	}
	return [opReturnFinding(transaction, epochMerkleRoot), transactionHash === void 0 ? hasNoHash : idFinding(transaction, transactionHash)];
}
function opReturnFinding(transaction, epochMerkleRoot) {
	const pushed = opReturnOf(transaction);
	if (pushed === void 0) return fail("The raw Bitcoin transaction has no OP_RETURN output.");
	return sameBytes(pushed, hexBytes(epochMerkleRoot, 32)) ? info$1("The OP_RETURN of the raw Bitcoin transaction is the epoch root.") : fail(`The OP_RETURN of the raw Bitcoin transaction is ${shown(pushed)}, not the epoch root.`);
}
function idFinding(transaction, transactionHash) {
	const id = transactionId(transaction);
	return sameBytes(hexBytes(id, 32), hexBytes(transactionHash, 32)) ? info$1(`The raw Bitcoin transaction is ${id}.`) : fail(`The raw Bitcoin transaction is ${id}, not ${shown(transactionHash)}.`);
}
/** The report rows c and d. */
function proofFindings(entry, proof) {
	if (entry.txoutproof === void 0) return [skip("No txoutproof is carried.")];
	if (proof === void 0) return [fail("The txoutproof cannot be decoded.")];
	return [treeFinding(proof, entry), headerFinding(proof, entry)];
}
/**
* The work comes first, so that it is checked without a transaction hash too. Whoever leaves the whole txoutproof out
* leaves this check out: the row says `skip`, and the verdict warns (`lacksBlock`).
*/
function treeFinding(proof, { transactionHash, network }) {
	if (!hasWorkOf(network, proof.header)) return fail("The header in the txoutproof took too little work for a block of the network that its commitment names.");
	if (transactionHash === void 0) return skip("No transaction hash is carried to find in the txoutproof.");
	if (!proof.isValid) return fail("The tree of the txoutproof does not lead to the Merkle root of its header.");
	const wanted = hexBytes(transactionHash, 32)?.reverse();
	return proof.matched.some((leaf) => sameBytes(leaf, wanted)) ? info$1(`The txoutproof holds transaction ${shown(transactionHash)}.`) : fail(`The txoutproof does not hold transaction ${shown(transactionHash)}.`);
}
/**
* Compares the carried time with the header's. The signature does not cover the carried time, so a time that
* the header does not show is not proved.
*/
function headerFinding({ fields }, { blockMerkleRoot, timestamp }) {
	const wanted = hexBytes(blockMerkleRoot, 32)?.reverse();
	if (blockMerkleRoot !== void 0 && !sameBytes(fields.merkleRoot, wanted)) return fail(`The header in the txoutproof has Merkle root ${displayHash(fields.merkleRoot)}, not ${shown(blockMerkleRoot)}.`);
	if (timestamp !== void 0 && !sameSecond(momentOf(timestamp), fields.time * 1e3)) return fail(`The header in the txoutproof is of ${utcSeconds(fields.time * 1e3)}, not of ${shown(timestamp)}.`);
	if (blockMerkleRoot === void 0) return skip("No Bitcoin block Merkle root is carried.");
	return info$1(`The carried Bitcoin block Merkle root ${timestamp === void 0 ? "is that" : "and time are those"} of the header in the txoutproof.`);
}
function blockQuestion({ network, blockHeight }, { header, fields }) {
	const height = integerOf(blockHeight);
	if (network !== "mainnet" && network !== "testnet" || height === void 0) return void 0;
	return {
		network,
		hash: headerHash(header),
		height,
		headerTime: fields.time * 1e3
	};
}
/** Whether a part is missing that ties the epoch to a block, so that nothing offline shows which chain it is on. */
var lacksBlock = ({ rawTransaction, transactionHash, txoutproof }) => rawTransaction === void 0 || transactionHash === void 0 || txoutproof === void 0;
/** Whether the header that is carried is one of a development chain, whatever network the entry names. */
function hasDevelopmentHeader({ txoutproof }) {
	const header = decoded(txoutproof, (bytes) => readHeader(bytes.subarray(0, 80)));
	return header !== void 0 && isOfDevelopmentChain(header);
}
/** Undefined when it is absent or cannot be parsed. */
var decoded = (value, read) => typeof value === "string" ? readOrUndefined(() => read(hexOrBase64Url(value))) : void 0;
// shared/proof/verify/stellar_commitment.ts
/** An entry carries no bytes, so everything is asked from the network. */
var readStellarEntry = (entry) => ({
	findings: [],
	isBare: false,
	asks: stellarQuestion(entry) !== void 0,
	confirm: (lookups) => confirmStellar(lookups, entry)
});
/** The hash of the transaction to ask for. Undefined when the entry has no well-formed one. */
function stellarQuestion(entry) {
	return hexBytes(entry.transactionHash, 32) === void 0 ? void 0 : textOf$2(entry.transactionHash);
}
async function confirmStellar(lookups, entry) {
	if (lookups === void 0) return unconfirmed(skip("The Stellar transaction was not looked up: external checks are off."));
	if (entry.transactionHash === void 0) return unconfirmed(skip("The Stellar entry names no transaction to look up."));
	const hash = stellarQuestion(entry);
	if (hash === void 0) return unconfirmed(fail(`${shown(entry.transactionHash)} is not the hash of a Stellar transaction.`));
	const network = textOf$2(entry.network) ?? "";
	const answer = await look$1(lookups, stellarTransaction(network, hash));
	switch (answer.outcome) {
		case "found": return compared$1(entry, hash, answer.value);
		case "absent": return network === "public" || network === "testnet" ? unconfirmed(fail(`Stellar ${network} does not know transaction ${hash}.`)) : unconfirmed(skip(`Stellar transaction ${hash} was not found, on a network we do not know by name.`));
		case "unreachable": return unconfirmed(skip(`Stellar transaction ${hash} could not be looked up: ${answer.why}.`));
		default: return answer;
	}
}
/** Stops at the first disagreement. */
function compared$1(entry, hash, transaction) {
	if (transaction.hash !== hash) return unconfirmed(fail(`Asked for Stellar transaction ${hash}, the network answered about another one.`));
	if (transaction.successful !== true) return unconfirmed(fail("The Stellar transaction was not successful, so it has no memo that counts."));
	if (!sameBytes(transaction.memo_type === "hash" ? base64Bytes(transaction.memo, 32) : void 0, hexBytes(entry.epochMerkleRoot, 32))) return unconfirmed(fail("The memo of the Stellar transaction is not the epoch root."));
	const ofMemo = pass("The memo of the Stellar transaction is the epoch root.");
	const shownAt = momentOf(transaction.created_at);
	const disagreement = ledgerDisagreement(entry, transaction, shownAt);
	if (disagreement !== void 0) return unconfirmed(ofMemo, fail(disagreement));
	const closed = utcSeconds(shownAt);
	const when = closed === void 0 ? "" : `, closed at ${closed}`;
	return {
		findings: [ofMemo, pass(`The Stellar transaction is in ledger ${transaction.ledger}${when}.`)],
		isConfirmed: true,
		shownAt
	};
}
function ledgerDisagreement({ ledger, timestamp }, transaction, closedAt) {
	if (ledger !== void 0 && ledger !== transaction.ledger) return `The Stellar transaction is in ledger ${transaction.ledger}, not the one carried.`;
	if (timestamp !== void 0 && !sameSecond(momentOf(timestamp), closedAt)) return `The ledger of the Stellar transaction closed at ${utcSeconds(closedAt) ?? "a time it does not tell"}, not at the time carried.`;
}
// shared/proof/verify/facts.ts
/** Takes time linear in the size of the bundle. */
function factsOf$1(bundle) {
	/** 32 bytes. */
	const publicKey = base64Bytes(bundle.publicKey, 32);
	const blockHash = derivedBlockHash(bundle.block);
	/** Undefined for blocks and beacons. */
	const subject = mapped(bundle.subject, (carried) => derivedSubject(bundle.type, carried));
	const witnesses = witnessFacts(bundle.subject);
	const keyEvent = keyEventFact(bundle.signingKeyEvent);
	return {
		publicKey,
		/** 4 bytes, derived. */
		keyId: mapped(publicKey, keyIdOf),
		subject,
		/** For blocks and beacons, the block hash. */
		subjectHash: bundle.subject === void 0 ? blockHash : subject?.hash,
		blockHash,
		witnesses,
		keyEvent,
		chains: chainEvidence(bundle, keyEvent),
		entropy: entropyQuestions(bundle, witnesses)
	};
}
/** Evidence of each entry, including the entries of the key event, chain by chain. */
function chainEvidence({ commitments }, keyEvent) {
	const entries = [...commitments, ...keyEvent?.commitments ?? []].filter((entry) => entry !== void 0);
	return new Map(CHAIN_NAMES.flatMap((chain) => entries.filter((entry) => entry.chain === chain).map((entry) => [entry, CHAIN_READERS[chain](entry)])));
}
function mapped(value, to) {
	return value === void 0 ? void 0 : to(value);
}
/** The questions to entropy sources: first about the subject, then about matched witnesses by name. */
function entropyQuestions({ type, subject, commitments }, witnesses) {
	const stellar = commitments.find((entry) => entry.chain === "stellar");
	const network = stellar === void 0 ? "public" : textOf$2(stellar.network) ?? "";
	const ofSubject = isEntropyName(type) ? [{
		name: type,
		isWitness: false,
		question: entropyQuestion(type, subject?.data, network)
	}] : [];
	const ofWitnesses = witnesses.flatMap(({ name, state, detail }) => state === "matched" && isEntropyName(name) ? [{
		name,
		isWitness: true,
		question: entropyQuestion(name, detail, network)
	}] : []);
	return [...ofSubject, ...ofWitnesses];
}
var CHAIN_READERS = {
	stellar: readStellarEntry,
	bitcoin: readBitcoinEntry
};
/** All names that are committed or carried, sorted. */
function witnessFacts(subject) {
	if (subject === void 0) return [];
	const committed = membersOf$1(subject.committedWitnesses);
	const details = membersOf$1(subject.witnesses);
	return [.../* @__PURE__ */ new Set([...Object.keys(committed), ...Object.keys(details).filter((name) => carried(details, name) !== void 0)])].sort().map((name) => witnessFact(name, committed, carried(details, name)));
}
function witnessFact(name, committed, carriedDetail) {
	const detail = isJsonObject$1(carriedDetail) ? carriedDetail : void 0;
	const isBlock = name === "block";
	const nothing = {
		name,
		detail,
		hash: void 0,
		publishedAt: void 0
	};
	if (!isBlock && !isEntropyName(name)) return {
		...nothing,
		state: "unknown"
	};
	if (carriedDetail === void 0) return {
		...nothing,
		state: "not_carried"
	};
	if (!Object.hasOwn(committed, name)) return {
		...nothing,
		state: "not_committed"
	};
	if (detail === void 0) return {
		...nothing,
		state: "unmatched"
	};
	const hash = isBlock ? derivedBlockHash(readBlock(detail)) : jsonHash("entropy", detail);
	const isMatched = sameBytes(hash, hexBytes(memberOf(committed, name) ?? void 0, 32));
	const publishedAt = isEntropyName(name) ? ENTROPY_READERS[name].publishedAt(detail) : uuid7Time(textOf$2(carried(detail, "id")) ?? "");
	return {
		name,
		state: isMatched ? "matched" : "unmatched",
		detail,
		hash,
		publishedAt
	};
}
/** Empty when the value is not a map. */
function membersOf$1(value) {
	return isJsonObject$1(value) ? value : {};
}
/** Undefined when there is no block map with a key event. */
function keyEventFact(signingKeyEvent) {
	const block = isJsonObject$1(signingKeyEvent) ? carried(signingKeyEvent, "block") : void 0;
	const metadata = isJsonObject$1(block) ? carried(block, "metadata") : void 0;
	const event = isJsonObject$1(metadata) ? carried(metadata, "key_event") : void 0;
	if (!isJsonObject$1(signingKeyEvent) || !isJsonObject$1(block) || !isJsonObject$1(event)) return void 0;
	if (!KEY_EVENT_TYPES.has(carried(event, "type"))) return void 0;
	const entries = carried(signingKeyEvent, "commitments") ?? [];
	return {
		event,
		blockHash: derivedBlockHash(readBlock(block)),
		commitments: Array.isArray(entries) ? entries.map(readEntry) : void 0
	};
}
/** `chainFindings` returns the rows that the chain of an entry adds to the row of its path. */
function keyEventFindings(bundle, fact, keyId, chainFindings) {
	if (bundle.signingKeyEvent === void 0) return [skip("No signing key event is carried.")];
	if (fact === void 0) return [fail("The signing key event has no block that tells of a known kind of key event.")];
	const { event, blockHash, commitments } = fact;
	const findings = [
		typeof bundle.publicKey === "string" && carried(event, "public_key") === bundle.publicKey ? pass("The key event introduced the public key of this bundle.") : fail("The key event introduced another public key than that of this bundle."),
		sameBytes(hexBytes(carried(event, "key_id"), 4), keyId) ? pass(`The key event names the key id ${shown(keyId)}.`) : fail(`The key event names the key id ${shown(carried(event, "key_id"))}, not the derived one.`),
		info$1(`It is a ${shown(carried(event, "type"))} with sequence ${sequenceOf(event)}.`)
	];
	if (blockHash === void 0) return [...findings, fail("The block of the key event is incomplete or malformed.")];
	findings.push(pass(`The block of the key event hashes to ${shown(blockHash)}.`));
	if (commitments === void 0) return [...findings, fail("The commitments of the key event are no list.")];
	if (commitments.length === 0) return [...findings, skip("The key event carries no commitments.")];
	for (const entry of commitments) if (entry === void 0) findings.push(fail("A commitment of the key event is malformed."));
	else findings.push(epochFinding(blockHash, entry), ...chainFindings(entry));
	return findings;
}
var KEY_EVENT_TYPES = /* @__PURE__ */ new Set([
	"genesis",
	"rotation",
	"emergency_rotation"
]);
function sequenceOf(event) {
	const sequence = carried(event, "sequence");
	return integerOf(sequence)?.toString() ?? shown(sequence);
}
// shared/proof/verify/examination.ts
/** Counts different questions. Correct bundles have fewer than ten. */
var MAX_LOOKUPS = 16;
/**
* Limits the number of lookups, because one bundle can name thousands of transactions and each question may take its
* full time.
* Asks the same question only once. Questions after the last allowed one count as unreachable.
*/
function limitedLookups(lookups, limit = MAX_LOOKUPS) {
	let left = limit;
	const asked = /* @__PURE__ */ new Map();
	return { ask: (place, path) => {
		const key = `${place} ${path}`;
		const known = asked.get(key);
		if (known !== void 0) return known;
		if (left === 0) return Promise.resolve({
			outcome: "unreachable",
			why: `one bundle may ask ${limit} questions`
		});
		left--;
		const answer = lookups.ask(place, path);
		asked.set(key, answer);
		return answer;
	} };
}
/** Sends all questions at once. Each has its own time limit. */
async function answersOf(bundle, lookups) {
	const facts = factsOf$1(bundle);
	const limited = lookups === void 0 ? void 0 : limitedLookups(lookups);
	const chains = [...facts.chains].map(([entry, { confirm }]) => [entry, confirm(limited)]);
	const entropy = facts.entropy.map(async ({ name, isWitness, question }) => ({
		name,
		isWitness,
		verdict: await confirmEntropy(limited, name, question)
	}));
	const [settled, entropyVerdicts] = await Promise.all([Promise.all(chains.map(async ([entry, verdict]) => [entry, await verdict])), Promise.all(entropy)]);
	return {
		facts,
		chains: new Map(settled),
		entropy: entropyVerdicts
	};
}
// shared/proof/signed_payload.ts
/** Frozen. Block and beacon (10 and 11) are *block-like*; only the code tells them apart. */
var TYPE_CODES = {
	block: 10,
	beacon: 11,
	item: 20,
	...ENTROPY_CODES
};
var isProofType = (value) => typeof value === "string" && Object.hasOwn(TYPE_CODES, value);
/**
* 81 + 32 N bytes.
* @throws RangeError when a part has the wrong size, because no part is length-prefixed and the rest would
* shift
*/
function signedPayload(parts) {
	return joinBytes([
		u8(PAYLOAD_VERSION),
		u16(parts.typeCode),
		sized(parts.keyId, 4),
		u64(parts.generatedAtMs),
		sized(parts.subjectHash, 32),
		sized(parts.blockHash, 32),
		u16(parts.epochRoots.length),
		...parts.epochRoots.map((root) => sized(root, 32))
	]);
}
/** `D(0x61, payload)`, 32 bytes: the digest that Ed25519 signs. */
function signedPayloadDigest(parts) {
	return domainHash("proof", signedPayload(parts));
}
var PAYLOAD_VERSION = 1;
function sized(bytes, size) {
	if (bytes.length !== size) throw new RangeError(`a part of the signed payload has ${bytes.length} bytes, not ${size}`);
	return bytes;
}
// shared/proof/verify/signature_checks.ts
function signingKey({ facts }) {
	return facts.keyId === void 0 ? [fail("The public key is not base64 of 32 bytes.")] : [pass(`The public key has the key id ${toHex(facts.keyId)}.`)];
}
function proofSignature({ bundle, facts, verifySignature }) {
	const { publicKey } = facts;
	const signature = base64Bytes(bundle.signature, 64);
	const digest = signedDigest({
		bundle,
		facts
	});
	if (publicKey === void 0 || signature === void 0 || digest === void 0) return [fail("The signature cannot be checked: something it covers, the key or the signature itself is broken.")];
	return verifySignature(publicKey, digest, signature) ? [pass("The signature covers type, time, subject, block and epoch roots, and is that of the public key.")] : [fail("The signature is not that of the public key over this bundle.")];
}
function keyBinding({ bundle, facts, keyrings }) {
	if (facts.keyId === void 0) return [fail("Without a public key there is nothing to look for in a keyring.")];
	const keyId = toHex(facts.keyId);
	const isItsOwn = (key) => key.key_id === keyId && key.public_key === bundle.publicKey;
	const holders = keyrings.filter((keyring) => keyring.keys.some(isItsOwn));
	const holder = holders.find((keyring) => keyring.own === true) ?? holders[0];
	if (holder !== void 0) return [pass(`Key ${keyId} is in the keyring of ${nameOf$1(holder)}.`)];
	const rival = keyrings.find((keyring) => keyring.keys.some((key) => key.key_id === keyId));
	if (rival !== void 0) return [fail(`The keyring of ${nameOf$1(rival)} has another public key under the key id ${keyId}.`)];
	const missing = keyrings.filter((keyring) => keyring.unloaded === true).map(({ name }) => shown(name));
	return [fail(`Key ${keyId} is not known here: it is in no keyring that is trusted.${missing.length === 0 ? "" : ` These keyrings could not be loaded: ${missing.join(", ")}.`}`)];
}
function nameOf$1(keyring) {
	return keyring.own === true ? "this service" : shown(keyring.name);
}
/** Undefined when a part of the payload is missing or malformed. */
function signedDigest({ bundle, facts }) {
	const { keyId, subjectHash, blockHash } = facts;
	const generatedAtMs = signingTime(textOf$2(bundle.generatedAt));
	const epochRoots = [];
	for (const entry of bundle.commitments) {
		const root = hexBytes(entry.epochMerkleRoot, 32);
		if (root === void 0) return void 0;
		epochRoots.push(root);
	}
	if (bundle.surplus.includes("commitments")) return void 0;
	if (bundle.version !== 1 || epochRoots.length > MOST_COMMITMENTS || generatedAtMs === void 0) return void 0;
	if (keyId === void 0 || subjectHash === void 0 || blockHash === void 0) return void 0;
	const typeCode = TYPE_CODES[bundle.type];
	return signedPayloadDigest({
		typeCode,
		keyId,
		generatedAtMs,
		subjectHash,
		blockHash,
		epochRoots
	});
}
/** The signed payload holds the number of commitments in 16 bits. */
var MOST_COMMITMENTS = 65535;
/**
* Accepts whole seconds in one spelling only, because any other spelling would be the same time in other
* bytes.
*/
function signingTime(text) {
	if (text === void 0 || text.length !== 20) return void 0;
	const ms = text.endsWith("Z") ? instantMs(text) : void 0;
	return ms !== void 0 && ms >= 0 ? ms : void 0;
}
BigInt(Number.MAX_SAFE_INTEGER);
// shared/proof/claims.ts
/** Length of each digest in hex characters. */
var HASH_TYPES = {
	md5: 32,
	sha1: 40,
	sha224: 56,
	sha256: 64,
	sha384: 96,
	sha512: 128,
	sha3_224: 56,
	sha3_256: 64,
	sha3_384: 96,
	sha3_512: 128,
	blake2s: 64,
	blake2b: 128
};
function isHashType(name) {
	return Object.hasOwn(HASH_TYPES, name);
}
/** blake2s and blake2b in their full lengths, which are the ones we publish. */
var OPENSSL_NAMES = {
	md5: "md5",
	sha1: "sha1",
	sha224: "sha224",
	sha256: "sha256",
	sha384: "sha384",
	sha512: "sha512",
	sha3_224: "sha3-224",
	sha3_256: "sha3-256",
	sha3_384: "sha3-384",
	sha3_512: "sha3-512",
	blake2s: "blake2s256",
	blake2b: "blake2b512"
};
// shared/proof/verify/subject_checks.ts
function hashComparison({ bundle, expectedHash }) {
	if (bundle.type !== "item") return expectedHash === void 0 ? [] : [skip("An expected hash is only compared with the claims of an item.")];
	const claimed = claimedHash(bundle.subject);
	if (expectedHash === void 0) return claimed === void 0 ? [] : [warn("The item claims a hash, but no expected hash was given to compare it with.")];
	if (claimed === void 0) return [warn("The item claims no hash to compare the expected hash with.")];
	return isSameHash(expectedHash, claimed) ? [pass("The claimed hash is the expected one.")] : [fail(`The claimed hash ${shown(claimed)} is not the expected ${shown(expectedHash)}.`)];
}
function subjectData({ bundle, facts }) {
	const { subject } = bundle;
	if (subject === void 0 || facts.subject === void 0) return [];
	if (facts.subject.hash === void 0) return [flawFinding(bundle, facts.subject.flaw)];
	return [
		pass(`The ${dataName(bundle)} of the subject are hashed.`),
		subject.metadataHash === void 0 ? pass("The metadata of the subject is hashed.") : skip("The metadata of the subject is carried as its hash only."),
		pass(`The subject hashes to ${shown(facts.subject.hash)}.`),
		...dataFindings(bundle, subject, facts.subject.data)
	];
}
/** Milliseconds since 1970, from the id of an item. */
function itemTime(subject) {
	const id = textOf$2(subject.id);
	return id !== void 0 && isUlid(id) ? ulidTime(id) : void 0;
}
/** Ignores case. Takes constant time. */
function isSameHash(expected, claimed) {
	return bytesEqual(utf8(expected.toLowerCase().toWellFormed()), utf8(claimed.toLowerCase()));
}
function claimedHash(subject) {
	return isJsonObject$1(subject?.data) ? textOf$2(carried(subject.data, "hash")) : void 0;
}
var STALE_MS = 6048e5;
function dataName({ type }) {
	return type === "item" ? "claims" : "captured values";
}
function flawFinding(bundle, flaw) {
	switch (flaw) {
		case "data": return fail(`The subject carries no ${dataName(bundle)}.`);
		case "metadata": return fail("The metadata hash of the subject is malformed.");
		case "identity": return {
			...fail("The id or the signing key id of the subject is missing or malformed."),
			category: "data_integrity"
		};
		default: return flaw;
	}
}
function dataFindings({ type }, subject, data) {
	const findings = [];
	if (holdsUnportableInteger(data)) findings.push(warn("An integer beyond 2^53 is not portable: other readers may round it and get another hash."));
	if (type !== "item") return findings;
	return [
		...findings,
		...hashTypeFindings(data),
		...claimTimeFindings(data, itemTime(subject))
	];
}
/** A number counts as an integer when its canonical text shows one. From 1e21 on the text has an exponent. */
function holdsUnportableInteger(value) {
	switch (typeof value) {
		case "number": return Math.abs(value) > 2 ** 53 && Math.abs(value) < 1e21;
		case "bigint": return value > TWO_TO_53 || value < -TWO_TO_53;
		case "object":
			if (value === null) return false;
			if (Array.isArray(value)) return value.some(holdsUnportableInteger);
			for (const name of Object.keys(value)) if (holdsUnportableInteger(value[name] ?? null)) return true;
			return false;
		default: return false;
	}
}
var TWO_TO_53 = 1n << 53n;
function hashTypeFindings(claims) {
	const hash = textOf$2(carried(claims, "hash"));
	const type = textOf$2(carried(claims, "hash_type"));
	if (hash === void 0 || type === void 0) return [];
	const category = "data_integrity";
	if (!isHashType(type)) return [{
		...warn(`${shown(type)} is no known hash type.`),
		category
	}];
	return isHex(hash) && hash.length === HASH_TYPES[type] ? [{
		...info$1(`The claimed hash has the form of ${type}.`),
		category
	}, ...weakness(type)] : [{
		...warn(`The claimed hash does not have the form of ${type}.`),
		category
	}];
}
/** Empty unless somebody can make two files with one digest of this type. */
var weakness = (type) => type === "md5" || type === "sha1" ? [{
	...warn(`Two files with one ${type} digest can be made.`),
	category: "data_integrity"
}] : [];
function claimTimeFindings(claims, submittedAt) {
	const claimedAt = momentOf(carried(claims, "timestamp"));
	if (claimedAt === void 0 || submittedAt === void 0) return [];
	const category = "timing";
	if (claimedAt > submittedAt) return [{
		...warn("This is a future-dated claim: its timestamp is later than its submission."),
		category
	}];
	return submittedAt - claimedAt > STALE_MS ? [{
		...warn("This is a stale claim: its timestamp is more than 7 days before its submission."),
		category
	}] : [];
}
// shared/proof/verify/timing_checks.ts
function temporalOf(bundle) {
	const { subject, type, commitments } = bundle;
	const claims = type === "item" && isJsonObject$1(subject?.data) ? subject.data : void 0;
	const first = (chain) => momentOf(commitments.find((entry) => entry.chain === chain)?.timestamp);
	const existing = [
		["claimed_at", claims === void 0 ? void 0 : momentOf(carried(claims, "timestamp"))],
		[type === "item" ? "submitted_at" : "captured_at", subjectTime(bundle)],
		["committed_at", blockTime(bundle)],
		...CHAIN_NAMES.map((chain) => [`${chain}_commit`, first(chain)])
	].flatMap(([name, ms]) => {
		const text = utcSeconds(ms);
		return text === void 0 ? [] : [[name, text]];
	});
	return Object.fromEntries(existing);
}
function submissionWindow({ bundle }) {
	const ofSubject = subjectTime(bundle);
	const ofBlock = blockTime(bundle);
	if (ofSubject === void 0 || ofBlock === void 0) return [];
	return ofSubject <= ofBlock ? [pass("The time in the id of the subject is not after that in the id of the block.")] : [fail("The time in the id of the subject is after that in the id of the block.")];
}
function temporalInfo({ temporal }) {
	const times = Object.entries(temporal).map(([name, time]) => `${name} ${time}`);
	return [info$1(times.length === 0 ? "The bundle tells no times." : `Times as carried: ${times.join(", ")}.`)];
}
function submittedBefore({ bundle, chains }) {
	const shownAt = ({ entry }) => {
		const verdict = chains.get(entry);
		return verdict?.isConfirmed === true ? verdict.shownAt : void 0;
	};
	const entries = bundle.commitments.map((entry) => ({
		entry,
		shownAt: shownAt({ entry })
	}));
	const blockMade = blockTime(bundle);
	const tooEarly = entries.find((one) => blockMade !== void 0 && one.shownAt !== void 0 && one.shownAt < blockMade - MOST_AHEAD_MS);
	if (tooEarly !== void 0) return [fail(`A commitment to ${tooEarly.entry.chain} is of ${utcSeconds(tooEarly.shownAt)}, long before the time in the id of the block it is about.`)];
	const isShown = (one) => sameSecond(momentOf(one.entry.timestamp), one.shownAt);
	const confirmed = earliest(entries.filter(isShown));
	const unconfirmed = earliest(entries.filter((one) => !isShown(one)));
	if (confirmed === void 0) return [info$1(unconfirmed === void 0 ? "No commitment tells before what time the subject existed." : `The bundle names ${utcSeconds(unconfirmed)} as the time of a commitment; no chain confirmed it.`)];
	const edge = pass(`The subject existed before ${utcSeconds(confirmed)}, the time that the chain shows for its commitment.`);
	return unconfirmed !== void 0 && unconfirmed < confirmed ? [edge, info$1(`A commitment that no chain confirmed names ${utcSeconds(unconfirmed)}.`)] : [edge];
}
/**
* A chain may show a time up to this much before the time in the block's id, because a miner's clock may be
* slow. An earlier time is a failure.
*/
var MOST_AHEAD_MS = 72e5;
/** Milliseconds since 1970, from the id of the item or observation. */
function subjectTime({ type, subject }) {
	if (subject === void 0) return void 0;
	return type === "item" ? itemTime(subject) : uuid7Time(textOf$2(subject.id) ?? "");
}
function blockTime({ block }) {
	return uuid7Time(textOf$2(block.id) ?? "");
}
function earliest(entries) {
	let found;
	for (const { entry } of entries) {
		const moment = momentOf(entry.timestamp);
		if (moment !== void 0 && utcSeconds(moment) !== void 0 && (found === void 0 || moment < found)) found = moment;
	}
	return found;
}
function witnesses({ bundle, facts }) {
	if (bundle.layout === "compact") return [skip("The compact layout carries no witnesses.")];
	if (bundle.subject === void 0) return [skip("Only an item has witnesses.")];
	const broken = brokenFindings(bundle.subject);
	if (facts.witnesses.length === 0 && broken.length === 0) return [skip("No witness is committed or carried.")];
	const submittedAt = bundle.type === "item" ? itemTime(bundle.subject) : void 0;
	const found = facts.witnesses.flatMap((witness) => [
		stateFinding(witness),
		...witness.name === "block" && witness.state === "matched" ? [positionFinding(bundle, witness.hash)] : [],
		...lateFindings(witness, submittedAt)
	]);
	return [...broken, ...found];
}
function submittedAfter({ bundle, facts, entropy }) {
	if (bundle.subject === void 0) return [skip("A block is not submitted.")];
	const shownOnes = facts.witnesses.filter(({ state }) => state === "matched" || state === "unmatched");
	if (shownOnes.length === 0) return [info$1("No witness tells after what the subject was submitted.")];
	const isConfirmed = ({ name }) => entropy.some((asked) => asked.isWitness && asked.name === name && asked.verdict.isConfirmed);
	const latestConfirmed = latest(shownOnes.filter(isConfirmed));
	const latestMatched = latest(shownOnes.filter(({ state }) => state === "matched"));
	return [...shownOnes.map(publishedFinding), edgeFinding(latestConfirmed, latestMatched)];
}
/** Witnesses are identified by name. When the names cannot be read, nothing can be checked. */
function brokenFindings({ committedWitnesses: committed, witnesses: details }) {
	return [...committed === void 0 || isJsonObject$1(committed) ? [] : [fail("The witnesses that the metadata commits to are no map.")], ...details === void 0 || isJsonObject$1(details) ? [] : [fail("The carried witnesses are no map.")]];
}
function stateFinding({ name, state }) {
	switch (state) {
		case "unknown": return skip(`${shown(name)} is no witness we know.`);
		case "not_carried": return skip(`The witness ${name} is committed to, but not carried.`);
		case "not_committed": return fail(`The witness ${name} is carried, but the metadata does not commit to it.`);
		case "matched": return pass(`The witness ${name} hashes to what the metadata commits to.`);
		case "unmatched": return fail(`The witness ${name} does not hash to what the metadata commits to.`);
		default: return state;
	}
}
/** Checks that the head of the ledger at submission comes before the block that holds the item. */
function positionFinding({ block, blockPath }, head) {
	const previous = hexBytes(block.previousBlockHash, 32);
	if (sameBytes(previous, head)) return pass("The block follows the witnessed head of the ledger directly.");
	return sameBytes(previous, endOfPath(blockPath, head)) ? pass("The block follows the witnessed head of the ledger through the carried blocks.") : fail("Nothing carried links the block to the witnessed head of the ledger.");
}
/** The hash of the last block of a path that starts at `head`. Undefined when the blocks do not link. */
function endOfPath(blockPath, head) {
	if (!Array.isArray(blockPath) || blockPath.length === 0) return void 0;
	let hash = head;
	for (const map of blockPath) {
		if (!isJsonObject$1(map)) return void 0;
		const block = readBlock(map);
		if (!sameBytes(hexBytes(block.previousBlockHash, 32), hash)) return void 0;
		hash = derivedBlockHash(block);
	}
	return hash;
}
function lateFindings({ name, state, publishedAt }, submittedAt) {
	if (name === "block" || state !== "matched" || publishedAt === void 0 || submittedAt === void 0) return [];
	return publishedAt > submittedAt ? [warn(`The witness ${name} was published after the time in the item's id.`)] : [];
}
function publishedFinding({ name, state, publishedAt }) {
	if (state !== "matched") return info$1(`The witness ${name} is not counted: it does not match.`);
	const time = utcSeconds(publishedAt);
	return info$1(time === void 0 ? `The witness ${name} tells no time.` : `The witness ${name} was published at ${time}.`);
}
function edgeFinding(confirmed, matched) {
	if (confirmed !== void 0) return pass(`The subject was submitted after ${utcSeconds(confirmed)}, confirmed by a public source.`);
	return info$1(matched === void 0 ? "No matched witness tells after what time the subject was submitted." : `The subject was submitted after ${utcSeconds(matched)}, as far as the witnesses go that no source confirmed.`);
}
function latest(facts) {
	const times = facts.flatMap(({ publishedAt }) => publishedAt === void 0 || utcSeconds(publishedAt) === void 0 ? [] : [publishedAt]);
	return times.length === 0 ? void 0 : Math.max(...times);
}
// shared/proof/verify/verify_bundle.ts
/** Never throws because of what a bundle holds: every problem is a row. */
async function verifyBundle(read, { expectedHash, keyrings, lookups, verifySignature: verifySignature$3 = verifySignature }) {
	const normalized = expectedHash?.trim().toLowerCase();
	const temporal = temporalOf(read);
	const steps = rowsOf$1({
		bundle: read,
		expectedHash: normalized,
		keyrings,
		verifySignature: verifySignature$3,
		temporal,
		...await answersOf(read, lookups)
	});
	const count = (status) => steps.filter((row) => row.status === status).length;
	const id = shortText((read.subject ?? read.block).id);
	const claimed = read.type === "item" ? claimedHash(read.subject) : void 0;
	const failed = count("fail");
	return {
		id,
		source: read.type,
		subject_id: id,
		subject_type: read.type,
		proof_version: integerOf(read.version) ?? null,
		generated_at: shortText(read.generatedAt),
		passed: failed === 0,
		skipped_external: lookups === void 0,
		hash_provided: normalized ?? null,
		expected_hash_provided: normalized !== void 0,
		hash_matched: normalized !== void 0 && claimed !== void 0 && isSameHash(normalized, claimed),
		temporal,
		steps,
		pass_count: count("pass"),
		failed_count: failed,
		warn_count: count("warn"),
		skip_count: count("skip"),
		info_count: count("info")
	};
}
/** Null for a value that is not text, and for text longer than any id or time. */
function shortText(value) {
	const text = textOf$2(value);
	return text === void 0 || text.length > LONGEST_TEXT$1 ? null : text;
}
var LONGEST_TEXT$1 = 64;
function rowsOf$1(examination) {
	return STEPS.flatMap(({ group, category, findings }) => findings(examination).map((finding) => ({
		group,
		category: finding.category ?? category,
		status: finding.status,
		message: finding.message
	})));
}
/** Clients rely on the names of groups and categories. */
var STEPS = [
	{
		group: "Hash Comparison",
		category: "data_integrity",
		findings: hashComparison
	},
	{
		group: "Structure",
		category: "structural",
		findings: version
	},
	{
		group: "Structure",
		category: "structural",
		findings: surplus
	},
	{
		group: "Structure",
		category: "structural",
		findings: hexFields
	},
	{
		group: "Signing Key",
		category: "cryptographic",
		findings: signingKey
	},
	{
		group: "Subject Data",
		category: "cryptographic",
		findings: subjectData
	},
	{
		group: "Inclusion Proof",
		category: "cryptographic",
		findings: inclusionProof
	},
	{
		group: "Block Hash",
		category: "cryptographic",
		findings: blockHash
	},
	{
		group: "Epoch Proof",
		category: "cryptographic",
		findings: epochProofs
	},
	...CHAIN_NAMES.map((chain) => ({
		group: commitmentStep(chain),
		category: "blockchain",
		findings: (on) => commitmentsOn(chain, on)
	})),
	{
		group: "Proof Signature",
		category: "cryptographic",
		findings: proofSignature
	},
	{
		group: "Key Binding",
		category: "cryptographic",
		findings: keyBinding
	},
	{
		group: "Signing Key Event",
		category: "cryptographic",
		findings: signingKeyEvent
	},
	{
		group: "Witnesses",
		category: "timing",
		findings: witnesses
	},
	{
		group: "Entropy Source",
		category: "blockchain",
		findings: entropySources
	},
	{
		group: "Submission Window",
		category: "timing",
		findings: submissionWindow
	},
	{
		group: "Temporal Info",
		category: "timing",
		findings: temporalInfo
	},
	{
		group: "Submitted After",
		category: "timing",
		findings: submittedAfter
	},
	{
		group: "Submitted Before",
		category: "timing",
		findings: submittedBefore
	}
];
function version({ bundle }) {
	return bundle.version === 1 ? [pass("The bundle is of version 1.")] : [fail("The bundle is not of version 1, the only one there is.")];
}
function surplus({ bundle }) {
	return bundle.surplus.length === 0 ? [] : [fail(`More entries than are looked at, and more than any honest bundle has: ${bundle.surplus.join(", ")}.`)];
}
/** A field that is not lowercase hex of its exact size could be read in two ways. */
function hexFields({ bundle }) {
	const names = hexFieldsOf(bundle).filter(({ value, size }) => value !== void 0 && !(typeof value === "string" && isHex(value, size))).map(({ name }) => name);
	return names.length === 0 ? [] : [fail(`Not lowercase hex of the right length: ${names.join(", ")}.`)];
}
function inclusionProof({ bundle, facts }) {
	if (bundle.inclusionProof === void 0) return [skip("The block itself is the subject.")];
	if (facts.subjectHash === void 0) return [fail("Without a subject hash nothing leads to the Merkle root of the block.")];
	const reached = walked(facts.subjectHash, bundle.inclusionProof);
	if (reached === void 0) return [fail("The path to the Merkle root of the block is malformed.")];
	return sameBytes(reached, hexBytes(bundle.block.merkleRoot, 32)) ? [pass("The path leads from the subject hash to the Merkle root of the block.")] : [fail("The path does not lead from the subject hash to the Merkle root of the block.")];
}
function blockHash({ bundle, facts }) {
	if (facts.blockHash === void 0) return [fail("A part of the block is missing or malformed, so it has no hash.")];
	return [bundle.block.metadataHash === void 0 ? pass("The metadata of the block is hashed.") : skip("The metadata of the block is carried as its hash only."), pass(`The block hashes to ${shown(facts.blockHash)}.`)];
}
function epochProofs({ bundle, facts }) {
	return bundle.commitments.map((entry) => epochFinding(facts.blockHash, entry));
}
function commitmentsOn(chain, examination) {
	return examination.bundle.commitments.filter((entry) => entry.chain === chain).flatMap((entry) => chainFindings(examination, entry));
}
/**
* First what the bytes of the entry show, then what the chain answered. For an entry without bytes only the
* latter.
*/
function chainFindings({ facts, chains }, entry) {
	const evidence = facts.chains.get(entry);
	if (evidence?.isBare === true) return evidence.findings;
	return [...evidence?.findings ?? [], ...chains.get(entry)?.findings ?? []];
}
/** Reports only failures of the entry's bytes. */
function signingKeyEvent(examination) {
	const { bundle, facts, chains } = examination;
	return keyEventFindings(bundle, facts.keyEvent, facts.keyId, (entry) => {
		const evidence = facts.chains.get(entry);
		if (evidence?.isBare === true) return evidence.findings;
		return [...evidence?.findings.filter(({ status }) => status === "fail") ?? [], ...chains.get(entry)?.findings ?? []];
	});
}
function entropySources({ entropy }) {
	return entropy.flatMap(({ verdict }) => verdict.findings);
}
function hexFieldsOf({ subject, block, blockPath, commitments, signingKeyEvent }) {
	const fields = [];
	if (subject !== void 0) {
		fields.push({
			name: "subject.signing_key_id",
			value: subject.signingKeyId,
			size: 4
		});
		fields.push({
			name: "subject.metadata_hash",
			value: subject.metadataHash,
			size: 32
		});
		fields.push(...committedWitnesses(subject.committedWitnesses));
	}
	fields.push(...blockFields("block", block));
	if (Array.isArray(blockPath)) blockPath.forEach((map, i) => {
		if (isJsonObject$1(map)) fields.push(...blockFields(`block_path[${i}]`, readBlock(map)));
	});
	commitments.forEach((entry, i) => {
		fields.push(...entryFields(`commitments[${i}]`, entry));
	});
	if (!isJsonObject$1(signingKeyEvent)) return fields;
	const eventBlock = carried(signingKeyEvent, "block");
	if (isJsonObject$1(eventBlock)) fields.push(...blockFields("signing_key_event.block", readBlock(eventBlock)));
	const eventEntries = carried(signingKeyEvent, "commitments");
	if (Array.isArray(eventEntries)) eventEntries.forEach((entry, i) => {
		if (!isJsonObject$1(entry)) return;
		const hashes = {
			epochMerkleRoot: carried(entry, "epoch_merkle_root"),
			transactionHash: carried(entry, "transaction_hash"),
			blockMerkleRoot: carried(entry, "block_merkle_root")
		};
		fields.push(...entryFields(`signing_key_event.commitments[${i}]`, hashes));
	});
	return fields;
}
function committedWitnesses(witnesses) {
	if (!isJsonObject$1(witnesses)) return [];
	return Object.keys(witnesses).sort().map((name) => ({
		name: `subject.metadata.witnesses.${shown(name)}`,
		value: memberOf(witnesses, name) ?? false,
		size: 32
	}));
}
function blockFields(place, block) {
	return [
		{
			name: `${place}.previous_block_hash`,
			value: block.previousBlockHash,
			size: 32
		},
		{
			name: `${place}.merkle_root`,
			value: block.merkleRoot,
			size: 32
		},
		{
			name: `${place}.metadata_hash`,
			value: block.metadataHash,
			size: 32
		},
		{
			name: `${place}.signing_key_id`,
			value: block.signingKeyId,
			size: 4
		}
	];
}
function entryFields(place, entry) {
	return [
		{
			name: `${place}.epoch_merkle_root`,
			value: entry.epochMerkleRoot,
			size: 32
		},
		{
			name: `${place}.transaction_hash`,
			value: entry.transactionHash,
			size: 32
		},
		{
			name: `${place}.block_merkle_root`,
			value: entry.blockMerkleRoot,
			size: 32
		}
	];
}
// shared/proof/bundle/compact_document.ts
/** Short name first. Each table is one map of the layout. */
var COMPACT_TOP = {
	v: "version",
	t: "type",
	ts: "generated_at",
	pk: "public_key",
	sig: "signature",
	s: "subject",
	ip: "inclusion_proof",
	b: "block",
	cx: "commitments"
};
/** `d` means `claims` or `entropy`, depending on the type. `mh` is the hash of the metadata map. */
var COMPACT_SUBJECT = {
	id: "id",
	kid: "signing_key_id",
	mh: "metadata_hash"
};
var COMPACT_BLOCK = {
	id: "id",
	ph: "previous_block_hash",
	mr: "merkle_root",
	mh: "metadata_hash",
	kid: "signing_key_id"
};
var COMPACT_ENTRY = {
	ep: "epoch_proof",
	tx: "transaction_hash",
	net: "network",
	ts: "timestamp"
};
/** By the evidence that entries of a chain carry. */
var ENTRY_NAMES = {
	ledger: {
		...COMPACT_ENTRY,
		memo: "epoch_merkle_root",
		l: "ledger"
	},
	block: {
		...COMPACT_ENTRY,
		op: "epoch_merkle_root",
		h: "block_height",
		rtx: "raw_transaction",
		txp: "txoutproof",
		bmr: "block_merkle_root"
	}
};
/** By the number that says which chain an entry belongs to. */
var COMPACT_CHAINS = CHAIN_NAMES.map((chain) => {
	const { code, evidence } = CHAINS[chain];
	return {
		code,
		chain,
		names: ENTRY_NAMES[evidence]
	};
});
/**
* Leaves out members with other names, so that a compact bundle cannot carry a published name. A part of the
* wrong kind is passed on unchanged.
*/
function publishedNames(compact) {
	const document = renamedMembers(compact, Object.entries(COMPACT_TOP));
	const type = typeOfCode(document.type);
	delete document.type;
	if (type !== void 0) document.type = type;
	if (isJsonObject$1(document.subject)) {
		const data = carried(document.subject, "d");
		document.subject = renamedMembers(document.subject, Object.entries(COMPACT_SUBJECT));
		if (data !== void 0) document.subject[type === "item" ? "claims" : "entropy"] = data;
	}
	if (isJsonObject$1(document.block)) document.block = renamedMembers(document.block, Object.entries(COMPACT_BLOCK));
	if (Array.isArray(document.commitments)) document.commitments = document.commitments.map(publishedEntry);
	return document;
}
function typeOfCode(code) {
	for (const type of PROOF_TYPES) if (TYPE_CODES[type] === code) return type;
}
var PROOF_TYPES = [
	"block",
	"beacon",
	"item",
	...ENTROPY_NAMES
];
function publishedEntry(entry) {
	if (!isJsonObject$1(entry)) return entry;
	const code = carried(entry, "t");
	const kind = COMPACT_CHAINS.find((chain) => chain.code === code);
	return kind === void 0 ? {} : {
		...renamedMembers(entry, Object.entries(kind.names)),
		chain: kind.chain
	};
}
// shared/proof/bundle/read_cbor.ts
/**
* Stands for what JSON does not have: tags, undefined and other simple values, NaN, infinities, maps with
* keys that are not text.
*/
var FOREIGN = Symbol("outside the JSON value space");
/**
* Reads exactly one data item, with or without the self-described CBOR tag in front. Integers that a double
* cannot hold exactly become bigint. Reserves no memory for a declared length that goes beyond the end of the
* bytes.
* @throws RangeError for malformed items, bytes after the item, invalid UTF-8, duplicate keys and nesting
* deeper than 64 (tags count)
*/
function readCbor(bytes) {
	return new CborReader(bytes).document();
}
var MAX_DEPTH = 64;
/** The self-described CBOR tag, and the major type of tags. */
var SELF_DESCRIBED = 55799;
var TAG = 6;
/** Values of "additional information": indefinite length, and the "break" of major type 7 that ends it. */
var INDEFINITE = 31;
var BREAK = 255;
var CborReader = class {
	bytes;
	view;
	at = 0;
	constructor(bytes) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}
	document() {
		if ((this.bytes[0] ?? 0) >> 5 === TAG && Number(this.argument(this.byte() & 31)) !== SELF_DESCRIBED) this.at = 0;
		const value = this.value(0);
		if (this.at !== this.bytes.length) throw new RangeError("bytes behind the value");
		return value;
	}
	value(depth) {
		const head = this.byte();
		const info = head & 31;
		switch (head >> 5) {
			case 0: return narrowed(this.argument(info));
			case 1: {
				const argument = this.argument(info);
				return narrowed(typeof argument === "bigint" ? -1n - argument : -1 - argument);
			}
			case 2: return this.byteString(info);
			case 3: return this.text(info);
			case 4: return this.array(info, deeper(depth));
			case 5: return this.map(info, deeper(depth));
			case TAG:
				this.argument(info);
				this.value(deeper(depth));
				return FOREIGN;
			default: return this.simpleOrFloat(info);
		}
	}
	array(info, depth) {
		let left = this.count(info);
		if (left === 0 || this.ends(left)) return [];
		const values = [this.value(depth)];
		for (left--; left > 0 && !this.ends(left); left--) values.push(this.value(depth));
		return values;
	}
	map(info, depth) {
		const members = {};
		let isForeign = false;
		for (let left = this.count(info); left > 0 && !this.ends(left); left--) {
			const name = this.value(depth);
			if (typeof name === "string" && Object.hasOwn(members, name)) throw new RangeError("duplicate key");
			const value = this.value(depth);
			if (typeof name === "string") setMember(members, name, value);
			else isForeign = true;
		}
		return isForeign ? FOREIGN : members;
	}
	/** Infinity for an indefinite length. */
	count(info) {
		return info === INDEFINITE ? Number.POSITIVE_INFINITY : Number(this.argument(info));
	}
	/** Whether the "break" of an indefinite length comes next. If so, moves past it. */
	ends(left) {
		if (left !== Number.POSITIVE_INFINITY || this.bytes[this.at] !== BREAK) return false;
		this.at++;
		return true;
	}
	byteString(info) {
		return info === INDEFINITE ? joinBytes(this.chunks(2, (length) => this.take(length))) : this.taken(info);
	}
	text(info) {
		if (info === INDEFINITE) return this.chunks(3, (length) => this.utf8(length)).join("");
		return this.utf8(Number(this.argument(info)));
	}
	/**
	* The chunks of a string of indefinite length. Each must be of the same kind and of definite length; a text
	* chunk must be complete UTF-8.
	*/
	chunks(majorType, read) {
		const chunks = [];
		for (let head = this.byte(); head !== BREAK; head = this.byte()) {
			if (head >> 5 !== majorType) throw new RangeError("a chunk of another kind");
			chunks.push(read(Number(this.argument(head & 31))));
		}
		return chunks;
	}
	simpleOrFloat(info) {
		switch (info) {
			case 20: return false;
			case 21: return true;
			case 22: return null;
			case 24:
				if (this.byte() < 32) throw new RangeError("a simple value in no valid form");
				return FOREIGN;
			case 25: return finite(halfFloat(this.view.getUint16(this.advance(2))));
			case 26: return finite(this.view.getFloat32(this.advance(4)));
			case 27: return finite(this.view.getFloat64(this.advance(8)));
			default:
				if (info > 27) throw new RangeError("no value begins like this");
				return FOREIGN;
		}
	}
	argument(info) {
		if (info < 24) return info;
		if (info === 24) return this.byte();
		if (info === 25) return this.view.getUint16(this.advance(2));
		if (info === 26) return this.view.getUint32(this.advance(4));
		if (info === 27) return this.view.getBigUint64(this.advance(8));
		throw new RangeError("no argument of that size");
	}
	/**
	* Decodes short ASCII here. Names and ids are short, and a decoder call or a view for each costs more than
	* the rest of the reading.
	*/
	utf8(length) {
		if (length > SHORT) return decodeUtf8(this.take(length));
		const start = this.advance(length);
		let text = "";
		for (let at = start; at < this.at; at++) {
			const byte = this.bytes[at] ?? 0;
			if (byte >= 128) return decodeUtf8(this.bytes.subarray(start, this.at));
			text += String.fromCharCode(byte);
		}
		return text;
	}
	taken(info) {
		return this.take(Number(this.argument(info)));
	}
	take(length) {
		const start = this.advance(length);
		return this.bytes.subarray(start, start + length);
	}
	byte() {
		return this.view.getUint8(this.advance(1));
	}
	advance(length) {
		const start = this.at;
		if (length > this.bytes.length - start) throw new RangeError("the bytes end too early");
		this.at = start + length;
		return start;
	}
};
function deeper(depth) {
	if (depth >= MAX_DEPTH) throw new RangeError("nested too deep");
	return depth + 1;
}
function narrowed(value) {
	return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
/** Done by hand, because not every browser's DataView has getFloat16. */
function halfFloat(bits) {
	const exponent = bits >> 10 & 31;
	const fraction = (bits & 1023) / 1024;
	const sign = bits >> 15 === 0 ? 1 : -1;
	if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : NaN;
	return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
function finite(value) {
	return Number.isFinite(value) ? value : FOREIGN;
}
/** Strings of at most this many bytes are decoded without TextDecoder. */
var SHORT = 40;
function decodeUtf8(bytes) {
	try {
		return textDecoder.decode(bytes);
	} catch {
		throw new RangeError("text that is not UTF-8");
	}
}
var textDecoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
// shared/proof/bundle/layout_places.ts
var BLOCK_MAP = { members: {
	previous_block_hash: "hex",
	merkle_root: "hex",
	signing_key_id: "hex",
	metadata: "hashed"
} };
var COMMITMENTS = { each: { members: {
	epoch_merkle_root: "hex",
	transaction_hash: "hex",
	block_merkle_root: "hex"
} } };
var PUBLISHED_PLACES = { members: {
	public_key: "base64",
	signature: "base64",
	subject: { members: {
		signing_key_id: "hex",
		claims: "hashed",
		entropy: "hashed",
		metadata: "hashed",
		witnesses: { members: {
			block: BLOCK_MAP,
			...Object.fromEntries(ENTROPY_NAMES.map((name) => [name, "hashed"]))
		} }
	} },
	block: BLOCK_MAP,
	block_path: { each: BLOCK_MAP },
	commitments: COMMITMENTS,
	signing_key_event: { members: {
		block: BLOCK_MAP,
		commitments: COMMITMENTS
	} }
} };
var COMPACT_PLACES = { members: {
	pk: "base64",
	sig: "base64",
	ip: "base64url_text",
	s: { members: {
		d: "hashed",
		mh: "hex",
		kid: "hex"
	} },
	b: { members: {
		ph: "hex",
		mr: "hex",
		mh: "hex",
		kid: "hex"
	} },
	cx: { each: { members: {
		ep: "base64url_text",
		tx: "hex",
		memo: "hex",
		op: "hex",
		bmr: "hex",
		rtx: "hex_text",
		txp: "hex_text"
	} } }
} };
/**
* Byte strings become hex or base64 where `places` says so. Elsewhere they count as absent, like every other
* value that JSON does not have.
* In a hashed place such a value is a rejection instead, because leaving it out would hash a document that
* nobody wrote.
*/
function documentOf(map, places) {
	return objectOf(map, places);
}
/** Undefined means absent. */
function readBack(value, place) {
	if (place === "hashed") return hashedValue(value);
	if (value instanceof Uint8Array) return textOfBytes(value, place);
	if (value === FOREIGN) return void 0;
	if (Array.isArray(value)) return value.map((entry) => readBack(entry, entryPlace(place)) ?? null);
	return typeof value === "object" && value !== null ? objectOf(value, place) : value;
}
function textOfBytes(bytes, place) {
	switch (place) {
		case "hex":
		case "hex_text": return toHex(bytes);
		case "base64": return toBase64(bytes);
		case "base64url_text": return toBase64Url(bytes);
		default: return;
	}
}
function objectOf(map, place) {
	const object = {};
	for (const [name, value] of Object.entries(map)) {
		const member = readBack(value, memberPlace(place, name));
		if (member !== void 0) setMember(object, name, member);
	}
	return object;
}
/** Returns the same object, not a copy: hashed values can be large. */
function hashedValue(value) {
	if (!isJson(value)) throw new BundleRejected("invalid_subject_data");
	return value;
}
function isJson(value) {
	if (typeof value !== "object" || value === null) return value !== FOREIGN;
	if (Array.isArray(value)) return value.every(isJson);
	if (value instanceof Uint8Array) return false;
	for (const name of Object.keys(value)) if (!isJson(value[name] ?? null)) return false;
	return true;
}
function memberPlace(place, name) {
	if (typeof place === "string" || !("members" in place) || !Object.hasOwn(place.members, name)) return "plain";
	return place.members[name] ?? "plain";
}
function entryPlace(place) {
	return typeof place === "object" && "each" in place ? place.each : "plain";
}
// shared/proof/bundle/read_bundle.ts
/**
* How many of each repeated part a bundle may have. The ceiling exists because each part adds rows, or names in
* rows, to the report.
* A correct bundle has one commitment per chain, a few witnesses, and at most 512 blocks in `block_path`.
*/
var MOST_PARTS = {
	commitments: 64,
	block_path: 1024,
	witnesses: 64
};
/** The witness names that have a meaning. They are always read, however many other names a bundle has. */
var KNOWN_WITNESSES = ["block", ...ENTROPY_NAMES];
function startCutting() {
	const surplus = [];
	const list = (place, entries, most) => {
		if (entries.length <= most) return entries;
		surplus.push(place);
		return entries.slice(0, most);
	};
	return {
		list,
		listIn: (place, value, most) => Array.isArray(value) ? [...list(place, value, most)] : value,
		witnesses: (place, value) => {
			if (!isJsonObject$1(value) || Object.keys(value).length <= MOST_PARTS.witnesses) return value;
			surplus.push(place);
			return knownOnly(value);
		},
		surplus
	};
}
function knownOnly(witnesses) {
	const known = {};
	for (const name of KNOWN_WITNESSES) {
		const value = memberOf(witnesses, name);
		if (value !== void 0) known[name] = value;
	}
	return known;
}
/** @throws BundleRejected */
function readBundleJson(text) {
	return readBundleObject(wellFormed(() => readStrictJson(text)));
}
/**
* `value` must come from the strict reader.
* @throws BundleRejected
*/
function readBundleObject(value) {
	if (!isJsonObject$1(value)) throw new BundleRejected("not_a_json_object");
	return readDocument(value, layoutOf(value));
}
/** @throws BundleRejected */
function readBundleCbor(bytes) {
	const value = wellFormed(() => readCbor(bytes));
	if (!(typeof value === "object" && value !== null && !Array.isArray(value)) || value instanceof Uint8Array) throw new BundleRejected("not_a_json_object");
	const layout = layoutOf(value);
	return readDocument(documentOf(value, layout === "compact" ? COMPACT_PLACES : PUBLISHED_PLACES), layout);
}
function readDocument(document, layout) {
	if (layout === void 0) throw new BundleRejected("unsupported_layout");
	return readParts(layout === "compact" ? publishedNames(document) : document, layout);
}
/** Checks the rejections in their order. The first that applies is the answer. */
function readParts(document, layout) {
	const type = carried(document, "type");
	if (!isProofType(type)) throw new BundleRejected("invalid_subject_type");
	const block = carried(document, "block");
	if (!isJsonObject$1(block)) throw new BundleRejected("missing_block");
	const subject = carried(document, "subject");
	const inclusionProof = carried(document, "inclusion_proof");
	const isBlockLike = type === "block" || type === "beacon";
	if (isBlockLike && (subject !== void 0 || inclusionProof !== void 0)) throw new BundleRejected("unexpected_subject_fields_for_block_like");
	if (!isBlockLike && !isJsonObject$1(subject)) throw new BundleRejected("missing_subject");
	if (!isBlockLike && typeof inclusionProof !== "string") throw new BundleRejected("missing_inclusion_proof");
	if (!hasMetadata(block, layout) || isJsonObject$1(subject) && !hasMetadata(subject, layout)) throw new BundleRejected("missing_metadata");
	const isPublished = layout === "published";
	const cutting = startCutting();
	return {
		type,
		layout,
		version: carried(document, "version"),
		generatedAt: carried(document, "generated_at"),
		publicKey: carried(document, "public_key"),
		signature: carried(document, "signature"),
		subject: isJsonObject$1(subject) ? readSubject(subject, {
			type,
			layout,
			cutting
		}) : void 0,
		inclusionProof: typeof inclusionProof === "string" ? inclusionProof : void 0,
		block: isPublished ? readBlock(block) : {
			...readBlock(block),
			metadata: void 0,
			metadataHash: carried(block, "metadata_hash")
		},
		blockPath: isPublished ? cutting.listIn("block_path", carried(document, "block_path"), MOST_PARTS.block_path) : void 0,
		commitments: cutting.list("commitments", readCommitments(carried(document, "commitments")), MOST_PARTS.commitments),
		signingKeyEvent: isPublished ? readKeyEvent(carried(document, "signing_key_event"), cutting) : void 0,
		surplus: cutting.surplus
	};
}
function readSubject(subject, { type, layout, cutting }) {
	const isPublished = layout === "published";
	const metadata = isPublished ? carried(subject, "metadata") : void 0;
	const committed = isJsonObject$1(metadata) ? carried(metadata, "witnesses") : void 0;
	return {
		id: carried(subject, "id"),
		data: carried(subject, type === "item" ? "claims" : "entropy"),
		metadata,
		metadataHash: isPublished ? void 0 : carried(subject, "metadata_hash"),
		signingKeyId: carried(subject, "signing_key_id"),
		committedWitnesses: cutting.witnesses("subject.metadata.witnesses", committed),
		witnesses: isPublished ? cutting.witnesses("subject.witnesses", carried(subject, "witnesses")) : void 0
	};
}
function readCommitments(entries) {
	if (!Array.isArray(entries) || entries.length === 0) throw new BundleRejected("no_external_commitments");
	return entries.map((value) => {
		const entry = readEntry(value);
		if (entry === void 0) throw new BundleRejected("invalid_commitment_entry");
		return entry;
	});
}
function readKeyEvent(event, cutting) {
	if (!isJsonObject$1(event)) return event;
	const entries = carried(event, "commitments");
	const kept = cutting.listIn("signing_key_event.commitments", entries, MOST_PARTS.commitments);
	return kept === void 0 ? event : {
		...event,
		commitments: kept
	};
}
function hasMetadata(map, layout) {
	return layout === "published" ? isJsonObject$1(carried(map, "metadata")) : typeof carried(map, "metadata_hash") === "string";
}
/**
* `published` without the short names `v` and `t`, otherwise `compact`. Undefined when `version` or `type` is
* there beside a short name.
*/
function layoutOf(document) {
	if (!Object.hasOwn(document, "v") && !Object.hasOwn(document, "t")) return "published";
	return isThere$1(document, "version") || isThere$1(document, "type") ? void 0 : "compact";
}
/** False also for a value that would count as absent after the conversion to JSON. */
function isThere$1(document, name) {
	const value = Object.hasOwn(document, name) ? document[name] : void 0;
	return value !== void 0 && value !== null && value !== FOREIGN && !(value instanceof Uint8Array);
}
function wellFormed(read) {
	const value = readOrUndefined(read);
	if (value === void 0) throw new BundleRejected("not_a_json_object");
	return value;
}
// shared/verifier/read_any_bundle.ts
var REJECTION_WORDS = {
	not_a_json_object: "It is neither a JSON object nor CBOR: the file is cut short, changed, or something else.",
	invalid_subject_data: "The hashed data in it holds something that JSON cannot say.",
	unsupported_layout: "It mixes the members of two layouts, so no reader can tell which one counts. Generate it again, in the layout “published”, or in “compact” for an older client.",
	invalid_subject_type: "It does not say what kind of thing it proves. If an older client wrote it, let that ask for the layout “compact”, the only one that it reads.",
	missing_block: "The block is missing.",
	unexpected_subject_fields_for_block_like: "It is about a block, and carries a subject all the same.",
	missing_subject: "The subject is missing.",
	missing_inclusion_proof: "The path from the subject to the block is missing.",
	missing_metadata: "The metadata of the subject or of the block is missing.",
	no_external_commitments: "It carries no commitment to any chain.",
	invalid_commitment_entry: "One of its commitments cannot be read."
};
/** No service of this kind issues a longer bundle. */
var LARGEST_BUNDLE_BYTES = 1048576;
/** @throws BundleRejected */
function readAnyBundle(given) {
	const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
	const first = bytes[bytes.findIndex((byte) => !isBlank(byte))];
	if (first === void 0) throw new BundleRejected("not_a_json_object");
	if (first === OPEN_BRACE) return fromJson(bytes);
	if (first >= FIRST_BEYOND_ASCII) return readBundleCbor(bytes);
	return fromBase64Text(new TextDecoder().decode(bytes));
}
var OPEN_BRACE = 123;
/** A CBOR map or tag starts at or above this byte. Base64 text never does. */
var FIRST_BEYOND_ASCII = 128;
var isBlank = (byte) => byte === 32 || byte >= 9 && byte <= 13;
/** What `{"result": …}` holds, which is the answer of `proof/generate`. Undefined for everything else. */
var answeredIn = (value) => isJsonObject$1(value) && Object.keys(value).length === 1 ? memberOf(value, "result") : void 0;
/** Also reads an answer of `proof/generate` that was saved to a file. */
function fromJson(bytes) {
	const answered = answeredInJson(bytes);
	if (typeof answered === "string") return fromBase64Text(answered);
	return isJsonObject$1(answered) ? readBundleObject(answered) : readBundleJson(bytes);
}
function answeredInJson(text) {
	const value = readOrUndefined(() => readStrictJson(text));
	return value === void 0 ? void 0 : answeredIn(value);
}
/**
* Ignores line breaks, which mail and terminals add. Accepts the URL alphabet and missing padding, which some
* tools write.
*/
function fromBase64Text(text) {
	const plain = unpadded(text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/"));
	const bytes = readOrUndefined(() => fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "=")));
	if (bytes === void 0) throw new BundleRejected("not_a_json_object");
	return readBundleCbor(bytes);
}
/**
* Not a regular expression that looks for the end, because on a megabyte of padding it would try from every
* position.
*/
function unpadded(text) {
	let end = text.length;
	while (text[end - 1] === "=") end--;
	return text.slice(0, end);
}
/**
* The bytes of the file, from the `result` of the service. Text is CBOR in base64; anything else is the JSON
* bundle, which must come from the strict reader so that no digit was rounded.
* @throws RangeError on text that is not base64
*/
var bundleBytes = (result) => typeof result === "string" ? fromBase64(result) : utf8(canonicalJson(result));
/**
* Such as `pharos-entropy-nist-<id>-partial.cbor`: the subject of the proof, and how much of it can be
* checked offline.
*/
var fileNameOf = ({ id, type, format = "json", witnesses }) => {
	const carried = witnesses === void 0 ? "" : witnesses.length === 0 ? "-compact" : "-partial";
	return `pharos-${type.replaceAll("_", "-")}-${id}${carried}.${format}`;
};
// shared/verifier/bundle_facts.ts
function bundleFacts({ type, publicKey: carriedKey, subject, block, commitments }) {
	const key = base64Bytes(carriedKey, 32);
	const data = subject?.data;
	const claims = type === "item" && isJsonObject$1(data) ? data : {};
	const hashType = textOf$2(carried(claims, "hash_type"));
	const hex = textOf$2(carried(claims, "hash"));
	return {
		keyId: key === void 0 ? void 0 : toHex(keyIdOf(key)),
		publicKey: textOf$2(carriedKey),
		name: textOf$2(carried(claims, "name")),
		claimedHash: hashType !== void 0 && hex !== void 0 && isHashType(hashType) ? {
			type: hashType,
			hex
		} : void 0,
		blockId: textOf$2(block.id),
		chains: commitments.map(chainFacts)
	};
}
var chainFacts = (entry) => ({
	chain: entry.chain,
	network: networkOf(entry),
	lacksBlock: CHAINS[entry.chain].evidence === "block" && lacksBlock(entry)
});
/**
* The signature does not cover the name of a network. An unknown name is not displayed, because its text
* could imitate a finding of the verifier.
*/
function networkOf(entry) {
	if (entry.chain === "bitcoin" && hasDevelopmentHeader(entry)) return "regtest";
	const network = textOf$2(entry.network);
	return network !== void 0 && isNetworkOf(entry.chain, network) ? network : "on a network that is not known here";
}
// shared/verifier/verdict.ts
function judgeReport(read, report, keyrings) {
	const facts = bundleFacts(read);
	const verdict = verdictOf$2(report, facts, keyrings);
	return {
		verdict,
		headline: HEADLINES$1[verdict],
		sentence: sentenceOf(verdict, report, facts),
		reservations: verdict === "invalid" ? [] : [...chainReservations(read, report, facts), ...fileReservations(report, facts)]
	};
}
var HEADLINES$1 = {
	valid: "Valid",
	key_open: "Not confirmed: whose key is it?",
	invalid: "Not valid"
};
function verdictOf$2(report, facts, keyrings) {
	if (report.passed) return "valid";
	return report.steps.filter(({ status }) => status === "fail").every(({ group }) => group === "Key Binding") && isUnheardOf(facts, keyrings) ? "key_open" : "invalid";
}
/** False when a keyring has the id with another key, because one of the two keys is then false. */
var isUnheardOf = ({ keyId }, keyrings) => keyId !== void 0 && !keyrings.some(({ keys }) => keys.some(({ key_id }) => key_id === keyId));
function sentenceOf(verdict, report, facts) {
	switch (verdict) {
		case "valid": {
			const committed = report.temporal.committed_at;
			const block = committed === void 0 ? "its block" : `the block finalized ${shownTime$1(committed)}`;
			return isBlockLike(report) ? `${block[0]?.toUpperCase()}${block.slice(1)} is as it was made, and a key that is known signed this proof.` : `Exactly these data are in ${block}, and a key that is known signed this proof.`;
		}
		case "key_open": return `Every hash, path and signature fits. But none of the keyrings at hand has the key ${facts.keyId ?? ""} that signed this, and anybody can make a bundle that fits under a key of his own.`;
		case "invalid": return `Failed: ${[...new Set(report.steps.filter(({ status }) => status === "fail").map((row) => row.group))].join(", ")}.`;
		default: return verdict;
	}
}
/** What was not checked or is weak in a bundle, but for what it says about a file. */
function chainReservations(read, report, { chains }) {
	const reservations = [];
	const development = chains.filter(({ network }) => network === "regtest");
	const open = chains.filter(({ network }) => network !== "regtest");
	if (development.length > 0) reservations.push(open.length === 0 ? "It is committed on a development chain only (bitcoin regtest), which the service itself can rewrite: it proves no time to outsiders." : "One of its commitments is on a development chain (bitcoin regtest), which proves nothing to outsiders.");
	const bare = open.filter(({ lacksBlock }) => lacksBlock);
	if (bare.length > 0) reservations.push(`The transaction, its hash or the block header is missing for ${namesOf(bare)}: nothing offline ties it to that chain, so it may as well be on a development chain, which proves nothing to outsiders.`);
	if (open.length > 0 && open.every(({ network }) => network === "testnet")) reservations.push(`${namesOf(open)} is a network for trials, which is started anew from time to time: what stands there does not last.`);
	if (open.length > 0 && !isConfirmed(report)) reservations.push(`${report.skipped_external ? "The public chains were not asked" : "The public chains gave no answer"}: that ${namesOf(open)} really carries the epoch’s root, and since when, was not checked.`);
	if (read.layout === "compact") reservations.push("The compact layout carries no witnesses and no key event, so none were checked.");
	return reservations;
}
function fileReservations({ source, expected_hash_provided }, { claimedHash }) {
	if (source !== "item" || claimedHash === void 0) return [];
	const weak = weakness(claimedHash.type).map(({ message }) => message);
	return expected_hash_provided ? weak : [NO_FILE, ...weak];
}
var NO_FILE = "No file was compared: the proof is about a digest, and whether that is the digest of your file was not checked.";
/** True when a chain was asked and agreed. Bytes that only agree inside the bundle give `info`. */
var isConfirmed = ({ steps }) => steps.some(({ group, status }) => status === "pass" && / Commitment$/.test(group));
var namesOf = (chains) => [...new Set(chains.map(({ chain, network }) => `${chain} ${network}`))].join(" and ");
var isBlockLike = ({ source }) => source === "block" || source === "beacon";
/** `2027-01-01T00:03:50Z` becomes `2027-01-01 00:03:50 UTC`. */
var shownTime$1 = (time) => time.replace("T", " ").replace(/Z$/, " UTC");
// shared/proof/verify/keyring.ts
var KeyringRejected = class extends Error {
	name = "KeyringRejected";
};
/**
* The keys of `{"version": "1.0", "keys": [{"key_id", "public_key", …}]}`, from text, bytes or a value of the
* strict reader. Ignores other members. Each id must be derived from its key and appear once; otherwise a
* bundle's key could be found under the id of another key.
* @throws KeyringRejected with a message that says what is wrong
*/
function readKeyring(document) {
	const value = typeof document === "string" || document instanceof Uint8Array ? strictJson(document) : document;
	if (!isJsonObject$1(value)) throw new KeyringRejected("a keyring is a JSON object");
	if (carried(value, "version") !== "1.0") throw new KeyringRejected("not version 1.0 of a keyring");
	const keys = carried(value, "keys");
	if (!Array.isArray(keys)) throw new KeyringRejected("keys is not a list");
	const read = keys.map(readKey);
	if (new Set(read.map((key) => key.key_id)).size !== read.length) throw new KeyringRejected("two keys share a key_id");
	return read;
}
function readKey(entry, position) {
	const keyId = isJsonObject$1(entry) ? carried(entry, "key_id") : void 0;
	const publicKey = isJsonObject$1(entry) ? carried(entry, "public_key") : void 0;
	const bytes = base64Bytes(publicKey, 32);
	if (bytes === void 0 || typeof publicKey !== "string") throw new KeyringRejected(`public_key of keys[${position}] is not base64 of 32 bytes`);
	const derived = toHex(keyIdOf(bytes));
	if (keyId !== derived) throw new KeyringRejected(`key_id of keys[${position}] is not that of its public_key`);
	return {
		key_id: derived,
		public_key: publicKey
	};
}
function strictJson(document) {
	try {
		return readStrictJson(document);
	} catch (error) {
		if (error instanceof StrictJsonError) throw new KeyringRejected(error.message);
		throw error;
	}
}
// server/client/keyring.ts
var KEYRING_COMMANDS = {
	"keyring add": {
		usage: "<file or address> [--name <name>]",
		meaning: "remembers whose keys are good, so that proofs can be verified without their service",
		help: `
Every service publishes the keys it ever signed with, at /.well-known/keyring.json. A proof says which key signed
it; only a keyring says whose key that is. What is remembered here is used by every later "verify". It is got from
the address of the service (https://pharos.example), or from a file.

It is kept in $XDG_CONFIG_HOME/pharos/keyrings (~/.config/pharos/keyrings). "proof" remembers the keyring of the
service it asks.`,
		options: { name: {
			type: "string",
			takes: "<name>",
			meaning: "the name to remember it under, instead of the service's host"
		} },
		exits: {
			0: "remembered",
			1: "the service does not know a key any more that it had"
		},
		run: (surroundings, values, [source, ...more]) => add(surroundings, only("a file or an address", source, more), textOption(values, "name"))
	},
	"keyring list": {
		usage: "",
		meaning: "shows whose keys are remembered",
		help: "Shows the services whose keys are remembered, with the ids of these keys.",
		options: {},
		exits: { 0: "shown" },
		run: (surroundings) => list$2(surroundings)
	},
	"keyring remove": {
		usage: "<name>",
		meaning: "forgets the keys of one service",
		help: "Forgets the keys of one service. \"keyring list\" shows the names.",
		options: {},
		exits: {
			0: "forgotten",
			1: "there is none of this name"
		},
		run: (surroundings, _, [name, ...more]) => remove(surroundings, only("a name", name, more))
	}
};
async function add(surroundings, source, name) {
	const { terminal } = surroundings;
	const found = await findKeyring(source);
	const known = name ?? found.name;
	const path = await rememberKeyring(surroundings, known, found.document);
	terminal.say(`Remembered ${plural(found.keys.length, "key")} of ${printable(known)}: ${found.keys.map(({ key_id }) => key_id).join(", ")}`);
	terminal.note(path);
	return 0;
}
async function list$2({ terminal, env, self }) {
	const shelf = await rememberedKeyrings(shelfFolder(env));
	for (const { name, keys, rememberedAt } of shelf) terminal.say(`${printable(name)}  ${keys.map(({ key_id }) => key_id).join(", ")}  (since ${rememberedAt.toISOString().slice(0, 10)})`);
	if (shelf.length === 0) terminal.note(`No keyring is remembered. ${self} keyring add https://your.service makes a start.`);
	return 0;
}
async function remove({ terminal, env }, name) {
	if (!await forgetKeyring(shelfFolder(env), name)) throw new Complaint(`No keyring is remembered under the name ${name}.`, { exitCode: 1 });
	terminal.say(`Forgot the keyring of ${name}.`);
	return 0;
}
/** @throws Complaint unless there is exactly one */
function only(what, given, more) {
	if (given === void 0 || given === "" || more.length > 0) throw new Complaint(`Name ${what}, and one only.`);
	return given;
}
/**
* Named by host and port, or by the file's name.
* @param source a file, or the http(s) address of a service or of the keyring document
* @throws Complaint when there is no readable keyring
*/
async function findKeyring(source) {
	const { name, bytes } = isAddress(source) ? await fromAddress(urlIn(source)) : await fromFile(source);
	const document = new TextDecoder().decode(bytes);
	return {
		name,
		keys: readKeys(document, source),
		document
	};
}
var fromFile = async (source) => ({
	name: source === "-" ? "standard input" : source,
	bytes: await readNamed(source, LARGEST_ANSWER_BYTES$1)
});
function urlIn(source) {
	if (!URL.canParse(source)) throw new Complaint(`${source} is not an address.`);
	return new URL(source);
}
async function fromAddress(given) {
	const url = given.pathname === "/" ? new URL("/.well-known/keyring.json", given) : given;
	requireSafe(url);
	const { status, bytes } = await askHttp(url);
	if (status !== 200) throw new Complaint(`${url} answered ${status}.`, { advice: "Is it the address of a Pharos service, such as https://pharos.example?" });
	return {
		name: url.host,
		bytes
	};
}
/**
* Requires HTTPS, because anyone between here and the service could replace the keys. Plain HTTP is allowed
* on this machine only.
*/
var requireSafe = (url) => {
	if (url.protocol === "https:" || isOwnComputer(url.hostname)) return;
	throw new Complaint(`Keys are fetched over https only, and ${url.origin} is not.`, { advice: "Get the file some other way that you trust, and name it with --keyring." });
};
/** Of every command that has to know whose keys are good. */
var KEYRING_OPTION = {
	type: "string",
	multiple: true,
	takes: "<file or address>",
	meaning: "whose keys count: a keyring file, or the address of a service. May be repeated. Without it: the keyrings that \"keyring list\" shows"
};
/**
* Those that `--keyring` names, or else those that are remembered.
* @throws Complaint
*/
async function keyringsFor({ env }, values) {
	const named = textOptions(values, "keyring");
	if (named.length === 0) return rememberedKeyrings(shelfFolder(env));
	return Promise.all(named.map(findKeyring));
}
var shelfFolder = (env) => join(configFolder(env), "keyrings");
/**
* Sorted by name: host and port of the service, e.g. `localhost:4000`.
* @throws Complaint for a file that is not a keyring, because skipping it would look like an unknown key
*/
var rememberedKeyrings = (folder) => onShelf(folder, async () => {
	const files = (await readdir(folder).catch(noFolder)).filter((file) => file.endsWith(".json")).sort();
	return Promise.all(files.map(async (file) => {
		const path = join(folder, file);
		const [text, { mtime }] = await Promise.all([readFile(path), stat(path)]);
		return {
			name: nameOf(file),
			keys: readKeys(text, path),
			path,
			rememberedAt: mtime
		};
	}));
});
/**
* Stores the document under the name. A service only ever adds keys. A missing or changed key means another
* service, or a replaced one, and a person must decide.
* @throws Complaint in that case
*/
function rememberKeyring({ env, self }, name, document) {
	const folder = shelfFolder(env);
	const keys = readKeys(document, `The keyring of ${name}`);
	const path = join(folder, fileOf(name));
	return onShelf(folder, async () => {
		const held = await readFile(path).catch(noFile);
		if (held !== void 0) refuseLoss(readKeys(held, path), keys, {
			name,
			self
		});
		await replaceFile(path, document);
		return path;
	});
}
/** True when the keyring existed. */
var forgetKeyring = (folder, name) => onShelf(folder, async () => {
	const path = join(folder, fileOf(name));
	const there = await readFile(path).catch(noFile) !== void 0;
	await rm(path, { force: true });
	return there;
});
/** @throws Complaint */
function readKeys(document, what) {
	try {
		return readKeyring(document);
	} catch (error) {
		if (!(error instanceof KeyringRejected)) throw error;
		throw new Complaint(`${what} is not a keyring: ${error.message}.`, { advice: "A keyring is the document a service publishes at /.well-known/keyring.json." });
	}
}
function refuseLoss(held, fresh, { name, self }) {
	const lost = held.find(({ key_id, public_key }) => !fresh.some((key) => key.key_id === key_id && key.public_key === public_key));
	if (lost !== void 0) throw new Complaint(`${name} does not know its own key ${lost.key_id} any more.`, {
		exitCode: 1,
		advice: `A service never drops a key: this may be another service at the same address. If you know that it was replaced, forget the old one first: ${self} keyring remove ${quoted(name)}`
	});
}
/** Turns errors of the file system into complaints, because only the person can solve them. */
async function onShelf(folder, work) {
	try {
		return await work();
	} catch (error) {
		if (codeOf(error) === void 0) throw error;
		throw new Complaint(`The keyrings in ${folder} cannot be read or kept: ${wordsOf(error)}.`);
	}
}
/** Percent-encoded, so that a name cannot lead out of the folder. */
var fileOf = (name) => `${encodeURIComponent(name)}.json`;
var nameOf = (file) => {
	const name = file.slice(0, -5);
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
};
var noFolder = (error) => {
	if (codeOf(error) === "ENOENT") return [];
	throw error;
};
var noFile = (error) => {
	if (codeOf(error) === "ENOENT") return void 0;
	throw error;
};
// node_modules/oauth4webapi/build/index.js
var USER_AGENT;
if (typeof navigator === "undefined" || !navigator.userAgent?.startsWith?.("Mozilla/5.0 ")) USER_AGENT = `oauth4webapi/v3.8.8`;
function looseInstanceOf(input, expected) {
	if (input == null) return false;
	try {
		return input instanceof expected || Object.getPrototypeOf(input)[Symbol.toStringTag] === expected.prototype[Symbol.toStringTag];
	} catch {
		return false;
	}
}
var ERR_INVALID_ARG_VALUE = "ERR_INVALID_ARG_VALUE";
var ERR_INVALID_ARG_TYPE = "ERR_INVALID_ARG_TYPE";
function CodedTypeError(message, code, cause) {
	const err = new TypeError(message, { cause });
	Object.assign(err, { code });
	return err;
}
var allowInsecureRequests = Symbol();
var clockSkew = Symbol();
var clockTolerance = Symbol();
var customFetch = Symbol();
var jweDecrypt = Symbol();
var encoder = new TextEncoder();
var decoder = new TextDecoder();
function buf(input) {
	if (typeof input === "string") return encoder.encode(input);
	return decoder.decode(input);
}
var encodeBase64Url;
if (Uint8Array.prototype.toBase64) encodeBase64Url = (input) => {
	if (input instanceof ArrayBuffer) input = new Uint8Array(input);
	return input.toBase64({
		alphabet: "base64url",
		omitPadding: true
	});
};
else {
	const CHUNK_SIZE = 32768;
	encodeBase64Url = (input) => {
		if (input instanceof ArrayBuffer) input = new Uint8Array(input);
		const arr = [];
		for (let i = 0; i < input.byteLength; i += CHUNK_SIZE) arr.push(String.fromCharCode.apply(null, input.subarray(i, i + CHUNK_SIZE)));
		return btoa(arr.join("")).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_");
	};
}
var decodeBase64Url;
if (Uint8Array.fromBase64) decodeBase64Url = (input) => {
	try {
		return Uint8Array.fromBase64(input, { alphabet: "base64url" });
	} catch (cause) {
		throw CodedTypeError("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE, cause);
	}
};
else decodeBase64Url = (input) => {
	try {
		const binary = atob(input.replace(/-/g, "+").replace(/_/g, "/").replace(/\s/g, ""));
		const bytes = new Uint8Array(binary.length);
		for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
		return bytes;
	} catch (cause) {
		throw CodedTypeError("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE, cause);
	}
};
function b64u(input) {
	if (typeof input === "string") return decodeBase64Url(input);
	return encodeBase64Url(input);
}
var UnsupportedOperationError = class extends Error {
	code;
	constructor(message, options) {
		super(message, options);
		this.name = this.constructor.name;
		this.code = UNSUPPORTED_OPERATION;
		Error.captureStackTrace?.(this, this.constructor);
	}
};
var OperationProcessingError = class extends Error {
	code;
	constructor(message, options) {
		super(message, options);
		this.name = this.constructor.name;
		if (options?.code) this.code = options?.code;
		Error.captureStackTrace?.(this, this.constructor);
	}
};
function OPE(message, code, cause) {
	return new OperationProcessingError(message, {
		code,
		cause
	});
}
function isJsonObject(input) {
	if (input === null || typeof input !== "object" || Array.isArray(input)) return false;
	return true;
}
function prepareHeaders(input) {
	if (looseInstanceOf(input, Headers)) input = Object.fromEntries(input.entries());
	const headers = new Headers(input ?? {});
	if (USER_AGENT && !headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
	if (headers.has("authorization")) throw CodedTypeError("\"options.headers\" must not include the \"authorization\" header name", ERR_INVALID_ARG_VALUE);
	return headers;
}
function signal(url, value) {
	if (value !== void 0) {
		if (typeof value === "function") value = value(url.href);
		if (!(value instanceof AbortSignal)) throw CodedTypeError("\"options.signal\" must return or be an instance of AbortSignal", ERR_INVALID_ARG_TYPE);
		return value;
	}
}
function replaceDoubleSlash(pathname) {
	if (pathname.includes("//")) return pathname.replace("//", "/");
	return pathname;
}
function prependWellKnown(url, wellKnown, allowTerminatingSlash = false) {
	if (url.pathname === "/") url.pathname = wellKnown;
	else url.pathname = replaceDoubleSlash(`${wellKnown}/${allowTerminatingSlash ? url.pathname : url.pathname.replace(/(\/)$/, "")}`);
	return url;
}
function appendWellKnown(url, wellKnown) {
	url.pathname = replaceDoubleSlash(`${url.pathname}/${wellKnown}`);
	return url;
}
async function performDiscovery(input, urlName, transform, options) {
	if (!(input instanceof URL)) throw CodedTypeError(`"${urlName}" must be an instance of URL`, ERR_INVALID_ARG_TYPE);
	checkProtocol(input, options?.[allowInsecureRequests] !== true);
	const url = transform(new URL(input.href));
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	return (options?.[customFetch] || fetch)(url.href, {
		body: void 0,
		headers: Object.fromEntries(headers.entries()),
		method: "GET",
		redirect: "manual",
		signal: signal(url, options?.signal)
	});
}
async function discoveryRequest(issuerIdentifier, options) {
	return performDiscovery(issuerIdentifier, "issuerIdentifier", (url) => {
		switch (options?.algorithm) {
			case void 0:
			case "oidc":
				appendWellKnown(url, ".well-known/openid-configuration");
				break;
			case "oauth2":
				prependWellKnown(url, ".well-known/oauth-authorization-server");
				break;
			default: throw CodedTypeError("\"options.algorithm\" must be \"oidc\" (default), or \"oauth2\"", ERR_INVALID_ARG_VALUE);
		}
		return url;
	}, options);
}
function assertNumber(input, allow0, it, code, cause) {
	try {
		if (typeof input !== "number" || !Number.isFinite(input)) throw CodedTypeError(`${it} must be a number`, ERR_INVALID_ARG_TYPE, cause);
		if (input > 0) return;
		if (allow0) {
			if (input !== 0) throw CodedTypeError(`${it} must be a non-negative number`, ERR_INVALID_ARG_VALUE, cause);
			return;
		}
		throw CodedTypeError(`${it} must be a positive number`, ERR_INVALID_ARG_VALUE, cause);
	} catch (err) {
		if (code) throw OPE(err.message, code, cause);
		throw err;
	}
}
function assertString(input, it, code, cause) {
	try {
		if (typeof input !== "string") throw CodedTypeError(`${it} must be a string`, ERR_INVALID_ARG_TYPE, cause);
		if (input.length === 0) throw CodedTypeError(`${it} must not be empty`, ERR_INVALID_ARG_VALUE, cause);
	} catch (err) {
		if (code) throw OPE(err.message, code, cause);
		throw err;
	}
}
async function processDiscoveryResponse(expectedIssuerIdentifier, response) {
	const expected = expectedIssuerIdentifier;
	if (!(expected instanceof URL) && expected !== _nodiscoverycheck) throw CodedTypeError("\"expectedIssuerIdentifier\" must be an instance of URL", ERR_INVALID_ARG_TYPE);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE);
	if (response.status !== 200) throw OPE("\"response\" is not a conform Authorization Server Metadata response (unexpected HTTP status code)", RESPONSE_IS_NOT_CONFORM, response);
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString(json.issuer, "\"response\" body \"issuer\" property", INVALID_RESPONSE, { body: json });
	if (expected !== _nodiscoverycheck && new URL(json.issuer).href !== expected.href) throw OPE("\"response\" body \"issuer\" property does not match the expected value", JSON_ATTRIBUTE_COMPARISON, {
		expected: expected.href,
		body: json,
		attribute: "issuer"
	});
	return json;
}
function assertApplicationJson(response) {
	assertContentType(response, "application/json");
}
function notJson(response, ...types) {
	let msg = "\"response\" content-type must be ";
	if (types.length > 2) {
		const last = types.pop();
		msg += `${types.join(", ")}, or ${last}`;
	} else if (types.length === 2) msg += `${types[0]} or ${types[1]}`;
	else msg += types[0];
	return OPE(msg, RESPONSE_IS_NOT_JSON, response);
}
function assertContentType(response, contentType) {
	if (getContentType(response) !== contentType) throw notJson(response, contentType);
}
function randomBytes$1() {
	return b64u(crypto.getRandomValues(/* @__PURE__ */ new Uint8Array(32)));
}
function generateRandomCodeVerifier() {
	return randomBytes$1();
}
function generateRandomState() {
	return randomBytes$1();
}
async function calculatePKCECodeChallenge(codeVerifier) {
	assertString(codeVerifier, "codeVerifier");
	return b64u(await crypto.subtle.digest("SHA-256", buf(codeVerifier)));
}
function getClockSkew(client) {
	const skew = client?.[clockSkew];
	return typeof skew === "number" && Number.isFinite(skew) ? skew : 0;
}
function getClockTolerance(client) {
	const tolerance = client?.[clockTolerance];
	return typeof tolerance === "number" && Number.isFinite(tolerance) && Math.sign(tolerance) !== -1 ? tolerance : 30;
}
function epochTime() {
	return Math.floor(Date.now() / 1e3);
}
function assertAs(as) {
	if (typeof as !== "object" || as === null) throw CodedTypeError("\"as\" must be an object", ERR_INVALID_ARG_TYPE);
	assertString(as.issuer, "\"as.issuer\"");
}
function assertClient(client) {
	if (typeof client !== "object" || client === null) throw CodedTypeError("\"client\" must be an object", ERR_INVALID_ARG_TYPE);
	assertString(client.client_id, "\"client.client_id\"");
}
function None() {
	return (_as, client, body, _headers) => {
		body.set("client_id", client.client_id);
	};
}
var URLParse = URL.parse ? (url, base) => URL.parse(url, base) : (url, base) => {
	try {
		return new URL(url, base);
	} catch {
		return null;
	}
};
function checkProtocol(url, enforceHttps) {
	if (enforceHttps && url.protocol !== "https:") throw OPE("only requests to HTTPS are allowed", HTTP_REQUEST_FORBIDDEN, url);
	if (url.protocol !== "https:" && url.protocol !== "http:") throw OPE("only HTTP and HTTPS requests are allowed", REQUEST_PROTOCOL_FORBIDDEN, url);
}
function validateEndpoint(value, endpoint, useMtlsAlias, enforceHttps) {
	let url;
	if (typeof value !== "string" || !(url = URLParse(value))) throw OPE(`authorization server metadata does not contain a valid ${useMtlsAlias ? `"as.mtls_endpoint_aliases.${endpoint}"` : `"as.${endpoint}"`}`, value === void 0 ? MISSING_SERVER_METADATA : INVALID_SERVER_METADATA, { attribute: useMtlsAlias ? `mtls_endpoint_aliases.${endpoint}` : endpoint });
	checkProtocol(url, enforceHttps);
	return url;
}
function resolveEndpoint(as, endpoint, useMtlsAlias, enforceHttps) {
	if (useMtlsAlias && as.mtls_endpoint_aliases && endpoint in as.mtls_endpoint_aliases) return validateEndpoint(as.mtls_endpoint_aliases[endpoint], endpoint, useMtlsAlias, enforceHttps);
	return validateEndpoint(as[endpoint], endpoint, useMtlsAlias, enforceHttps);
}
var ResponseBodyError = class extends Error {
	cause;
	code;
	error;
	status;
	error_description;
	response;
	constructor(message, options) {
		super(message, options);
		this.name = this.constructor.name;
		this.code = RESPONSE_BODY_ERROR;
		this.cause = options.cause;
		this.error = options.cause.error;
		this.status = options.response.status;
		this.error_description = options.cause.error_description;
		Object.defineProperty(this, "response", {
			enumerable: false,
			value: options.response
		});
		Error.captureStackTrace?.(this, this.constructor);
	}
};
var AuthorizationResponseError = class extends Error {
	cause;
	code;
	error;
	error_description;
	constructor(message, options) {
		super(message, options);
		this.name = this.constructor.name;
		this.code = AUTHORIZATION_RESPONSE_ERROR;
		this.cause = options.cause;
		this.error = options.cause.get("error");
		this.error_description = options.cause.get("error_description") ?? void 0;
		Error.captureStackTrace?.(this, this.constructor);
	}
};
var WWWAuthenticateChallengeError = class extends Error {
	cause;
	code;
	response;
	status;
	constructor(message, options) {
		super(message, options);
		this.name = this.constructor.name;
		this.code = WWW_AUTHENTICATE_CHALLENGE;
		this.cause = options.cause;
		this.status = options.response.status;
		this.response = options.response;
		Object.defineProperty(this, "response", { enumerable: false });
		Error.captureStackTrace?.(this, this.constructor);
	}
};
var schemeRE = /* @__PURE__ */ new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)");
var quotedParamRE = /* @__PURE__ */ new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)\\s*=\\s*\"((?:[^\"\\\\]|\\\\[\\s\\S])*)\"[,\\s]*(.*)");
var unquotedParamRE = /* @__PURE__ */ new RegExp("^[,\\s]*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)\\s*=\\s*([a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+)[,\\s]*(.*)");
var token68ParamRE = /* @__PURE__ */ new RegExp("^([a-zA-Z0-9\\-\\._\\~\\+\\/]+={0,2})(?:$|[,\\s])(.*)");
function parseWwwAuthenticateChallenges(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE);
	const header = response.headers.get("www-authenticate");
	if (header === null) return;
	const challenges = [];
	let rest = header;
	while (rest) {
		let match = rest.match(schemeRE);
		const scheme = match?.["1"].toLowerCase();
		if (!scheme) return;
		const afterScheme = rest.substring(match[0].length);
		if (afterScheme && !afterScheme.match(/^[\s,]/)) return;
		const spaceMatch = afterScheme.match(/^\s+(.*)$/);
		const hasParameters = !!spaceMatch;
		rest = spaceMatch ? spaceMatch[1] : void 0;
		const parameters = {};
		let token68;
		if (hasParameters) while (rest) {
			let key;
			let value;
			if (match = rest.match(quotedParamRE)) {
				[, key, value, rest] = match;
				if (value.includes("\\")) value = value.replace(/\\([\s\S])/g, "$1");
				parameters[key.toLowerCase()] = value;
				continue;
			}
			if (match = rest.match(unquotedParamRE)) {
				[, key, value, rest] = match;
				parameters[key.toLowerCase()] = value;
				continue;
			}
			if (match = rest.match(token68ParamRE)) {
				if (Object.keys(parameters).length) break;
				[, token68, rest] = match;
				break;
			}
			return;
		}
		else rest = afterScheme || void 0;
		const challenge = {
			scheme,
			parameters
		};
		if (token68) challenge.token68 = token68;
		challenges.push(challenge);
	}
	if (!challenges.length) return;
	return challenges;
}
async function parseOAuthResponseErrorBody(response) {
	if (response.status > 399 && response.status < 500) {
		assertReadableResponse(response);
		assertApplicationJson(response);
		try {
			const json = await response.clone().json();
			if (isJsonObject(json) && typeof json.error === "string" && json.error.length) return json;
		} catch {}
	}
}
async function checkOAuthBodyError(response, expected, label) {
	if (response.status !== expected) {
		checkAuthenticationChallenges(response);
		let err;
		if (err = await parseOAuthResponseErrorBody(response)) {
			await response.body?.cancel();
			throw new ResponseBodyError("server responded with an error in the response body", {
				cause: err,
				response
			});
		}
		throw OPE(`"response" is not a conform ${label} response (unexpected HTTP status code)`, RESPONSE_IS_NOT_CONFORM, response);
	}
}
function assertDPoP(option) {
	if (!branded.has(option)) throw CodedTypeError("\"options.DPoP\" is not a valid DPoPHandle", ERR_INVALID_ARG_VALUE);
}
function getContentType(input) {
	return input.headers.get("content-type")?.split(";")[0];
}
async function authenticatedRequest(as, client, clientAuthentication, url, body, headers, options) {
	await clientAuthentication(as, client, body, headers);
	headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
	return (options?.[customFetch] || fetch)(url.href, {
		body,
		headers: Object.fromEntries(headers.entries()),
		method: "POST",
		redirect: "manual",
		signal: signal(url, options?.signal)
	});
}
async function tokenEndpointRequest(as, client, clientAuthentication, grantType, parameters, options) {
	const url = resolveEndpoint(as, "token_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests] !== true);
	parameters.set("grant_type", grantType);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	if (options?.DPoP !== void 0) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, "POST");
	}
	const response = await authenticatedRequest(as, client, clientAuthentication, url, parameters, headers, options);
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
async function refreshTokenGrantRequest(as, client, clientAuthentication, refreshToken, options) {
	assertAs(as);
	assertClient(client);
	assertString(refreshToken, "\"refreshToken\"");
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("refresh_token", refreshToken);
	return tokenEndpointRequest(as, client, clientAuthentication, "refresh_token", parameters, options);
}
var idTokenClaims = /* @__PURE__ */ new WeakMap();
var jwtRefs = /* @__PURE__ */ new WeakMap();
function getValidatedIdTokenClaims(ref) {
	if (!ref.id_token) return;
	const claims = idTokenClaims.get(ref);
	if (!claims) throw CodedTypeError("\"ref\" was already garbage collected or did not resolve from the proper sources", ERR_INVALID_ARG_VALUE);
	return claims;
}
async function processGenericAccessTokenResponse(as, client, response, additionalRequiredIdTokenClaims, decryptFn, recognizedTokenTypes) {
	assertAs(as);
	assertClient(client);
	if (!looseInstanceOf(response, Response)) throw CodedTypeError("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE);
	await checkOAuthBodyError(response, 200, "Token Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString(json.access_token, "\"response\" body \"access_token\" property", INVALID_RESPONSE, { body: json });
	assertString(json.token_type, "\"response\" body \"token_type\" property", INVALID_RESPONSE, { body: json });
	json.token_type = json.token_type.toLowerCase();
	if (json.expires_in !== void 0) {
		let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
		assertNumber(expiresIn, true, "\"response\" body \"expires_in\" property", INVALID_RESPONSE, { body: json });
		json.expires_in = expiresIn;
	}
	if (json.refresh_token !== void 0) assertString(json.refresh_token, "\"response\" body \"refresh_token\" property", INVALID_RESPONSE, { body: json });
	if (json.scope !== void 0 && typeof json.scope !== "string") throw OPE("\"response\" body \"scope\" property must be a string", INVALID_RESPONSE, { body: json });
	if (json.id_token !== void 0) {
		assertString(json.id_token, "\"response\" body \"id_token\" property", INVALID_RESPONSE, { body: json });
		const requiredClaims = [];
		if (client.require_auth_time === true) requiredClaims.push("auth_time");
		if (client.default_max_age !== void 0) {
			assertNumber(client.default_max_age, true, "\"client.default_max_age\"");
			requiredClaims.push("auth_time");
		}
		if (additionalRequiredIdTokenClaims?.length) requiredClaims.push(...additionalRequiredIdTokenClaims);
		const { claims, jwt } = await validateIdTokenClaims(as, client, json.id_token, requiredClaims, decryptFn);
		validateIdTokenAuthorizedParty(client, claims);
		validateIdTokenAuthTimeClaim(claims);
		jwtRefs.set(response, jwt);
		idTokenClaims.set(json, claims);
	}
	if (recognizedTokenTypes?.[json.token_type] !== void 0) recognizedTokenTypes[json.token_type](response, json);
	else if (json.token_type !== "dpop" && json.token_type !== "bearer") throw new UnsupportedOperationError("unsupported `token_type` value", { cause: { body: json } });
	return json;
}
function checkAuthenticationChallenges(response) {
	let challenges;
	if (challenges = parseWwwAuthenticateChallenges(response)) throw new WWWAuthenticateChallengeError("server responded with a challenge in the WWW-Authenticate HTTP Header", {
		cause: challenges,
		response
	});
}
async function processRefreshTokenResponse(as, client, response, options) {
	return processGenericAccessTokenResponse(as, client, response, void 0, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
function validateAudience(expected, result) {
	if (Array.isArray(result.claims.aud)) {
		if (!result.claims.aud.includes(expected)) throw OPE("unexpected JWT \"aud\" (audience) claim value", JWT_CLAIM_COMPARISON, {
			expected,
			claims: result.claims,
			claim: "aud"
		});
	} else if (result.claims.aud !== expected) throw OPE("unexpected JWT \"aud\" (audience) claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims: result.claims,
		claim: "aud"
	});
	return result;
}
function validateIssuer(as, result) {
	const expected = as[_expectedIssuer]?.(result) ?? as.issuer;
	if (result.claims.iss !== expected) throw OPE("unexpected JWT \"iss\" (issuer) claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims: result.claims,
		claim: "iss"
	});
	return result;
}
var branded = /* @__PURE__ */ new WeakSet();
function brand(searchParams) {
	branded.add(searchParams);
	return searchParams;
}
var nopkce = Symbol();
async function authorizationCodeGrantRequest(as, client, clientAuthentication, callbackParameters, redirectUri, codeVerifier, options) {
	assertAs(as);
	assertClient(client);
	if (!branded.has(callbackParameters)) throw CodedTypeError("\"callbackParameters\" must be an instance of URLSearchParams obtained from \"validateAuthResponse()\", or \"validateJwtAuthResponse()", ERR_INVALID_ARG_VALUE);
	assertString(redirectUri, "\"redirectUri\"");
	const code = getURLSearchParameter(callbackParameters, "code");
	if (!code) throw OPE("no authorization code in \"callbackParameters\"", INVALID_RESPONSE);
	const parameters = new URLSearchParams(options?.additionalParameters);
	parameters.set("redirect_uri", redirectUri);
	parameters.set("code", code);
	if (codeVerifier !== nopkce) {
		assertString(codeVerifier, "\"codeVerifier\"");
		parameters.set("code_verifier", codeVerifier);
	}
	return tokenEndpointRequest(as, client, clientAuthentication, "authorization_code", parameters, options);
}
var jwtClaimNames = {
	aud: "audience",
	c_hash: "code hash",
	client_id: "client id",
	exp: "expiration time",
	iat: "issued at",
	iss: "issuer",
	jti: "jwt id",
	nonce: "nonce",
	s_hash: "state hash",
	sub: "subject",
	ath: "access token hash",
	htm: "http method",
	htu: "http uri",
	cnf: "confirmation",
	auth_time: "authentication time"
};
function validatePresence(required, result) {
	for (const claim of required) if (result.claims[claim] === void 0) throw OPE(`JWT "${claim}" (${jwtClaimNames[claim]}) claim missing`, INVALID_RESPONSE, { claims: result.claims });
	return result;
}
function validateStringClaim(claim, result) {
	if (typeof result.claims[claim] !== "string") throw OPE(`unexpected JWT "${claim}" (${jwtClaimNames[claim]}) claim type`, INVALID_RESPONSE, { claims: result.claims });
	return result;
}
function validateIdTokenClaims(as, client, idToken, requiredClaims, decryptFn) {
	return validateJwt(idToken, checkSigningAlgorithm.bind(void 0, client.id_token_signed_response_alg, as.id_token_signing_alg_values_supported, "RS256"), getClockSkew(client), getClockTolerance(client), decryptFn).then(validatePresence.bind(void 0, [
		"aud",
		"exp",
		"iat",
		"iss",
		"sub",
		...requiredClaims
	])).then(validateIssuer.bind(void 0, as)).then(validateAudience.bind(void 0, client.client_id)).then(validateStringClaim.bind(void 0, "sub"));
}
function resolveIdTokenMaxAge(client, maxAge) {
	if (maxAge === skipAuthTimeCheck) return maxAge;
	const fromClient = maxAge === void 0;
	if (fromClient) maxAge = client.default_max_age;
	if (maxAge === void 0) return skipAuthTimeCheck;
	assertNumber(maxAge, true, fromClient ? "\"client.default_max_age\"" : "\"maxAge\" argument");
	return maxAge;
}
function validateIdTokenAuthTimeClaim(claims) {
	if (claims.auth_time !== void 0) assertNumber(claims.auth_time, true, "ID Token \"auth_time\" (authentication time)", INVALID_RESPONSE, { claims });
}
function validateIdTokenAuthTime(client, claims, maxAge) {
	if (maxAge === skipAuthTimeCheck) return;
	const now = epochTime() + getClockSkew(client);
	const tolerance = getClockTolerance(client);
	if (claims.auth_time + maxAge < now - tolerance) throw OPE("too much time has elapsed since the last End-User authentication", JWT_TIMESTAMP_CHECK, {
		claims,
		now,
		tolerance,
		claim: "auth_time"
	});
}
function validateIdTokenNonce(claims, expectedNonce) {
	const expected = expectedNonce === expectNoNonce ? void 0 : expectedNonce;
	if (claims.nonce !== expected) throw OPE("unexpected ID Token \"nonce\" claim value", JWT_CLAIM_COMPARISON, {
		expected,
		claims,
		claim: "nonce"
	});
}
function validateIdTokenAuthorizedParty(client, claims) {
	if (Array.isArray(claims.aud) && claims.aud.length !== 1) {
		if (claims.azp === void 0) throw OPE("ID Token \"aud\" (audience) claim includes additional untrusted audiences", JWT_CLAIM_COMPARISON, {
			claims,
			claim: "aud"
		});
		if (claims.azp !== client.client_id) throw OPE("unexpected ID Token \"azp\" (authorized party) claim value", JWT_CLAIM_COMPARISON, {
			expected: client.client_id,
			claims,
			claim: "azp"
		});
	}
}
var expectNoNonce = Symbol();
var skipAuthTimeCheck = Symbol();
async function processAuthorizationCodeResponse(as, client, response, options) {
	if (typeof options?.expectedNonce === "string" || typeof options?.maxAge === "number" || options?.requireIdToken) return processAuthorizationCodeOpenIDResponse(as, client, response, options.expectedNonce, options.maxAge, options[jweDecrypt], options.recognizedTokenTypes);
	return processAuthorizationCodeOAuth2Response(as, client, response, options?.maxAge, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function processAuthorizationCodeOpenIDResponse(as, client, response, expectedNonce, maxAge, decryptFn, recognizedTokenTypes) {
	const additionalRequiredClaims = [];
	switch (expectedNonce) {
		case void 0:
			expectedNonce = expectNoNonce;
			break;
		case expectNoNonce: break;
		default:
			assertString(expectedNonce, "\"expectedNonce\" argument");
			additionalRequiredClaims.push("nonce");
	}
	maxAge = resolveIdTokenMaxAge(client, maxAge);
	if (maxAge !== skipAuthTimeCheck) additionalRequiredClaims.push("auth_time");
	const result = await processGenericAccessTokenResponse(as, client, response, additionalRequiredClaims, decryptFn, recognizedTokenTypes);
	assertString(result.id_token, "\"response\" body \"id_token\" property", INVALID_RESPONSE, { body: result });
	const claims = getValidatedIdTokenClaims(result);
	validateIdTokenAuthTime(client, claims, maxAge);
	validateIdTokenNonce(claims, expectedNonce);
	return result;
}
async function processAuthorizationCodeOAuth2Response(as, client, response, maxAge, decryptFn, recognizedTokenTypes) {
	const result = await processGenericAccessTokenResponse(as, client, response, void 0, decryptFn, recognizedTokenTypes);
	const claims = getValidatedIdTokenClaims(result);
	if (claims) {
		validateIdTokenAuthTime(client, claims, resolveIdTokenMaxAge(client, maxAge));
		validateIdTokenNonce(claims, expectNoNonce);
	}
	return result;
}
var WWW_AUTHENTICATE_CHALLENGE = "OAUTH_WWW_AUTHENTICATE_CHALLENGE";
var RESPONSE_BODY_ERROR = "OAUTH_RESPONSE_BODY_ERROR";
var UNSUPPORTED_OPERATION = "OAUTH_UNSUPPORTED_OPERATION";
var AUTHORIZATION_RESPONSE_ERROR = "OAUTH_AUTHORIZATION_RESPONSE_ERROR";
var PARSE_ERROR = "OAUTH_PARSE_ERROR";
var INVALID_RESPONSE = "OAUTH_INVALID_RESPONSE";
var RESPONSE_IS_NOT_JSON = "OAUTH_RESPONSE_IS_NOT_JSON";
var RESPONSE_IS_NOT_CONFORM = "OAUTH_RESPONSE_IS_NOT_CONFORM";
var HTTP_REQUEST_FORBIDDEN = "OAUTH_HTTP_REQUEST_FORBIDDEN";
var REQUEST_PROTOCOL_FORBIDDEN = "OAUTH_REQUEST_PROTOCOL_FORBIDDEN";
var JWT_TIMESTAMP_CHECK = "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
var JWT_CLAIM_COMPARISON = "OAUTH_JWT_CLAIM_COMPARISON_FAILED";
var JSON_ATTRIBUTE_COMPARISON = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
var MISSING_SERVER_METADATA = "OAUTH_MISSING_SERVER_METADATA";
var INVALID_SERVER_METADATA = "OAUTH_INVALID_SERVER_METADATA";
async function revocationRequest(as, client, clientAuthentication, token, options) {
	assertAs(as);
	assertClient(client);
	assertString(token, "\"token\"");
	const url = resolveEndpoint(as, "revocation_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests] !== true);
	const body = new URLSearchParams(options?.additionalParameters);
	body.set("token", token);
	const headers = prepareHeaders(options?.headers);
	headers.delete("accept");
	return authenticatedRequest(as, client, clientAuthentication, url, body, headers, options);
}
async function processRevocationResponse(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE);
	await checkOAuthBodyError(response, 200, "Revocation Endpoint");
}
function assertReadableResponse(response) {
	if (response.bodyUsed) throw CodedTypeError("\"response\" body has been used already", ERR_INVALID_ARG_VALUE);
}
async function validateJwt(jws, checkAlg, clockSkew, clockTolerance, decryptJwt) {
	let { 0: protectedHeader, 1: payload, length } = jws.split(".");
	if (length === 5) {
		if (decryptJwt !== void 0) {
			jws = await decryptJwt(jws);
			({0: protectedHeader, 1: payload, length} = jws.split("."));
		} else throw new UnsupportedOperationError("JWE decryption is not configured", { cause: jws });
	}
	if (length !== 3) throw OPE("Invalid JWT", INVALID_RESPONSE, jws);
	let header;
	try {
		header = JSON.parse(buf(b64u(protectedHeader)));
	} catch (cause) {
		throw OPE("failed to parse JWT Header body as base64url encoded JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(header)) throw OPE("JWT Header must be a top level object", INVALID_RESPONSE, jws);
	checkAlg(header);
	if (header.crit !== void 0) throw new UnsupportedOperationError("no JWT \"crit\" header parameter extensions are supported", { cause: { header } });
	let claims;
	try {
		claims = JSON.parse(buf(b64u(payload)));
	} catch (cause) {
		throw OPE("failed to parse JWT Payload body as base64url encoded JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(claims)) throw OPE("JWT Payload must be a top level object", INVALID_RESPONSE, jws);
	const now = epochTime() + clockSkew;
	if (claims.exp !== void 0) {
		if (typeof claims.exp !== "number") throw OPE("unexpected JWT \"exp\" (expiration time) claim type", INVALID_RESPONSE, { claims });
		if (claims.exp <= now - clockTolerance) throw OPE("unexpected JWT \"exp\" (expiration time) claim value, expiration is past current timestamp", JWT_TIMESTAMP_CHECK, {
			claims,
			now,
			tolerance: clockTolerance,
			claim: "exp"
		});
	}
	if (claims.iat !== void 0) {
		if (typeof claims.iat !== "number") throw OPE("unexpected JWT \"iat\" (issued at) claim type", INVALID_RESPONSE, { claims });
	}
	if (claims.iss !== void 0) {
		if (typeof claims.iss !== "string") throw OPE("unexpected JWT \"iss\" (issuer) claim type", INVALID_RESPONSE, { claims });
	}
	if (claims.nbf !== void 0) {
		if (typeof claims.nbf !== "number") throw OPE("unexpected JWT \"nbf\" (not before) claim type", INVALID_RESPONSE, { claims });
		if (claims.nbf > now + clockTolerance) throw OPE("unexpected JWT \"nbf\" (not before) claim value", JWT_TIMESTAMP_CHECK, {
			claims,
			now,
			tolerance: clockTolerance,
			claim: "nbf"
		});
	}
	if (claims.aud !== void 0) {
		if (typeof claims.aud !== "string" && !Array.isArray(claims.aud)) throw OPE("unexpected JWT \"aud\" (audience) claim type", INVALID_RESPONSE, { claims });
	}
	return {
		header,
		claims,
		jwt: jws
	};
}
function checkSigningAlgorithm(client, issuer, fallback, header) {
	if (client !== void 0) {
		if (typeof client === "string" ? header.alg !== client : !client.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: client,
			reason: "client configuration"
		});
		return;
	}
	if (Array.isArray(issuer)) {
		if (!issuer.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: issuer,
			reason: "authorization server metadata"
		});
		return;
	}
	if (fallback !== void 0) {
		if (typeof fallback === "string" ? header.alg !== fallback : typeof fallback === "function" ? !fallback(header.alg) : !fallback.includes(header.alg)) throw OPE("unexpected JWT \"alg\" header parameter", INVALID_RESPONSE, {
			header,
			expected: fallback,
			reason: "default value"
		});
		return;
	}
	throw OPE("missing client or server configuration to verify used JWT \"alg\" header parameter", void 0, {
		client,
		issuer,
		fallback
	});
}
function getURLSearchParameter(parameters, name) {
	const { 0: value, length } = parameters.getAll(name);
	if (length > 1) throw OPE(`"${name}" parameter must be provided only once`, INVALID_RESPONSE);
	return value;
}
var skipStateCheck = Symbol();
var expectNoState = Symbol();
function validateAuthResponse(as, client, parameters, expectedState) {
	assertAs(as);
	assertClient(client);
	if (parameters instanceof URL) parameters = parameters.searchParams;
	if (!(parameters instanceof URLSearchParams)) throw CodedTypeError("\"parameters\" must be an instance of URLSearchParams, or URL", ERR_INVALID_ARG_TYPE);
	if (getURLSearchParameter(parameters, "response")) throw OPE("\"parameters\" contains a JARM response, use validateJwtAuthResponse() instead of validateAuthResponse()", INVALID_RESPONSE, { parameters });
	const iss = getURLSearchParameter(parameters, "iss");
	const state = getURLSearchParameter(parameters, "state");
	if (!iss && as.authorization_response_iss_parameter_supported) throw OPE("response parameter \"iss\" (issuer) missing", INVALID_RESPONSE, { parameters });
	if (iss && iss !== as.issuer) throw OPE("unexpected \"iss\" (issuer) response parameter value", INVALID_RESPONSE, {
		expected: as.issuer,
		parameters
	});
	switch (expectedState) {
		case void 0:
		case expectNoState:
			if (state !== void 0) throw OPE("unexpected \"state\" response parameter encountered", INVALID_RESPONSE, {
				expected: void 0,
				parameters
			});
			break;
		case skipStateCheck: break;
		default:
			assertString(expectedState, "\"expectedState\" argument");
			if (state !== expectedState) throw OPE(state === void 0 ? "response parameter \"state\" missing" : "unexpected \"state\" response parameter value", INVALID_RESPONSE, {
				expected: expectedState,
				parameters
			});
	}
	if (getURLSearchParameter(parameters, "error")) throw new AuthorizationResponseError("authorization response from the server is an error", { cause: parameters });
	const id_token = getURLSearchParameter(parameters, "id_token");
	const token = getURLSearchParameter(parameters, "token");
	if (id_token !== void 0 || token !== void 0) throw new UnsupportedOperationError("implicit and hybrid flows are not supported");
	return brand(new URLSearchParams(parameters));
}
async function dynamicClientRegistrationRequest(as, metadata, options) {
	assertAs(as);
	const url = resolveEndpoint(as, "registration_endpoint", metadata.use_mtls_endpoint_aliases, options?.[allowInsecureRequests] !== true);
	const headers = prepareHeaders(options?.headers);
	headers.set("accept", "application/json");
	headers.set("content-type", "application/json");
	const method = "POST";
	if (options?.DPoP) {
		assertDPoP(options.DPoP);
		await options.DPoP.addProof(url, headers, method, options.initialAccessToken);
	}
	if (options?.initialAccessToken) headers.set("authorization", `${headers.has("dpop") ? "DPoP" : "Bearer"} ${options.initialAccessToken}`);
	const response = await (options?.[customFetch] || fetch)(url.href, {
		body: JSON.stringify(metadata),
		headers: Object.fromEntries(headers.entries()),
		method,
		redirect: "manual",
		signal: signal(url, options?.signal)
	});
	options?.DPoP?.cacheNonce(response, url);
	return response;
}
async function processDynamicClientRegistrationResponse(response) {
	if (!looseInstanceOf(response, Response)) throw CodedTypeError("\"response\" must be an instance of Response", ERR_INVALID_ARG_TYPE);
	await checkOAuthBodyError(response, 201, "Dynamic Client Registration Endpoint");
	assertReadableResponse(response);
	const json = await getResponseJsonBody(response);
	assertString(json.client_id, "\"response\" body \"client_id\" property", INVALID_RESPONSE, { body: json });
	if (json.client_secret !== void 0) assertString(json.client_secret, "\"response\" body \"client_secret\" property", INVALID_RESPONSE, { body: json });
	if (json.client_secret) assertNumber(json.client_secret_expires_at, true, "\"response\" body \"client_secret_expires_at\" property", INVALID_RESPONSE, { body: json });
	return json;
}
async function getResponseJsonBody(response, check = assertApplicationJson) {
	let json;
	try {
		json = await response.json();
	} catch (cause) {
		check(response);
		throw OPE("failed to parse \"response\" body as JSON", PARSE_ERROR, cause);
	}
	if (!isJsonObject(json)) throw OPE("\"response\" body must be a top level object", INVALID_RESPONSE, { body: json });
	return json;
}
var _nodiscoverycheck = Symbol();
var _expectedIssuer = Symbol();
// server/client/service/run_tool.ts
/** It may ask the person to unlock something. */
var PATIENCE_MS = 3e4;
var MOST_BYTES$1 = 65536;
/** Undefined when there is no such program. */
var runTool = (env, [program, ...args], input = "") => new Promise((resolve, reject) => {
	const child = execFile(program, args, {
		env,
		timeout: PATIENCE_MS,
		maxBuffer: MOST_BYTES$1
	}, (error, out, err) => {
		if (codeOf(error) === "ENOENT") resolve(void 0);
		else if (error?.killed === true) reject(new Complaint(`${program} did not answer within ${PATIENCE_MS / 1e3} seconds.`));
		else resolve({
			isDone: error === null,
			out,
			err: err.trim()
		});
	});
	child.stdin?.on("error", () => void 0);
	child.stdin?.end(input);
});
// server/client/service/secret_store.ts
var STORES = {
	"secret-tool": secretTool,
	security: keychain,
	file: secretFiles
};
var isStoreName = (name) => Object.hasOwn(STORES, name);
var secretStore = (env, name) => STORES[name](env);
/** The store of this system. */
var systemStore = (env) => secretStore(env, process$1.platform === "darwin" ? "security" : "secret-tool");
var SERVICE = "pharos";
/** What implements the Secret Service of the desktop: GNOME's keyring, KWallet, KeePassXC. */
function secretTool(env) {
	const attributes = (id) => [
		"service",
		SERVICE,
		"id",
		id
	];
	return {
		name: "secret-tool",
		placeOf: () => "the keyring of this desktop (secret-tool)",
		read: async (id) => {
			const { isDone, out, err } = answered(await runTool(env, [
				"secret-tool",
				"lookup",
				...attributes(id)
			]));
			if (!isDone && err !== "") throw unwilling("secret-tool", err);
			return isDone && out !== "" ? out : void 0;
		},
		write: async (id, secret, label) => {
			const { isDone, err } = answered(await runTool(env, ["secret-tool", ...[
				"store",
				`--label=${label}`,
				...attributes(id)
			]], secret));
			if (!isDone) throw unwilling("secret-tool", err);
		},
		remove: async (id) => {
			const { isDone, err } = answered(await runTool(env, [
				"secret-tool",
				"clear",
				...attributes(id)
			]));
			if (!isDone && err !== "") throw unwilling("secret-tool", err);
		}
	};
}
/** The keychain of macOS. */
function keychain(env) {
	const named = (id) => [
		"-s",
		SERVICE,
		"-a",
		id
	];
	const read = async (id) => {
		const { isDone, out, err } = answered(await runTool(env, [
			"security",
			"find-generic-password",
			...named(id),
			"-w"
		]));
		if (isDone) return Buffer.from(out.trim(), "base64url").toString();
		if (isUnknown(err)) return void 0;
		throw unwilling("security", err);
	};
	return {
		name: "security",
		placeOf: () => "the keychain of macOS (security)",
		read,
		write: async (id, secret, label) => {
			const encoded = Buffer.from(secret).toString("base64url");
			const { err } = answered(await runTool(env, ["security", "-i"], `add-generic-password -U ${named(id).join(" ")} -l "${label}" -w ${encoded}\n`));
			if (await read(id) !== secret) throw unwilling("security", err);
		},
		remove: async (id) => {
			const { isDone, err } = answered(await runTool(env, [
				"security",
				"delete-generic-password",
				...named(id)
			]));
			if (!isDone && !isUnknown(err)) throw unwilling("security", err);
		}
	};
}
/** The words that `security` has for the error errSecItemNotFound. */
var isUnknown = (err) => err.includes("could not be found");
function secretFiles(env) {
	const fileOf = (id) => join(configFolder(env), "secrets", `${id}.json`);
	const onDisk = async (id, work) => {
		try {
			return await work(fileOf(id));
		} catch (error) {
			throw unwilling(fileOf(id), wordsOf(error));
		}
	};
	return {
		name: "file",
		placeOf: fileOf,
		read: (id) => onDisk(id, (path) => readFile(path, "utf8").catch((error) => {
			if (codeOf(error) === "ENOENT") return void 0;
			throw error;
		})),
		write: (id, secret) => onDisk(id, (path) => replaceFile(path, secret)),
		remove: (id) => onDisk(id, (path) => rm(path, { force: true }))
	};
}
var unwilling = (who, words) => {
	return new Complaint(`The store of secrets does not do what it is asked: ${words.startsWith(who) ? words : `${who}: ${words || "it says nothing"}`}`);
};
/** There is no such program. */
var NoStore = class extends Complaint {};
function answered(answer) {
	if (answer === void 0) throw new NoStore("This system has no store of secrets that this program can use.");
	return answer;
}
// server/client/service/turn.ts
/**
* No turn is longer: what is done in one has timeouts that are shorter together. It ends the turn of another computer
* that shares the folder, and that of a process whose number another one has now.
*/
var LONGEST_TURN_MS = 12e4;
var LOOK_AGAIN_MS = 50;
/** @throws Complaint when the file cannot be written, and what the work throws */
async function inTurn(path, work) {
	const own = `${hostname()} ${process$1.pid} ${randomBytes(8).toString("hex")}`;
	try {
		await mkdir(dirname(path), {
			recursive: true,
			mode: 448
		});
		while (!await begins(path, own)) if (!await endsAbandoned(path)) await setTimeout$1(LOOK_AGAIN_MS);
	} catch (error) {
		throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`);
	}
	try {
		return await work();
	} finally {
		if (await readFile(path, "utf8").catch(gone) === own) await rm(path, { force: true });
	}
}
async function begins(path, own) {
	try {
		await writeFile(path, own, {
			flag: "wx",
			mode: 384
		});
		return true;
	} catch (error) {
		if (codeOf(error) === "EEXIST") return false;
		throw error;
	}
}
/** Returns true when the turn is over, or was over already. */
async function endsAbandoned(path) {
	const [found, holder] = await Promise.all([stat(path).catch(gone), readFile(path, "utf8").catch(gone)]);
	if (found === void 0 || holder === void 0) return true;
	if (isRunning(holder) && Date.now() - found.mtimeMs < LONGEST_TURN_MS) return false;
	const aside = `${path}.${randomBytes(6).toString("hex")}`;
	try {
		await rename(path, aside);
		if (await readFile(aside, "utf8") !== holder) await link(aside, path);
		await rm(aside, { force: true });
	} catch (error) {
		if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
	}
	return true;
}
/** True also when it cannot be known: on another computer, or before the number is written. */
function isRunning(holder) {
	const [host, number = ""] = holder.split(" ");
	if (host !== hostname() || !/^\d+$/.test(number)) return true;
	try {
		process$1.kill(Number(number), 0);
		return true;
	} catch (error) {
		return codeOf(error) !== "ESRCH";
	}
}
var gone = (error) => {
	if (codeOf(error) === "ENOENT") return void 0;
	throw error;
};
// server/client/service/profiles.ts
var USUAL_PROFILE = "default";
var isProfileName = (name) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);
/** Nobody else has it, in this folder or another one, so no sign-in overwrites the secret of another. */
var newSecretId = () => randomBytes(16).toString("hex");
var fileIn = (env) => join(configFolder(env), "config.json");
/** @throws Complaint when the file is something else */
async function readProfiles(env) {
	const path = fileIn(env);
	const text = await readFile(path, "utf8").catch((error) => {
		if (codeOf(error) === "ENOENT") return void 0;
		throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`);
	});
	if (text === void 0) return {
		current: USUAL_PROFILE,
		byName: /* @__PURE__ */ new Map()
	};
	const profiles = profilesIn(text);
	if (profiles !== void 0) return profiles;
	throw new Complaint(`${path} holds no profiles that can be read here.`, { advice: "Correct it, or move it away and sign in anew." });
}
/** The keys of the logs that the person's own services have shown. @throws Complaint as `readProfiles` does */
var ownLogKeys = async (env) => [...(await readProfiles(env)).byName.values()].flatMap(({ origin, logKey: key }) => key === void 0 ? [] : [{
	origin,
	key
}]);
/**
* Returns them as they were before. Changes of several commands at once come one after the other.
* @throws Complaint when the file is something else or cannot be written
*/
var changeProfiles = (env, change) => {
	const path = fileIn(env);
	return inTurn(`${path}.turn`, async () => {
		const before = await readProfiles(env);
		const text = textOf$1(change(before));
		try {
			await replaceFile(path, text);
			return before;
		} catch (error) {
			throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`);
		}
	});
};
/** A change of one of them, which may be new. */
var withProfile = ({ current, byName }, name, profile) => ({
	current,
	byName: new Map([...byName, [name, profile]])
});
var textOf$1 = ({ current, byName }) => {
	const profiles = [...byName].map(([name, { origin, logKey, secret }]) => [name, {
		url: origin,
		log_key: logKey,
		secret
	}]);
	return `${JSON.stringify({
		version: 1,
		current,
		profiles: Object.fromEntries(profiles)
	}, null, 2)}\n`;
};
function profilesIn(text) {
	try {
		const document = readStrictJson(text);
		const members = isJsonObject$1(document) ? memberOf(document, "profiles") : void 0;
		const current = textAt(document, "current");
		if (!isJsonObject$1(document) || memberOf(document, "version") !== 1) return void 0;
		if (current === void 0 || !isJsonObject$1(members)) return void 0;
		const byName = /* @__PURE__ */ new Map();
		for (const [name, value] of Object.entries(members)) {
			const profile = profileIn(value);
			if (!isProfileName(name) || profile === void 0) return void 0;
			byName.set(name, profile);
		}
		return {
			current,
			byName
		};
	} catch (error) {
		if (error instanceof StrictJsonError) return void 0;
		throw error;
	}
}
function profileIn(value) {
	const origin = originOf(textAt(value, "url") ?? "");
	const secret = isJsonObject$1(value) ? memberOf(value, "secret") : void 0;
	const store = textAt(secret, "store") ?? "";
	const id = textAt(secret, "id") ?? "";
	if (origin === void 0) return void 0;
	const logKey = textAt(value, "log_key");
	if (secret === void 0) return {
		origin,
		logKey,
		secret: void 0
	};
	return isStoreName(store) && /^[0-9a-f]{32}$/.test(id) ? {
		origin,
		logKey,
		secret: {
			store,
			id
		}
	} : void 0;
}
/** Undefined for what is not the address of a service. */
var originOf = (address) => {
	const url = URL.canParse(address) ? new URL(address) : void 0;
	return url !== void 0 && /^https?:$/.test(url.protocol) ? url.origin : void 0;
};
// server/client/service/oauth_requests.ts
var CLIENT_NAME = "Pharos command line";
var SCOPE = "api:read api:write";
var REQUEST_MS = 1e4;
/**
* The service answers a refresh token that it has seen once more for ten seconds, and no later. So an answer that is lost
* is asked for again before that.
*/
var RENEWAL_MS = 4e3;
/** Requests as every other one of this program is made: with ceilings, and without following redirects. */
var options = (origin, milliseconds = REQUEST_MS) => ({
	[allowInsecureRequests]: origin.startsWith("http:"),
	[customFetch]: async (url, { method, headers, body }) => {
		const question = method === "POST" ? {
			method,
			headers,
			body: String(body ?? "")
		} : { headers };
		const ceilings = {
			bytes: LARGEST_ANSWER_BYTES$1,
			milliseconds
		};
		const { status, bytes } = await getBytes(new URL(url), question, ceilings);
		if (status === 429 || status >= 500) throw new NoAnswer(`${origin} answered ${status}.`, { advice: "Try again in a moment." });
		const text = new TextDecoder().decode(bytes);
		return new Response(text === "" ? null : text, {
			status,
			headers: { "content-type": "application/json" }
		});
	}
});
/** Registers this program, once for each sign-in: who has signed out leaves nothing behind. @throws Complaint */
var depart = (origin, redirectUri) => told(origin, async () => {
	const server = await discover(origin);
	const client = await processDynamicClientRegistrationResponse(await dynamicClientRegistrationRequest(server, {
		client_name: CLIENT_NAME,
		redirect_uris: [redirectUri],
		token_endpoint_auth_method: "none"
	}, options(origin)));
	const state = generateRandomState();
	const verifier = generateRandomCodeVerifier();
	const url = new URL(server.authorization_endpoint ?? "");
	url.search = new URLSearchParams({
		response_type: "code",
		client_id: client.client_id,
		redirect_uri: redirectUri,
		scope: SCOPE,
		resource: origin,
		state,
		code_challenge: await calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256"
	}).toString();
	return {
		server,
		client,
		url,
		redirectUri,
		state,
		verifier
	};
});
/** The person did not agree, or the service did not let it. */
var SignInRefused = class extends Complaint {};
/**
* Exchanges what the browser brought for tokens.
* @throws SignInRefused, Complaint
*/
var arrive = ({ server, client, redirectUri, state, verifier }, brought) => {
	const origin = server.issuer;
	return told(origin, async () => {
		const checked = validateAuthResponse(server, client, brought, state);
		return tokensOf(client, await processAuthorizationCodeResponse(server, client, await authorizationCodeGrantRequest(server, client, None(), checked, redirectUri, verifier, options(origin))));
	});
};
/**
* The tokens that follow. Undefined when the sign-in has ended.
* @throws Complaint
*/
var renewedTokens = (origin, tokens) => told(origin, async () => {
	const server = await discover(origin);
	const client = { client_id: tokens.clientId };
	try {
		return tokensOf(client, await processRefreshTokenResponse(server, client, await twice(() => refreshTokenGrantRequest(server, client, None(), tokens.refreshToken, options(origin, RENEWAL_MS)))), tokens);
	} catch (error) {
		if (error instanceof ResponseBodyError) return void 0;
		throw error;
	}
});
/** Takes back all that came of the sign-in. @throws Complaint */
var revokeTokens = (origin, { clientId, refreshToken }) => told(origin, async () => {
	await processRevocationResponse(await revocationRequest(await discover(origin), { client_id: clientId }, None(), refreshToken, options(origin)));
});
var ENDPOINTS = [
	"authorization_endpoint",
	"token_endpoint",
	"registration_endpoint",
	"revocation_endpoint"
];
/**
* All of a sign-in happens at the service itself: the address of a page is handed to the system, which opens addresses of
* every kind.
* @throws Complaint when the service goes by another address, or leads to another one
*/
async function discover(origin) {
	const answer = await discoveryRequest(new URL(origin), {
		...options(origin),
		algorithm: "oauth2"
	});
	if (answer.status === 404) throw new Complaint(`${origin} knows no sign-in.`, { advice: "Is it the address of a Pharos service?" });
	const issuer = textAt(await answer.clone().json(), "issuer");
	if (issuer !== void 0 && originOf(issuer) !== origin) throw new Complaint(`${origin} calls itself ${issuer}.`, { advice: `If that is the service you mean, name it so: --url ${issuer}` });
	const server = await processDiscoveryResponse(new URL(origin), answer);
	const strange = ENDPOINTS.find((name) => originOf(server[name] ?? "") !== origin);
	if (strange === void 0) return server;
	throw new Complaint(`${origin} signs nobody in by itself: it names ${server[strange] ?? "no"} ${strange}.`);
}
/** A lost answer leaves nobody knowing the next token, and the same question gets it again. */
async function twice(ask) {
	try {
		return await ask();
	} catch (error) {
		if (error instanceof NoAnswer) return ask();
		throw error;
	}
}
/** When the service does not say how long a token is valid. */
var USUAL_LIFETIME_SECONDS = 300;
/** A renewal without a new refresh token leaves the old one valid, and one without scopes the old ones. */
function tokensOf({ client_id: clientId }, { access_token: accessToken, refresh_token, scope, expires_in }, before) {
	const refreshToken = refresh_token ?? before?.refreshToken;
	if (refreshToken === void 0) throw new Complaint("The service gave no refresh token.");
	return {
		clientId,
		accessToken,
		refreshToken,
		scope: scope ?? before?.scope ?? SCOPE,
		endsAt: new Date(Date.now() + (expires_in ?? USUAL_LIFETIME_SECONDS) * 1e3).toISOString()
	};
}
/** What the library throws becomes a sentence for the person. */
async function told(origin, ask) {
	try {
		return await ask();
	} catch (error) {
		if (error instanceof Complaint) throw error;
		if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) throw new SignInRefused(`${origin} did not sign you in (${printable(error.error)}): ${printable(error.error_description ?? "it says no more")}.`, { exitCode: 4 });
		if (error instanceof OperationProcessingError || error instanceof SyntaxError) throw new Complaint(`${origin} answered something that does not belong to a sign-in: ${error.message}.`);
		throw error;
	}
}
// server/client/service/secret.ts
var isKeyText = (text) => /^[\x21-\x7e]{1,512}$/.test(text);
/** One line. */
function writeSecret(secret) {
	const { origin } = secret;
	if (secret.kind === "api_key") return JSON.stringify({
		origin,
		api_key: secret.key
	});
	const { clientId, accessToken, refreshToken, scope, endsAt } = secret.tokens;
	return JSON.stringify({
		origin,
		client_id: clientId,
		access_token: accessToken,
		refresh_token: refreshToken,
		scope,
		ends_at: endsAt
	});
}
/** Undefined for what is none. */
function readSecret(text) {
	try {
		const value = readStrictJson(text);
		const [origin, key] = ["origin", "api_key"].map((name) => textAt(value, name));
		if (origin === void 0) return void 0;
		if (key !== void 0) return {
			origin,
			kind: "api_key",
			key
		};
		const [clientId, accessToken, refreshToken, scope, endsAt] = [
			"client_id",
			"access_token",
			"refresh_token",
			"scope",
			"ends_at"
		].map((name) => textAt(value, name));
		if (!clientId || !accessToken || !refreshToken || scope === void 0 || !endsAt) return void 0;
		return {
			origin,
			kind: "sign_in",
			tokens: {
				clientId,
				accessToken,
				refreshToken,
				scope,
				endsAt
			}
		};
	} catch (error) {
		if (error instanceof StrictJsonError) return void 0;
		throw error;
	}
}
// server/client/service/credential.ts
var keyCredential = (key) => ({
	authorization: `Bearer ${key}`,
	renew: void 0
});
var SignInCredential = class {
	#kept;
	#tokens;
	#renewal;
	constructor(kept, tokens) {
		this.#kept = kept;
		this.#tokens = tokens;
	}
	get authorization() {
		return `Bearer ${this.#tokens.accessToken}`;
	}
	/** @throws Complaint when the sign-in has ended, and when nobody answers */
	renew = async (refused) => {
		if (refused !== this.authorization) return;
		this.#renewal ??= this.#renewed().finally(() => {
			this.#renewal = void 0;
		});
		this.#tokens = await this.#renewal;
	};
	/** Commit point: the store has the new tokens. Whoever is killed between the answer and that has to sign in anew. */
	#renewed() {
		const { env, origin, place, advice } = this.#kept;
		const ended = () => new Complaint(`The sign-in at ${origin} has ended.`, {
			exitCode: 4,
			advice
		});
		return inTurn(join(configFolder(env), "turns", place.id), async () => {
			const secret = await keptSecret(env, {
				origin,
				place
			});
			if (secret?.kind !== "sign_in") throw ended();
			if (secret.tokens.accessToken !== this.#tokens.accessToken) return secret.tokens;
			const tokens = await renewedTokens(origin, secret.tokens);
			if (tokens === void 0) throw ended();
			await keepSecret(env, place, {
				...secret,
				tokens
			});
			return tokens;
		});
	}
};
/** Undefined also for a secret that was given for another service. @throws Complaint when the store does not answer */
async function keptSecret(env, { origin, place: { store, id } }) {
	const text = await secretStore(env, store).read(id);
	const secret = text === void 0 ? void 0 : readSecret(text);
	return secret?.origin === origin ? secret : void 0;
}
/** @throws Complaint when the store does not take it */
var keepSecret = (env, { store, id }, secret) => secretStore(env, store).write(id, writeSecret(secret), `Pharos ${secret.origin}`);
/** For people. */
var placeWords = (env, { store, id }) => secretStore(env, store).placeOf(id);
// server/client/service/choice.ts
var USUAL_ADDRESS = "http://localhost:4000";
/** @throws Complaint for what is not the address of a service */
async function choose({ env }, values) {
	const profiles = await readProfiles(env);
	const typed = textOption(values, "profile");
	const named = typed ?? (env.PHAROS_PROFILE || void 0);
	const profile = named ?? profiles.current;
	const ofProfile = profiles.byName.get(profile)?.origin;
	const ofEnvironment = env.PHAROS_URL || void 0;
	const [first, second] = typed === void 0 ? [ofEnvironment, ofProfile] : [ofProfile, ofEnvironment];
	const address = textOption(values, "url") ?? first ?? second;
	const origin = address === void 0 ? void 0 : requiredOrigin(address);
	return {
		profiles,
		profile,
		isNamed: named !== void 0,
		origin
	};
}
/** The same where a service has to be meant: without a word it is the one that usually runs on this computer. */
var withOrigin = (choice) => ({
	...choice,
	origin: choice.origin ?? USUAL_ADDRESS
});
/** @throws Complaint when a profile was named that does not exist */
function requireProfile({ self }, { profiles, profile, isNamed }) {
	if (isNamed && !profiles.byName.has(profile)) throw new Complaint(`There is no profile ${profile}.`, { advice: `${self} profile ls lists them.` });
}
function requiredOrigin(address) {
	const origin = originOf(address);
	if (origin !== void 0) return origin;
	throw new Complaint(`${address} is not the address of a service.`, { advice: "Such as --url https://pharos.example" });
}
/**
* The secret for a service: the key of the environment, or else that of a profile that is signed in at this very service,
* which is the chosen one, or any when none was named. Undefined when there is none.
* @throws Complaint for a key that cannot be one, and when a store does not answer or has lost what it was given
*/
async function findSecret({ env, self }, choice, origin) {
	const key = environmentKey(env, choice, origin);
	if (key !== void 0) return {
		secret: {
			origin,
			kind: "api_key",
			key
		},
		kept: void 0,
		placeWords: "PHAROS_API_KEY of the environment"
	};
	const { profiles: { byName }, profile: chosen, isNamed } = choice;
	for (const profile of isNamed ? [chosen] : [chosen, ...byName.keys()]) {
		const held = byName.get(profile);
		if (held?.origin !== origin || held.secret === void 0) continue;
		const place = held.secret;
		const secret = await keptSecret(env, {
			origin,
			place
		});
		if (secret !== void 0) return {
			secret,
			kept: {
				profile,
				place
			},
			placeWords: placeWords(env, place)
		};
		throw new Complaint(`What ${profile} signs in with is gone from ${placeWords(env, place)}.`, {
			exitCode: 4,
			advice: signInAgain(self, profile)
		});
	}
}
var signInAgain = (self, profile) => `Sign in again: ${self} login --profile ${profile}`;
/**
* The API key of the environment, when it is for this service: that of PHAROS_URL, or else the chosen one. Undefined for
* every other one.
*/
function environmentKey({ PHAROS_API_KEY: key = "", PHAROS_URL: address = "" }, { origin: chosen }, origin) {
	if (key === "" || origin !== (address === "" ? chosen : originOf(address))) return void 0;
	if (isKeyText(key)) return key;
	throw new Complaint("PHAROS_API_KEY holds no API key.", { exitCode: 4 });
}
/** Undefined when there is no secret for this service. @throws Complaint as `findSecret` does */
async function credentialFor(surroundings, choice, origin) {
	const found = await findSecret(surroundings, choice, origin);
	if (found === void 0) return void 0;
	const { secret, kept } = found;
	if (secret.kind === "api_key") return keyCredential(secret.key);
	if (kept === void 0) return void 0;
	const { env, self } = surroundings;
	const advice = signInAgain(self, kept.profile);
	return new SignInCredential({
		env,
		origin,
		place: kept.place,
		advice
	}, secret.tokens);
}
// server/client/service/ask_service.ts
/** The options of every command that asks a service. */
var SERVICE_OPTIONS = {
	url: {
		type: "string",
		takes: "<service>",
		meaning: "its address: PHAROS_URL, else that of the profile in use, else http://localhost:4000"
	},
	tenant: {
		type: "string",
		takes: "<team id>",
		meaning: "acts in this team"
	}
};
/**
* The service that a command is about.
* @param credential whether the command needs one, or works without
* @throws Complaint when there is no valid address, no such profile, or no credential where one is needed
*/
async function serviceFrom(surroundings, values, { credential: need = "needed" } = {}) {
	const choice = withOrigin(await choose(surroundings, values));
	requireProfile(surroundings, choice);
	const url = new URL(choice.origin);
	const credential = await credentialFor(surroundings, choice, url.origin);
	if (credential === void 0 && need === "needed") throw new Complaint(`You are not signed in at ${url.origin}.`, {
		exitCode: 4,
		advice: signInAdvice(surroundings, url)
	});
	return serviceWith(surroundings, url, credential, textOption(values, "tenant"));
}
/**
* A service whose address stands somewhere that anybody may have written. Undefined where there is no credential for this
* very origin: then it is asked without one.
*/
async function ownService(surroundings, url, values = {}) {
	const credential = await credentialFor(surroundings, await choose(surroundings, { profile: values.profile }), url.origin);
	return credential && serviceWith(surroundings, url, credential);
}
/** Says so where the credential can be read on the way. */
function serviceWith(surroundings, url, credential, tenant) {
	if (credential !== void 0 && url.protocol === "http:" && !isOwnComputer(url.hostname)) surroundings.terminal.note(`! ${url.origin} is not https: whoever is on the way can read what you sign in with.`);
	return {
		url,
		get headers() {
			return {
				...credential && { authorization: credential.authorization },
				...tenant === void 0 ? {} : { tenant }
			};
		},
		renew: credential?.renew,
		signIn: signInAdvice(surroundings, url)
	};
}
var signInAdvice = ({ self }, { origin }) => `Sign in: ${self} login --url ${origin}, or put its address and an API key into the environment: export PHAROS_URL=${origin} PHAROS_API_KEY=phk_…`;
/**
* Sends a GET, or a POST when there is a body.
* @param isRepeatable whether a POST may be made twice
* @throws Complaint for every status that is not 2xx
*/
async function askService(service, path, body, isRepeatable) {
	return readAnswer(await askBytes(service, path, body === void 0 ? {} : {
		method: "POST",
		headers: { "content-type": "application/vnd.api+json" },
		body: JSON.stringify(body),
		...isRepeatable === void 0 ? {} : { isRepeatable }
	}), service.url);
}
/**
* One request with the credential of the service.
* @throws Complaint for every status that is not 2xx
*/
async function askBytes(service, path, question = {}) {
	const answer = await answerFrom(service, path, question);
	if (answer.status >= 200 && answer.status < 300) return answer.bytes;
	throw refusal(answer, service);
}
/**
* One request with the credential of the service, which is renewed when it is refused: then it is asked once more. Any
* status counts as an answer.
* @throws NoAnswer, and Complaint for a path that leads to another service, or when the sign-in has ended
*/
async function answerFrom(service, path, question = {}) {
	const { origin } = service.url;
	const target = new URL(path, service.url);
	if (target.origin !== origin) throw new Complaint(`${target.origin} is not ${origin}.`);
	const ask = (headers) => askHttp(target, {
		...question,
		headers: {
			...headers,
			...question.headers
		}
	});
	const { headers, renew } = service;
	const answer = await ask(headers);
	if (answer.status !== 401 || renew === void 0) return answer;
	await renew(headers.authorization ?? "");
	return ask(service.headers);
}
/**
* What `proof/generate` answers: a bundle, or CBOR as base64 text.
* @throws Complaint as `askService` does
*/
async function generatedProof(service, request) {
	const answer = await askService(service, "/api/json/proof/generate", { data: { ...request } }, true);
	const result = isJsonObject$1(answer) ? memberOf(answer, "result") : void 0;
	if (result === void 0) throw new Complaint(`${service.url.origin} answered with something else than a proof.`);
	return result;
}
function readAnswer(bytes, { origin }) {
	try {
		return readStrictJson(bytes);
	} catch (error) {
		if (!(error instanceof StrictJsonError)) throw error;
		throw new Complaint(`${origin} answered something that is not JSON.`);
	}
}
/** The service answered, with another status than 2xx. */
var ServiceRefused = class extends Complaint {
	status;
	/** Such as `subject_not_ready`; the status as text when the answer has none. */
	code;
	/** Why there is no proof, where the answer to who has no account says only that there is nothing. */
	reason;
	retryAfterSeconds;
	constructor({ status, retryAfterSeconds }, { code, reason, message, advice }) {
		super(message, {
			exitCode: status === 401 ? 4 : 1,
			...advice === "" ? {} : { advice }
		});
		this.status = status;
		this.code = code;
		this.reason = reason;
		this.retryAfterSeconds = retryAfterSeconds;
	}
};
/** The detail from the service comes first. The advice depends on the error code. */
function refusal(answer, { url: { origin }, signIn }) {
	const { status, bytes, retryAfterSeconds } = answer;
	const entry = firstError(bytes);
	const detail = printable(textAt(entry, "detail") ?? textAt(entry, "title") ?? `It answered ${status}.`);
	const code = textAt(entry, "code") ?? String(status);
	const meta = isJsonObject$1(entry) ? memberOf(entry, "meta") : void 0;
	const reason = status === 404 ? textAt(meta, "reason") : void 0;
	const told = reason ?? code;
	const wait = retryAfterSeconds === void 0 ? "" : ` Try again in ${retryAfterSeconds} s.`;
	const never = told === "no_external_commitments" && retryAfterSeconds === void 0;
	const general = ADVICE.get(told) ?? ADVICE.get(String(status));
	const advice = never ? void 0 : (status === 401 || code === "403") && signIn !== void 0 ? `${general} ${signIn}` : general;
	return new ServiceRefused(answer, {
		code,
		reason,
		message: `${origin} refused (${printable(told)}): ${detail}`,
		advice: `${advice ?? ""}${wait}`.trim()
	});
}
var ADVICE = /* @__PURE__ */ new Map([
	["no_external_commitments", "Its block does not stand on a public chain yet. Wait until the next epoch is committed and confirmed: the item’s proof_available_at is set then."],
	["subject_not_ready", "It is not in a finalized block yet. The proof can be made once that block stands on a public chain."],
	["subject_not_recomputable", "Its data were redacted or no longer make the committed hash. It cannot be proven."],
	["invalid_witness", `Witness names: ${[
		"block",
		...ENTROPY_NAMES,
		"signing_key_event"
	].join(", ")}.`],
	["signing_unavailable", "This passes."],
	["lookup_failed", "This passes."],
	["401", "No credential was sent, or it was not accepted: it may be mistyped, revoked, or of another service."],
	["403", "What you are signed in with may not do that."],
	["404", "There is nothing of this id and type that you may read."],
	["429", "Too many requests."]
]);
var firstError = (bytes) => {
	try {
		const body = readStrictJson(bytes);
		const errors = isJsonObject$1(body) ? memberOf(body, "errors") : void 0;
		return Array.isArray(errors) ? errors[0] : void 0;
	} catch {
		return;
	}
};
/** Also says what its validity leaves open. @throws Complaint when it does not verify */
async function checkFetched({ url }, bytes) {
	const keyring = await findKeyring(url.origin);
	const read = readAnyBundle(bytes);
	const judgement = judgeReport(read, await verifyBundle(read, { keyrings: [keyring] }), [keyring]);
	if (judgement.verdict !== "valid") throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, { exitCode: 1 });
	return {
		read,
		keyring,
		reservations: judgement.reservations
	};
}
// server/client/log_files.ts
/**
* `ahead` is how many files may be read at once.
* @param from a folder, or the http(s) address that stands before `/checkpoint`
*/
var logFiles = (surroundings, from) => isAddress(from) ? {
	read: filesAt(surroundings, logAddress(from)),
	ahead: 4
} : {
	read: filesIn(from),
	ahead: 2
};
/** The address with a slash at its end. @throws Complaint */
function logAddress(text) {
	if (!URL.canParse(text) || !isAddress(text)) throw new Complaint(`${text} is not an address.`);
	const url = new URL(text);
	if (url.search !== "" || url.hash !== "") throw new Complaint(`${text} is not the address of a log: it has a query.`);
	return new URL(`${url.href.replace(/\/+$/, "")}/`);
}
/** Whoever made the copy may have put a pipe or a device in place of a file. Opening a pipe would wait for its writer. */
var AT_ONCE = constants$1.O_RDONLY | constants$1.O_NONBLOCK;
function filesIn(folder) {
	return async (path, most) => {
		const name = join(folder, path);
		try {
			const file = await open(name, AT_ONCE);
			try {
				const found = await file.stat();
				if (!found.isFile() && !found.isDirectory()) throw new Complaint(`${name} is not a regular file.`, { exitCode: 1 });
				const { size } = found;
				if (size > most) throw new Complaint(`${name} has more than ${shownBytes(most)}.`, { exitCode: 1 });
				return await file.readFile();
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return void 0;
			throw unreadable(name, error);
		}
	};
}
var TIMEOUT_MS$2 = 3e4;
var LONGEST_WAIT_SECONDS = 60;
/** A log that asks for patience may do so for some ten minutes. One that does not answer is tried for a few seconds. */
var MOST_WAITS = 20;
var MOST_TRIES = 4;
function filesAt(surroundings, base) {
	let service;
	const pause = pauses(surroundings, base);
	return async (path, most) => {
		const url = new URL(path, base);
		service ??= await ownService(surroundings, base) ?? {
			url: base,
			headers: {}
		};
		for (let waits = 0, tries = 1;;) {
			const question = {
				headers: { accept: "*/*" },
				ceilings: {
					bytes: most,
					milliseconds: TIMEOUT_MS$2
				}
			};
			const answer = await answerFrom(service, url.href, question).catch(noAnswer);
			if (answer instanceof NoAnswer || answer.status >= 500) {
				if (tries === MOST_TRIES) throw answer instanceof NoAnswer ? answer : new Complaint(`${url} answered ${answer.status}.`);
				await setTimeout$1(2 ** tries * 250);
				tries += 1;
			} else if (answer.status === 429 && waits < MOST_WAITS) {
				waits += 1;
				await pause(Math.min(answer.retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS));
			} else return bodyOf$1(answer, url);
		}
	};
}
/** Waits, and says so once however many files wait for the same. */
function pauses({ terminal }, { host }) {
	let toldUntil = 0;
	return async (seconds) => {
		if (performance.now() >= toldUntil) {
			toldUntil = performance.now() + seconds * 1e3;
			const line = `! ${host} asks for a pause: it goes on in ${seconds} s.`;
			if (terminal.progress === void 0) terminal.note(line);
			else terminal.progress(line);
		}
		await setTimeout$1(seconds * 1e3);
		terminal.progress?.("");
	};
}
var noAnswer = (error) => {
	if (error instanceof NoAnswer) return error;
	throw error;
};
/** Undefined when there is no such file. @throws Complaint for every other status that is not 200 */
function bodyOf$1({ status, bytes }, url) {
	if (status === 200) return bytes;
	if (status === 404 || status === 410) return void 0;
	throw new Complaint(`${url} answered ${status}.`, {
		exitCode: status === 401 ? 4 : 2,
		advice: adviceFor(status)
	});
}
function adviceFor(status) {
	if (status === 401 || status === 403) return "This log is not public. Sign in at its service, or name it with its key in the environment: PHAROS_URL and PHAROS_API_KEY.";
	if (status >= 300 && status < 400) return "Redirects are not followed: name the address itself.";
	return "It must be the address that stands before /checkpoint, such as https://pharos.example/log";
}
var TRUST_OPTIONS = {
	key: {
		type: "string",
		multiple: true,
		takes: "<verifier key>",
		meaning: "whose log it is, as its operator's \"log key\" prints it: name+id+key. May be repeated. Without it and --policy: the logs of your profiles"
	},
	policy: {
		type: "string",
		takes: "<file>",
		meaning: "logs and witnesses in the form of tlog-policy: the checkpoint must meet its quorum"
	}
};
/**
* The logs that are named, or else those of the person's own services.
* @throws Complaint for a key or a policy that cannot be read
*/
async function logTrust({ env }, values) {
	const keys = textOptions(values, "key").map(logKey);
	const file = textOption(values, "policy");
	if (file === void 0) {
		const own = keys.length > 0 ? [] : await ownLogKeys(env);
		return {
			keys: [...keys, ...own.map(({ key }) => logKey(key))],
			policy: void 0
		};
	}
	const bytes = await readNamed(file, POLICY_CEILINGS.bytes);
	try {
		return {
			keys,
			policy: readPolicy(bytes)
		};
	} catch (error) {
		if (error instanceof RangeError) throw new Complaint(`${file} is not a policy that can be read here: ${error.message}.`);
		throw error;
	}
}
/**
* The key of the log at this address: the one that is named, or that of a profile of the same service.
* @throws Complaint for several keys, and for one that cannot be read
*/
async function keyOfLog({ env }, values, { origin }) {
	const [named, another] = textOptions(values, "key");
	if (another !== void 0) throw new Complaint("A log has one key.");
	const key = named ?? (await ownLogKeys(env)).find((own) => own.origin === origin)?.key;
	return key === void 0 ? void 0 : logKey(key);
}
function logKey(text) {
	const key = readOrUndefined(() => readVerifierKey(text));
	if (key?.type === SIGNATURE_TYPES.ed25519) return key;
	throw new Complaint(`${text} is not the verifier key of a log.`, { advice: "Its operator prints it: npm run -s pharos -- log key. It stands in a policy too, after the word log." });
}
/** What the log showed is not what a log shows. A later look may find better. */
var StrangeAnswer = class extends Complaint {};
/** @throws StrangeAnswer when there is none */
async function shownCheckpoint(read) {
	const bytes = await read("checkpoint", COPY_CEILINGS.checkpoint);
	if (bytes === void 0) throw new StrangeAnswer("The log shows no checkpoint.");
	return strict$1("The log shows no checkpoint", () => ({
		text: new TextDecoder().decode(bytes),
		checkpoint: readSignedCheckpoint(bytes)
	}));
}
/** The key that the log itself names for an origin, in its policy. */
async function namedKey(read, origin) {
	const bytes = await read("policy", POLICY_CEILINGS.bytes);
	if (bytes === void 0) return void 0;
	return strict$1("The policy of the log cannot be read", () => readPolicy(bytes).logs.map(({ key }) => key).find(({ name }) => name === origin));
}
/** Both checkpoints must be signed by the key. @throws StrangeAnswer when the new one is not */
async function compared(read, key, { seen, now }) {
	if (!isSignedBy(now.note, key)) throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`);
	const byTiles = (oldSize, newSize) => tileProof(read, oldSize, newSize);
	const found = await compareCheckpoints(seen, now, async (oldSize, newSize) => await givenProof(read, oldSize, newSize) ?? byTiles(oldSize, newSize));
	if (found !== "split" || seen.size === now.size) return found;
	const again = await compareCheckpoints(seen, now, byTiles);
	return again === "open" ? found : again;
}
var PROOF_BYTES = 2835;
/** A plain copy of a log gives none. */
async function givenProof(read, oldSize, newSize) {
	const bytes = await read(`consistency/${oldSize}/${newSize}`, PROOF_BYTES);
	if (bytes === void 0) return void 0;
	return strict$1("The consistency proof cannot be read", () => readHashLines(new TextDecoder().decode(bytes).split("\n").slice(0, -1)));
}
/** The same proof, made of tiles. Undefined when the log has too few of them. */
async function tileProof(read, oldSize, newSize) {
	let isMissing = false;
	const tiles = (places) => Promise.all(places.map(async (place) => {
		const { bytes } = await readTileFile(read, place);
		if (bytes === void 0) isMissing = true;
		return bytes ?? /* @__PURE__ */ new Uint8Array();
	}));
	try {
		return await consistencyProof(tiles, oldSize, newSize);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		if (isMissing) return void 0;
		throw new StrangeAnswer(`The tiles of the log cannot be read: ${error.message}.`);
	}
}
function strict$1(what, read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof RangeError) throw new StrangeAnswer(`${what}: ${error.message}.`);
		throw error;
	}
}
// server/client/audit.ts
var audit = {
	usage: "--from <folder or address> [--key <verifier key>] [--policy <file>] [--since <checkpoint>] [--require-epochs] [--json]",
	meaning: "checks a copy of a public log: every block, the tree, the keys and the epochs, without any service",
	help: `
--from is a folder, or the address that stands before /checkpoint (https://pharos.example/log). It has the layout of
tlog-tiles; keyring.json and epochs/ beside it are checked where they are there, as they are in every export and at the
address of every service.

Checked are the signatures of the checkpoint; every block from the first one on: its hash, its link, its time, its
key event, its signature; every tile against the blocks; the keyring; of every epoch the root, the transaction and
the path to a Bitcoin header. Public chains are not asked whether they have that header or transaction.

What you are signed in with is sent only where --from is at that very service: see "login".`,
	options: {
		from: {
			type: "string",
			takes: "<folder or address>",
			meaning: "where the copy is"
		},
		...TRUST_OPTIONS,
		"any-key": {
			type: "boolean",
			meaning: "counts a copy as sound although nobody said whose log it is. It then says only that everything fits together, which anybody can bring about with keys of his own"
		},
		since: {
			type: "string",
			takes: "<file>",
			meaning: "an earlier checkpoint of the log, which this one must continue. Everything is checked all the same"
		},
		"require-epochs": {
			type: "boolean",
			meaning: "finds fault with a copy that has no keyring.json or no epoch. Whether the newest epochs are missing cannot be known from a copy: it says how many blocks at the end no epoch covers"
		},
		json: {
			type: "boolean",
			meaning: "prints the outcome as JSON"
		}
	},
	exits: {
		0: "sound",
		1: "not sound, or nobody said whose log it is",
		4: "the log is not public, and asks for a credential"
	},
	run: async (surroundings, values, positionals) => {
		const from = textOption(values, "from");
		if (from === void 0 || positionals.length > 0) throw new Complaint("Say which copy, with --from and a folder or an address.", { advice: "Without --from it is the command for operators, which audits their database: npm run pharos -- audit" });
		const trust = await logTrust(surroundings, values);
		const outcome = await outcomeOf(surroundings, logFiles(surroundings, from), {
			trust,
			values
		});
		const passed = hasPassed(outcome, values["any-key"] === true);
		printAudit(surroundings.terminal, outcome, {
			asJson: values.json === true,
			passed
		});
		return passed ? 0 : 1;
	}
};
var hasPassed = ({ findings, counts, checkpoint }, anyKey) => findings.length === 0 && counts !== void 0 && (anyKey || checkpoint?.signer !== void 0);
/** Findings that are shown. More of them are mostly what follows from the first. */
var MOST_FINDINGS = 20;
async function outcomeOf(surroundings, { read, ahead }, { trust, values }) {
	const bytes = await read("checkpoint", COPY_CEILINGS.checkpoint);
	if (bytes === void 0) throw new Complaint("There is no checkpoint: this is not a copy of a log.", { advice: "--from names what stands before /checkpoint." });
	const findings = [];
	const checkpoint = drained(auditCheckpoint("checkpoint", bytes, trust), findings);
	if (checkpoint === void 0 || findings.length > 0) return {
		checkpoint,
		findings,
		counts: void 0
	};
	const since = await sinceOf(values, trust, checkpoint);
	const { progress } = surroundings.terminal;
	const tell = paced(progress, { everyMs: 200 });
	const audited = auditCopy({
		read,
		check,
		ahead,
		onProgress: ({ done, total }) => tell(() => `${done} of ${total} blocks`),
		requireEpochs: values["require-epochs"] === true,
		...since === void 0 ? {} : { since }
	}, checkpoint.head);
	let counts;
	try {
		for (let step = await audited.next(); findings.length < MOST_FINDINGS; step = await audited.next()) {
			if (step.done === true) {
				counts = step.value;
				break;
			}
			findings.push(step.value);
		}
	} finally {
		progress?.("");
	}
	return {
		checkpoint,
		findings,
		counts
	};
}
async function sinceOf(values, trust, { head }) {
	const file = textOption(values, "since");
	if (file === void 0) return void 0;
	const findings = [];
	const keys = [...trust.keys, ...(trust.policy?.logs ?? []).map(({ key }) => key)];
	const before = drained(auditCheckpoint(file, await readNamed(file, COPY_CEILINGS.checkpoint), {
		keys,
		policy: void 0
	}), findings);
	const [first] = findings;
	if (first !== void 0) throw new Complaint(`${describeCopyFinding(first)}.`);
	if (before === void 0) throw new Complaint(`${file} is not a checkpoint.`);
	if (before.head.origin !== head.origin) throw new Complaint(`${file} is of the log ${before.head.origin}, and the copy of ${head.origin}.`);
	if (before.head.size > head.size) throw new Complaint(`${file} is newer than the copy: ${before.head.size} blocks, and the copy has ${head.size}.`);
	return before.head;
}
/** Puts what a generator yields into a list, and returns its result. */
function drained(generator, into) {
	for (let step = generator.next();; step = generator.next()) {
		if (step.done === true) return step.value;
		into.push(step.value);
	}
}
/** RFC 8410: the bytes before a raw Ed25519 key. Node is several times faster here than the code of the page. */
var SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
var check = (publicKey) => {
	const key = createPublicKey({
		key: Buffer.concat([SPKI_HEAD, publicKey]),
		format: "der",
		type: "spki"
	});
	return (digest, signature) => verify(null, digest, key, signature);
};
function printAudit(terminal, outcome, { asJson, passed }) {
	if (asJson) sayDocument(terminal, {
		passed,
		...document(outcome)
	});
	else printLines(terminal, outcome);
}
var document = ({ checkpoint, findings, counts }) => ({
	...checkpoint === void 0 ? {} : {
		origin: checkpoint.head.origin,
		size: checkpoint.head.size,
		root: toBase64(checkpoint.head.root),
		signed_by: checkpoint.signer?.name ?? null,
		cosigned_by: checkpoint.cosigned
	},
	findings: findings.map((finding) => ({
		...finding,
		text: describeCopyFinding(finding)
	})),
	...counts === void 0 ? {} : {
		blocks: counts.blocks,
		tiles: counts.tiles,
		keys: counts.keys,
		keyring: counts.hasKeyring,
		keys_not_covered: counts.laterKeys.map(({ keyId, introducedAtHeight }) => ({
			key_id: toHex(keyId),
			introduced_at_height: introducedAtHeight
		})),
		epochs: counts.series,
		uncovered: counts.uncovered
	}
});
function printLines({ say, note, paint }, { checkpoint, findings, counts }) {
	if (checkpoint !== void 0) {
		const { head, signer, cosigned } = checkpoint;
		say(`${printable(head.origin)}, ${plural(head.size, "block")}, root ${toBase64(head.root)}`);
		if (signer !== void 0) say(`  signed by ${printable(signer.name)}`);
		if (cosigned.length > 0) say(`  cosigned by ${cosigned.map(printable).join(", ")}`);
	}
	if (counts !== void 0) {
		say(`  ${plural(counts.blocks, "block")}, ${plural(counts.tiles, "tile")} and ${plural(counts.keys, "signing key")} checked`);
		const [firstLater] = counts.laterKeys;
		if (firstLater !== void 0) say(`  ${plural(counts.laterKeys.length, "key")} from height ${firstLater.introducedAtHeight} on ${counts.laterKeys.length === 1 ? "is" : "are"} not covered by this checkpoint: ${counts.laterKeys.map(({ keyId }) => toHex(keyId)).join(", ")}`);
		for (const { folder, epochs, confirmed, confirmedTo } of counts.series) say(`  ${folder}: ${plural(epochs, "epoch")} checked, ${confirmed} of them confirmed${confirmedTo === void 0 ? "" : `, up to height ${confirmedTo}`}`);
		if (counts.series.length > 0 && counts.uncovered > 0) say(`  no epoch covers the last ${plural(counts.uncovered, "block")}`);
	}
	for (const finding of findings) say(`${paint.red("✗")} ${printable(describeCopyFinding(finding))}`);
	say(findings.length > 0 ? paint.red("The copy is NOT sound.") : checkpoint?.signer === void 0 ? paint.yellow("Everything fits together, and whose log it is stays open.") : isPartOnly(counts) ? paint.yellow("The copy is sound as far as it goes: something that belongs beside it is missing.") : counts !== void 0 && counts.laterKeys.length > 0 ? paint.yellow("The copy is sound but for these keys: nothing in it shows that they are of the log.") : paint.green("The copy is sound."));
	if (counts === void 0) note("! The audit ended there. More may be wrong.");
	if (checkpoint !== void 0 && checkpoint.signer === void 0 && findings.length === 0) note("! Nobody said whose log it is, so the signatures were not checked: --key or --policy. Anybody can make such a copy with keys of his own.");
	if (checkpoint !== void 0 && checkpoint.ignored > 0) note(`! Not checked, because nothing at hand names the key: ${plural(checkpoint.ignored, "signature")} of the checkpoint.`);
	if (counts !== void 0 && !counts.hasKeyring) note("! There is no keyring.json. The keys were taken from the blocks.");
	if (counts !== void 0 && counts.series.length === 0) note("! There are no epochs beside it, so nothing shows what public chains have of the blocks.");
}
var isPartOnly = (counts) => counts !== void 0 && (!counts.hasKeyring || counts.series.length === 0);
// shared/proof/opentimestamps/ots_format.ts
/** What every .ots file begins with: magic bytes and the version. */
var OTS_HEAD = concatBytes$2(utf8("\0OpenTimestamps\0\0Proof\0"), Uint8Array.of(191, 137, 226, 232, 132, 232, 146, 148), Uint8Array.of(1));
/** The hash functions: of a file's digest, and as operations. Lengths in bytes. */
var OTS_HASHES = {
	sha256: {
		tag: 8,
		bytes: 32
	},
	sha1: {
		tag: 2,
		bytes: 20
	},
	ripemd160: {
		tag: 3,
		bytes: 20
	},
	keccak256: {
		tag: 103,
		bytes: 32
	}
};
var OTS_TAGS = {
	append: 240,
	prepend: 241,
	reverse: 242,
	hexlify: 243,
	attestation: 0,
	/** Stands before each item of a timestamp but the last. */
	more: 255
};
/** Bytes of a message, a result or an argument. Hexlify doubles its message, so that one has at most half. */
var MOST_MESSAGE_BYTES = 4096;
/** The first eight bytes of an attestation say what it is. */
var BITCOIN_ATTESTATION = Uint8Array.of(5, 136, 150, 13, 115, 215, 25, 1);
var PENDING_ATTESTATION = Uint8Array.of(131, 223, 227, 13, 46, 249, 12, 142);
/** Bytes of what follows them. */
var MOST_ATTESTATION_BYTES = 8192;
/** The address of a calendar, at which readers ask for the rest. They refuse longer ones and other characters. */
var MOST_CALENDAR_ADDRESS_BYTES = 1e3;
var CALENDAR_ADDRESS = /^[A-Za-z0-9\-._/:]*$/;
function variableBytes(bytes) {
	return concatBytes$2(variableInteger(bytes.length), bytes);
}
/**
* Little-endian in groups of seven bits; the high bit says that more follow. Uses arithmetic, because bit shifts would
* cut the value to 32 bits.
*/
function variableInteger(value) {
	if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned integer`);
	const bytes = [];
	let rest = value;
	for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
	return Uint8Array.from([...bytes, rest]);
}
// shared/proof/opentimestamps/timestamp_path.ts
/**
* Every method applies one operation to the present message and notes it down.
* All throw NotExpressible: `too_long` for a result beyond the limit, `too_deep` for an operation too many.
*/
var TimestampPath = class {
	noted = [];
	current;
	constructor(digest) {
		this.current = digest;
	}
	/** The result of the last operation. */
	get message() {
		return this.current;
	}
	get operations() {
		return this.noted.length;
	}
	/** Appending nothing is no operation, because the format has none without an argument. */
	append(suffix) {
		return suffix.length === 0 ? this : this.note(OTS_TAGS.append, concatBytes$2(this.current, suffix), suffix);
	}
	/** Prepending nothing is no operation. */
	prepend(prefix) {
		return prefix.length === 0 ? this : this.note(OTS_TAGS.prepend, concatBytes$2(prefix, this.current), prefix);
	}
	hexlify() {
		return this.note(OTS_TAGS.hexlify, utf8(toHex(this.current)));
	}
	sha256() {
		return this.note(OTS_HASHES.sha256.tag, sha256(this.current));
	}
	/** The operations so far, and the attestation that the Bitcoin block at `height` has the message as Merkle root. */
	attestedAt(height) {
		return joinBytes([
			...this.noted,
			Uint8Array.of(OTS_TAGS.attestation),
			BITCOIN_ATTESTATION,
			variableBytes(variableInteger(height))
		]);
	}
	note(tag, result, argument) {
		if (result.length > 4096) throw new NotExpressible("too_long");
		if (this.noted.length === 255) throw new NotExpressible("too_deep");
		const operation = Uint8Array.of(tag);
		this.noted.push(argument === void 0 ? operation : concatBytes$2(operation, variableBytes(argument)));
		this.current = result;
		return this;
	}
};
/** Why an item cannot be written as an .ots file, in words for people. */
var NOT_EXPRESSIBLE = {
	no_file_digest: "The claims name no digest of a file, and an .ots file begins with one.",
	hash_type: "An .ots file begins with a sha256 or sha1 digest, and the claims name one of another hash_type.",
	redacted: "The claims were redacted, and an .ots file consists of them in part.",
	too_long: "The claims, or the Bitcoin transaction, are longer than the 4,096 bytes that an .ots file takes.",
	too_deep: "The proof has more steps than readers of .ots files follow.",
	no_bitcoin_commitment: "Its block is not committed to a Bitcoin chain."
};
/** The proof may be sound all the same: its bundle says so. */
var NotExpressible = class extends Error {
	name = "NotExpressible";
	reason;
	constructor(reason) {
		super(NOT_EXPRESSIBLE[reason]);
		this.reason = reason;
	}
};
// shared/proof/opentimestamps/item_path.ts
/** @throws NotExpressible `no_file_digest` or `hash_type` */
function fileDigest(claims) {
	const hash = memberOf(claims, "hash");
	const hashType = memberOf(claims, "hash_type");
	if (typeof hash !== "string" || typeof hashType !== "string") throw new NotExpressible("no_file_digest");
	if (hashType !== "sha256" && hashType !== "sha1") throw new NotExpressible("hash_type");
	const bytes = hexBytes(hash, OTS_HASHES[hashType].bytes);
	if (bytes === void 0) throw new NotExpressible("no_file_digest");
	return {
		hashType,
		bytes
	};
}
/**
* To the hash of the claims, whose canonical text has the digest in hex.
* @throws NotExpressible `no_file_digest`, `hash_type` or `too_long`
*/
function claimsPath(claims) {
	const { bytes } = fileDigest(claims);
	const { before, after } = textAroundHash(claims);
	return new TimestampPath(bytes).hexlify().prepend(concatBytes$2(u8(DOMAIN_BYTES.items_claims), utf8(before))).append(utf8(after)).sha256();
}
/** Members stand in the order of their names. The digest may also occur elsewhere in the text, so nothing is searched. */
function textAroundHash(claims) {
	const names = Object.keys(claims).sort();
	const place = names.indexOf("hash");
	const member = (name) => `${canonicalJson(name)}:${canonicalJson(memberOf(claims, name) ?? null)}`;
	const inFront = names.slice(0, place).map((name) => `${member(name)},`);
	const behind = names.slice(place + 1).map((name) => `,${member(name)}`);
	return {
		before: `{${inFront.join("")}"hash":"`,
		after: `"${behind.join("")}}`
	};
}
/** From the hash of the claims to the hash of the item. */
function itemSteps(path, subject) {
	return compositeSteps(path, "item", lengthPrefixed(utf8(present$1(subject.id))), tailOf("items_metadata", subject));
}
/** From the Merkle root of a block to its hash. */
function blockSteps(path, block) {
	const previous = lengthPrefixed(bytesOf(block.previousBlockHash, 32));
	return compositeSteps(path, "block", concatBytes$2(lengthPrefixed(utf8(present$1(block.id))), previous), tailOf("block_metadata", block));
}
/**
* From a hash to the root of the tree over it.
* @param path as the bundle carries it
*/
function merkleSteps(path, encoded) {
	path.prepend(u8(DOMAIN_BYTES.leaf)).sha256();
	for (const step of decodePath(encoded)) nodeSteps(path, step);
	return path;
}
function nodeSteps(path, { side, hash }) {
	const domain = u8(DOMAIN_BYTES.node);
	if (side === "left") path.prepend(concatBytes$2(domain, hash)).sha256();
	else path.prepend(domain).append(hash).sha256();
}
/** The present message is the 32-byte hash between `head` and `tail`. */
function compositeSteps(path, domain, head, tail) {
	return path.prepend(concatBytes$2(u8(DOMAIN_BYTES[domain]), head, u32$1(path.message.length))).append(tail).sha256();
}
function tailOf(domain, part) {
	const metadataHash = mapHash(domain, part);
	if (metadataHash === void 0) throw new RangeError("the metadata has no hash");
	return concatBytes$2(lengthPrefixed(metadataHash), lengthPrefixed(bytesOf(part.signingKeyId, 4)));
}
function bytesOf(value, size) {
	const bytes = hexBytes(value, size);
	if (bytes === void 0) throw new RangeError(`not ${size} bytes in hex`);
	return bytes;
}
function present$1(id) {
	if (typeof id !== "string") throw new RangeError("an id is missing");
	return id;
}
// shared/proof/opentimestamps/ots_file.ts
/** An attestation names no network, so a file has the commitment of one: of the first in this list. */
var BITCOIN_NETWORKS = [
	"mainnet",
	"testnet",
	"regtest"
];
/** Such as `pharos-item-<id>.ots`; of a network for trials `pharos-item-<id>.regtest.ots`. */
var otsFileName = (id, network) => `pharos-item-${id}${network === "mainnet" ? "" : `.${network}`}.ots`;
/** @throws as `bitcoinTimestampOf` does */
function otsFileOf(bundle) {
	const { hashType, digest, bytes, ...attested } = bitcoinTimestampOf(bundle);
	return {
		...attested,
		bytes: concatBytes$2(OTS_HEAD, u8(OTS_HASHES[hashType].tag), digest, bytes)
	};
}
/**
* The timestamp alone, as a calendar answers it.
* @param bundle of an item; it must have passed verification
* @throws NotExpressible
* @throws RangeError when the parts do not lead to a Bitcoin block, which verification would have found
*/
function bitcoinTimestampOf({ subject, inclusionProof, block, commitments }) {
	const claims = subject?.data;
	if (subject === void 0 || inclusionProof === void 0 || !isJsonObject$1(claims)) throw new NotExpressible("no_file_digest");
	const { hashType, bytes: digest } = fileDigest(claims);
	const path = merkleSteps(itemSteps(claimsPath(claims), subject), inclusionProof);
	const commitment = bitcoinCommitment(commitments);
	const { entry, network, height } = commitment;
	bitcoinSteps(merkleSteps(blockSteps(path, block), entry.epochProof), commitment);
	const { operations } = path;
	return {
		hashType,
		digest,
		network,
		height,
		operations,
		bytes: path.attestedAt(height)
	};
}
/** Entries of other programs may lack members, and then lead nowhere. */
function bitcoinCommitment(entries) {
	for (const network of BITCOIN_NETWORKS) for (const entry of entries) {
		const { rawTransaction, txoutproof } = entry;
		const height = integerOf(entry.blockHeight);
		if (entry.chain !== "bitcoin" || entry.network !== network || height === void 0) continue;
		if (typeof rawTransaction !== "string" || typeof txoutproof !== "string") continue;
		return {
			entry,
			network,
			height,
			transaction: hexOrBase64Url(rawTransaction),
			txoutproof: hexOrBase64Url(txoutproof)
		};
	}
	throw new NotExpressible("no_bitcoin_commitment");
}
/** From the root of an epoch to the Merkle root of the Bitcoin block whose transaction carries it. */
function bitcoinSteps(path, { transaction, txoutproof }) {
	const hashed = transactionBytes(readTransaction(transaction));
	const root = path.message;
	const place = placeIn$1(hashed, root);
	path.prepend(hashed.subarray(0, place)).append(hashed.subarray(place + root.length)).sha256().sha256();
	const proof = readTxoutproof(txoutproof);
	for (const { side, hash } of proof.path) (side === "left" ? path.prepend(hash) : path.append(hash)).sha256().sha256();
	if (!proof.isValid || !bytesEqual(path.message, proof.fields.merkleRoot)) throw new RangeError("the transaction does not lead to the header");
}
/** Any place of the root in the transaction proves the same. */
function placeIn$1(bytes, part) {
	for (let place = 0; place + part.length <= bytes.length; place++) if (bytesEqual(bytes.subarray(place, place + part.length), part)) return place;
	throw new RangeError("the transaction does not carry the root of the epoch");
}
// shared/evidence/digest_tree.ts
var TREE_FORMAT = "pharos-tree-v1";
/** The most entries of one tree. */
var MAX_TREE_SIZE = 1048576;
/** What an entry can stand for besides the digest of a file. Lengths in bytes. */
var OTHER_ENTRIES = {
	[TREE_FORMAT]: {
		least: 40,
		most: 40,
		salt: "none"
	},
	ots: {
		least: 1,
		most: 64,
		salt: "none"
	},
	"rfc3161-token": {
		least: 32,
		most: 32,
		salt: "none"
	},
	round: {
		least: 32,
		most: 32,
		salt: "none"
	},
	names: {
		least: 32,
		most: 32,
		salt: "needed"
	}
};
var isEntryType = (name) => isHashType(name) || Object.hasOwn(OTHER_ENTRIES, name);
var rulesOf = (type) => isHashType(type) ? {
	least: HASH_TYPES[type] / 2,
	most: HASH_TYPES[type] / 2,
	salt: "allowed"
} : OTHER_ENTRIES[type];
/** @throws RangeError when the value or the salt does not have the length that its type asks for */
function checkEntry({ type, value, salt }) {
	const rules = rulesOf(type);
	if (value.length < rules.least || value.length > rules.most) {
		const asked = rules.least === rules.most ? `${rules.least}` : `${rules.least} to ${rules.most}`;
		throw new RangeError(`an entry of type ${type} has ${asked} bytes, not ${value.length}`);
	}
	if (salt === void 0 ? rules.salt === "needed" : rules.salt === "none") throw new RangeError(`an entry of type ${type} has ${rules.salt === "none" ? "no salt" : "a salt"}`);
	if (salt !== void 0 && salt.length !== 16) throw new RangeError(`a salt has 16 bytes, not ${salt.length}`);
}
/** @throws RangeError as `checkEntry` does */
var entryLeaf = (entry) => sha256(hashedBytes(entry));
/** What the leaf of an entry is the hash of. The next call changes it. @throws RangeError as `checkEntry` does */
function hashedBytes(entry) {
	checkEntry(entry);
	const { type, value, salt } = entry;
	const first = firstBytesOf(type);
	HASHED.set(first);
	HASHED.set(value, first.length);
	let end = first.length + value.length;
	if (salt !== void 0) {
		HASHED.set(salt, end);
		end += salt.length;
	}
	return HASHED.subarray(0, end);
}
/** Filled again for each entry, because large trees have many. Longer than any entry. */
var HASHED = /* @__PURE__ */ new Uint8Array(128);
/** Made once for each type. */
var FIRST_BYTES = /* @__PURE__ */ new Map();
function firstBytesOf(type) {
	const known = FIRST_BYTES.get(type);
	if (known !== void 0) return known;
	const made = concatBytes$2(Uint8Array.of(DOMAIN_BYTES.leaf), utf8(`${type}\0`));
	FIRST_BYTES.set(type, made);
	return made;
}
/** The entry by which a tree stands in the tree above it. */
var treeEntry = (root, size) => ({
	type: TREE_FORMAT,
	value: concatBytes$2(root, u64(size))
});
/** Hashes of leaves, gathered one after the other in one piece of memory: 32 bytes each. */
var LeafList = class {
	#bytes;
	#size = 0;
	/** @param expected how many there will be, when that is known. More are taken too. */
	constructor(expected = 1024) {
		this.#bytes = new Uint8Array(expected * 32);
	}
	/** @throws RangeError beyond `MAX_TREE_SIZE` */
	add(leaf) {
		const start = this.#startOfNext();
		this.#bytes.set(leaf, start);
	}
	/** The leaf of the entry. @throws RangeError as `add` and `checkEntry` do */
	addEntry(entry) {
		const bytes = hashedBytes(entry);
		const start = this.#startOfNext();
		sha256Into(bytes, this.#bytes, start);
	}
	#startOfNext() {
		if (this.#size === 1048576) throw new RangeError(`a tree has at most ${MAX_TREE_SIZE} entries`);
		const start = this.#size * 32;
		if (start === this.#bytes.length) {
			const larger = new Uint8Array(Math.max(2 * start, 32));
			larger.set(this.#bytes);
			this.#bytes = larger;
		}
		this.#size += 1;
		return start;
	}
	/** @throws RangeError when there is no leaf */
	tree() {
		return new DigestTree(this.#whole());
	}
	/**
	* As `tree`, in pieces of 4,096 nodes. No leaf may be added meanwhile.
	* @param pause called between two pieces
	*/
	async treeInPieces(pause) {
		const leaves = this.#whole();
		const building = levelsOver(leaves);
		for (;;) {
			const { done, value } = building.next();
			if (done === true) return new DigestTree(leaves, value);
			await pause();
		}
	}
	#whole() {
		return this.#bytes.subarray(0, this.#size * 32);
	}
};
/** A whole tree in memory: 64 bytes a leaf. */
var DigestTree = class {
	/** The leaves, then each level above them up to the root. A last node without a neighbour moves up as it is. */
	#levels;
	/**
	* @param leaves hashes of leaves in their order, one after the other. They must not change afterwards.
	* @param levels of these leaves, where they are there already
	* @throws RangeError unless they are from 1 to `MAX_TREE_SIZE` whole hashes
	*/
	constructor(leaves, levels = atOnce(levelsOver(leaves))) {
		this.#levels = levels;
	}
	get size() {
		return (this.#levels[0]?.length ?? 0) / 32;
	}
	/** 32 bytes. */
	get root() {
		return this.#levels.at(-1) ?? EMPTY_ROOT;
	}
	/**
	* The siblings of leaf `index`, the nearest first.
	* @throws RangeError when there is no such leaf
	*/
	path(index) {
		if (!Number.isInteger(index) || index < 0 || index >= this.size) throw new RangeError(`a tree of ${this.size} leaves has no leaf ${index}`);
		const path = [];
		let place = index;
		for (const level of this.#levels) {
			const start = (place ^ 1) * 32;
			if (start < level.length) path.push(level.subarray(start, start + 32));
			place >>= 1;
		}
		return path;
	}
};
/** Nodes that are hashed without a pause. */
var PIECE = 4096;
/** Yields after each piece, and returns the leaves with the levels above them. */
function* levelsOver(leaves) {
	const size = leaves.length / 32;
	if (!Number.isInteger(size) || size < 1 || size > 1048576) throw new RangeError(`a tree has from 1 to ${MAX_TREE_SIZE} entries`);
	const levels = [leaves];
	for (let level = leaves; level.length > 32;) {
		const count = level.length / 32;
		const above = new Uint8Array(Math.ceil(count / 2) * 32);
		for (let node = 0; node < above.length / 32; node += 1) {
			const start = node * 32;
			const below = level.subarray(2 * start, 2 * start + 64);
			if (below.length === 32) above.set(below, start);
			else pairHashInto(below, above, start);
			if (node % PIECE === 4095) yield;
		}
		levels.push(above);
		level = above;
	}
	return levels;
}
function atOnce(building) {
	for (;;) {
		const { done, value } = building.next();
		if (done === true) return value;
	}
}
/**
* The root to which the path leads from the entry. Undefined when it is no path in a tree of that size.
* @throws RangeError as `checkEntry` does
*/
var rootOver = (entry, { size, index, path }) => size > 1048576 ? void 0 : inclusionRoot({
	index,
	size,
	leaf: entryLeaf(entry),
	proof: path
});
// shared/evidence/evidence.ts
/** The largest file that is read. */
var LARGEST_EVIDENCE_BYTES = 4194304;
var EvidenceRejected = class extends Error {
	name = "EvidenceRejected";
};
/** Whether a value of the strict reader says that it is an evidence file. */
var isEvidence = (value) => isJsonObject$1(value) && carried(value, "pharos_evidence") !== void 0;
/**
* @param value of the strict reader
* @throws EvidenceRejected with what is wrong
*/
function readEvidenceValue(value) {
	if (!isEvidence(value)) throw new EvidenceRejected("it has no member pharos_evidence");
	if (carried(value, "pharos_evidence") !== 1) throw new EvidenceRejected("it is of a version that this program does not know");
	const trees = readTrees(carried(value, "trees"));
	return {
		digest: readDigest(carried(value, "digest"), trees[0]?.salt),
		name: optional(value, "name"),
		trees,
		item: readStoredItem(carried(value, "item")),
		bundle: readBundleMember(carried(value, "bundle")),
		logProof: optional(value, "log_proof"),
		timeStamp: optional(value, "time_stamp"),
		document: value
	};
}
/** UTF-8 text of a file. Every digit of the claims stays as it is. */
var writeEvidence = (document) => `${canonicalJson(document)}\n`;
/** The document of a receipt. */
function receiptOf({ digest, name, trees, item }) {
	return {
		pharos_evidence: 1,
		digest: shownDigest(digest),
		...name === void 0 ? {} : { name },
		...trees.length === 0 ? {} : { trees: trees.map(shownTree) },
		item: shownItem(item)
	};
}
var shownDigest = ({ type, value }) => ({
	type,
	value: toHex(value)
});
var shownTree = ({ size, index, salt, path }) => ({
	size,
	index,
	...salt === void 0 ? {} : { salt: toHex(salt) },
	path: path.map(toHex)
});
var shownItem = ({ service, id, claims, metadata, signingKeyId, signature }) => ({
	service,
	id,
	claims,
	metadata,
	signing_key_id: toHex(signingKeyId),
	signature
});
/** @throws EvidenceRejected */
function readDigest(value, salt) {
	const type = isJsonObject$1(value) ? carried(value, "type") : void 0;
	const hex = isJsonObject$1(value) ? carried(value, "value") : void 0;
	if (typeof type !== "string" || !isEntryType(type)) throw new EvidenceRejected("digest.type is not known");
	const bytes = typeof hex === "string" ? hexOrUndefined(hex) : void 0;
	if (bytes === void 0) throw new EvidenceRejected("digest.value is not lowercase hex");
	const entry = {
		type,
		value: bytes,
		salt
	};
	try {
		checkEntry(entry);
	} catch (error) {
		if (error instanceof RangeError) throw new EvidenceRejected(error.message);
		throw error;
	}
	return entry;
}
/** @throws EvidenceRejected */
function readSalt(value, place) {
	const salt = hexBytes(value, 16);
	if (value !== void 0 && salt === void 0) throw new EvidenceRejected(`${place} is not 32 lowercase hex`);
	return salt;
}
/** @throws EvidenceRejected */
function readTrees(value) {
	if (value === void 0) return [];
	if (!Array.isArray(value) || value.length === 0 || value.length > 4) throw new EvidenceRejected(`trees is a list of 1 to 4, or absent`);
	return value.map((tree, at) => readTree(tree, `trees[${at}]`));
}
function readTree(value, place) {
	if (!isJsonObject$1(value)) throw new EvidenceRejected(`${place} is not an object`);
	const { size, index } = sizeAndIndex(value, place);
	const path = carried(value, "path");
	if (!Array.isArray(path) || path.length > 20) throw new EvidenceRejected(`${place}.path is not a list of at most 20 hashes`);
	return {
		size,
		index,
		salt: readSalt(carried(value, "salt"), `${place}.salt`),
		path: path.map((hash, at) => {
			const bytes = hexBytes(hash ?? void 0, 32);
			if (bytes === void 0) throw new EvidenceRejected(`${place}.path[${at}] is not 64 lowercase hex`);
			return bytes;
		})
	};
}
function sizeAndIndex(tree, place) {
	const size = carried(tree, "size");
	const index = carried(tree, "index");
	if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1 || size > 1048576) throw new EvidenceRejected(`${place}.size is not a number from 1 to ${MAX_TREE_SIZE}`);
	if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || index >= size) throw new EvidenceRejected(`${place}.index is not a number from 0 to ${size - 1}`);
	return {
		size,
		index
	};
}
/** @throws EvidenceRejected */
function readStoredItem(value) {
	if (!isJsonObject$1(value)) throw new EvidenceRejected("item is not an object");
	const [service, id, signature] = [
		"service",
		"id",
		"signature"
	].map((name) => {
		const text = textOf$2(carried(value, name));
		if (text === void 0) throw new EvidenceRejected(`item.${name} is not a text`);
		return text;
	});
	const [claims, metadata] = ["claims", "metadata"].map((name) => {
		const object = carried(value, name);
		if (!isJsonObject$1(object)) throw new EvidenceRejected(`item.${name} is not an object`);
		return object;
	});
	if (!isUlid(id)) throw new EvidenceRejected("item.id is not a ULID");
	const signingKeyId = hexBytes(carried(value, "signing_key_id"), 4);
	if (signingKeyId === void 0) throw new EvidenceRejected("item.signing_key_id is not 8 lowercase hex");
	return {
		service,
		id,
		claims,
		metadata,
		signingKeyId,
		signature
	};
}
/** @throws EvidenceRejected */
function readBundleMember(value) {
	if (value === void 0 || isJsonObject$1(value)) return value;
	throw new EvidenceRejected("bundle is not an object");
}
function optional(document, name) {
	const value = carried(document, name);
	if (value === void 0 || typeof value === "string") return value;
	throw new EvidenceRejected(`${name} is not a text`);
}
// node_modules/@noble/hashes/legacy.js
/**

SHA1 (RFC 3174), MD5 (RFC 1321), and RIPEMD160 legacy, weak hash functions.
RFC 2286 only covers HMAC-RIPEMD160 wrapper material and test vectors,
not the base RIPEMD-160 compression spec.
Don't use them in a new protocol. What "weak" means:

- Collisions can be made with 2^18 effort in MD5, 2^60 in SHA1, 2^80 in RIPEMD160.
- No practical pre-image attacks (only theoretical, 2^123.4)
- HMAC seems kinda ok: https://www.rfc-editor.org/rfc/rfc6151
* @module
*/
/** Initial SHA-1 state from RFC 3174 §6.1. */
var SHA1_IV = /* @__PURE__ */ Uint32Array.from([
	1732584193,
	4023233417,
	2562383102,
	271733878,
	3285377520
]);
var SHA1_W = /* @__PURE__ */ new Uint32Array(80);
/** Internal SHA1 legacy hash class. */
var _SHA1 = class extends HashMD {
	A = SHA1_IV[0] | 0;
	B = SHA1_IV[1] | 0;
	C = SHA1_IV[2] | 0;
	D = SHA1_IV[3] | 0;
	E = SHA1_IV[4] | 0;
	constructor() {
		super(64, 20, 8, false);
	}
	get() {
		const { A, B, C, D, E } = this;
		return [
			A,
			B,
			C,
			D,
			E
		];
	}
	set(A, B, C, D, E) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
		this.E = E | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) SHA1_W[i] = view.getUint32(offset, false);
		for (let i = 16; i < 80; i++) SHA1_W[i] = rotl(SHA1_W[i - 3] ^ SHA1_W[i - 8] ^ SHA1_W[i - 14] ^ SHA1_W[i - 16], 1);
		let { A, B, C, D, E } = this;
		for (let i = 0; i < 80; i++) {
			let F, K;
			if (i < 20) {
				F = Chi(B, C, D);
				K = 1518500249;
			} else if (i < 40) {
				F = B ^ C ^ D;
				K = 1859775393;
			} else if (i < 60) {
				F = Maj(B, C, D);
				K = 2400959708;
			} else {
				F = B ^ C ^ D;
				K = 3395469782;
			}
			const T = rotl(A, 5) + F + E + K + SHA1_W[i] | 0;
			E = D;
			D = C;
			C = rotl(B, 30);
			B = A;
			A = T;
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		E = E + this.E | 0;
		this.set(A, B, C, D, E);
	}
	roundClean() {
		clean(SHA1_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0, 0);
		clean(this.buffer);
	}
};
/**
* SHA1 (RFC 3174) legacy hash function. It was cryptographically broken.
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with SHA1.
* ```ts
* sha1(new Uint8Array([97, 98, 99]));
* ```
*/
var sha1 = /* @__PURE__ */ createHasher(() => new _SHA1());
/** RFC 1321 `T[i]` uses `floor(2^32 * abs(sin(i)))`; this is the shared `2^32` scale factor. */
var p32 = /* @__PURE__ */ Math.pow(2, 32);
/** RFC 1321 `T[1..64]` table. */
var K = /* @__PURE__ */ Array.from({ length: 64 }, (_, i) => Math.floor(p32 * Math.abs(Math.sin(i + 1))));
/** MD5 initial state from RFC 1321, stored as 4 u32 words. */
var MD5_IV = /* @__PURE__ */ SHA1_IV.slice(0, 4);
var MD5_W = /* @__PURE__ */ new Uint32Array(16);
var MD5_SHIFTS = /* @__PURE__ */ (() => {
	const S = [
		[
			7,
			12,
			17,
			22
		],
		[
			5,
			9,
			14,
			20
		],
		[
			4,
			11,
			16,
			23
		],
		[
			6,
			10,
			15,
			21
		]
	];
	return Uint8Array.from({ length: 64 }, (_, i) => S[Math.floor(i / 16)][i % 4]);
})();
/** Internal MD5 legacy hash class. */
var _MD5 = class extends HashMD {
	A = MD5_IV[0] | 0;
	B = MD5_IV[1] | 0;
	C = MD5_IV[2] | 0;
	D = MD5_IV[3] | 0;
	constructor() {
		super(64, 16, 8, true);
	}
	get() {
		const { A, B, C, D } = this;
		return [
			A,
			B,
			C,
			D
		];
	}
	set(A, B, C, D) {
		this.A = A | 0;
		this.B = B | 0;
		this.C = C | 0;
		this.D = D | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) MD5_W[i] = view.getUint32(offset, true);
		let { A, B, C, D } = this;
		for (let i = 0; i < 64; i++) {
			let F, g;
			if (i < 16) {
				F = Chi(B, C, D);
				g = i;
			} else if (i < 32) {
				F = Chi(D, B, C);
				g = (5 * i + 1) % 16;
			} else if (i < 48) {
				F = B ^ C ^ D;
				g = (3 * i + 5) % 16;
			} else {
				F = C ^ (B | ~D);
				g = 7 * i % 16;
			}
			F = F + A + K[i] + MD5_W[g];
			A = D;
			D = C;
			C = B;
			B = B + rotl(F, MD5_SHIFTS[i]);
		}
		A = A + this.A | 0;
		B = B + this.B | 0;
		C = C + this.C | 0;
		D = D + this.D | 0;
		this.set(A, B, C, D);
	}
	roundClean() {
		clean(MD5_W);
	}
	destroy() {
		this.destroyed = true;
		this.set(0, 0, 0, 0);
		clean(this.buffer);
	}
};
/**
* MD5 (RFC 1321) legacy hash function. It was cryptographically broken.
* MD5 architecture is similar to SHA1, with some differences:
* - Reduced output length: 16 bytes (128 bit) instead of 20
* - 64 rounds, instead of 80
* - Little-endian: could be faster, but will require more code
* - Non-linear index selection: huge speed-up for unroll
* - Per round constants: more memory accesses, additional speed-up for unroll
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with MD5.
* ```ts
* md5(new Uint8Array([97, 98, 99]));
* ```
*/
var md5 = /* @__PURE__ */ createHasher(() => new _MD5());
var Rho160 = /* @__PURE__ */ Uint8Array.from([
	7,
	4,
	13,
	1,
	10,
	6,
	15,
	3,
	12,
	0,
	9,
	5,
	2,
	14,
	11,
	8
]);
var Id160 = /* @__PURE__ */ (() => Uint8Array.from(new Array(16).fill(0).map((_, i) => i)))();
var Pi160 = /* @__PURE__ */ (() => Id160.map((i) => (9 * i + 5) % 16))();
var idxLR = /* @__PURE__ */ (() => {
	const res = [[Id160], [Pi160]];
	for (let i = 0; i < 4; i++) for (let j of res) j.push(j[i].map((k) => Rho160[k]));
	return res;
})();
var idxL = /* @__PURE__ */ (() => idxLR[0])();
var idxR = /* @__PURE__ */ (() => idxLR[1])();
var shifts160 = /* @__PURE__ */ [
	[
		11,
		14,
		15,
		12,
		5,
		8,
		7,
		9,
		11,
		13,
		14,
		15,
		6,
		7,
		9,
		8
	],
	[
		12,
		13,
		11,
		15,
		6,
		9,
		9,
		7,
		12,
		15,
		11,
		13,
		7,
		8,
		7,
		7
	],
	[
		13,
		15,
		14,
		11,
		7,
		7,
		6,
		8,
		13,
		14,
		13,
		12,
		5,
		5,
		6,
		9
	],
	[
		14,
		11,
		12,
		14,
		8,
		6,
		5,
		5,
		15,
		12,
		15,
		14,
		9,
		9,
		8,
		6
	],
	[
		15,
		12,
		13,
		13,
		9,
		5,
		8,
		6,
		14,
		11,
		12,
		11,
		8,
		6,
		5,
		5
	]
].map((i) => Uint8Array.from(i));
var shiftsL160 = /* @__PURE__ */ idxL.map((idx, i) => idx.map((j) => shifts160[i][j]));
var shiftsR160 = /* @__PURE__ */ idxR.map((idx, i) => idx.map((j) => shifts160[i][j]));
var Kl160 = /* @__PURE__ */ Uint32Array.from([
	0,
	1518500249,
	1859775393,
	2400959708,
	2840853838
]);
var Kr160 = /* @__PURE__ */ Uint32Array.from([
	1352829926,
	1548603684,
	1836072691,
	2053994217,
	0
]);
function ripemd_f(group, x, y, z) {
	if (group === 0) return x ^ y ^ z;
	if (group === 1) return x & y | ~x & z;
	if (group === 2) return (x | ~y) ^ z;
	if (group === 3) return x & z | y & ~z;
	return x ^ (y | ~z);
}
var BUF_160 = /* @__PURE__ */ new Uint32Array(16);
/**
* Internal RIPEMD-160 legacy hash class.
* RFC 2286 only adds HMAC-RIPEMD160 material, not the core hash specification.
*/
var _RIPEMD160 = class extends HashMD {
	h0 = 1732584193;
	h1 = -271733879;
	h2 = -1732584194;
	h3 = 271733878;
	h4 = -1009589776;
	constructor() {
		super(64, 20, 8, true);
	}
	get() {
		const { h0, h1, h2, h3, h4 } = this;
		return [
			h0,
			h1,
			h2,
			h3,
			h4
		];
	}
	set(h0, h1, h2, h3, h4) {
		this.h0 = h0 | 0;
		this.h1 = h1 | 0;
		this.h2 = h2 | 0;
		this.h3 = h3 | 0;
		this.h4 = h4 | 0;
	}
	_cloneInto(to) {
		(to ||= new this.constructor()).set(...this.get());
		return this._cloneIntoMeta(to);
	}
	process(view, offset) {
		for (let i = 0; i < 16; i++, offset += 4) BUF_160[i] = view.getUint32(offset, true);
		let al = this.h0 | 0, ar = al, bl = this.h1 | 0, br = bl, cl = this.h2 | 0, cr = cl, dl = this.h3 | 0, dr = dl, el = this.h4 | 0, er = el;
		for (let group = 0; group < 5; group++) {
			const rGroup = 4 - group;
			const hbl = Kl160[group], hbr = Kr160[group];
			const rl = idxL[group], rr = idxR[group];
			const sl = shiftsL160[group], sr = shiftsR160[group];
			for (let i = 0; i < 16; i++) {
				const tl = rotl(al + ripemd_f(group, bl, cl, dl) + BUF_160[rl[i]] + hbl, sl[i]) + el | 0;
				al = el, el = dl, dl = rotl(cl, 10) | 0, cl = bl, bl = tl;
			}
			for (let i = 0; i < 16; i++) {
				const tr = rotl(ar + ripemd_f(rGroup, br, cr, dr) + BUF_160[rr[i]] + hbr, sr[i]) + er | 0;
				ar = er, er = dr, dr = rotl(cr, 10) | 0, cr = br, br = tr;
			}
		}
		this.set(this.h1 + cl + dr | 0, this.h2 + dl + er | 0, this.h3 + el + ar | 0, this.h4 + al + br | 0, this.h0 + bl + cr | 0);
	}
	roundClean() {
		clean(BUF_160);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer);
		this.set(0, 0, 0, 0, 0);
	}
};
/**
* RIPEMD-160 - a legacy hash function from 1990s.
* RFC 2286 only covers HMAC-RIPEMD160 test material; the links below point
* at the base RIPEMD-160 references.
* * {@link https://homes.esat.kuleuven.be/~bosselae/ripemd160.html}
* * {@link https://homes.esat.kuleuven.be/~bosselae/ripemd160/pdf/AB-9601/AB-9601.pdf}
* @param msg - message bytes to hash
* @param opts - Reserved hash options.
* @returns Digest bytes.
* @example
* Hash a message with RIPEMD-160.
* ```ts
* ripemd160(new Uint8Array([97, 98, 99]));
* ```
*/
var ripemd160 = /* @__PURE__ */ createHasher(() => new _RIPEMD160());
// shared/proof/opentimestamps/read_ots.ts
/** The largest file that is read. One with the proofs of several calendars takes a few thousand bytes. */
var LARGEST_OTS_BYTES = 65536;
/** In all branches together. Every branch ends in one, so that they bound the operations too. */
var MOST_ATTESTATIONS = 64;
/** @throws OtsRejected */
function readOts(bytes) {
	if (bytes.length > LARGEST_OTS_BYTES) throw new OtsRejected("too_large");
	const reader = new OtsReader(bytes);
	if (!bytesEqual(bytes.subarray(0, OTS_HEAD.length), OTS_HEAD)) throw new OtsRejected("not_ots");
	reader.take(OTS_HEAD.length);
	const hashType = HASH_BY_TAG.get(reader.byte());
	if (hashType === void 0) throw new OtsRejected("unknown_hash");
	const digest = reader.take(OTS_HASHES[hashType].bytes);
	const timestamp = reader.timestamp(digest.length, 0);
	if (!reader.atEnd) throw new OtsRejected("trailing_bytes");
	return {
		hashType,
		digest,
		timestamp
	};
}
/** Applies all operations from the digest on. The attestations are in the order of the file. */
function attestedMessages({ digest, timestamp }) {
	const own = timestamp.attestations.map((attestation) => ({
		attestation,
		message: digest
	}));
	const below = timestamp.branches.flatMap(({ operation, next }) => attestedMessages({
		digest: applied(operation, digest),
		timestamp: next
	}));
	return [...own, ...below];
}
function applied(operation, message) {
	switch (operation.name) {
		case "append": return concatBytes$2(message, operation.argument);
		case "prepend": return concatBytes$2(operation.argument, message);
		case "reverse": return message.toReversed();
		case "hexlify": return utf8(toHex(message));
		default: return HASH_FUNCTIONS[operation.name](message);
	}
}
var HASH_FUNCTIONS = {
	sha256,
	sha1,
	ripemd160,
	keccak256: keccak_256
};
var HASH_BY_TAG = new Map([
	"sha256",
	"sha1",
	"ripemd160",
	"keccak256"
].map((name) => [OTS_HASHES[name].tag, name]));
/** A read position that only moves forward. Every method throws OtsRejected. */
var OtsReader = class {
	#bytes;
	#at = 0;
	#attestations = 0;
	constructor(bytes) {
		this.#bytes = bytes;
	}
	get atEnd() {
		return this.#at === this.#bytes.length;
	}
	/** A view of the next `length` bytes, not a copy. */
	take(length) {
		if (length > this.#bytes.length - this.#at) throw new OtsRejected("cut_short");
		this.#at += length;
		return this.#bytes.subarray(this.#at - length, this.#at);
	}
	byte() {
		const [byte] = this.take(1);
		if (byte === void 0) throw new OtsRejected("cut_short");
		return byte;
	}
	/** @param length of the message, in bytes; the lengths of results follow from it */
	timestamp(length, depth) {
		if (depth > 255) throw new OtsRejected("too_deep");
		const attestations = [];
		const branches = [];
		for (let isLast = false; !isLast;) {
			const first = this.byte();
			isLast = first !== OTS_TAGS.more;
			const tag = isLast ? first : this.byte();
			if (tag === OTS_TAGS.attestation) attestations.push(this.#attestation());
			else branches.push(this.#branch(tag, length, depth));
		}
		return {
			attestations,
			branches
		};
	}
	#branch(tag, length, depth) {
		const operation = this.#operation(tag);
		const result = resultLength(operation, length);
		if (result > 4096) throw new OtsRejected("message_too_long");
		return {
			operation,
			next: this.timestamp(result, depth + 1)
		};
	}
	#operation(tag) {
		switch (tag) {
			case OTS_TAGS.append: return {
				name: "append",
				argument: this.sized(1, MOST_MESSAGE_BYTES)
			};
			case OTS_TAGS.prepend: return {
				name: "prepend",
				argument: this.sized(1, MOST_MESSAGE_BYTES)
			};
			case OTS_TAGS.reverse: return { name: "reverse" };
			case OTS_TAGS.hexlify: return { name: "hexlify" };
		}
		const name = HASH_BY_TAG.get(tag);
		if (name === void 0) throw new OtsRejected("unknown_operation");
		return { name };
	}
	#attestation() {
		this.#attestations += 1;
		if (this.#attestations > MOST_ATTESTATIONS) throw new OtsRejected("too_many_attestations");
		return attestationOf(this.take(BITCOIN_ATTESTATION.length), this.sized(0, MOST_ATTESTATION_BYTES));
	}
	sized(least, most) {
		const length = this.integer();
		if (length < least || length > most) throw new OtsRejected("invalid_length");
		return this.take(length);
	}
	/** Little-endian in groups of seven bits; the high bit says that more follow. */
	integer() {
		let value = 0;
		for (let factor = 1; factor <= LARGEST_FACTOR; factor *= 128) {
			const byte = this.byte();
			value += byte % 128 * factor;
			if (byte < 128) return value;
		}
		throw new OtsRejected("invalid_length");
	}
};
/** Of seven bytes, 49 bits: every such number is exact, and no height or length needs as much. */
var LARGEST_FACTOR = 128 ** 6;
/** @throws OtsRejected for a known one with other contents */
function attestationOf(tag, payload) {
	const inside = new OtsReader(payload);
	const attestation = knownAttestation(tag, inside);
	if (attestation === void 0) return {
		kind: "unknown",
		tag,
		payload
	};
	if (!inside.atEnd) throw new OtsRejected("invalid_attestation");
	return attestation;
}
function knownAttestation(tag, inside) {
	if (bytesEqual(tag, BITCOIN_ATTESTATION)) return {
		kind: "bitcoin",
		height: inside.integer()
	};
	if (!bytesEqual(tag, PENDING_ATTESTATION)) return void 0;
	const address = String.fromCharCode(...inside.sized(0, MOST_CALENDAR_ADDRESS_BYTES));
	if (!CALENDAR_ADDRESS.test(address)) throw new OtsRejected("invalid_attestation");
	return {
		kind: "pending",
		address
	};
}
function resultLength(operation, length) {
	switch (operation.name) {
		case "append":
		case "prepend": return length + operation.argument.length;
		case "reverse": return length;
		case "hexlify": return 2 * length;
		default: return OTS_HASHES[operation.name].bytes;
	}
}
/** Why bytes are not read as an .ots file, in words for people. */
var OTS_REJECTIONS = {
	too_large: `An .ots file has at most ${LARGEST_OTS_BYTES} bytes.`,
	not_ots: "It does not begin as an .ots file of version 1 does.",
	unknown_hash: "The digest in it is of an unknown hash function.",
	cut_short: "The bytes end too early.",
	trailing_bytes: "More bytes follow after its end.",
	unknown_operation: "It has an operation that is not known.",
	too_deep: `More than 255 operations follow one another.`,
	too_many_attestations: `It has more than ${MOST_ATTESTATIONS} attestations.`,
	message_too_long: `An operation makes a message of more than ${MOST_MESSAGE_BYTES} bytes.`,
	invalid_length: "A number in it is out of range.",
	invalid_attestation: "An attestation in it cannot be read."
};
var OtsRejected = class extends Error {
	name = "OtsRejected";
	reason;
	constructor(reason) {
		super(OTS_REJECTIONS[reason]);
		this.reason = reason;
	}
};
// shared/evidence/manifest_tree.ts
var LONGEST_LINE_BYTES$1 = 65536;
/** The tree of a manifest, entry by entry, whether it is written or read. */
var ManifestTree = class {
	#leaves;
	#names = sha256$1.create();
	/** Paths that `#names` has not heard yet, with their NULs: it takes many at once in half the time. */
	#unheard = new Uint8Array(2 * LONGEST_LINE_BYTES$1);
	#unheardBytes = 0;
	/** Of each path 8 bytes of its hash, because a million paths themselves take too much memory. */
	#marks;
	#size = 0;
	/** @param expected how many entries there will be, when that is known. More are taken too. */
	constructor(expected = 1024) {
		this.#leaves = new LeafList(expected + 1);
		this.#marks = new Uint8Array(MARK_BYTES * expected);
	}
	/** @throws EvidenceRejected for a path that is none, and for a digest of another length */
	add({ path, entry }) {
		checkPath(path);
		this.#addMark(this.#addName(path));
		judged(() => this.#leaves.addEntry(entry));
		this.#size += 1;
	}
	/** @returns its bytes, until the next is added */
	#addName(path) {
		if (this.#unheardBytes + 65536 >= this.#unheard.length) this.#hear();
		const start = this.#unheardBytes;
		const { read, written } = UTF_8$1.encodeInto(path, this.#unheard.subarray(start, start + LONGEST_LINE_BYTES$1));
		if (read < path.length) throw new EvidenceRejected(`${shownPath(path)} is longer than a line may be`);
		this.#unheard[start + written] = 0;
		this.#unheardBytes += written + 1;
		return this.#unheard.subarray(start, start + written);
	}
	#hear() {
		this.#names.update(this.#unheard.subarray(0, this.#unheardBytes));
		this.#unheardBytes = 0;
	}
	#addMark(path) {
		const start = MARK_BYTES * this.#size;
		if (start === this.#marks.length) {
			const larger = new Uint8Array(2 * start + MARK_BYTES);
			larger.set(this.#marks);
			this.#marks = larger;
		}
		sha256Into(path, HASH, 0);
		for (let at = 0; at < MARK_BYTES; at += 1) this.#marks[start + at] = HASH[at] ?? 0;
	}
	/**
	* To be called once, after all entries.
	* @throws EvidenceRejected when two of them have one path
	*/
	close(namesSalt) {
		const marks = new BigUint64Array(this.#marks.buffer, 0, this.#size).sort();
		if (marks.some((mark, at) => at > 0 && mark === marks[at - 1])) throw new EvidenceRejected("two entries have the same path");
		this.#hear();
		const names = {
			type: "names",
			value: this.#names.digest(),
			salt: namesSalt
		};
		judged(() => this.#leaves.addEntry(names));
		return {
			tree: this.#leaves.tree(),
			names
		};
	}
};
var MARK_BYTES = 8;
/** Filled again for each path. */
var HASH = /* @__PURE__ */ new Uint8Array(32);
var UTF_8$1 = new TextEncoder();
function judged(add) {
	try {
		add();
	} catch (error) {
		if (error instanceof RangeError) throw new EvidenceRejected(error.message);
		throw error;
	}
}
/** @throws EvidenceRejected */
function checkPath(path) {
	if (!path.isWellFormed() || path.includes("\0") || path.includes("\\")) throw new EvidenceRejected(`${shownPath(path)} has a character that no path of a manifest has`);
	if (NO_PART.test(path)) throw new EvidenceRejected(`${shownPath(path)} is no relative path without empty parts, . and ..`);
}
/** Empty, `.` or `..`. */
var NO_PART = /(?:^|\/)\.{0,2}(?:\/|$)/;
var shownPath = (path) => JSON.stringify(path.slice(0, 200).toWellFormed());
// shared/evidence/manifest.ts
/** Whether a value of the strict reader says that it is the first line of a manifest. */
var isManifest = (value) => isJsonObject$1(value) && carried(value, "pharos_manifest") !== void 0;
/** The first line, with its line feed. `document` is a header as read, with what is new in it. */
var writeManifestHeader = (document) => `${canonicalJson(document)}\n`;
/** The document of a first line of which the item is not committed yet. */
var headerDocument = ({ size, namesSalt, above, item }) => ({
	pharos_manifest: 1,
	item: shownItem(item),
	size,
	names_salt: toHex(namesSalt),
	...above.length === 0 ? {} : { trees: above.map(shownTree) }
});
/** One line, with its line feed. @throws RangeError when it is longer than a line may be */
function writeEntry({ path, entry }) {
	const { type, value, salt } = entry;
	const ofSalt = salt === void 0 ? "" : `,"salt":"${toHex(salt)}"`;
	const line = `{"digest":{"type":"${type}","value":"${toHex(value)}"},"path":${canonicalJson(path)}${ofSalt}}\n`;
	if (line.length > 65536 / 3 && utf8(line).length > 65536) throw new RangeError(`the line of ${shownPath(path)} is too long`);
	return line;
}
/**
* Reads a manifest to its end. Each entry is handed on as it comes: whether it belongs to the item is known only when
* `verifyEvidence` has judged `evidenceOfNames` of the result.
* @throws EvidenceRejected with the number of the line and what is wrong with it
*/
async function readTreeManifest(chunks, hear = () => void 0) {
	let header;
	let read = 0;
	let gathered = new ManifestTree();
	for await (const lines of linesOf$1(chunks)) for (const line of lines) {
		read += 1;
		try {
			if (header === void 0) {
				header = readManifestHeader(strict(line));
				gathered = new ManifestTree(header.size);
			} else {
				if (read > header.size) throw new EvidenceRejected("there are more entries than the first line says");
				const entry = readEntryLine(line);
				gathered.add(entry);
				const heard = hear(entry, read - 2);
				if (heard !== void 0) await heard;
			}
		} catch (error) {
			if (error instanceof EvidenceRejected) throw new EvidenceRejected(`line ${read}: ${error.message}`);
			throw error;
		}
	}
	if (header === void 0) throw new EvidenceRejected("it is empty");
	if (read !== header.size) throw new EvidenceRejected(`it ends after ${read - 1} entries, and its first line says ${header.size - 1}`);
	return {
		header,
		...gathered.close(header.namesSalt)
	};
}
/**
* The document of the evidence file of one entry, made without asking anybody.
* @throws RangeError when the tree has no such leaf
*/
function evidenceOfEntry({ header, tree }, index, { path, entry }) {
	return evidenceOf({
		header,
		tree
	}, index, {
		entry,
		name: path.split("/").at(-1)
	});
}
/** The evidence that the last leaf, and so the whole tree with its names, is the item's. */
var evidenceOfNames = ({ header, tree, names }) => evidenceOf({
	header,
	tree
}, tree.size - 1, { entry: names });
function evidenceOf({ header, tree }, index, { entry, name }) {
	const { pharos_manifest: _, size: _size, names_salt: _salt, trees: _above, ...shared } = header.document;
	const own = {
		size: tree.size,
		index,
		salt: entry.salt,
		path: tree.path(index)
	};
	return {
		...shared,
		pharos_evidence: 1,
		digest: shownDigest(entry),
		...name === void 0 ? {} : { name },
		trees: [own, ...header.above].map(shownTree)
	};
}
/** @throws EvidenceRejected */
function readManifestHeader(value) {
	if (!isManifest(value)) throw new EvidenceRejected("it has no member pharos_manifest");
	if (carried(value, "pharos_manifest") !== 1) throw new EvidenceRejected("it is of a version that this program does not know");
	const size = carried(value, "size");
	if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1 || size > 1048576) throw new EvidenceRejected(`size is not a number from 1 to ${MAX_TREE_SIZE}`);
	const namesSalt = hexBytes(carried(value, "names_salt"), 16);
	if (namesSalt === void 0) throw new EvidenceRejected("names_salt is not 32 lowercase hex");
	const above = readTrees(carried(value, "trees"));
	if (above.length >= 4) throw new EvidenceRejected(`trees has at most 3`);
	return {
		size,
		namesSalt,
		above,
		item: readStoredItem(carried(value, "item")),
		document: value
	};
}
/** @param line without its line feed @throws EvidenceRejected */
function readEntryLine(line) {
	const value = strict(line);
	const path = isJsonObject$1(value) ? carried(value, "path") : void 0;
	if (!isJsonObject$1(value) || typeof path !== "string") throw new EvidenceRejected("path is not a text");
	return {
		path,
		entry: readDigest(carried(value, "digest"), readSalt(carried(value, "salt"), "salt"))
	};
}
function strict(line) {
	try {
		return readStrictJson(line);
	} catch (error) {
		if (error instanceof StrictJsonError) throw new EvidenceRejected(error.message);
		throw error;
	}
}
/**
* For each chunk the lines that end in it, without their line feeds; the last one may lack it. One line is there at a time,
* because those that are gathered keep their chunks in memory.
* @throws EvidenceRejected for a line that is longer than its place allows
*/
async function* linesOf$1(chunks) {
	let held = [];
	let heldBytes = 0;
	let ended = 0;
	const hold = (part) => {
		held.push(part);
		heldBytes += part.length;
		if (heldBytes > (ended === 0 ? 4194304 : 65536)) throw new EvidenceRejected(`line ${ended + 1} is too long`);
	};
	const takeHeld = () => {
		const [only] = held;
		const line = held.length === 1 && only !== void 0 ? only : joinBytes(held);
		held = [];
		heldBytes = 0;
		ended += 1;
		return line;
	};
	function* endingIn(chunk) {
		let start = 0;
		for (let end = chunk.indexOf(LINE_FEED$3); end >= 0; end = chunk.indexOf(LINE_FEED$3, start)) {
			hold(chunk.subarray(start, end));
			yield takeHeld();
			start = end + 1;
		}
		hold(chunk.subarray(start));
	}
	for await (const chunk of chunks) yield endingIn(chunk);
	if (heldBytes > 0) yield [takeHeld()];
}
var LINE_FEED$3 = 10;
// shared/evidence/read_given.ts
/** Nothing that can be verified is as large. */
var GivenTooLarge = class extends Error {
	name = "GivenTooLarge";
	most;
	constructor(most) {
		super(`it is larger than ${most / 1024} KiB`);
		this.most = most;
	}
};
/**
* @param hear each entry of a manifest as it comes
* @throws GivenTooLarge
* @throws EvidenceRejected for evidence and manifests with a mistake
* @throws OtsRejected for what begins as an .ots file
* @throws BundleRejected for everything else that is no proof
*/
async function readGivenProof(chunks, hear) {
	const begun = await firstLine$1(chunks);
	const first = strictOrNothing(begun.line);
	if (first !== void 0 && isManifest(first)) {
		const manifest = await readTreeManifest(joined(begun.read, chunks), hear);
		return {
			kind: "evidence",
			evidence: readEvidenceValue(evidenceOfNames(manifest)),
			manifest
		};
	}
	const bytes = await wholeOf(begun.read, chunks);
	if (bytesEqual(bytes.subarray(0, OTS_MAGIC.length), OTS_MAGIC)) return {
		kind: "ots",
		read: readOts(bytes)
	};
	const value = strictOrNothing(bytes);
	if (value !== void 0 && isEvidence(value)) return {
		kind: "evidence",
		evidence: readEvidenceValue(value)
	};
	if (bytes.length > 1048576) throw new GivenTooLarge(LARGEST_BUNDLE_BYTES);
	return {
		kind: "bundle",
		read: readAnyBundle(bytes)
	};
}
/** Without the version. */
var OTS_MAGIC = OTS_HEAD.subarray(0, -1);
/** Reads until there is a line feed, or more than a first line may have. */
async function firstLine$1(chunks) {
	const held = [];
	let size = 0;
	while (size <= LARGEST_EVIDENCE_BYTES) {
		const { value, done } = await chunks.next();
		if (done === true) break;
		held.push(value);
		size += value.length;
		if (value.includes(LINE_FEED$2)) break;
	}
	const read = joinBytes(held);
	const end = read.indexOf(LINE_FEED$2);
	return {
		read,
		line: end < 0 ? read : read.subarray(0, end)
	};
}
var LINE_FEED$2 = 10;
async function* joined(begun, chunks) {
	yield begun;
	yield* chunks;
}
async function wholeOf(begun, chunks) {
	const held = [begun];
	let size = begun.length;
	for await (const chunk of chunks) {
		held.push(chunk);
		size += chunk.length;
		if (size > 4194304) break;
	}
	if (size > 4194304) throw new GivenTooLarge(LARGEST_EVIDENCE_BYTES);
	return joinBytes(held);
}
function strictOrNothing(bytes) {
	try {
		return readStrictJson(bytes);
	} catch (error) {
		if (error instanceof StrictJsonError) return void 0;
		throw error;
	}
}
// server/client/given_proof.ts
/**
* @param hear each entry of a manifest as it comes
* @throws Complaint when it cannot be read or is no proof
*/
async function readGiven({ progress }, source, hear = () => void 0) {
	const what = source === "-" ? "Standard input" : source;
	const tell = paced(progress, {
		firstMs: 1e3,
		everyMs: 200
	});
	try {
		return await readGivenProof(chunksOf(source === "-" ? process.stdin : await streamOf(source)), (entry, index) => {
			tell(() => `${index + 1} entries of ${what}`);
			return hear(entry, index);
		});
	} catch (error) {
		if (error instanceof GivenTooLarge) throw new Complaint(`${what} is larger than ${error.most / 1024} KiB.`);
		if (error instanceof EvidenceRejected) throw new Complaint(`${what} is evidence that cannot be read: ${error.message}.`);
		if (error instanceof OtsRejected) throw new Complaint(`${what} is an .ots file that cannot be read: ${error.message}`);
		if (error instanceof BundleRejected) throw new Complaint(`${what} is neither evidence nor a proof bundle (${error.reason}). ${REJECTION_WORDS[error.reason]}`);
		throw unreadable(source, error);
	} finally {
		progress?.("");
	}
}
async function* chunksOf(stream) {
	for await (const chunk of stream) yield Buffer.from(chunk);
}
// shared/evidence/digest_findings.ts
/** @param fileDigest of the file at hand, by the hash function that `type` names */
function digestFindings({ type, value }, fileDigest) {
	if (fileDigest === void 0) return [warn("No file was compared with the digest."), ...weakness(type)];
	return bytesEqual(fileDigest, value) ? [pass(`The file has the ${type} digest that this is about.`), ...weakness(type)] : [fail(`The file has the ${type} digest ${shown(fileDigest)}, and this is about another.`)];
}
// shared/evidence/trust.ts
/** A bundle carries the key that signed it. Whether it is trusted is for the keyrings to say. */
function signerOf(signingKeyId, keyrings, bundle) {
	const id = toHex(signingKeyId);
	const known = keyrings.flatMap(({ keys }) => keys).find(({ key_id }) => key_id === id);
	if (known !== void 0) return {
		publicKey: base64Bytes(known.public_key, 32),
		isTrusted: true
	};
	const carriedKey = base64Bytes(bundle?.publicKey, 32);
	return {
		publicKey: carriedKey !== void 0 && toHex(keyIdOf(carriedKey)) === id ? carriedKey : void 0,
		isTrusted: false
	};
}
// shared/evidence/log_findings.ts
/** Empty when there is no proof of the log. */
function logFindings(logProof, bundle, { logs = NO_LOGS, keyrings, verifySignature: verifySignature$2 = verifySignature }) {
	if (logProof === void 0) return [];
	if (bundle === void 0) return [skip("Without a bundle there is no block to look for in the public log.")];
	const proof = readOrUndefined(() => readLogProof(logProof));
	if (proof === void 0) return [fail("The proof of the public log cannot be read.")];
	const block = blockOf(bundle);
	const { index, hashes, extra } = proof;
	if (block === void 0 || extra?.length !== 64) return [fail("The proof of the public log lacks the block’s signature, or the block is malformed.")];
	const metadata = isJsonObject$1(bundle.block.metadata) ? canonicalJson(bundle.block.metadata) : "";
	const leaf = entryLeafHash(entryBytes({
		composite: blockComposite(block),
		signature: extra,
		metadata
	}));
	const audit = auditCheckpoint("log_proof", utf8(proof.checkpoint), logs);
	const findings = [];
	let step = audit.next();
	for (; step.done !== true; step = audit.next()) findings.push(fail(`In the checkpoint of the public log, ${step.value.field} is not ${step.value.expected}.`));
	const checkpoint = step.value;
	if (checkpoint === void 0) return findings;
	const { size, root, origin } = checkpoint.head;
	findings.push(verifyInclusion({
		index,
		size,
		leaf,
		proof: hashes,
		root
	}) ? pass(`The block is entry ${index} of the ${size} under the checkpoint.`) : fail("The block’s entry does not lead to the root of the checkpoint."));
	const key = signerOf(block.keyId, keyrings, bundle).publicKey;
	if (key === void 0) findings.push(warn(`Key ${toHex(block.keyId)} is not at hand: the block’s signature was not checked.`));
	else findings.push(verifySignature$2(key, blockHash$1(block), extra) ? pass("The block’s standing signature holds.") : fail("The block’s standing signature does not hold."));
	findings.push(checkpoint.signer === void 0 ? info$1(`No key of the log ${shown(origin)} is pinned here, so its checkpoint counts for nothing.`) : pass(`The log ${shown(origin)} signed the checkpoint${checkpoint.cosigned.length === 0 ? "" : `, and ${checkpoint.cosigned.map(shown).join(", ")} cosigned it`}.`));
	return findings;
}
var NO_LOGS = {
	keys: [],
	policy: void 0
};
function blockOf({ block }) {
	const id = textOf$2(block.id);
	const previousBlockHash = hexBytes(block.previousBlockHash, 32);
	const merkleRoot = hexBytes(block.merkleRoot, 32);
	const keyId = hexBytes(block.signingKeyId, 4);
	if (id === void 0 || !isUuid7(id) || previousBlockHash === void 0) return void 0;
	if (merkleRoot === void 0 || keyId === void 0 || !isJsonObject$1(block.metadata)) return void 0;
	return {
		id,
		previousBlockHash,
		merkleRoot,
		metadataHash: jsonHash("block_metadata", block.metadata),
		keyId
	};
}
// shared/evidence/verify_evidence.ts
var CATEGORIES$1 = {
	Digest: "data_integrity",
	Trees: "cryptographic",
	Item: "structural",
	"Item Signature": "cryptographic",
	Bundle: "cryptographic",
	"Public Log": "cryptographic",
	"Time Stamp": "timing"
};
/** @param fileDigest of the file at hand, by the hash function that `evidence.digest.type` names */
async function verifyEvidence(evidence, trust, fileDigest) {
	const { item } = evidence;
	const bundle = await checkedBundle(evidence, trust, fileDigest);
	const signer = signerOf(item.signingKeyId, trust.keyrings, bundle?.read);
	const rows = [
		...inGroup$1("Digest", digestFindings(evidence.digest, fileDigest)),
		...inGroup$1("Trees", treeFindings(evidence)),
		...inGroup$1("Item", itemFindings(evidence)),
		...inGroup$1("Item Signature", signatureFindings(item, signer, trust)),
		...inGroup$1("Bundle", bundle?.findings ?? [info$1("There is no bundle yet.")]),
		...inGroup$1("Public Log", logFindings(evidence.logProof, bundle?.read, trust)),
		...inGroup$1("Time Stamp", timeStampFindings(evidence))
	];
	return {
		verdict: verdictOf$1(rows, bundle, signer),
		rows,
		acceptedAt: ulidTime(item.id),
		bundle: bundle?.read === void 0 ? void 0 : bundle
	};
}
var inGroup$1 = (group, findings) => findings.map(({ status, message }) => ({
	group,
	category: CATEGORIES$1[group],
	status,
	message
}));
function verdictOf$1(rows, bundle, signer) {
	if (rows.some(({ status }) => status === "fail")) return "not_valid";
	if (bundle?.keyIsOpen === true || !signer.isTrusted) return "key_open";
	return bundle === void 0 ? "not_yet" : "valid";
}
/** What the item must be about: the digest itself, or the root of the last tree. Undefined when a path is broken. */
function subjectOf$1({ digest, trees }) {
	let entry = digest;
	for (const tree of trees) {
		const root = rootOver({
			...entry,
			salt: tree.salt
		}, tree);
		if (root === void 0) return void 0;
		entry = treeEntry(root, tree.size);
	}
	return {
		entry,
		size: trees.at(-1)?.size
	};
}
function treeFindings(evidence) {
	const { trees, item, digest } = evidence;
	const subject = readOrUndefined(() => subjectOf$1(evidence));
	const claimedHash = textOf$2(carried(item.claims, "hash"));
	const claimedType = textOf$2(carried(item.claims, "hash_type"));
	if (trees.length === 0) return claimedType === digest.type && claimedHash === toHex(digest.value) ? [pass("The item is about the digest itself.")] : [fail("The item is about another digest.")];
	if (subject === void 0) return [fail("A path is none in a tree of its size.")];
	const root = toHex(subject.entry.value.subarray(0, 32));
	const tree = carried(item.claims, "metadata");
	const said = isJsonObject$1(tree) ? carried(tree, "tree") : void 0;
	const [format, size] = ["format", "size"].map((name) => isJsonObject$1(said) ? carried(said, name) : void 0);
	const places = trees.map(({ index, size: of }) => `${index} of ${of}`).join(", ");
	return [claimedType === "sha256" && claimedHash === root ? pass(`The path leads from the digest (${places}) to the root that the item claims.`) : fail("The path does not lead from the digest to the root that the item claims."), format === "pharos-tree-v1" && size === subject.size ? pass(`The item claims a tree of ${subject.size} entries.`) : fail("The item does not claim a tree of this format and size.")];
}
var hashOf = ({ id, claims, metadata, signingKeyId }) => itemHash({
	id,
	claimsHash: jsonHash("items_claims", claims),
	metadataHash: jsonHash("items_metadata", metadata),
	keyId: signingKeyId
});
var itemFindings = ({ item }) => [pass(`The item hashes to ${toHex(hashOf(item))}.`), info$1(`Its id says that it was accepted at ${utcSeconds(ulidTime(item.id)) ?? "no known time"}.`)];
function signatureFindings(item, { publicKey }, { verifySignature: verifySignature$1 = verifySignature }) {
	const id = toHex(item.signingKeyId);
	const signature = base64Bytes(item.signature, 64);
	if (signature === void 0) return [fail("The signature is not base64 of 64 bytes.")];
	if (publicKey === void 0) return [warn(`Key ${id} is in no keyring at hand: the signature was not checked.`)];
	return verifySignature$1(publicKey, hashOf(item), signature) ? [pass(`Key ${id} signed the item.`)] : [fail(`The signature is not that of key ${id} over the item.`)];
}
/** Undefined in a receipt. */
async function checkedBundle({ bundle, item, trees }, trust, fileDigest) {
	if (bundle === void 0) return void 0;
	const read = readOrWords(bundle);
	if (typeof read === "string") return { findings: [fail(`The bundle cannot be read. ${read}`)] };
	const expectedHash = trees.length > 0 || fileDigest === void 0 ? void 0 : toHex(fileDigest);
	const report = await verifyBundle(read, {
		...trust,
		expectedHash
	});
	const { verdict, headline, sentence } = judgeReport(read, report, trust.keyrings);
	const said = `${headline}. ${sentence}`;
	const judged = verdict === "valid" ? pass(said) : verdict === "key_open" ? warn(said) : fail(said);
	return {
		findings: [fits(read, item), judged],
		read,
		report,
		keyIsOpen: verdict === "key_open"
	};
}
function readOrWords(bundle) {
	try {
		return readBundleObject(bundle);
	} catch (error) {
		if (error instanceof BundleRejected) return REJECTION_WORDS[error.reason];
		throw error;
	}
}
function fits({ type, layout, subject }, { id, claims, metadata, signingKeyId }) {
	return type === "item" && layout === "published" && subject?.id === id && isSameJson(subject.data, claims) && isSameJson(subject.metadata, metadata) && sameBytes(hexBytes(subject.signingKeyId, 4), signingKeyId) ? pass("The bundle is about this item: id, claims, metadata and the key that signed it.") : fail("The bundle is about another item.");
}
var isSameJson = (a, b) => a !== void 0 && canonicalJson(a) === canonicalJson(b);
/** Empty when there is no token. */
var timeStampFindings = ({ timeStamp }) => timeStamp === void 0 ? [] : [skip("The time-stamp token in it was not read.")];
// shared/evidence/upgrade.ts
var UpgradeRefused = class extends Error {
	name = "UpgradeRefused";
	reason;
	constructor(reason, { rows }) {
		super(rows.filter(({ status }) => status === (reason === "key" ? "warn" : "fail")).map(({ group, message }) => `${group}: ${message}`).join(" "));
		this.reason = reason;
	}
};
/**
* @param value of the strict reader
* @throws EvidenceRejected when it is no such answer
*/
function readUpgradeAnswer(value) {
	const bundle = isJsonObject$1(value) ? readBundleMember(carried(value, "bundle") ?? void 0) : void 0;
	if (!isJsonObject$1(value) || bundle === void 0) throw new EvidenceRejected("bundle is missing");
	const logProof = carried(value, "log_proof");
	if (logProof !== void 0 && typeof logProof !== "string") throw new EvidenceRejected("log_proof is not a text");
	return {
		bundle,
		logProof
	};
}
/** @throws UpgradeRefused unless the receipt is one whose every check holds */
async function checkReceipt(receipt, trust) {
	const report = await verifyEvidence(receipt, trust);
	if (report.verdict === "not_valid") throw new UpgradeRefused("receipt", report);
	if (report.verdict === "key_open") throw new UpgradeRefused("key", report);
}
/**
* A proof of the public log that the receipt has already is kept when none was answered, and must fit the bundle too.
* @throws UpgradeRefused
*/
async function fillingOf(receipt, { bundle, logProof = receipt.logProof }, trust) {
	await checkReceipt(receipt, trust);
	const report = await verifyEvidence({
		...receipt,
		bundle,
		logProof
	}, trust);
	if (report.verdict === "key_open") throw new UpgradeRefused("key", report);
	if (report.verdict !== "valid") throw new UpgradeRefused("answer", report);
	return {
		bundle,
		...logProof === void 0 ? {} : { log_proof: logProof }
	};
}
/** A document of an evidence file, or of the first line of a manifest, with what it lacked. Its other members stay. */
var filled = (document, filling) => ({
	...document,
	...filling
});
// server/client/stamp/ask_once.ts
/** A service that made something of these very bytes within a day answers what it made. */
async function postOnce(service, path, body) {
	const text = JSON.stringify(body);
	return readAnswer(await askBytes(service, path, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			"idempotency-key": `stamp-${createHash("sha256").update(text).digest("hex")}`
		},
		body: text
	}), service.url);
}
var strange$1 = ({ url }, what) => new Complaint(`${url.origin} answered something that is no receipt: ${what}.`);
// server/client/stamp/as_items.ts
/**
* An item for each entry, in their order.
* @param files how many there are in each entry
* @throws Complaint, EvidenceRejected for what is no item
*/
async function asItems(service, labels, { entries, files }) {
	const claims = entries.map((entry) => claimsOf(entry, labels.name, files));
	const submissions = claims.map((each) => ({
		claims: each,
		...labels.tags.length === 0 ? {} : { tags: [...labels.tags] },
		...labels.visibility === void 0 ? {} : { visibility: labels.visibility }
	}));
	const [only] = submissions;
	return (only !== void 0 && submissions.length === 1 ? [await createItem(service, only)] : await createItems(service, submissions)).map((resource, at) => {
		const item = itemIn(service, resource);
		if (canonicalJson(item.claims) !== canonicalJson(claims[at] ?? {})) throw new Complaint(`Item ${item.id} of ${service.url.origin} has other claims than were sent.`, {
			exitCode: 1,
			advice: "Were they redacted? Under another --name the digest gets an item of its own."
		});
		return item;
	});
}
function claimsOf(entry, name, files) {
	const { type, value } = claimedBy(entry);
	const digest = {
		hash: toHex(value),
		hash_type: type
	};
	return entry.type === "pharos-tree-v1" ? {
		name: name ?? plural(files, "file"),
		...digest,
		metadata: { tree: {
			format: TREE_FORMAT,
			size: treeSize(entry.value)
		} }
	} : {
		name: name ?? "file",
		...digest
	};
}
/** What an item about the entry has as its digest: of a tree it is the root. */
var claimedBy = ({ type, value }) => type === "pharos-tree-v1" ? {
	type: "sha256",
	value: value.subarray(0, 32)
} : {
	type,
	value
};
/** The last eight bytes of the entry of a tree. */
var treeSize = (value) => Number(new DataView(value.buffer, value.byteOffset).getBigUint64(value.length - 8));
var createItem = async (service, attributes) => dataOf(await postOnce(service, "/api/json/items", { data: {
	type: "item",
	attributes
} }));
/** The answer to many names their ids alone. */
async function createItems(service, items) {
	const answer = await postOnce(service, "/api/json/items/batch", { data: { items } });
	const result = isJsonObject$1(answer) ? memberOf(answer, "result") : void 0;
	const made = isJsonObject$1(result) ? memberOf(result, "items") : void 0;
	const ids = (Array.isArray(made) ? made : []).map((one) => {
		const id = textAt(one, "id");
		if (id !== void 0) return id;
		const errors = isJsonObject$1(one) ? memberOf(one, "errors") : void 0;
		const [first] = Array.isArray(errors) ? errors : [];
		throw new Complaint(`${service.url.origin} refused an item: ${textAt(first, "detail") ?? "it does not say why"}`, { exitCode: 1 });
	});
	const found = /* @__PURE__ */ new Map();
	for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
		const page = dataOf(await askService(service, `/api/json/items?${ids.slice(from, from + IDS_AT_ONCE).map((id) => `filter%5Bid%5D%5Bin%5D%5B%5D=${id}`).join("&")}&page%5Blimit%5D=${IDS_AT_ONCE}`));
		for (const resource of Array.isArray(page) ? page : []) found.set(textAt(resource, "id") ?? "", resource);
	}
	if (ids.length !== items.length) throw strange$1(service, "it is about another number of items");
	return ids.map((id) => found.get(id));
}
/** So that the address stays below what servers read. */
var IDS_AT_ONCE = 100;
var dataOf = (answer) => isJsonObject$1(answer) ? memberOf(answer, "data") : void 0;
function itemIn({ url }, resource) {
	const attributes = isJsonObject$1(resource) ? memberOf(resource, "attributes") : void 0;
	const of = (name) => (isJsonObject$1(attributes) ? memberOf(attributes, name) : void 0) ?? null;
	return readStoredItem({
		service: url.origin,
		id: textAt(resource, "id") ?? null,
		claims: of("claims") ?? {},
		metadata: of("metadata"),
		signing_key_id: of("signing_key_id"),
		signature: of("signature")
	});
}
// server/client/stamp/ask_proof.ts
/** Asks the service that the evidence names for its proof. @throws Complaint */
async function askFor(surroundings, file, { item, trees }) {
	const url = addressOf$2(item.service);
	const own = await ownService(surroundings, url);
	const isOfRound = trees.length > 0;
	const advice = signInAdvice(surroundings, url);
	if (own === void 0 && !isOfRound) throw new Complaint(`The proof of this item is asked for with a credential of ${url.origin}.`, {
		exitCode: 4,
		advice
	});
	if (own === void 0) surroundings.terminal.note(`Asking ${url.origin}, which ${printable(file)} names, without a credential.`);
	const ofRound = isOfRound ? await askRound(own ?? {
		url,
		headers: {}
	}, item) : void 0;
	if (ofRound?.kind === "answer") return ofRound;
	if (own !== void 0) return askItem(own, item.id);
	if (ofRound?.kind === "not_yet") return ofRound;
	throw new Complaint(`${url.origin} has no round with this root, and the proof of the item is asked for with a credential.`, {
		exitCode: 4,
		advice
	});
}
/** @throws Complaint unless it is an https address, or one of this computer */
function addressOf$2(service) {
	const url = URL.canParse(service) ? new URL(service) : void 0;
	const isSafe = url?.protocol === "https:" || url?.protocol === "http:" && isOwnComputer(url.hostname);
	if (url === void 0 || !isSafe || url.username !== "" || url.password !== "") throw new Complaint(`It names ${printable(service)}, which is not asked: only https addresses are.`);
	return url;
}
/**
* Asks for the round with this root. Undefined when the service has none.
* @throws Complaint
*/
async function askRound(service, { claims }) {
	const answer = await answerFrom(service, `/stamp/${textOf$2(carried(claims, "hash")) ?? ""}`, { ceilings: { bytes: LARGEST_EVIDENCE_BYTES } });
	if (answer.status !== 200) {
		const refused = refusal(answer, service);
		if (refused.status !== 404) throw refused;
		if (refused.retryAfterSeconds !== void 0) return notYet(refused, refused.reason);
		if (refused.reason !== void 0) throw refused;
		return;
	}
	try {
		return {
			kind: "answer",
			answer: readUpgradeAnswer(readAnswer(answer.bytes, service.url))
		};
	} catch (error) {
		if (error instanceof EvidenceRejected) throw new Complaint(`${service.url.origin} answered something else than a proof: ${error.message}.`);
		throw error;
	}
}
/** Asks for the proof of the item, as its owner may. @throws Complaint */
async function askItem(service, id) {
	try {
		const bundle = await generatedProof(service, {
			id,
			type: "item",
			format: "json",
			layout: "published"
		});
		if (isJsonObject$1(bundle)) return {
			kind: "answer",
			answer: {
				bundle,
				logProof: void 0
			}
		};
		throw new Complaint(`${service.url.origin} answered with something else than a proof.`);
	} catch (error) {
		if (error instanceof ServiceRefused && isForNow(error)) return notYet(error, error.code);
		throw error;
	}
}
/** Without a wait there will be no commitment. */
var isForNow = ({ code, retryAfterSeconds }) => code === "subject_not_ready" || code === "no_external_commitments" && retryAfterSeconds !== void 0;
var notYet = ({ message, retryAfterSeconds }, reason) => ({
	kind: "not_yet",
	why: `${message}${retryAfterSeconds === void 0 ? "" : ` Try again in ${retryAfterSeconds} s.`}`,
	isInBlock: reason === "no_external_commitments",
	retryAfterSeconds
});
// server/client/stamp/place_file.ts
/**
* It is on the disk when this returns.
* @param isSpare it can be made again, and need not be on the disk
* @throws Complaint when there is something already, or it cannot be written
*/
function placeText(path, text, { isSpare = false } = {}) {
	try {
		const fresh = freshBeside(path);
		try {
			writeFileSync(fresh, text, {
				flag: "wx",
				flush: !isSpare
			});
			giveName(fresh, path);
		} finally {
			rmSync(fresh, { force: true });
		}
	} catch (error) {
		throw unwritable(path, error);
	}
}
/** The same of what is too large to be held. A chunk may change with the next. */
async function placeChunks(path, chunks) {
	try {
		const fresh = freshBeside(path);
		try {
			const file = openSync(fresh, "wx");
			try {
				for await (const chunk of chunks) writeFileSync(file, chunk);
				fsyncSync(file);
			} finally {
				closeSync(file);
			}
			giveName(fresh, path);
		} finally {
			rmSync(fresh, { force: true });
		}
	} catch (error) {
		throw unwritable(path, error);
	}
}
/** What a program that was killed has left of it is in nobody's way. */
function freshBeside(path) {
	mkdirSync(dirname(path), { recursive: true });
	return `${path}.${randomBytes(6).toString("hex")}.new`;
}
/** Unlike renaming, linking fails when there is something. */
function giveName(fresh, path) {
	try {
		linkSync(fresh, path);
	} catch (error) {
		if (codeOf(error) === "EEXIST" || existsSync(path)) throw taken(path);
		renameSync(fresh, path);
	}
}
var taken = (path) => new Complaint(`${path} is there already, and is not overwritten.`, { advice: "Choose another place: -o <place>" });
var unwritable = (path, error) => error instanceof Complaint ? error : new Complaint(`${path} could not be written: ${wordsOf(error)}`);
var Places = class {
	#out;
	#isFolder;
	/** @param out of `-o` */
	constructor(out) {
		this.#out = out;
		this.#isFolder = out !== void 0 && (/[/\\]$/.test(out) || statSync(out, { throwIfNoEntry: false })?.isDirectory() === true);
	}
	get isStdout() {
		return this.#out === "-";
	}
	/** Of a file that is stamped alone. */
	alone = (source) => this.#out === void 0 || this.#isFolder ? this.each(source) : this.#out;
	/** Of one among several. */
	each = (source) => {
		if (this.#out === "-") return "-";
		if (this.#out !== void 0) return join(this.#out, `${source.path}.pharos`);
		return `${"at" in source ? source.at : source.path}.pharos`;
	};
	/** @param usual the manifest’s place without `-o` */
	manifest(usual) {
		if (this.#out === void 0) return usual;
		return this.#isFolder ? join(this.#out, basename(usual)) : this.#out;
	}
	/** Of a file that a manifest is about, beside the file unless `-o` names a folder. */
	ofEntry(folder, path) {
		return `${join(this.#out !== void 0 && this.#isFolder ? this.#out : folder ?? ".", path)}.pharos`;
	}
};
/** A link that leads nowhere is something too. */
var isTaken = (place) => place !== "-" && lstatSync(place, { throwIfNoEntry: false }) !== void 0;
/** Before anything is asked for, because what is accepted without an account exists only once. @throws Complaint */
async function requireRoomAt(place) {
	if (place === "-") return;
	const folder = dirname(place);
	try {
		mkdirSync(folder, { recursive: true });
		await access(folder, constants.W_OK);
	} catch (error) {
		throw new Complaint(`${basename(place)} cannot be written in ${folder}: ${wordsOf(error)}`);
	}
}
// server/client/stamp/make_evidence.ts
/** @throws Complaint */
async function makeEvidence(surroundings, values, [source, path, ...more]) {
	if (source === void 0 || more.length > 0) throw new Complaint("Name an item by its id, or a manifest and the path of one of its files.", { advice: `${surroundings.self} proof --help` });
	const made = !existsSync(source) && isUlid(source.toUpperCase()) ? await ofItem$1(await serviceFrom(surroundings, values), source.toUpperCase()) : await ofEntry(surroundings, source, path);
	const text = writeEvidence(made.document);
	const place = textOption(values, "out") ?? `${made.name}.pharos`;
	const { terminal, self } = surroundings;
	if (place === "-") {
		terminal.write(utf8(text));
		return made.code;
	}
	placeText(place, text);
	terminal.say(`${printable(place)}  the evidence of ${printable(made.name)}`);
	if (made.document.bundle === void 0) {
		terminal.note("Its proof is not there yet. To put it in, later:");
		terminal.note(`  ${self} upgrade ${quoted(place)} --wait`);
	}
	return made.code;
}
async function ofEntry({ terminal }, source, path) {
	let found;
	const given = await readGiven(terminal, source, (entry, index) => {
		if (entry.path === path) found = {
			entry,
			index
		};
	});
	const manifest = given.kind === "evidence" ? given.manifest : void 0;
	if (manifest === void 0) throw new Complaint(`${source} is no manifest, so there is no evidence to be made from it.`);
	if (path === void 0) throw new Complaint("Name the path of one of its files too.");
	if (found === void 0) throw new Complaint(`${source} lists no file ${path}.`, { exitCode: 1 });
	return {
		document: evidenceOfEntry(manifest, found.index, found.entry),
		name: basename(path),
		code: 0
	};
}
async function ofItem$1(service, id) {
	const answer = await askService(service, `/api/json/items/${id}`);
	const trust = { keyrings: [await findKeyring(service.url.origin)] };
	try {
		const item = itemIn(service, isJsonObject$1(answer) ? memberOf(answer, "data") : void 0);
		const document = receiptOf({
			digest: digestOf(item),
			trees: [],
			item
		});
		const receipt = readEvidenceValue(document);
		await checkReceipt(receipt, trust);
		const asked = await askItem(service, id);
		return asked.kind === "not_yet" ? {
			document,
			name: id,
			code: 3
		} : {
			document: filled(document, await fillingOf(receipt, asked.answer, trust)),
			name: id,
			code: 0
		};
	} catch (error) {
		if (error instanceof EvidenceRejected) throw new Complaint(`There is no evidence of item ${id}: ${error.message}.`, { exitCode: 1 });
		if (error instanceof UpgradeRefused) throw new Complaint(`What ${service.url.origin} says of it is not valid. ${error.message}`, { exitCode: 1 });
		throw error;
	}
}
/** @throws EvidenceRejected when it claims no digest, Complaint when that is of no file */
function digestOf({ id, claims }) {
	const metadata = memberOf(claims, "metadata");
	const tree = isJsonObject$1(metadata) ? memberOf(metadata, "tree") : void 0;
	if (isJsonObject$1(tree) && memberOf(tree, "format") === "pharos-tree-v1") throw new Complaint(`Item ${id} stands for many files: evidence of them is made from its manifest.`, { exitCode: 1 });
	return readDigest({
		type: memberOf(claims, "hash_type") ?? null,
		value: memberOf(claims, "hash") ?? null
	}, void 0);
}
// server/client/proof.ts
/** What shapes a bundle, and no .ots file. */
var OF_BUNDLES = [
	"format",
	"layout",
	"witnesses"
];
/** @throws Complaint for options that do not go together */
function checkOtsOptions(values) {
	const other = OF_BUNDLES.find((name) => values[name] !== void 0);
	if (other !== void 0) throw new Complaint(`--${other} is about bundles, and --ots writes none.`);
	if (values.type !== void 0 && values.type !== "item") throw new Complaint("--ots is for items: an .ots file begins with the digest of a file.");
}
/** @throws Complaint for options that do not go together */
function checkEvidenceOptions(values) {
	const other = [
		"ots",
		"type",
		...OF_BUNDLES
	].find((name) => values[name] !== void 0);
	if (other !== void 0) throw new Complaint(`--${other} says nothing of evidence, which --evidence writes.`);
}
/** @param out `-` for standard output; the usual name when undefined */
async function storeOts({ terminal }, { read }, { id, out }) {
	const { network, bytes } = expressed(() => otsFileOf(read));
	if (out === "-") {
		terminal.write(bytes);
		return 0;
	}
	const path = out ?? otsFileName(id, network);
	await writeMade(path, bytes);
	terminal.say(`${printable(path)}  the proof for the OpenTimestamps client; its bundle verifies`);
	terminal.note("! It discloses the whole claims of the item. Signatures, witnesses and keys are in the bundle alone.");
	if (network !== "mainnet") terminal.note(`! It attests to Bitcoin's ${network}, which proves nothing to outsiders.`);
	terminal.note("To check it with the file that the item is about, and a Bitcoin node:");
	terminal.note(`  ots ${OPTION[network]}verify -f <file> ${quoted(path)}`);
	return 0;
}
var OPTION = {
	mainnet: "",
	testnet: "--btc-testnet ",
	regtest: "--btc-regtest --bitcoin-node <address> "
};
function expressed(express) {
	try {
		return express();
	} catch (error) {
		if (error instanceof NotExpressible) throw new Complaint(`There is no .ots file of this item (${error.reason}): ${error.message}`, {
			exitCode: 1,
			advice: "Without --ots its proof can be had as a bundle."
		});
		if (error instanceof RangeError) throw new Complaint(`The proof has no way to a Bitcoin block: ${error.message}.`, { exitCode: 1 });
		throw error;
	}
}
var proof = {
	usage: "<id or evidence> [--ots] [--evidence] [-o <file>]",
	meaning: "fetches a proof from a service, with the keyring to check it by when the service is gone",
	help: `
<id> is an item's id, a block's or an observation's id, or the hash of a beacon. Of an evidence file or a manifest it is
the item that this is about.

The proof is verified before it is stored. The service's keyring is stored beside it, to hand on together with it, and
remembered on this computer, so that "verify" knows it. A proof can be made once the block stands on a public chain.`,
	options: {
		type: {
			type: "string",
			takes: Object.keys(TYPE_CODES).join("|"),
			meaning: "what the id is of; found out when left out"
		},
		format: {
			type: "string",
			takes: "json|cbor",
			meaning: "of the bundle: json, unless it says otherwise"
		},
		witnesses: {
			type: "string",
			takes: "<names>",
			meaning: "the names to carry, with commas between, or none; all of them when left out"
		},
		layout: {
			type: "string",
			takes: "published|compact",
			meaning: "compact is for older clients; the service's own default when left out"
		},
		ots: {
			type: "boolean",
			meaning: "the proof of an item as an .ots file, for the ordinary OpenTimestamps client. It discloses the whole claims, and a bundle says more: it has signatures, witnesses and keys"
		},
		evidence: {
			type: "boolean",
			meaning: "an evidence file of an item; or, with a manifest and the path of one of its files, of that file, without asking anybody"
		},
		out: {
			type: "string",
			short: "o",
			takes: "<file>",
			meaning: "where to put it; - is standard output, and then nothing else is stored"
		},
		...SERVICE_OPTIONS
	},
	exits: {
		0: "it is stored",
		1: "there is none, or none yet",
		3: "evidence is stored, and no proof is in it yet",
		4: "you are to sign in first"
	},
	run: async (surroundings, values, words) => {
		if (values.evidence === true) {
			checkEvidenceOptions(values);
			return makeEvidence(surroundings, values, words);
		}
		const [given, ...more] = words;
		if (given === void 0 || more.length > 0) throw new Complaint("Name one id.", { advice: `${surroundings.self} proof --help` });
		const id = await idOf(surroundings, given, values.ots === true);
		const service = await serviceFrom(surroundings, values);
		const out = textOption(values, "out");
		if (values.ots === true) {
			checkOtsOptions(values);
			return fetchOts(surroundings, service, {
				id: id.toUpperCase(),
				out
			});
		}
		const request = await proofRequest(service, id, values);
		const bytes = bundleBytes(await generatedProof(service, request));
		if (out === "-") {
			surroundings.terminal.write(bytes);
			return 0;
		}
		return store(surroundings, service, {
			path: out ?? fileNameOf(request),
			bytes
		});
	}
};
/** The item of an evidence file. What names no file is an id itself. @throws Complaint for a file without an item */
async function idOf({ terminal }, given, isForOts) {
	if (!existsSync(given)) return given;
	const read = await readGiven(terminal, given);
	if (read.kind !== "evidence") throw new Complaint(`${given} names no item whose proof could be asked for.`);
	const { item, trees } = read.evidence;
	if (isForOts && trees.length > 0) throw new Complaint("An .ots file begins with the digest of a file, and the item of this is about a tree.", {
		exitCode: 1,
		advice: "The evidence itself is the proof. Without --ots the proof of the item can be had as a bundle."
	});
	return item.id;
}
/** The smallest bundle has all that an .ots file is made of. */
async function fetchOts(surroundings, service, { id, out }) {
	return storeOts(surroundings, await checkFetched(service, bundleBytes(await generatedProof(service, {
		id,
		type: "item",
		format: "json",
		layout: "published",
		witnesses: []
	}))), {
		id,
		out
	});
}
async function store(surroundings, service, { path, bytes }) {
	const { terminal, self } = surroundings;
	const { keyring, reservations } = await checkFetched(service, bytes);
	const keyringPath = join(dirname(path), `pharos-keyring-${keyring.name.replace(/[^\w.-]+/g, "-")}.json`);
	await writeMade(path, bytes);
	await writeMade(keyringPath, new TextEncoder().encode(keyring.document));
	terminal.say(`${printable(path)}  the proof; it verifies`);
	terminal.say(`${printable(keyringPath)}  the keys of ${keyring.name}, to hand on with it`);
	for (const reservation of reservations) terminal.note(`! ${printable(reservation)}`);
	await rememberKeyring(surroundings, keyring.name, keyring.document);
	terminal.note(`The keys of ${keyring.name} are remembered on this computer too. To check it, with or without the service:`);
	terminal.note(`  ${self} verify ${quoted(path)}`);
	return 0;
}
/**
* Asks the service when the id alone does not show the type.
* @throws Complaint when the type cannot be found
*/
async function proofRequest(service, given, values) {
	const options = {
		...chosen(values, "format", ["json", "cbor"]),
		...chosen(values, "layout", ["published", "compact"]),
		...witnessesOf(textOption(values, "witnesses"))
	};
	return {
		...await subjectOf(service, given, typeOf$1(textOption(values, "type"))),
		...options
	};
}
async function subjectOf(service, given, type) {
	if (/^[0-9a-f]{64}$/i.test(given)) return {
		id: textAt(await askService(service, `/api/json/beacons/by-hash/${given.toLowerCase()}`), "id") ?? given,
		type: type ?? "beacon"
	};
	if (type !== void 0) return {
		id: given,
		type
	};
	const upper = given.toUpperCase();
	if (isUlid(upper)) return {
		id: upper,
		type: "item"
	};
	return resolved(service, given);
}
/** Asks the service, because a UUID may belong to a block or to an observation. */
async function resolved(service, given) {
	const answer = await askService(service, "/api/json/utilities/resolve-id", { data: { id: given } });
	const result = isJsonObject$1(answer) ? memberOf(answer, "result") : void 0;
	const matches = isJsonObject$1(result) ? memberOf(result, "matches") : void 0;
	const type = typeOf$1((Array.isArray(matches) ? matches : []).map((match) => textAt(match, "proof_type")).find((name) => name !== void 0));
	if (type === void 0) throw new Complaint(`${given} is nothing that this service can prove to you.`, {
		exitCode: 1,
		advice: "Is the id complete, and of this service?"
	});
	return {
		id: given.toLowerCase(),
		type
	};
}
var typeOf$1 = (name) => {
	if (name === void 0 || isProofType(name)) return name;
	throw new Complaint(`--type is one of ${Object.keys(TYPE_CODES).join(", ")}.`);
};
var witnessesOf = (list) => {
	if (list === void 0 || list === "all") return {};
	return { witnesses: list === "none" ? [] : list.split(",").map((name) => name.trim()).filter((name) => name !== "") };
};
function chosen(values, name, choices) {
	const given = textOption(values, name);
	if (given === void 0) return {};
	const choice = choices.find((one) => one === given);
	if (choice === void 0) throw new Complaint(`--${name} is ${choices.join(" or ")}.`);
	const picked = {};
	picked[name] = choice;
	return picked;
}
// server/client/service/patience.ts
var LONGEST_PAUSE_MS$2 = 6e4;
/** From 1 s on, each twice the one before, and a fifth longer or shorter, so that many who wait do not come at once. */
var backoffMs = (troubles, longestMs = LONGEST_PAUSE_MS$2) => Math.min(longestMs, 1e3 * 2 ** Math.min(troubles, 10)) * (.8 + .4 * Math.random());
/**
* Milliseconds until it may be asked again. Undefined for a no that stays one.
* @param troubles how often it was asked in vain before
*/
function pauseAfter(error, troubles) {
	if (error instanceof NoAnswer) return backoffMs(troubles);
	if (!(error instanceof ServiceRefused) || !(error.status >= 500 || error.status === 429)) return void 0;
	return Math.max(backoffMs(troubles), (error.retryAfterSeconds ?? 0) * 1e3);
}
var MOST_ATTEMPTS = 8;
/** A service that wants to be left alone for longer is not waited for. */
var MOST_PAUSE_MS = 12e4;
/**
* Asks a few times. What is asked must be harmless when it is asked twice, because an answer may have been lost.
* @throws Complaint of the last attempt, with exit code 2 when it passes later
*/
async function askAgain(terminal, ask) {
	for (let troubles = 0;; troubles += 1) try {
		return await ask();
	} catch (error) {
		const pauseMs = pauseAfter(error, troubles);
		if (pauseMs === void 0 || !(error instanceof Complaint)) throw error;
		if (troubles + 1 === MOST_ATTEMPTS || pauseMs > MOST_PAUSE_MS) throw new Complaint(error.message, { ...error.advice === void 0 ? {} : { advice: error.advice } });
		tellComplaint(terminal, new Complaint(`${error.message} Asking again in ${Math.ceil(pauseMs / 1e3)} s.`));
		await setTimeout$1(pauseMs);
	}
}
var going = (terminal, stopped) => ({
	terminal,
	stopped,
	rest: (ms) => setTimeout$1(ms, void 0, { signal: stopped })
});
/**
* Asks until there is an answer. Says once that the service is in trouble, and once that it is not any more.
* @throws what does not pass by itself
*/
async function untilAnswered({ terminal, stopped, rest }, ask) {
	for (let troubles = 0;; troubles += 1) try {
		const answer = await ask();
		if (troubles > 0) terminal.note("It answers again.");
		return answer;
	} catch (error) {
		const pauseMs = pauseAfter(error, troubles);
		if (pauseMs === void 0 || stopped.aborted) throw error;
		if (troubles === 0) terminal.note(printable(`! ${wordsOf(error)} It is asked again until it answers.`));
		await rest(pauseMs);
	}
}
// server/client/read/api_fields.ts
/** @throws Complaint without a name */
function pairOf(field) {
	const at = field.indexOf("=");
	if (at < 1) throw new Complaint(`${field} is no field.`, { advice: "Such as --field name=value" });
	return [field.slice(0, at), field.slice(at + 1)];
}
/**
* @param given `fields` are values that JSON has where they look like one, `raw` are texts
* @throws Complaint for a name that has no place
*/
async function bodyOf({ fields, raw }) {
	const body = {};
	for (const [name, text] of fields.map(pairOf)) put(body, name, await readValue(text));
	for (const [name, text] of raw.map(pairOf)) put(body, name, text);
	return body;
}
var LARGEST_VALUE_BYTES = 16777216;
async function readValue(text) {
	if (text.startsWith("@")) return Buffer.from(await readNamed(text.slice(1), LARGEST_VALUE_BYTES)).toString();
	if (text === "true" || text === "false") return text === "true";
	if (text === "null") return null;
	if (!/^(0|-?[1-9]\d*)$/.test(text)) return text;
	return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}
var NAME = /^[^[\]]+(?:\[[^[\]]+\])*(?:\[\])?$/;
/** The last member of a path that ends with `[]` is a list, and gets one more. */
function put(body, name, value) {
	if (!NAME.test(name)) throw new Complaint(`${name} is no name of a field.`, { advice: "Such as 'data[attributes][tags][]'" });
	const isListed = name.endsWith("[]");
	const path = name.split(/[[\]]+/).filter((part) => part !== "");
	const last = path.pop() ?? name;
	let at = body;
	for (const part of path) at = childOf(at, part, name);
	const before = memberOf(at, last);
	if (!isListed) {
		if (before !== void 0) throw new Complaint(`${name} is there twice, or is two things at once.`);
		setMember(at, last, value);
		return;
	}
	if (before !== void 0 && !Array.isArray(before)) throw new Complaint(`${name} is there as something else already.`);
	setMember(at, last, [...before ?? [], value]);
}
function childOf(parent, part, name) {
	const child = memberOf(parent, part) ?? {};
	if (!isJsonObject$1(child)) throw new Complaint(`${name} is there as something else already.`);
	setMember(parent, part, child);
	return child;
}
// server/client/read/rows.ts
/** The largest answer of a service has 8 MiB, and a filter without an index takes some seconds. */
var CEILINGS$1 = {
	bytes: 16777216,
	milliseconds: 3e4
};
/** @throws Complaint */
async function askJson({ service, signal }, path) {
	return readAnswer(await askBytes(service, path, {
		ceilings: CEILINGS$1,
		...signal === void 0 ? {} : { signal }
	}), service.url);
}
/** @throws Complaint */
async function readPage(asking, path) {
	const answer = await askJson(asking, path);
	const data = membersOf(answer).data;
	if (!Array.isArray(data)) throw strange(asking);
	return {
		rows: data.map((one) => rowOf(asking, one)),
		next: nextOf(answer)
	};
}
/** The resource of an answer that has one. @throws Complaint */
var readRow = async (asking, path) => rowOf(asking, membersOf(await askJson(asking, path)).data);
/** The links of a service lead to its public address. It is asked at the address that the person named. */
function nextOf(answer) {
	const next = textAt(membersOf(answer).links, "next");
	if (next === void 0 || !URL.canParse(next)) return void 0;
	const { pathname, search } = new URL(next);
	return `${pathname}${search}`;
}
function rowOf(asking, value) {
	const [type, id] = [textAt(value, "type"), textAt(value, "id")];
	if (type === void 0 || id === void 0) throw strange(asking);
	return {
		type,
		id,
		...membersOf(membersOf(value).attributes)
	};
}
var membersOf = (value) => isJsonObject$1(value) ? value : {};
var strange = ({ service }) => new Complaint(`${service.url.origin} answered with something else than its rows.`);
var textOf = (row, name) => textAt(row, name) ?? "";
function numberOf(row, name) {
	const value = memberOf(row, name);
	return typeof value === "number" ? value : NaN;
}
/** For a path: brackets and values are encoded. */
var queryOf = (parameters) => `?${new URLSearchParams(parameters)}`;
// server/client/read/show_rows.ts
/**
* On one line, members in their order. Whole numbers of any size keep their digits. What could steer a terminal or turn
* the direction of writing is escaped, which changes nothing for a program that reads it.
*/
function jsonLine(value) {
	if (typeof value === "bigint") return String(value);
	if (Array.isArray(value)) return `[${value.map(jsonLine).join(",")}]`;
	if (!isJsonObject$1(value)) return escaped$1(JSON.stringify(value));
	return `{${Object.entries(value).map(([name, member]) => `${escaped$1(JSON.stringify(name))}:${jsonLine(member)}`).join(",")}}`;
}
var escaped$1 = (json) => json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""));
/** One line for a person. */
function rowLine(row, paint) {
	const [first = "", ...more] = (LINES[row.type] ?? (({ id }) => [id]))(row).filter((word) => word !== "").map(printable);
	return [paint.bold(first), ...more].join("  ");
}
var LINES = {
	beacon: (row) => [
		`#${numberOf(row, "height")}`,
		textOf(row, "timestamp"),
		textOf(row, "hash")
	],
	block: (row) => [
		`#${numberOf(row, "height")}`,
		textOf(row, "finalized_at"),
		textOf(row, "block_hash"),
		plural(numberOf(row, "item_count"), "item"),
		textOf(row, "state")
	],
	item: (row) => [
		row.id,
		textOf(row, "inserted_at"),
		textOf(row, "state").padEnd(9),
		[row.tags].flat().map((tag) => typeof tag === "string" ? `[${tag}]` : "").join(""),
		textOf(row, "display_name")
	],
	webhook_delivery: (row) => [
		row.id,
		textOf(row, "inserted_at"),
		textOf(row, "event_type"),
		textOf(row, "resource_id"),
		textOf(row, "status"),
		textOf(row, "error")
	]
};
/** A heading, and a line for each field. */
function rowFields(row, paint, why = "") {
	const { type, id, ...fields } = row;
	const heading = `${type.replaceAll("_", " ")} ${id}`;
	const width = Math.max(0, ...Object.keys(fields).map(({ length }) => length));
	return [`${paint.bold(printable(heading))}${why === "" ? "" : `  ${why}`}`, ...Object.entries(fields).map(([name, value]) => `  ${printable(name.padEnd(width))}  ${printable(fieldText(value))}`)];
}
function fieldText(value) {
	if (value === null || value === void 0) return "–";
	return typeof value === "string" ? value : jsonLine(value);
}
// server/client/read/api.ts
var METHODS = [
	"GET",
	"POST",
	"PATCH",
	"DELETE"
];
var api = {
	usage: "GET|POST|PATCH|DELETE <path> [--field <name=value>]… [--paginate]",
	meaning: "sends any request to the service, and prints its answer",
	help: `
<path> is a path of the service: /log/checkpoint, or below /api/json without a slash: items, beacons/latest.

Fields are parameters of the address of GET and DELETE, and otherwise members of the JSON that is sent:

  api GET items --field 'filter[state]=committed' --field 'page[limit]=5'
  api POST utilities/hash --field 'data[text]=hello'
  api PATCH items/01MB… --field 'data[type]=item' --field 'data[id]=01MB…' --field 'data[attributes][tags][]=paid'

true, false, null and whole numbers are sent as such, @file as the text of a file, and @- as that of standard input.

With --paginate the pages that follow come too, a line each, and the service is waited for when it asks for a pause.
An answer that is a no is printed as well.`,
	options: {
		field: {
			type: "string",
			short: "F",
			multiple: true,
			takes: "<name=value>",
			meaning: "as said above"
		},
		"raw-field": {
			type: "string",
			short: "f",
			multiple: true,
			takes: "<name=value>",
			meaning: "the same, and the value is sent as the text that it is"
		},
		input: {
			type: "string",
			takes: "<file>",
			meaning: "the body; - is standard input. Fields go into the address then"
		},
		header: {
			type: "string",
			short: "H",
			multiple: true,
			takes: "<name: value>",
			meaning: "a header of the request"
		},
		paginate: {
			type: "boolean",
			meaning: "all pages of a list"
		},
		...SERVICE_OPTIONS
	},
	exits: {
		0: "it was answered with a yes",
		1: "the service said no",
		4: "sign in first"
	},
	run: async (surroundings, values, words) => {
		const [named = "", path, ...more] = words;
		const method = METHODS.find((one) => one === named.toUpperCase());
		if (method === void 0 || path === void 0 || more.length > 0) throw new Complaint("Name a method and a path.", { advice: `${surroundings.self} api --help` });
		const paginates = values.paginate === true;
		if (paginates && method !== "GET") throw new Complaint("--paginate is for GET.");
		const service = await serviceFrom(surroundings, values);
		const { pathname, search } = addressOf$1(service, path);
		const request = await requestOf(values, {
			method,
			pathname,
			search
		});
		return paginates ? printPages(surroundings, service, request) : print$1(surroundings, service, request);
	}
};
/** @throws Complaint for an address of somebody else, who must not get the credential */
function addressOf$1({ url }, path) {
	const rooted = path.startsWith("/") ? path : `/api/json/${path}`;
	const address = !URL.canParse(path) && URL.canParse(rooted, url) ? new URL(rooted, url) : void 0;
	if (address?.origin !== url.origin) throw new Complaint(`${path} is no path of ${url.origin}.`);
	return address;
}
var CEILINGS = {
	bytes: 67108864,
	milliseconds: 6e4
};
var LARGEST_INPUT_BYTES = 16777216;
async function requestOf(values, { method, pathname, search }) {
	const input = textOption(values, "input");
	const [fields, raw] = [textOptions(values, "field"), textOptions(values, "raw-field")];
	const isInAddress = input !== void 0 || method === "GET" || method === "DELETE";
	const query = new URLSearchParams(search);
	if (isInAddress) for (const pair of [...fields, ...raw].map(pairOf)) query.append(...pair);
	const body = input !== void 0 ? new Uint8Array(await readNamed(input, LARGEST_INPUT_BYTES)) : isInAddress || fields.length + raw.length === 0 ? void 0 : jsonLine(await bodyOf({
		fields,
		raw
	}));
	return {
		path: query.size === 0 ? pathname : `${pathname}?${query}`,
		question: {
			method,
			ceilings: CEILINGS,
			headers: {
				accept: "*/*",
				...body === void 0 ? {} : typeOf(pathname),
				...headersOf(values)
			},
			...body === void 0 ? {} : { body }
		}
	};
}
var typeOf = (pathname) => ({ "content-type": pathname.startsWith("/api/json/") ? "application/vnd.api+json" : "application/json" });
/** @throws Complaint for what is no header, and for a credential, which is never a word of a command */
function headersOf(values) {
	const named = textOptions(values, "header").map((text) => {
		const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*([\t\x20-\x7e]*)$/.exec(text) ?? [];
		if (name === "") throw new Complaint(`${text} is no header.`, { advice: "Such as --header \"Accept: text/plain\"" });
		if (name.toLowerCase() === "authorization") throw new Complaint("A credential is no word of a command: whoever lists the processes would read it.");
		return [name.toLowerCase(), value];
	});
	return Object.fromEntries(named);
}
async function print$1({ terminal }, service, { path, question }) {
	const answer = await answerFrom(service, path, question);
	const { status, bytes } = answer;
	terminal.write(process.stdout.isTTY ? lineOf(bytes) : bytes);
	if (status < 200 || status > 299) throw refusal(answer, service);
	return 0;
}
async function printPages(surroundings, service, { path, question }) {
	const { terminal } = surroundings;
	const patient = going(terminal, new AbortController().signal);
	for (let next = path; next !== void 0;) {
		const asked = next;
		const bytes = await untilAnswered(patient, () => askBytes(service, asked, question));
		terminal.write(lineOf(bytes));
		next = nextOf(readAnswer(bytes, service.url));
	}
	return 0;
}
var LINE_END$1 = 10;
/** With an end of line, unless there is one, or nothing at all. */
var lineOf = (bytes) => bytes.length === 0 || bytes.at(-1) === LINE_END$1 ? bytes : Buffer.concat([bytes, Buffer.of(LINE_END$1)]);
// shared/search/read_time.ts
var SECOND = 1e3;
var MINUTE = 60 * SECOND;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
/** Before this there was no chain, so a number is no time. */
var EARLIEST = Date.UTC(2020, 0, 1);
/** Null for a text that is no time, or a time after `now`. */
var readTime = (text, now) => {
	const time = readRelative(text, now) ?? readNumber(text) ?? readClock(text, now) ?? readDate(text);
	return time === null || time.from > now ? null : {
		kind: "time",
		...time
	};
};
var spanOf = (from, lengthMs) => ({
	from,
	until: from + lengthMs
});
/** `today`, `yesterday 14:02`, `2 days ago`, `90 min ago`. */
var readRelative = (text, now) => {
	const ago = /^(\d{1,6})\s*([a-z]+)\s+ago$/i.exec(text);
	const unit = UNITS.get(ago?.[2]?.toLowerCase() ?? "");
	if (unit !== void 0) {
		const at = now - Number(ago?.[1]) * unit;
		return unit === DAY ? spanOf(dayOf(at), DAY) : {
			from: at,
			until: null
		};
	}
	const day = /^(today|yesterday)(?:[ ,]+(?:at )?(.+))?$/i.exec(text);
	if (day === null) return null;
	const start = dayOf(now) - (day[1]?.toLowerCase() === "yesterday" ? DAY : 0);
	return day[2] === void 0 ? spanOf(start, DAY) : atClock(start, day[2]);
};
var UNITS = new Map([
	...[
		"s",
		"sec",
		"second",
		"seconds"
	].map((name) => [name, SECOND]),
	...[
		"m",
		"min",
		"minute",
		"minutes"
	].map((name) => [name, MINUTE]),
	...[
		"h",
		"hour",
		"hours"
	].map((name) => [name, HOUR]),
	...[
		"d",
		"day",
		"days"
	].map((name) => [name, DAY])
]);
/** Seconds or milliseconds since 1970. */
var readNumber = (text) => {
	if (!/^(\d{10}|\d{13})$/.test(text)) return null;
	const from = text.length === 10 ? Number(text) * SECOND : Number(text);
	return from < EARLIEST ? null : {
		from,
		until: null
	};
};
/** `14:02`: today, or yesterday when today's is still to come. */
var readClock = (text, now) => {
	const today = atClock(dayOf(now), text);
	return today === null || today.from <= now ? today : atClock(dayOf(now) - DAY, text);
};
/** Precise to the minute, the second or the millisecond, and a span of that length. */
var atClock = (day, text) => {
	const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?(?: ?UTC| ?Z)?$/i.exec(text);
	if (parts === null) return null;
	const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1, 4).map((part) => Number(part ?? 0));
	if (hours > 23 || minutes > 59 || seconds > 59) return null;
	const ms = Number((parts[4] ?? "").padEnd(3, "0"));
	const from = day + hours * HOUR + minutes * MINUTE + seconds * SECOND + ms;
	if (parts[4] !== void 0) return {
		from,
		until: null
	};
	return spanOf(from, parts[3] === void 0 ? MINUTE : SECOND);
};
/** ISO 8601 with any offset, or a date with or without a time. */
var readDate = (text) => {
	const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+))?$/.exec(text);
	if (parts === null) return null;
	const [, year, month, date, rest] = parts;
	const day = Date.parse(`${year}-${month}-${date}T00:00:00Z`);
	if (Number.isNaN(day) || new Date(day).getUTCDate() !== Number(date)) return null;
	if (rest === void 0) return spanOf(day, DAY);
	const offset = /^(.*?)\s*([+-])(\d{2}):?(\d{2})$/.exec(rest);
	if (offset === null) return atClock(day, rest);
	return atClock(day - (Number(offset[3]) * HOUR + Number(offset[4]) * MINUTE) * (offset[2] === "-" ? -1 : 1), offset[1] ?? "");
};
var dayOf = (time) => Math.floor(time / DAY) * DAY;
// server/client/read/options.ts
var JSON_OPTION = { json: {
	type: "boolean",
	meaning: "prints JSON"
} };
/** ISO 8601. @throws Complaint when the text is no time, or one that is still to come */
function sinceTime(text) {
	const time = readTime(text.trim(), Date.now());
	if (time === null) throw new Complaint(`${text} is no time of the past.`, { advice: "Such as 2026-11-26, 2026-11-26T18:00:00Z, 14:02, yesterday or \"2 hours ago\", in UTC." });
	return new Date(time.from).toISOString();
}
// server/client/read/ls.ts
/** Rows that fit on a screen. */
var FEW = 25;
var ls = {
	usage: "[--tag <tag>] [--state created|committed|redacted] [--since <time>] [--all]",
	meaning: "lists your items, the newest first",
	help: `
The newest ${FEW} items of the team that you may read, or with --all every one.`,
	options: {
		tag: {
			type: "string",
			multiple: true,
			takes: "<tag>",
			meaning: "those with this tag, and with each of several"
		},
		state: {
			type: "string",
			takes: "created|committed|redacted",
			meaning: "those in this state"
		},
		since: {
			type: "string",
			takes: "<time>",
			meaning: "those since this time, in UTC"
		},
		all: {
			type: "boolean",
			meaning: `not only the newest ${FEW}`
		},
		...JSON_OPTION,
		...SERVICE_OPTIONS
	},
	exits: {
		0: "listed",
		1: "the service said no",
		4: "sign in first"
	},
	run: async (surroundings, values, words) => {
		if (words.length > 0) throw new Complaint("It takes options only.", { advice: `${surroundings.self} ls --help` });
		const query = queryOf(filterOf(values));
		return list$1(surroundings, { service: await serviceFrom(surroundings, values) }, {
			path: `/api/json/items${query}`,
			values
		});
	}
};
function filterOf(values) {
	const since = textOption(values, "since");
	const state = textOption(values, "state");
	const [tag, ...others] = textOptions(values, "tag");
	const further = others.map((one, index) => [`filter[and][${index}][tags][has]`, one]);
	return {
		"page[limit]": String(values.all === true ? 250 : FEW),
		...state === void 0 ? {} : { "filter[state]": state },
		...since === void 0 ? {} : { "filter[inserted_at][gte]": sinceTime(since) },
		...tag === void 0 ? {} : { "filter[tags][has]": tag },
		...Object.fromEntries(further)
	};
}
/** Page by page, so that any number of items may come. */
async function list$1({ terminal, self }, asking, { path, values }) {
	const patient = going(terminal, new AbortController().signal);
	const printed = values.json === true ? asDocument(terminal) : asLines(terminal);
	let next = path;
	do {
		const asked = next;
		const page = await untilAnswered(patient, () => readPage(asking, asked));
		for (const row of page.rows) printed.row(row);
		next = page.next;
	} while (next !== void 0 && values.all === true);
	printed.end(next !== void 0);
	if (next !== void 0) terminal.note(`There are more than ${plural(FEW, "item")}: ${self} ls --all`);
	return 0;
}
var asLines = ({ say, paint }) => ({
	row: (row) => say(rowLine(row, paint)),
	end: () => void 0
});
/** One document, written as it comes. */
function asDocument({ say }) {
	let before = "{\"items\":[";
	return {
		row: (row) => {
			say(`${before}${jsonLine(row)}`);
			before = ",";
		},
		end: (hasMore) => say(`${before === "," ? "" : before}],"has_more":${hasMore}}`)
	};
}
// shared/search/question_of.ts
/** Many items may carry one digest. */
var MOST_ROWS = 5;
var BLOCK = "id height state finalizedAt";
var ITEM = "id displayName state insertedAt";
var OBSERVATION = "id source insertedAt";
var EPOCH = "id chain network sequence firstBlockId blockCount closedAt";
var COMMITMENT = `id chain network state epoch { ${EPOCH} }`;
var DELIVERY = "id eventType status insertedAt";
var questionOf$1 = (named) => {
	switch (named.kind) {
		case "item": return {
			query: OF_ITEM,
			variables: {
				id: named.id,
				text: named.id
			}
		};
		case "id": return {
			query: OF_ID,
			variables: { id: named.id }
		};
		case "message": return {
			query: OF_MESSAGE,
			variables: { text: named.id }
		};
		case "hash": return {
			query: OF_HASH,
			variables: { hash: named.hash }
		};
		case "digest": return {
			query: OF_DIGEST,
			variables: { hash: named.digest }
		};
		case "height": return {
			query: OF_HEIGHT,
			variables: { height: named.height }
		};
		case "time": return {
			query: OF_TIME,
			variables: { from: new Date(named.from).toISOString() }
		};
		case "name": return {
			query: OF_NAME,
			variables: { text: named.text }
		};
		default: return named;
	}
};
var equal = (list, field, variable, fields, first = 1) => `${list}(first: ${first}, filter: { ${field}: { eq: $${variable} } }) { results { ${fields} } }`;
var OF_ITEM = `query ($id: ID!, $text: String!) {
  item: getItem(id: $id) { ${ITEM} }
  delivery: ${equal("listWebhookDeliveries", "resourceId", "text", DELIVERY, MOST_ROWS)}
}`;
var OF_ID = `query ($id: ID!) {
  block: getBlock(id: $id) { ${BLOCK} }
  observation: getEntropyObservation(id: $id) { ${OBSERVATION} }
  epoch: getEpoch(id: $id) { ${EPOCH} }
  commitment: getCommitment(id: $id) { ${COMMITMENT} }
  endpoint: getWebhookEndpoint(id: $id) { id url }
  delivery: getWebhookDelivery(id: $id) { ${DELIVERY} }
  team: getTeam(id: $id) { id name }
  membership: getMembership(id: $id) { id teamId role }
  key: getApiKey(id: $id) { id name prefix }
}`;
var OF_MESSAGE = `query ($text: String!) {
  delivery: ${equal("listWebhookDeliveries", "messageId", "text", DELIVERY, MOST_ROWS)}
}`;
var OF_HASH = `query ($hash: String!) {
  block: ${equal("listBlocks", "blockHash", "hash", BLOCK)}
  item_itemHash: ${equal("listItems", "itemHash", "hash", ITEM)}
  item_claimsHash: ${equal("listItems", "claimsHash", "hash", ITEM, MOST_ROWS)}
  item_digest: ${equal("listItems", "hash", "hash", ITEM, MOST_ROWS)}
  observation: ${equal("listEntropyObservations", "observationHash", "hash", OBSERVATION)}
  observation_entropy: ${equal("listEntropyObservations", "entropyHash", "hash", OBSERVATION)}
  epoch: ${equal("listEpochs", "root", "hash", EPOCH)}
  commitment: ${equal("listCommitments", "transactionHash", "hash", COMMITMENT)}
}`;
var OF_DIGEST = `query ($hash: String!) {
  item_digest: ${equal("listItems", "hash", "hash", ITEM, MOST_ROWS)}
}`;
var OF_HEIGHT = `query ($height: Int!) {
  block: ${equal("listBlocks", "height", "height", BLOCK)}
}`;
var OF_NAME = `query ($text: String!) {
  item_name: listItems(first: ${MOST_ROWS}, filter: { displayName: { contains: $text } }) { results { ${ITEM} } }
}`;
/** The block that a submission of that time would be in, and the one before it. */
var OF_TIME = `query ($from: DateTime!) {
  block_after: listBlocks(first: 1, sort: [{ field: FINALIZED_AT, order: ASC }],
    filter: { finalizedAt: { greaterThanOrEqual: $from } }) { results { ${BLOCK} } }
  block_before: listBlocks(first: 1, sort: [{ field: FINALIZED_AT, order: DESC }],
    filter: { finalizedAt: { lessThan: $from } }) { results { ${BLOCK} } }
}`;
// shared/search/read_names.ts
/** Longer texts are not searched for names. */
var LONGEST_TEXT = 2e3;
/** A text that names more is no name. */
var MOST_NAMES = 4;
/** Empty when the text names nothing. `now` is for times such as `yesterday`. All times are UTC. */
var readNames = (text, now) => {
	const trimmed = text.trim();
	if (trimmed === "" || trimmed.length > LONGEST_TEXT) return [];
	const whole = readHeight(trimmed);
	const time = readTime(trimmed, now);
	const spans = [...whole === null ? [] : [whole], ...time === null ? [] : [time]];
	if (spans.length > 0) return spans;
	return idsIn(trimmed);
};
/** The ids and hashes in any text, such as an address or a line of a log. */
var idsIn = (text) => {
	const found = /* @__PURE__ */ new Map();
	for (const [word] of text.matchAll(WORDS$2)) {
		const named = readWord(word);
		if (named !== null) found.set(JSON.stringify(named), named);
		if (found.size === MOST_NAMES) break;
	}
	return [...found.values()];
};
var WORDS$2 = /[0-9A-Za-z_-]{26,}/g;
var readWord = (word) => {
	const message = /^msg_(.+)$/.exec(word)?.[1];
	if (message !== void 0) {
		const id = normalizeUlid(message);
		return id === void 0 ? null : {
			kind: "message",
			id: `msg_${id}`
		};
	}
	const ulid = normalizeUlid(word);
	if (ulid !== void 0) return {
		kind: "item",
		id: ulid
	};
	const uuid = normalizeUuid7(word);
	if (uuid !== void 0) return {
		kind: "id",
		id: uuid
	};
	if (!/^[0-9a-fA-F]+$/.test(word)) return null;
	const hex = word.toLowerCase();
	if (hex.length === 64) return {
		kind: "hash",
		hash: hex
	};
	return DIGEST_LENGTHS.has(hex.length) ? {
		kind: "digest",
		digest: hex
	} : null;
};
/** Hex digits of the digests that claims may carry besides those of 32 bytes. */
var DIGEST_LENGTHS = /* @__PURE__ */ new Set([
	32,
	40,
	56,
	96,
	128
]);
/** Heights are 32-bit numbers on the server. Commas and spaces may group the digits, as the console writes them. */
var readHeight = (text) => {
	const digits = /^(?:block|height|beacon)?\s*#?\s*(\d{1,3}(?:[ ,]\d{3})+|\d+)$/i.exec(text)?.[1];
	if (digits === void 0) return null;
	const height = Number(digits.replaceAll(/[ ,]/g, ""));
	return height < 2 ** 31 ? {
		kind: "height",
		height
	} : null;
};
// server/client/read/show.ts
var show$1 = {
	usage: "<id>|<hash>|<height>|<time>",
	meaning: "shows what an id, a hash, a height, a time or a name stands for",
	help: `
Understands what the search of the console understands: ids of anything, hashes of blocks, items, observations, epochs
and transactions, digests of files, heights, times in UTC ("yesterday 14:02" too), and parts of the names of items.

Of a time the blocks around it are shown: the one that a submission of then would be in, and the one before.`,
	options: {
		...JSON_OPTION,
		...SERVICE_OPTIONS
	},
	exits: {
		0: "shown",
		1: "there is nothing of that name that you may read, or the service said no",
		4: "sign in first"
	},
	run: async (surroundings, values, words) => {
		const text = words.join(" ").trim();
		if (text === "") throw new Complaint("Say what to show.", { advice: `${surroundings.self} show --help` });
		const service = await serviceFrom(surroundings, values);
		const found = [];
		for (const named of namesIn(text)) found.push(...await find(service, named));
		if (found.length === 0) throw new Complaint(`There is nothing called ${text} that this credential may read.`, { exitCode: 1 });
		return print(surroundings, values, await rowsOf(service, found));
	}
};
/** Shorter texts are in too many names. */
var SHORTEST_NAME = 3;
function namesIn(text) {
	const names = readNames(text, Date.now());
	if (names.length > 0) return names;
	if (text.length < SHORTEST_NAME) throw new Complaint(`${text} is neither an id nor a hash, and too short for a name.`);
	return [{
		kind: "name",
		text
	}];
}
/** The paths of what a field of the question stands for; before `_` in its name is the kind (question_of.ts). */
var PATHS = {
	block: "blocks",
	item: "items",
	observation: "entropy_observations",
	epoch: "epochs",
	commitment: "commitments",
	endpoint: "webhook-endpoints",
	delivery: "webhook-deliveries",
	team: "teams",
	membership: "memberships",
	key: "api-keys"
};
var WHY = {
	item_itemHash: "by its item hash",
	item_claimsHash: "by the hash of its claims",
	item_digest: "by the digest in its claims",
	item_name: "by its name",
	block_after: "the first at or after that time",
	block_before: "the last before that time"
};
/** @throws Complaint, also when the service could not look everywhere */
async function find(service, named) {
	const { query, variables } = questionOf$1(named);
	const answer = readAnswer(await askBytes(service, "/gql", {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json"
		},
		body: JSON.stringify({
			query,
			variables
		})
	}), service.url);
	const refused = memberAt(answer, "errors");
	const data = memberAt(answer, "data");
	if (refused !== void 0 || !isJsonObject$1(data)) throw new Complaint(printable(textAt(Array.isArray(refused) ? refused[0] : void 0, "message") ?? "The service could not look for it."), { exitCode: 1 });
	return Object.entries(data).flatMap(([field, value]) => foundIn(value).flatMap((row) => {
		const [kind = ""] = field.split("_");
		const [path, id] = [PATHS[kind], textAt(row, "id")];
		return path === void 0 || id === void 0 ? [] : [{
			path: `/api/json/${path}/${encodeURIComponent(id)}`,
			why: WHY[field] ?? ""
		}];
	}));
}
/** A field is one row, null, or a page of rows. */
function foundIn(value) {
	if (!isJsonObject$1(value)) return [];
	const results = memberOf(value, "results");
	return Array.isArray(results) ? results.filter(isJsonObject$1) : [value];
}
/** Each once. */
async function rowsOf(service, found) {
	const whys = /* @__PURE__ */ new Map();
	for (const { path, why } of found) whys.set(path, whys.get(path) ?? why);
	const shown = [];
	for (const [path, why] of whys) shown.push({
		row: await readRow({ service }, path),
		why
	});
	return shown;
}
function print({ terminal }, values, shown) {
	if (values.json === true) terminal.say(jsonLine({ found: shown.map(({ row }) => row) }));
	else for (const [index, { row, why }] of shown.entries()) for (const line of [...index === 0 ? [] : [""], ...rowFields(row, terminal.paint, why)]) terminal.say(line);
	return 0;
}
// server/client/service/loopback.ts
var PATH$1 = "/callback";
async function openLoopback() {
	const { createServer } = await import("node:http");
	const server = createServer();
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const bound = server.address();
	const origin = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
	return {
		address: `${origin}${PATH$1}`,
		visit: (state, milliseconds, work) => new Promise((resolve, reject) => {
			const tooLate = setTimeout(() => resolve(void 0), milliseconds);
			let isHere = false;
			server.on("request", ({ method, url = "/" }, response) => {
				const { pathname, searchParams } = new URL(URL.canParse(url, origin) ? url : "/", origin);
				if (method !== "GET" || pathname !== PATH$1 || searchParams.get("state") !== state || isHere) return show(response, 404, "Nothing is here", "This is not the end of a sign-in that is under way.");
				isHere = true;
				clearTimeout(tooLate);
				work(searchParams).then((done) => show(response, 200, "You are signed in", "You can close this page and go back.", () => resolve(done)), (error) => {
					show(response, 200, "You are not signed in", error instanceof Complaint ? wordsOf(error) : "The command says why.", () => reject(error));
				});
			});
		}),
		close: () => {
			server.close();
			server.closeAllConnections();
		}
	};
}
function show(response, status, title, text, then) {
	response.writeHead(status, {
		"content-type": "text/html; charset=utf-8",
		"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
		"referrer-policy": "no-referrer",
		"cache-control": "no-store",
		connection: "close"
	});
	response.end(`<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>${title}</title><style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}</style><h1>${title}</h1><p>${escaped(text)}</p></html>\n`, then);
}
var escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
// server/client/service/open_page.ts
/** Returns false where no browser is known. Whether it shows the page nobody tells. */
function openPage(env, { href }) {
	const order = browserOf(env);
	if (order === void 0) return false;
	const [program, ...words] = order;
	const child = spawn(program, [...words, href], {
		env,
		stdio: "ignore",
		detached: true
	});
	child.on("error", () => void 0);
	child.unref();
	return true;
}
function browserOf(env) {
	if (env.BROWSER) return [env.BROWSER];
	if (process$1.platform === "darwin") return ["open"];
	if (process$1.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
	return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : void 0;
}
// server/client/service/account.ts
/** @throws Complaint when the service does not accept the credential */
async function accountOf(service) {
	const { id, attributes } = recordIn(memberIn$1(await askService(service, "/api/json/users/me"), "data"));
	const [name = "", email = "", plan = ""] = [
		"full_name",
		"email",
		"plan"
	].map((one) => textAt(attributes, one));
	const words = name === "" ? email : `${name} (${email})`;
	return {
		id,
		name,
		email,
		plan,
		defaultTeamId: textAt(attributes, "default_team_id"),
		words
	};
}
/**
* The team that is named, or the one that requests without a team act in: the default one while the caller may write there,
* else the personal one. Undefined when it is not among the first that the service lists.
* @throws Complaint
*/
async function teamOf(service, { defaultTeamId }) {
	const teams = await listed$1(service, "/api/json/teams");
	const { tenant } = service.headers;
	const named = (id) => teams.find((team) => team.id === id);
	const usual = named(defaultTeamId);
	const found = tenant !== void 0 ? named(tenant) : usual !== void 0 && textAt(usual.attributes, "role") !== "viewer" ? usual : teams.find(({ attributes }) => memberIn$1(attributes, "personal") === true);
	if (found === void 0) return void 0;
	const { id, attributes } = found;
	return {
		id,
		name: textAt(attributes, "name") ?? "",
		role: textAt(attributes, "role") ?? ""
	};
}
/**
* When the key ends by itself. Null when it does not, undefined when it is not known which of the listed keys it is.
* @throws Complaint
*/
async function keyEnd(service, key) {
	const [only, ...more] = (await listed$1(service, "/api/json/api-keys")).map(({ attributes }) => attributes).filter((one) => memberIn$1(one, "revoked_at") === null && key.startsWith(textAt(one, "prefix") ?? "\n"));
	if (only === void 0 || more.length > 0) return void 0;
	return textAt(only, "expires_at") ?? null;
}
/** The first page of a list. */
async function listed$1(service, path) {
	const rows = memberIn$1(await askService(service, `${path}?page[limit]=250`), "data");
	return (Array.isArray(rows) ? rows : []).map(recordIn);
}
var recordIn = (value) => ({
	id: textAt(value, "id") ?? "",
	attributes: memberIn$1(value, "attributes")
});
var memberIn$1 = (value, name) => isJsonObject$1(value) ? memberOf(value, name) : void 0;
// server/client/service/sign_in.ts
/**
* The profile that a sign-in is for: the one that was named, or one of this service, or the current one.
* @throws Complaint when that is of another service
*/
function profileFor({ self }, { profiles, profile, isNamed }, origin) {
	if (!isProfileName(profile)) throw new Complaint(`${profile} is no name for a profile: letters, digits, dots, dashes, 64 at most.`);
	const { byName } = profiles;
	const held = byName.get(profile);
	if (held === void 0 || held.origin === origin) return profile;
	const other = isNamed ? void 0 : [...byName].find(([, one]) => one.origin === origin);
	if (other !== void 0) return other[0];
	throw new Complaint(`The profile ${profile} is for ${held.origin}.`, { advice: `Choose another name for this one: ${self} login --url ${origin} --profile <name>` });
}
/**
* Where the secret is to lie. A store that does not answer is found out before anybody signs in.
* @throws Complaint when there is none, and files were not allowed
*/
async function storeFor({ env, terminal }, values) {
	const id = newSecretId();
	if (values["insecure-storage"] === true) {
		const store = secretStore(env, "file");
		terminal.note(`! The secret will lie in ${store.placeOf(id)}, for whoever can read your files.`);
		return {
			store: "file",
			id
		};
	}
	const store = systemStore(env);
	await probe(store, id);
	return {
		store: store.name,
		id
	};
}
async function probe(store, id) {
	try {
		await store.read(id);
	} catch (error) {
		if (!(error instanceof Complaint)) throw error;
		throw new Complaint(`Nothing was kept. ${error.message}`, { advice: "With --insecure-storage it is kept in a file that only your account may read. PHAROS_API_KEY in the environment needs no store." });
	}
}
/**
* Makes sure that the service accepts the secret, and returns whose it is.
*
* Commit point: the profile leads to the new secret. What was kept before is revoked and removed after that.
* @throws Complaint when it cannot be kept; nothing is left of it then
*/
async function keepSignIn(surroundings, { name, place, secret }) {
	const { env, terminal } = surroundings;
	const { account, before, shown } = await orNothing(surroundings, {
		place,
		secret
	}, async () => {
		const service = askedWith(surroundings, secret);
		const account = await accountOf(service);
		const shown = await shownLogKey(service);
		await keepSecret(env, place, secret);
		const { byName } = await changeProfiles(env, (profiles) => {
			const held = profiles.byName.get(name);
			const logKey = held?.logKey ?? shown;
			const changed = withProfile(profiles, name, {
				origin: secret.origin,
				logKey,
				secret: place
			});
			return held === void 0 ? {
				...changed,
				current: name
			} : changed;
		});
		return {
			account,
			before: byName.get(name),
			shown
		};
	});
	if (before?.logKey !== void 0 && shown !== void 0 && shown !== before.logKey) terminal.note(`! The log of ${secret.origin} shows another key than before: ${printable(shown)}`);
	if (before?.secret !== void 0) await endSignIn(surroundings, {
		origin: before.origin,
		place: before.secret
	}).catch((error) => {
		if (!(error instanceof Complaint)) throw error;
		terminal.note(`! The sign-in from before could not be ended: ${error.message}`);
	});
	return account;
}
var askedWith = (surroundings, secret) => {
	return serviceWith(surroundings, new URL(secret.origin), keyCredential(secret.kind === "api_key" ? secret.key : secret.tokens.accessToken));
};
/** What fails leaves no sign-in behind that nobody can end. */
async function orNothing({ env }, { place, secret }, work) {
	try {
		return await work();
	} catch (error) {
		await revoke(secret);
		await secretStore(env, place.store).remove(place.id).catch(() => void 0);
		throw error;
	}
}
/** Undefined where the service shows no log. */
async function shownLogKey(service) {
	const { status, bytes } = await answerFrom(service, "/log/policy", {
		headers: { accept: "*/*" },
		ceilings: { bytes: POLICY_CEILINGS.bytes }
	});
	const [log] = (status === 200 ? readOrUndefined(() => readPolicy(bytes)) : void 0)?.logs ?? [];
	return log && writeVerifierKey(log.key);
}
/** Removes the secret from its store, whether the service can be told or not. @throws Complaint when the store does not answer */
async function endSignIn({ env }, { origin, place }) {
	const secret = await keptSecret(env, {
		origin,
		place
	});
	const ended = secret === void 0 ? "was_gone" : await revoke(secret);
	await secretStore(env, place.store).remove(place.id);
	return ended;
}
async function revoke(secret) {
	if (secret.kind === "api_key") return "key_goes_on";
	try {
		await revokeTokens(secret.origin, secret.tokens);
		return "revoked";
	} catch (error) {
		if (error instanceof Complaint) return "not_told";
		throw error;
	}
}
// server/client/service/login.ts
/** A service holds a sign-in that is under way for half an hour. */
var TIMEOUT_MS$1 = {
	usual: 3e5,
	most: 18e5
};
var login = {
	usage: "[--url <service>] [--profile <name>] [--with-key] [--insecure-storage] [--timeout <time>]",
	meaning: "signs in at a service, for later commands",
	help: `
Opens the sign-in pages of the service in the browser of this computer. What you allow there can be seen and taken back
in the console, under allowed applications. Where standard output is no terminal, one line of JSON says where to go:
{"url", "next_step", "expires_in"}, the last one in seconds.

The secret goes to the store of the system: the keychain of macOS, or the keyring of the desktop by means of secret-tool.
It belongs to the profile: with several services, each sign-in has a name of its own. PHAROS_API_KEY in the environment
goes before every sign-in.`,
	options: {
		url: SERVICE_OPTIONS.url,
		"with-key": {
			type: "boolean",
			meaning: "reads an API key from standard input instead, and tries it"
		},
		"insecure-storage": {
			type: "boolean",
			meaning: "keeps the secret in a file that only your account may read, for a system without a store of secrets that can be used"
		},
		timeout: {
			type: "string",
			takes: "<time>",
			meaning: "how long the browser is waited for, such as 90 (seconds) or 2m: 5m"
		}
	},
	exits: {
		0: "signed in",
		2: "it could not be tried, or not be kept",
		4: "not signed in"
	},
	run: async (surroundings, values, words) => {
		const { env, terminal, self } = surroundings;
		if (words.length > 0) throw new Complaint("A sign-in takes no words.", { advice: `${self} login --url <service> ; a key comes from standard input, with --with-key` });
		const choice = withOrigin(await choose(surroundings, values));
		const { origin } = choice;
		const name = profileFor(surroundings, choice, origin);
		const place = await storeFor(surroundings, values);
		const finish = async (secret) => {
			const { words: person } = await keepSignIn(surroundings, {
				name,
				place,
				secret
			});
			terminal.note(`Signed in at ${origin} as ${printable(person)} (profile ${name}).`);
			terminal.note(`The secret lies in ${placeWords(env, place)}.`);
			if (env.PHAROS_API_KEY) terminal.note("! PHAROS_API_KEY is in the environment, and goes before it.");
		};
		if (values["with-key"] === true) await finish({
			origin,
			kind: "api_key",
			key: await givenKey(surroundings)
		});
		else await throughBrowser(surroundings, {
			origin,
			milliseconds: Math.min(timeOption(values, "timeout") ?? TIMEOUT_MS$1.usual, TIMEOUT_MS$1.most)
		}, finish);
		return 0;
	}
};
/** @throws Complaint when nobody signs in in time, or the person does not agree */
async function throughBrowser(surroundings, { origin, milliseconds }, finish) {
	const seconds = Math.ceil(milliseconds / 1e3);
	const loopback = await openLoopback();
	try {
		const departure = await depart(origin, loopback.address);
		sendTo(surroundings, departure.url, seconds);
		if (await loopback.visit(departure.state, milliseconds, async (brought) => {
			await finish({
				origin,
				kind: "sign_in",
				tokens: await arrive(departure, brought)
			});
			return true;
		}) !== true) throw new Complaint(`Nobody signed in at ${origin} within ${seconds} seconds. Nothing was kept.`, {
			exitCode: 4,
			advice: `Begin again: ${surroundings.self} login --url ${origin}`
		});
	} finally {
		loopback.close();
	}
}
/** Tells a person, or a program, where to go. */
function sendTo({ terminal, env }, url, seconds) {
	if (process$1.stdout.isTTY !== true) {
		terminal.say(JSON.stringify({
			url: url.href,
			next_step: "Open the url in a browser of this computer, sign in and allow. This command waits, and ends then.",
			expires_in: seconds
		}));
		return;
	}
	const isOpened = openPage(env, url);
	terminal.note(`${isOpened ? "If your browser does not open it, open" : "Open"} this page on this computer, and sign in:`);
	terminal.say(url.href);
}
var MOST_KEY_BYTES = 4096;
/** @throws Complaint when standard input holds no key */
async function givenKey({ self }) {
	const key = (process$1.stdin.isTTY ? await typedUnseen("API key: ") : new TextDecoder().decode(await readNamed("-", MOST_KEY_BYTES))).trim();
	if (isKeyText(key)) return key;
	throw new Complaint("Standard input holds no API key.", { advice: `Such as: ${self} login --with-key < key.txt` });
}
async function typedUnseen(prompt) {
	const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
	const line = createInterface({
		input: process$1.stdin,
		output: unseen,
		terminal: true
	});
	line.once("SIGINT", () => process$1.kill(process$1.pid, "SIGINT"));
	process$1.stderr.write(prompt);
	try {
		return await line.question("");
	} finally {
		line.close();
		process$1.stderr.write("\n");
	}
}
// server/client/service/logout.ts
var logout = {
	usage: "[--profile <name>]",
	meaning: "ends a sign-in, and forgets its secret",
	help: `
The service ends what this sign-in was allowed, in every process that uses it. An API key is forgotten here alone: it is
valid until somebody deletes it, because other programs may use it. The profile stays, with its address.`,
	options: {},
	exits: {
		0: "signed out",
		2: "the service could not be told; the secret is forgotten all the same"
	},
	run: async (surroundings, values, words) => {
		const { terminal, env } = surroundings;
		if (words.length > 0) throw new Complaint("It takes no words.", { advice: `${surroundings.self} logout --help` });
		const choice = await choose(surroundings, { profile: textOption(values, "profile") });
		requireProfile(surroundings, choice);
		const { profile: name, profiles } = choice;
		const held = profiles.byName.get(name);
		if (env.PHAROS_API_KEY) terminal.note("! PHAROS_API_KEY is in the environment, and stays there.");
		if (held?.secret === void 0) {
			terminal.note(`Nobody is signed in (profile ${name}).`);
			return 0;
		}
		const { origin, secret } = held;
		const ended = await endSignIn(surroundings, {
			origin,
			place: secret
		});
		await changeProfiles(env, (all) => {
			const now = all.byName.get(name);
			return now?.secret?.id === secret.id ? withProfile(all, name, {
				...now,
				secret: void 0
			}) : all;
		});
		terminal.note(WORDS$1[ended](origin, name));
		return ended === "not_told" ? 2 : 0;
	}
};
var WORDS$1 = {
	revoked: (origin, name) => `Signed out of ${origin} (profile ${name}).`,
	key_goes_on: (origin, name) => `Forgot the API key of ${origin} (profile ${name}). It is valid until it is deleted in the console: ${origin}/account/keys`,
	not_told: (origin, name) => `! Forgot the sign-in at ${origin} (profile ${name}), but the service could not be told. It ends 30 days after its last use, or in the console: ${origin}/account/applications`,
	was_gone: (origin, name) => `Its secret was gone already: ${origin} (profile ${name}).`
};
// server/client/service/profile.ts
var PROFILE_COMMANDS = {
	"profile ls": {
		usage: "[--json]",
		meaning: "shows the services that are remembered, and where you are signed in",
		help: `
A profile is the address of a service, the key of its log, and what you are signed in with there. "login" makes one. The
one in use has a star. As JSON, "secret" says where it lies, and is null where nobody is signed in.`,
		options: { json: {
			type: "boolean",
			meaning: "prints them as JSON"
		} },
		exits: { 0: "shown" },
		run: (surroundings, values) => list(surroundings, values)
	},
	"profile use": {
		usage: "<name> [--url <service>] [--log-key <verifier key>]",
		meaning: "says which service commands are about when nothing else says so",
		help: `
Commands are about this profile from now on. --profile with a command, or PHAROS_PROFILE in the environment, names another
one for once.`,
		options: {
			url: {
				type: "string",
				takes: "<service>",
				meaning: "makes the profile, or moves it while nobody is signed in there"
			},
			"log-key": {
				type: "string",
				takes: "<verifier key>",
				meaning: "whose log that service has to show, as its operator’s \"log key\" prints it"
			}
		},
		exits: { 0: "in use" },
		run: async (surroundings, values, [name, ...more]) => {
			if (name !== void 0 && more.length === 0) return use(surroundings, values, name);
			throw new Complaint("Name one profile.", { advice: `${surroundings.self} profile ls` });
		}
	},
	"config path": {
		usage: "",
		meaning: "says where this program remembers profiles, keyrings and logs",
		help: `
Prints the folder: PHAROS_CONFIG_DIR, else $XDG_CONFIG_HOME/pharos, else ~/.config/pharos. A secret is in it only when it was
given with --insecure-storage.`,
		options: {},
		exits: { 0: "printed" },
		run: async ({ terminal, env }) => {
			terminal.say(configFolder(env));
			return 0;
		}
	}
};
async function list({ terminal, env, self }, values) {
	const { current, byName } = await readProfiles(env);
	const rows = [...byName].map(([name, { origin, logKey, secret }]) => ({
		name,
		current: name === current,
		url: origin,
		log_key: logKey ?? null,
		secret: secret === void 0 ? null : placeWords(env, secret)
	}));
	if (values.json === true) {
		sayDocument(terminal, rows);
		return 0;
	}
	if (rows.length === 0) terminal.note(`There are none. ${self} login makes a start.`);
	const width = Math.max(...rows.map(({ name }) => name.length));
	for (const { name, current: isCurrent, url, secret } of rows) terminal.say(`${isCurrent ? "*" : " "} ${name.padEnd(width)}  ${url}  ${secret === null ? "not signed in" : `signed in: ${printable(secret)}`}`);
	return 0;
}
async function use({ terminal, env, self }, values, name) {
	const address = textOption(values, "url");
	const key = textOption(values, "log-key");
	if (!isProfileName(name)) throw new Complaint(`${printable(name)} is no name for a profile.`);
	const origin = address === void 0 ? void 0 : originOf(address);
	if (address !== void 0 && origin === void 0) throw new Complaint(`${address} is not the address of a service.`, { advice: "Such as --url https://pharos.example" });
	const logKey = key === void 0 ? void 0 : verifierKey(key);
	await changeProfiles(env, (profiles) => {
		const held = profiles.byName.get(name);
		const changed = changedProfile(held, {
			origin,
			logKey
		});
		if (changed === void 0) throw new Complaint(`There is no profile ${name}.`, { advice: `Make it: ${self} login --url <service> --profile ${name}` });
		if (changed.secret !== void 0 && changed.origin !== held?.origin) throw new Complaint(`The profile ${name} is signed in at ${held?.origin}.`, { advice: `Sign out first: ${self} logout --profile ${name}` });
		return {
			...withProfile(profiles, name, changed),
			current: name
		};
	});
	terminal.note(`Commands use the profile ${name} now.`);
	return 0;
}
var changedProfile = (held, { origin = held?.origin, logKey = held?.logKey }) => origin === void 0 ? void 0 : {
	origin,
	logKey,
	secret: held?.secret
};
function verifierKey(text) {
	const key = readOrUndefined(() => readVerifierKey(text));
	if (key !== void 0) return writeVerifierKey(key);
	throw new Complaint(`${text} is not the verifier key of a log.`);
}
// server/client/service/whoami.ts
var whoami = {
	usage: "[--url <service>] [--tenant <team id>] [--json]",
	meaning: "says who you are for a service, and where the secret lies",
	help: `
Asks the service with the credential that other commands would use, and names the account, the team that they act in,
what the credential may do, when it ends, and where it lies. As JSON, "scopes" is null where nothing limits it, and
"ends_at" where it does not end by itself, or that is not known.`,
	options: {
		...SERVICE_OPTIONS,
		json: {
			type: "boolean",
			meaning: "prints it as JSON"
		}
	},
	exits: {
		0: "signed in",
		2: "it could not be asked",
		4: "not signed in"
	},
	run: async (surroundings, values) => {
		const { terminal } = surroundings;
		const service = await serviceFrom(surroundings, values);
		const { origin } = service.url;
		const account = await accountOf(service);
		const team = await teamOf(service, account);
		const found = await findSecret(surroundings, withOrigin(await choose(surroundings, values)), origin);
		if (found === void 0) throw new Complaint(`The sign-in at ${origin} has just ended.`, { exitCode: 4 });
		const { secret, kept, placeWords: place } = found;
		const scopes = secret.kind === "api_key" ? null : secret.tokens.scope.split(" ");
		const endsAt = secret.kind === "api_key" ? await keyEnd(service, secret.key) : secret.tokens.endsAt;
		if (values.json === true) {
			const { id, name, email, plan } = account;
			const credential = {
				kind: secret.kind,
				scopes,
				ends_at: endsAt ?? null,
				place
			};
			sayDocument(terminal, {
				service: origin,
				profile: kept?.profile ?? null,
				account: {
					id,
					name,
					email,
					plan
				},
				team: team ?? null,
				credential
			});
			return 0;
		}
		const rows = {
			account: `${account.words}, plan ${account.plan}`,
			service: kept === void 0 ? origin : `${origin}, profile ${kept.profile}`,
			team: team === void 0 ? "not known" : `${team.name}, ${team.role}`,
			may: scopes?.join(" ") ?? "all that the account may",
			ends: endWords(endsAt, secret),
			secret: place
		};
		for (const [name, text] of Object.entries(rows)) terminal.say(`${name.padEnd(9)}${printable(text)}`);
		return 0;
	}
};
var endWords = (endsAt, { kind }) => {
	if (endsAt === void 0) return "not known";
	if (endsAt === null) return "not by itself";
	return kind === "sign_in" ? `${endsAt}, and is renewed then` : endsAt;
};
// server/client/exit_codes.ts
var WORST_FIRST = [
	1,
	2,
	4,
	3
];
var worst = (codes) => WORST_FIRST.find((code) => codes.includes(code)) ?? 0;
// server/client/stamp/by_door.ts
/**
* The place of each entry in a round, in their order.
* @throws Complaint, EvidenceRejected for what is no receipt
*/
async function byDoor(service, entries) {
	const answer = await postOnce(service, "/stamp", { digests: entries.map((entry) => ({
		...shownDigest(entry),
		...entry.salt === void 0 ? {} : { salt: toHex(entry.salt) }
	})) }).catch((error) => {
		if (error instanceof ServiceRefused && error.status === 404) throw new Complaint(`${service.url.origin} takes nothing without an account.`, {
			exitCode: 4,
			...service.signIn === void 0 ? {} : { advice: service.signIn }
		});
		throw error;
	});
	const receipts = isJsonObject$1(answer) ? memberOf(answer, "evidence") : void 0;
	if (!Array.isArray(receipts) || receipts.length !== entries.length) throw strange$1(service, "it is about another number of digests");
	return entries.map((entry, at) => {
		const { digest, item, trees } = readEvidenceValue(receipts[at] ?? null);
		if (digest.type !== entry.type || !bytesEqual(digest.value, entry.value) || !isSameSalt(digest, entry)) throw strange$1(service, "it is about another digest");
		return {
			item,
			trees
		};
	});
}
var isSameSalt = (a, b) => a.salt === void 0 || b.salt === void 0 ? a.salt === b.salt : bytesEqual(a.salt, b.salt);
// server/client/stamp/accept.ts
/** Without a credential it is what anybody may ask. */
var isSignedIn = ({ headers }) => headers.authorization !== void 0;
/** As many as a service takes in one request. */
var mostAtOnce = (service) => isSignedIn(service) ? 250 : 256;
/**
* In the order of the entries. To an account the same entries with the same labels get the same items for a day.
* @param files how many there are in each entry
* @throws Complaint
*/
async function acceptAll({ service, trust, labels }, entries, files = 1) {
	try {
		const accepted = isSignedIn(service) ? (await asItems(service, labels, {
			entries,
			files
		})).map((item) => ({
			item,
			trees: []
		})) : await byDoor(service, entries);
		for (const [at, { item, trees }] of accepted.entries()) {
			const entry = entries[at];
			if (entry === void 0) throw new Error("An answer has no entry.");
			await checkReceipt(readEvidenceValue(receiptOf({
				digest: isSignedIn(service) ? claimedBy(entry) : entry,
				trees,
				item
			})), trust);
		}
		return accepted;
	} catch (error) {
		if (error instanceof EvidenceRejected) throw strange$1(service, error.message);
		if (error instanceof UpgradeRefused) throw new Complaint(`${service.url.origin} sent a receipt that is not valid. ${error.message}`, { exitCode: 1 });
		throw error;
	}
}
// server/client/stamp/fill_receipt.ts
/** Whether what was waited for is there. */
var isThere = (tried, wait) => tried.kind !== "not_yet" || wait?.until === "block" && tried.isInBlock;
/**
* @param wait asks again and again. Without it there is one question.
* @returns not yet also when the time is over
* @throws Complaint, and the file is as it was then
*/
async function fillReceipt(surroundings, file, how, wait) {
	try {
		const receipt = await readReceipt(surroundings, file, how);
		if (receipt.evidence.bundle !== void 0) return { kind: "had" };
		const asked = await (wait === void 0 ? askFor(surroundings, file, receipt.evidence) : askUntil(surroundings, file, receipt.evidence, wait));
		if (asked.kind === "not_yet") return asked;
		const filling = await fillingOf(receipt.evidence, asked.answer, how.trust);
		if (how.isDry === true) return { kind: "there" };
		await fill(receipt, filling);
		return { kind: "filled" };
	} catch (error) {
		throw error instanceof UpgradeRefused ? refusedWords(error) : error;
	}
}
async function readReceipt({ terminal }, file, { trust }) {
	if (file === "-") throw new Complaint("What comes from standard input is no file that can be replaced.");
	const found = await statRegular(file);
	const given = await readGiven(terminal, file);
	if (given.kind !== "evidence") throw new Complaint("It is no receipt: there is nothing to put into it.");
	await checkReceipt(given.evidence, trust);
	return {
		file,
		found,
		evidence: given.evidence,
		manifest: given.manifest
	};
}
/** @throws Complaint for what does not pass, and for what did not pass in time */
async function askUntil(surroundings, file, evidence, { until, deadline }) {
	const { terminal } = surroundings;
	const silent = {
		...surroundings,
		terminal: {
			...terminal,
			note: () => void 0
		}
	};
	for (let attempt = 1;; attempt += 1) {
		const asked = await askFor(attempt === 1 ? surroundings : silent, file, evidence).catch((error) => {
			const pauseMs = pauseAfter(error, attempt - 1);
			if (pauseMs === void 0 || !(error instanceof Complaint) || Date.now() >= deadline) throw error;
			return {
				kind: "not_yet",
				why: error.message,
				isInBlock: false,
				retryAfterSeconds: pauseMs / 1e3
			};
		});
		const left = deadline - Date.now();
		if (asked.kind === "answer" || until === "block" && asked.isInBlock || left <= 0) return asked;
		terminal.progress?.(`${file}: ${asked.why}`);
		const seconds = Math.min(asked.retryAfterSeconds ?? USUAL_SECONDS, MOST_SECONDS[until]);
		await setTimeout$1(Math.min(left, Math.max(1, seconds) * 1e3));
		terminal.progress?.("");
	}
}
var USUAL_SECONDS = 5;
/** A service says when it expects a proof. It may be there earlier, and a block is. */
var MOST_SECONDS = {
	block: 3,
	committed: 60
};
var refusedWords = ({ reason, message }) => {
	switch (reason) {
		case "receipt": return new Complaint(`It is not valid, so nobody was asked. ${message}`, { exitCode: 1 });
		case "key": return new Complaint(`Whose key is it? ${message}`, {
			exitCode: 1,
			advice: "Name the keyring of the service that you trust: --keyring <its keyring file, or https address>"
		});
		case "answer": return new Complaint(`The proof that was answered is not that of this receipt. ${message}`, { exitCode: 1 });
		default: return reason;
	}
};
/** @throws Complaint when it was changed since it was read, would be too large or cannot be written; it stays as it is then */
async function fill({ file, found, evidence, manifest }, filling) {
	const text = manifest === void 0 ? writeEvidence(filled(evidence.document, filling)) : writeManifestHeader(filled(manifest.header.document, filling));
	if (Buffer.byteLength(text) > 4194304) throw new Complaint(`With its proof it would be larger than ${LARGEST_EVIDENCE_BYTES / 1024} KiB.`, { exitCode: 1 });
	try {
		const path = await realpath(file);
		await replaceFile(path, manifest === void 0 ? text : withFirstLine(text, path), {
			mode: Number(found.mode & 4095n),
			check: async () => {
				if (!isUntouched(found, await stat(path, { bigint: true }))) throw new Complaint("It was changed while it was upgraded, and stays as it is now.");
			}
		});
	} catch (error) {
		if (error instanceof Complaint || codeOf(error) === void 0) throw error;
		throw new Complaint(`It could not be written: ${wordsOf(error)}`);
	}
}
/** The lines of the file, with another first one. */
async function* withFirstLine(line, path) {
	yield Buffer.from(line);
	let isBehind = false;
	for await (const chunk of await streamOf(path)) {
		const bytes = Buffer.from(chunk);
		const end = isBehind ? -1 : bytes.indexOf(LINE_FEED$1);
		if (isBehind) yield bytes;
		else if (end >= 0) {
			isBehind = true;
			yield bytes.subarray(end + 1);
		}
	}
}
var LINE_FEED$1 = 10;
// server/client/stamp/sources.ts
/** Names what is not stamped. Evidence is only counted, because there may be one beside each file. */
var LeftOut = class {
	#terminal;
	#evidence = 0;
	#others = 0;
	constructor(terminal) {
		this.#terminal = terminal;
	}
	/** Whether it is to be stamped. */
	takes(path, found) {
		if (found.isFile() && !OWN.test(path)) return true;
		if (found.isFile()) this.#evidence += 1;
		else {
			this.#others += 1;
			const what = found.isSymbolicLink() ? "a link" : "no regular file";
			this.#terminal.note(`${printable(path)}  left out: it is ${what}`);
		}
		return false;
	}
	tell() {
		if (this.#evidence > 0) this.#terminal.note(`Left out: ${plural(this.#evidence, "file")} of evidence (*.pharos).`);
	}
	get count() {
		return this.#evidence + this.#others;
	}
};
/** Evidence, and what this program makes beside it while it works. */
var OWN = /\.pharos(?:\.part|\.[0-9a-f]{12}\.new)?$/;
/**
* The regular files below a folder, ordered by the bytes of their paths.
* @throws Complaint while it is read, for a folder that cannot be read and a name that is no text
*/
function* filesUnder(folder, leftOut) {
	yield* filesBelow(folder === "" ? "." : folder, "", leftOut);
}
/** @param below one character for each byte of the path, so that texts compare as bytes do */
function* filesBelow(folder, below, leftOut) {
	const at = placeIn(folder, below);
	for (const [name, entry] of inOrder(at)) {
		const place = `${below}${name}`;
		if (entry.isDirectory()) {
			yield* filesBelow(folder, place, leftOut);
			continue;
		}
		const bytes = Buffer.from(place, "latin1");
		if (leftOut.takes(bytes.toString(), entry)) {
			if (!isUtf8(bytes)) throw new Complaint(`${bytes} has a name that is no text (UTF-8), so no evidence can carry it.`, { advice: "Rename it." });
			yield {
				path: bytes.toString(),
				at: placeIn(folder, place)
			};
		}
	}
}
var placeIn = (folder, below) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(below, "latin1")]);
/** What is in a folder stands where the folder’s name and a slash stand. */
function inOrder(at) {
	try {
		return readdirSync(at, {
			withFileTypes: true,
			encoding: "latin1"
		}).map((entry) => [entry.isDirectory() ? `${entry.name}/` : entry.name, entry]).sort(([a], [b]) => a < b ? -1 : 1);
	} catch (error) {
		throw unreadable(at.toString(), error);
	}
}
/**
* Files that somebody names, in that order.
* @throws Complaint for one that is not there
*/
function* namedFiles(names, leftOut) {
	for (const name of names) if (leftOut.takes(name, requireNoFolder(name))) yield {
		path: pathOf(name),
		at: name
	};
}
/** @throws Complaint when there is nothing, or a folder */
function requireNoFolder(name) {
	const found = foundAt(name);
	if (!found.isDirectory()) return found;
	throw new Complaint(`${name} is a folder.`, { advice: "A folder is stamped by a command of its own. To stamp all that is in several, name the one above them." });
}
/** @throws Complaint when there is nothing */
function foundAt(name) {
	try {
		return lstatSync(name);
	} catch (error) {
		throw unreadable(name, error);
	}
}
/** As a manifest names it: from the current folder where the file lies in it, or else without the root. */
function pathOf(name) {
	if (PLAIN.test(name)) return name;
	const near = relative(".", name);
	const path = near.startsWith("..") || isAbsolute(near) ? normalize(name) : near;
	return (sep === "/" ? path : path.replaceAll(sep, "/")).replace(/^(?:[A-Za-z]:)?(?:\.{0,2}\/)+/, "");
}
/** Relative, without a part that leads nowhere or upwards. */
var PLAIN = /^(?!\.{0,2}\/)(?!.*\/\.{0,2}\/)[^\\:]*[^\\:/.]$/s;
// server/client/stamp/lists.ts
/** Longer names than any system takes. */
var LONGEST_LINE_BYTES = 65536;
/** @throws Complaint while it is read */
async function* listed(list, leftOut) {
	let isOfDigests;
	let number = 0;
	for await (const lines of linesOf(list)) for (const line of lines) {
		number += 1;
		if (line === "") continue;
		const sum = DIGEST_LINE.exec(line);
		isOfDigests ??= sum !== null;
		if (!isOfDigests) yield* namedFiles([line], leftOut);
		else if (sum === null) throw new Complaint(`Line ${number} of ${shownList(list)} is not one of sha256sum.`, { advice: "Such as: sha256sum * > list.  Digests by another function are given by --hash HEX:TYPE." });
		else yield digestIn(sum);
	}
}
var shownList = (list) => list === "-" ? "the list" : list;
/** `\` before the line says that the name is written with escapes, `*` that the file was read as binary. */
var DIGEST_LINE = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/s;
function digestIn([, escaped, hex = "", name = ""]) {
	return {
		path: pathOf(escaped === "" ? name : name.replace(/\\([\\nr])/g, (_, one) => ESCAPES[one] ?? one)),
		digest: {
			type: "sha256",
			value: fromHex(hex.toLowerCase())
		}
	};
}
var ESCAPES = {
	"\\": "\\",
	n: "\n",
	r: "\r"
};
/** For each piece that is read the lines that end in it. */
async function* linesOf(list) {
	const stream = list === "-" ? process.stdin : createReadStream(list);
	const text = new TextDecoder("utf-8", { fatal: true });
	let end;
	let held = "";
	try {
		for await (const chunk of stream) {
			held += text.decode(typeof chunk === "string" ? Buffer.from(chunk) : chunk, { stream: true });
			end ??= held.includes("\0") ? "\0" : held.includes("\n") ? "\n" : void 0;
			const lines = end === void 0 ? [held] : held.split(end);
			held = lines.pop() ?? "";
			if (held.length > LONGEST_LINE_BYTES) throw new Complaint(`A line of ${shownList(list)} is too long.`);
			yield lines;
		}
		held += text.decode();
	} catch (error) {
		if (error instanceof TypeError) throw new Complaint(`${shownList(list)} is not text (UTF-8).`);
		throw unreadable(list, error);
	}
	if (held !== "") yield [held];
}
// server/client/stamp/given.ts
/** @throws Complaint unless it is exactly one of them */
async function givenBy({ self }, { values, words, leftOut }) {
	const hashes = textOptions(values, "hash");
	const from = textOption(values, "from");
	if ([
		words.length > 0,
		hashes.length > 0,
		from !== void 0
	].filter(Boolean).length !== 1) throw new Complaint("Name files, or one folder, or digests (--hash), or a list of them (--from).", { advice: `${self} stamp --help` });
	if (from !== void 0) return {
		sources: listed(from, leftOut),
		manifest: `${from === "-" ? "files" : from}.pharos`
	};
	if (hashes.length > 0) return {
		sources: oneByOne(hashes.map(givenDigest)),
		manifest: "files.pharos"
	};
	const [only = "", ...more] = words;
	if (more.length === 0 && only === "-") return {
		sources: oneByOne([await digestOfInput()]),
		manifest: "files.pharos"
	};
	if (words.includes("-")) throw new Complaint("Standard input is stamped alone.");
	if (more.length === 0 && foundAt(only).isDirectory()) return {
		sources: oneByOne(filesUnder(only, leftOut)),
		manifest: manifestOf$1(only),
		folder: only
	};
	for (const name of words) requireNoFolder(name);
	return {
		sources: oneByOne(namedFiles(words, leftOut)),
		manifest: "files.pharos"
	};
}
/** Beside the folder. @throws Complaint for the root, which is beside nothing */
function manifestOf$1(folder) {
	const path = /(^|[/\\])\.{1,2}[/\\]*$/.test(folder) ? resolve(folder) : folder.replace(/[/\\]+$/, "");
	if (path === "" || path === parse(path).root) throw new Complaint(`There is no place beside ${folder} for its manifest.`, { advice: "Name one: -o <place>" });
	return `${path}.pharos`;
}
async function* oneByOne(all) {
	yield* all;
}
/** `HEX` or `HEX:TYPE`. @throws Complaint */
function givenDigest(text) {
	const [hex = "", type = "sha256", ...more] = text.toLowerCase().split(":");
	const value = hexOrUndefined(hex);
	if (!isHashType(type) || more.length > 0) throw new Complaint(`--hash is HEX or HEX:TYPE, and a type is one of ${Object.keys(HASH_TYPES).join(", ")}.`);
	if (value === void 0 || hex.length !== HASH_TYPES[type]) throw new Complaint(`${text} is no digest by ${type}: that is ${HASH_TYPES[type]} hex characters.`);
	return {
		path: hex,
		digest: {
			type,
			value
		}
	};
}
async function digestOfInput() {
	const hash = createHash("sha256");
	for await (const chunk of process.stdin) hash.update(chunk);
	const value = new Uint8Array(hash.digest());
	return {
		path: toHex(value),
		digest: {
			type: "sha256",
			value
		}
	};
}
/** The first few, and all of them with those. */
async function begun(sources, most) {
	const first = [];
	const coming = sources[Symbol.asyncIterator]();
	while (first.length < most) {
		const { value, done } = await coming.next();
		if (done === true) break;
		first.push(value);
	}
	async function* all() {
		yield* first;
		for (let next = await coming.next(); next.done !== true; next = await coming.next()) yield next.value;
	}
	return {
		first,
		all: all()
	};
}
// node_modules/@noble/hashes/_blake.js
/**
* Internal helpers for blake hash.
* @module
*/
/**
* Internal blake permutation table.
* Rows `0..9` serve BLAKE2s, rows `0..11` serve BLAKE2b with `10..11 = 0..1`, and Blake1 also
* reuses the later rows shown below. Blake1 expands rounds `10..15` as `SIGMA[i % 10]`, so rows
* `10..15` intentionally repeat rows `0..5` for the 14-round (256) and 16-round (512) variants.
*/
var BSIGMA = /* @__PURE__ */ Uint8Array.from([
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	14,
	10,
	4,
	8,
	9,
	15,
	13,
	6,
	1,
	12,
	0,
	2,
	11,
	7,
	5,
	3,
	11,
	8,
	12,
	0,
	5,
	2,
	15,
	13,
	10,
	14,
	3,
	6,
	7,
	1,
	9,
	4,
	7,
	9,
	3,
	1,
	13,
	12,
	11,
	14,
	2,
	6,
	5,
	10,
	4,
	0,
	15,
	8,
	9,
	0,
	5,
	7,
	2,
	4,
	10,
	15,
	14,
	1,
	11,
	12,
	6,
	8,
	3,
	13,
	2,
	12,
	6,
	10,
	0,
	11,
	8,
	3,
	4,
	13,
	7,
	5,
	15,
	14,
	1,
	9,
	12,
	5,
	1,
	15,
	14,
	13,
	4,
	10,
	0,
	7,
	6,
	3,
	9,
	2,
	8,
	11,
	13,
	11,
	7,
	14,
	12,
	1,
	3,
	9,
	5,
	0,
	15,
	4,
	8,
	6,
	2,
	10,
	6,
	15,
	14,
	9,
	11,
	3,
	0,
	8,
	12,
	2,
	13,
	7,
	1,
	4,
	10,
	5,
	10,
	2,
	8,
	4,
	7,
	6,
	1,
	5,
	15,
	11,
	9,
	14,
	3,
	12,
	13,
	0,
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	14,
	10,
	4,
	8,
	9,
	15,
	13,
	6,
	1,
	12,
	0,
	2,
	11,
	7,
	5,
	3,
	11,
	8,
	12,
	0,
	5,
	2,
	15,
	13,
	10,
	14,
	3,
	6,
	7,
	1,
	9,
	4,
	7,
	9,
	3,
	1,
	13,
	12,
	11,
	14,
	2,
	6,
	5,
	10,
	4,
	0,
	15,
	8,
	9,
	0,
	5,
	7,
	2,
	4,
	10,
	15,
	14,
	1,
	11,
	12,
	6,
	8,
	3,
	13,
	2,
	12,
	6,
	10,
	0,
	11,
	8,
	3,
	4,
	13,
	7,
	5,
	15,
	14,
	1,
	9
]);
function G1s(a, b, c, d, x) {
	a = a + b + x | 0;
	d = rotr(d ^ a, 16);
	c = c + d | 0;
	b = rotr(b ^ c, 12);
	return {
		a,
		b,
		c,
		d
	};
}
function G2s(a, b, c, d, x) {
	a = a + b + x | 0;
	d = rotr(d ^ a, 8);
	c = c + d | 0;
	b = rotr(b ^ c, 7);
	return {
		a,
		b,
		c,
		d
	};
}
// node_modules/@noble/hashes/blake2.js
/**
* blake2b (64-bit) & blake2s (8 to 32-bit) hash functions.
* b could have been faster, but there is no fast u64 in js, so s is 1.5x faster.
* @module
*/
var B2B_IV = /* @__PURE__ */ Uint32Array.from([
	4089235720,
	1779033703,
	2227873595,
	3144134277,
	4271175723,
	1013904242,
	1595750129,
	2773480762,
	2917565137,
	1359893119,
	725511199,
	2600822924,
	4215389547,
	528734635,
	327033209,
	1541459225
]);
var BBUF = /* @__PURE__ */ new Uint32Array(32);
function G1b(a, b, c, d, msg, x) {
	const Xl = msg[x], Xh = msg[x + 1];
	let Al = BBUF[2 * a], Ah = BBUF[2 * a + 1];
	let Bl = BBUF[2 * b], Bh = BBUF[2 * b + 1];
	let Cl = BBUF[2 * c], Ch = BBUF[2 * c + 1];
	let Dl = BBUF[2 * d], Dh = BBUF[2 * d + 1];
	const ll = add3L(Al, Bl, Xl);
	Ah = add3H(ll, Ah, Bh, Xh);
	Al = ll | 0;
	let xh = Dh ^ Ah, xl = Dl ^ Al;
	Dh = rotr32H(xh, xl);
	Dl = rotr32L(xh, xl);
	({h: Ch, l: Cl} = add$1(Ch, Cl, Dh, Dl));
	xh = Bh ^ Ch;
	xl = Bl ^ Cl;
	Bh = rotrSH(xh, xl, 24);
	Bl = rotrSL(xh, xl, 24);
	BBUF[2 * a] = Al;
	BBUF[2 * a + 1] = Ah;
	BBUF[2 * b] = Bl;
	BBUF[2 * b + 1] = Bh;
	BBUF[2 * c] = Cl;
	BBUF[2 * c + 1] = Ch;
	BBUF[2 * d] = Dl;
	BBUF[2 * d + 1] = Dh;
}
function G2b(a, b, c, d, msg, x) {
	const Xl = msg[x], Xh = msg[x + 1];
	let Al = BBUF[2 * a], Ah = BBUF[2 * a + 1];
	let Bl = BBUF[2 * b], Bh = BBUF[2 * b + 1];
	let Cl = BBUF[2 * c], Ch = BBUF[2 * c + 1];
	let Dl = BBUF[2 * d], Dh = BBUF[2 * d + 1];
	const ll = add3L(Al, Bl, Xl);
	Ah = add3H(ll, Ah, Bh, Xh);
	Al = ll | 0;
	let xh = Dh ^ Ah, xl = Dl ^ Al;
	Dh = rotrSH(xh, xl, 16);
	Dl = rotrSL(xh, xl, 16);
	({h: Ch, l: Cl} = add$1(Ch, Cl, Dh, Dl));
	xh = Bh ^ Ch;
	xl = Bl ^ Cl;
	Bh = rotrBH(xh, xl, 63);
	Bl = rotrBL(xh, xl, 63);
	BBUF[2 * a] = Al;
	BBUF[2 * a + 1] = Ah;
	BBUF[2 * b] = Bl;
	BBUF[2 * b + 1] = Bh;
	BBUF[2 * c] = Cl;
	BBUF[2 * c + 1] = Ch;
	BBUF[2 * d] = Dl;
	BBUF[2 * d + 1] = Dh;
}
function checkBlake2Opts(outputLen, opts = {}, keyLen, saltLen, persLen) {
	anumber$1(keyLen);
	if (outputLen <= 0 || outputLen > keyLen) throw new Error("\"dkLen\" must be 1.." + keyLen + ", got " + outputLen);
	const { key, salt, personalization } = opts;
	if (key !== void 0 && (key.length < 1 || key.length > keyLen)) throw new Error("\"key\" expected to be undefined or of length=1.." + keyLen);
	if (salt !== void 0) abytes$1(salt, saltLen, "salt");
	if (personalization !== void 0) abytes$1(personalization, persLen, "personalization");
}
/** Internal base class for BLAKE2. */
var _BLAKE2 = class {
	buffer;
	buffer32;
	finished = false;
	destroyed = false;
	length = 0;
	pos = 0;
	blockLen;
	outputLen;
	canXOF = false;
	constructor(blockLen, outputLen) {
		anumber$1(blockLen);
		anumber$1(outputLen);
		this.blockLen = blockLen;
		this.outputLen = outputLen;
		this.buffer = new Uint8Array(blockLen);
		this.buffer32 = u32(this.buffer);
	}
	update(data) {
		aexists(this);
		abytes$1(data);
		const { blockLen, buffer, buffer32 } = this;
		const len = data.length;
		const offset = data.byteOffset;
		const buf = data.buffer;
		for (let pos = 0; pos < len;) {
			if (this.pos === blockLen) {
				swap32IfBE(buffer32);
				this.compress(buffer32, 0, false);
				swap32IfBE(buffer32);
				this.pos = 0;
			}
			const take = Math.min(blockLen - this.pos, len - pos);
			const dataOffset = offset + pos;
			if (take === blockLen && !(dataOffset % 4) && pos + take < len) {
				const data32 = new Uint32Array(buf, dataOffset, Math.floor((len - pos) / 4));
				swap32IfBE(data32);
				for (let pos32 = 0; pos + blockLen < len; pos32 += buffer32.length, pos += blockLen) {
					this.length += blockLen;
					this.compress(data32, pos32, false);
				}
				swap32IfBE(data32);
				continue;
			}
			buffer.set(pos === 0 && take === len ? data : data.subarray(pos, pos + take), this.pos);
			this.pos += take;
			this.length += take;
			pos += take;
		}
		return this;
	}
	digestInto(out) {
		aexists(this);
		aoutput(out, this);
		if (out.byteOffset & 3) throw new RangeError("\"output\" expected 4-byte aligned byteOffset, got " + out.byteOffset);
		const { pos, buffer32 } = this;
		this.finished = true;
		this.buffer.fill(0, pos);
		swap32IfBE(buffer32);
		this.compress(buffer32, 0, true);
		swap32IfBE(buffer32);
		const state = this.get();
		const out32 = out === this.buffer ? buffer32 : u32(out);
		const full = Math.floor(this.outputLen / 4);
		for (let i = 0; i < full; i++) out32[i] = swap8IfBE(state[i]);
		const tail = this.outputLen % 4;
		if (!tail) return;
		const off = full * 4;
		const word = state[full];
		for (let i = 0; i < tail; i++) out[off + i] = word >>> 8 * i;
	}
	digest() {
		const { buffer, outputLen } = this;
		this.digestInto(buffer);
		const res = buffer.slice(0, outputLen);
		this.destroy();
		return res;
	}
	_cloneInto(to) {
		const { buffer, length, finished, destroyed, outputLen, pos } = this;
		to ||= new this.constructor({ dkLen: outputLen });
		to.set(...this.get());
		to.buffer.set(buffer);
		to.destroyed = destroyed;
		to.finished = finished;
		to.length = length;
		to.pos = pos;
		to.outputLen = outputLen;
		return to;
	}
	clone() {
		return this._cloneInto();
	}
};
/** Internal blake2b hash class with state stored as LE u32 low/high halves. */
var _BLAKE2b = class extends _BLAKE2 {
	v0l = B2B_IV[0] | 0;
	v0h = B2B_IV[1] | 0;
	v1l = B2B_IV[2] | 0;
	v1h = B2B_IV[3] | 0;
	v2l = B2B_IV[4] | 0;
	v2h = B2B_IV[5] | 0;
	v3l = B2B_IV[6] | 0;
	v3h = B2B_IV[7] | 0;
	v4l = B2B_IV[8] | 0;
	v4h = B2B_IV[9] | 0;
	v5l = B2B_IV[10] | 0;
	v5h = B2B_IV[11] | 0;
	v6l = B2B_IV[12] | 0;
	v6h = B2B_IV[13] | 0;
	v7l = B2B_IV[14] | 0;
	v7h = B2B_IV[15] | 0;
	constructor(opts = {}) {
		opts = checkOpts({}, opts);
		const olen = opts.dkLen === void 0 ? 64 : opts.dkLen;
		super(128, olen);
		checkBlake2Opts(olen, opts, 64, 16, 16);
		let { key, personalization, salt } = opts;
		let keyLength = 0;
		if (key !== void 0) {
			abytes$1(key, void 0, "key");
			keyLength = key.length;
		}
		this.v0l ^= this.outputLen | keyLength << 8 | 16842752;
		if (salt !== void 0) {
			abytes$1(salt, void 0, "salt");
			const slt = u32(copyBytes$1(salt));
			this.v4l ^= swap8IfBE(slt[0]);
			this.v4h ^= swap8IfBE(slt[1]);
			this.v5l ^= swap8IfBE(slt[2]);
			this.v5h ^= swap8IfBE(slt[3]);
		}
		if (personalization !== void 0) {
			abytes$1(personalization, void 0, "personalization");
			const pers = u32(copyBytes$1(personalization));
			this.v6l ^= swap8IfBE(pers[0]);
			this.v6h ^= swap8IfBE(pers[1]);
			this.v7l ^= swap8IfBE(pers[2]);
			this.v7h ^= swap8IfBE(pers[3]);
		}
		if (key !== void 0) {
			const tmp = new Uint8Array(this.blockLen);
			tmp.set(key);
			this.update(tmp);
			clean(tmp);
		}
	}
	get() {
		let { v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h } = this;
		return [
			v0l,
			v0h,
			v1l,
			v1h,
			v2l,
			v2h,
			v3l,
			v3h,
			v4l,
			v4h,
			v5l,
			v5h,
			v6l,
			v6h,
			v7l,
			v7h
		];
	}
	set(v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h) {
		this.v0l = v0l | 0;
		this.v0h = v0h | 0;
		this.v1l = v1l | 0;
		this.v1h = v1h | 0;
		this.v2l = v2l | 0;
		this.v2h = v2h | 0;
		this.v3l = v3l | 0;
		this.v3h = v3h | 0;
		this.v4l = v4l | 0;
		this.v4h = v4h | 0;
		this.v5l = v5l | 0;
		this.v5h = v5h | 0;
		this.v6l = v6l | 0;
		this.v6h = v6h | 0;
		this.v7l = v7l | 0;
		this.v7h = v7h | 0;
	}
	compress(msg, offset, isLast) {
		const { v0l, v0h, v1l, v1h, v2l, v2h, v3l, v3h, v4l, v4h, v5l, v5h, v6l, v6h, v7l, v7h } = this;
		BBUF[0] = v0l;
		BBUF[1] = v0h;
		BBUF[2] = v1l;
		BBUF[3] = v1h;
		BBUF[4] = v2l;
		BBUF[5] = v2h;
		BBUF[6] = v3l;
		BBUF[7] = v3h;
		BBUF[8] = v4l;
		BBUF[9] = v4h;
		BBUF[10] = v5l;
		BBUF[11] = v5h;
		BBUF[12] = v6l;
		BBUF[13] = v6h;
		BBUF[14] = v7l;
		BBUF[15] = v7h;
		BBUF.set(B2B_IV, 16);
		const l = fromNumL(this.length);
		const h = fromNumH(this.length);
		BBUF[24] = B2B_IV[8] ^ l;
		BBUF[25] = B2B_IV[9] ^ h;
		if (isLast) {
			BBUF[28] = ~BBUF[28];
			BBUF[29] = ~BBUF[29];
		}
		let j = 0;
		const s = BSIGMA;
		for (let i = 0; i < 12; i++) {
			G1b(0, 4, 8, 12, msg, offset + 2 * s[j++]);
			G2b(0, 4, 8, 12, msg, offset + 2 * s[j++]);
			G1b(1, 5, 9, 13, msg, offset + 2 * s[j++]);
			G2b(1, 5, 9, 13, msg, offset + 2 * s[j++]);
			G1b(2, 6, 10, 14, msg, offset + 2 * s[j++]);
			G2b(2, 6, 10, 14, msg, offset + 2 * s[j++]);
			G1b(3, 7, 11, 15, msg, offset + 2 * s[j++]);
			G2b(3, 7, 11, 15, msg, offset + 2 * s[j++]);
			G1b(0, 5, 10, 15, msg, offset + 2 * s[j++]);
			G2b(0, 5, 10, 15, msg, offset + 2 * s[j++]);
			G1b(1, 6, 11, 12, msg, offset + 2 * s[j++]);
			G2b(1, 6, 11, 12, msg, offset + 2 * s[j++]);
			G1b(2, 7, 8, 13, msg, offset + 2 * s[j++]);
			G2b(2, 7, 8, 13, msg, offset + 2 * s[j++]);
			G1b(3, 4, 9, 14, msg, offset + 2 * s[j++]);
			G2b(3, 4, 9, 14, msg, offset + 2 * s[j++]);
		}
		this.v0l ^= BBUF[0] ^ BBUF[16];
		this.v0h ^= BBUF[1] ^ BBUF[17];
		this.v1l ^= BBUF[2] ^ BBUF[18];
		this.v1h ^= BBUF[3] ^ BBUF[19];
		this.v2l ^= BBUF[4] ^ BBUF[20];
		this.v2h ^= BBUF[5] ^ BBUF[21];
		this.v3l ^= BBUF[6] ^ BBUF[22];
		this.v3h ^= BBUF[7] ^ BBUF[23];
		this.v4l ^= BBUF[8] ^ BBUF[24];
		this.v4h ^= BBUF[9] ^ BBUF[25];
		this.v5l ^= BBUF[10] ^ BBUF[26];
		this.v5h ^= BBUF[11] ^ BBUF[27];
		this.v6l ^= BBUF[12] ^ BBUF[28];
		this.v6h ^= BBUF[13] ^ BBUF[29];
		this.v7l ^= BBUF[14] ^ BBUF[30];
		this.v7h ^= BBUF[15] ^ BBUF[31];
		clean(BBUF);
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer32);
		this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/**
* Blake2b hash function. 64-bit. 1.5x slower than blake2s in JS.
* @param msg - message that would be hashed
* @param opts - Optional output, MAC, salt, and personalization settings.
*   `dkLen` must be 1..64 bytes; `salt` and `personalization`, if present,
*   must be 16 bytes each. See {@link Blake2Opts}.
* @returns Digest bytes.
* @example
* Hash a message with Blake2b.
* ```ts
* blake2b(new Uint8Array([97, 98, 99]));
* ```
* @example
* Hash a message with Blake2b while selecting output, MAC, salt, and personalization settings.
* ```ts
* blake2b(new Uint8Array([97, 98, 99]), {
*   dkLen: 32,
*   key: new Uint8Array(32),
*   salt: new Uint8Array(16),
*   personalization: new Uint8Array(16),
* });
* ```
*/
var blake2b = /* @__PURE__ */ createHasher((opts) => new _BLAKE2b(opts));
/**
* BLAKE2-compress core method.
* Runs only the round function over a caller-supplied local vector; callers initialize `v0..v15`
* and apply the final `h[i] ^= v[i] ^ v[i + 8]` fold themselves.
* @param s - flattened sigma schedule bytes
* @param offset - starting word offset inside `msg`, not a byte offset
* @param msg - message words
* @param rounds - round count to execute
* @param v0 - state word 0
* @param v1 - state word 1
* @param v2 - state word 2
* @param v3 - state word 3
* @param v4 - state word 4
* @param v5 - state word 5
* @param v6 - state word 6
* @param v7 - state word 7
* @param v8 - state word 8
* @param v9 - state word 9
* @param v10 - state word 10
* @param v11 - state word 11
* @param v12 - state word 12
* @param v13 - state word 13
* @param v14 - state word 14
* @param v15 - state word 15
* @returns Updated compression state words.
* @example
* Run the BLAKE2 compression core on zeroed state and message words.
* ```ts
* import { _compress } from '@noble/hashes/blake2.js';
* const state = _compress(
*   new Uint8Array(16),
*   0,
*   new Uint32Array(16),
*   1,
*   0, 0, 0, 0, 0, 0, 0, 0,
*   0, 0, 0, 0, 0, 0, 0, 0
* );
* state.v0;
* ```
*/
function _compress(s, offset, msg, rounds, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15) {
	let j = 0;
	for (let i = 0; i < rounds; i++) {
		({a: v0, b: v4, c: v8, d: v12} = G1s(v0, v4, v8, v12, msg[offset + s[j++]]));
		({a: v0, b: v4, c: v8, d: v12} = G2s(v0, v4, v8, v12, msg[offset + s[j++]]));
		({a: v1, b: v5, c: v9, d: v13} = G1s(v1, v5, v9, v13, msg[offset + s[j++]]));
		({a: v1, b: v5, c: v9, d: v13} = G2s(v1, v5, v9, v13, msg[offset + s[j++]]));
		({a: v2, b: v6, c: v10, d: v14} = G1s(v2, v6, v10, v14, msg[offset + s[j++]]));
		({a: v2, b: v6, c: v10, d: v14} = G2s(v2, v6, v10, v14, msg[offset + s[j++]]));
		({a: v3, b: v7, c: v11, d: v15} = G1s(v3, v7, v11, v15, msg[offset + s[j++]]));
		({a: v3, b: v7, c: v11, d: v15} = G2s(v3, v7, v11, v15, msg[offset + s[j++]]));
		({a: v0, b: v5, c: v10, d: v15} = G1s(v0, v5, v10, v15, msg[offset + s[j++]]));
		({a: v0, b: v5, c: v10, d: v15} = G2s(v0, v5, v10, v15, msg[offset + s[j++]]));
		({a: v1, b: v6, c: v11, d: v12} = G1s(v1, v6, v11, v12, msg[offset + s[j++]]));
		({a: v1, b: v6, c: v11, d: v12} = G2s(v1, v6, v11, v12, msg[offset + s[j++]]));
		({a: v2, b: v7, c: v8, d: v13} = G1s(v2, v7, v8, v13, msg[offset + s[j++]]));
		({a: v2, b: v7, c: v8, d: v13} = G2s(v2, v7, v8, v13, msg[offset + s[j++]]));
		({a: v3, b: v4, c: v9, d: v14} = G1s(v3, v4, v9, v14, msg[offset + s[j++]]));
		({a: v3, b: v4, c: v9, d: v14} = G2s(v3, v4, v9, v14, msg[offset + s[j++]]));
	}
	return {
		v0,
		v1,
		v2,
		v3,
		v4,
		v5,
		v6,
		v7,
		v8,
		v9,
		v10,
		v11,
		v12,
		v13,
		v14,
		v15
	};
}
var B2S_IV = /* @__PURE__ */ SHA256_IV.slice();
/** Internal blake2s hash class. */
var _BLAKE2s = class extends _BLAKE2 {
	v0 = B2S_IV[0] | 0;
	v1 = B2S_IV[1] | 0;
	v2 = B2S_IV[2] | 0;
	v3 = B2S_IV[3] | 0;
	v4 = B2S_IV[4] | 0;
	v5 = B2S_IV[5] | 0;
	v6 = B2S_IV[6] | 0;
	v7 = B2S_IV[7] | 0;
	constructor(opts = {}) {
		opts = checkOpts({}, opts);
		const olen = opts.dkLen === void 0 ? 32 : opts.dkLen;
		super(64, olen);
		checkBlake2Opts(olen, opts, 32, 8, 8);
		let { key, personalization, salt } = opts;
		let keyLength = 0;
		if (key !== void 0) {
			abytes$1(key, void 0, "key");
			keyLength = key.length;
		}
		this.v0 ^= this.outputLen | keyLength << 8 | 16842752;
		if (salt !== void 0) {
			abytes$1(salt, void 0, "salt");
			const slt = u32(copyBytes$1(salt));
			this.v4 ^= swap8IfBE(slt[0]);
			this.v5 ^= swap8IfBE(slt[1]);
		}
		if (personalization !== void 0) {
			abytes$1(personalization, void 0, "personalization");
			const pers = u32(copyBytes$1(personalization));
			this.v6 ^= swap8IfBE(pers[0]);
			this.v7 ^= swap8IfBE(pers[1]);
		}
		if (key !== void 0) {
			const tmp = new Uint8Array(this.blockLen);
			tmp.set(key);
			this.update(tmp);
			clean(tmp);
		}
	}
	get() {
		const { v0, v1, v2, v3, v4, v5, v6, v7 } = this;
		return [
			v0,
			v1,
			v2,
			v3,
			v4,
			v5,
			v6,
			v7
		];
	}
	set(v0, v1, v2, v3, v4, v5, v6, v7) {
		this.v0 = v0 | 0;
		this.v1 = v1 | 0;
		this.v2 = v2 | 0;
		this.v3 = v3 | 0;
		this.v4 = v4 | 0;
		this.v5 = v5 | 0;
		this.v6 = v6 | 0;
		this.v7 = v7 | 0;
	}
	compress(msg, offset, isLast) {
		const l = fromNumL(this.length);
		const h = fromNumH(this.length);
		const { v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 } = _compress(BSIGMA, offset, msg, 10, this.v0, this.v1, this.v2, this.v3, this.v4, this.v5, this.v6, this.v7, B2S_IV[0], B2S_IV[1], B2S_IV[2], B2S_IV[3], l ^ B2S_IV[4], h ^ B2S_IV[5], isLast ? ~B2S_IV[6] : B2S_IV[6], B2S_IV[7]);
		this.v0 ^= v0 ^ v8;
		this.v1 ^= v1 ^ v9;
		this.v2 ^= v2 ^ v10;
		this.v3 ^= v3 ^ v11;
		this.v4 ^= v4 ^ v12;
		this.v5 ^= v5 ^ v13;
		this.v6 ^= v6 ^ v14;
		this.v7 ^= v7 ^ v15;
	}
	destroy() {
		this.destroyed = true;
		clean(this.buffer32);
		this.set(0, 0, 0, 0, 0, 0, 0, 0);
	}
};
/**
* Blake2s hash function. Focuses on 8-bit to 32-bit platforms. 1.5x faster than blake2b in JS.
* @param msg - message that would be hashed
* @param opts - Optional output, MAC, salt, and personalization settings.
*   `dkLen` must be 1..32 bytes; `salt` and `personalization`, if present,
*   must be 8 bytes each. See {@link Blake2Opts}.
* @returns Digest bytes.
* @example
* Hash a message with Blake2s.
* ```ts
* blake2s(new Uint8Array([97, 98, 99]));
* ```
* @example
* Hash a message with Blake2s while selecting output, MAC, salt, and personalization settings.
* ```ts
* blake2s(new Uint8Array([97, 98, 99]), {
*   dkLen: 16,
*   key: new Uint8Array(32),
*   salt: new Uint8Array(8),
*   personalization: new Uint8Array(8),
* });
* ```
*/
var blake2s = /* @__PURE__ */ createHasher((opts) => new _BLAKE2s(opts));
// shared/verifier/digest.ts
/** blake2s and blake2b have their full lengths, 32 and 64 bytes. */
function startDigest(type) {
	const running = FUNCTIONS[type].create();
	return {
		update: (bytes) => void running.update(bytes),
		hex: () => toHex(running.digest())
	};
}
var FUNCTIONS = {
	md5,
	sha1,
	sha224,
	sha256: sha256$1,
	sha384,
	sha512,
	sha3_224,
	sha3_256,
	sha3_384,
	sha3_512,
	blake2s,
	blake2b
};
// server/client/hash_data.ts
/** Lowercase hex. @throws Complaint when the file cannot be read */
async function hashData({ progress }, name, type) {
	const digest = fastDigest(type);
	const total = (await stat(name).catch(() => void 0))?.size ?? 0;
	const tell = paced(progress, {
		firstMs: 1e3,
		everyMs: 200
	});
	let done = 0;
	try {
		for await (const chunk of await streamOf(name)) {
			const bytes = Buffer.from(chunk);
			digest.update(bytes);
			done += bytes.length;
			tell(() => `${type} of ${name}: ${share(done, total)}`);
		}
	} catch (error) {
		throw unreadable(name, error);
	} finally {
		progress?.("");
	}
	return digest.hex();
}
var share = (done, total) => total > 0 ? `${Math.floor(100 * Math.min(done, total) / total)} %` : `${Math.floor(done / 1048576)} MiB`;
/**
* Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
* differs by build and by policy.
*/
var fastDigest = (type) => {
	const name = OPENSSL_NAMES[type];
	if (!getHashes().includes(name)) return startDigest(type);
	const hash = createHash(name);
	return {
		update: (bytes) => void hash.update(bytes),
		hex: () => hash.digest("hex")
	};
};
// server/client/stamp/hash_file.ts
/** @throws Complaint when it is no regular file, cannot be read, or changes meanwhile */
async function hashFile({ path, at }, { type = "sha256", hear = () => void 0 } = {}) {
	const digest = fastDigest(type);
	try {
		const file = openSync(at, READ_NO_LINK);
		try {
			const found = fstatSync(file, { bigint: true });
			if (!found.isFile()) throw new Complaint(`${path} is not a regular file.`);
			const bytes = found.size > CHUNK ? await hashAlong(file, digest, hear) : hashAtOnce(file, digest);
			if (BigInt(bytes) !== found.size || markAt(at) !== markOf$2(found)) throw changed(path);
			return {
				value: fromHex(digest.hex()),
				mark: isSettled(found) ? markOf$2(found) : ""
			};
		} finally {
			closeSync(file);
		}
	} catch (error) {
		if (codeOf(error) === "ELOOP") throw new Complaint(`${path} is a link, and links are not followed.`);
		throw unreadable(path, error);
	}
}
/** A pipe that took the place of a file would keep the program waiting for who writes to it. */
var READ_NO_LINK = constants$1.O_RDONLY | (constants$1.O_NOFOLLOW ?? 0) | (constants$1.O_NONBLOCK ?? 0);
var changed = (path) => new Complaint(`${path} changed while it was hashed.`, { advice: "Try again once nobody writes to it." });
/** Differs when the file was written or replaced. Undefined when there is none. */
function markAt(at) {
	const found = lstatSync(at, {
		bigint: true,
		throwIfNoEntry: false
	});
	return found?.isFile() === true ? markOf$2(found) : void 0;
}
var markOf$2 = ({ dev, ino, size, mtimeNs, ctimeNs }) => [
	dev,
	ino,
	size,
	mtimeNs,
	ctimeNs
].map((number) => number.toString(36)).join(".");
/** A file that was written just now may be written again within the same tick of its clock. */
var isSettled = ({ ctimeNs }) => BigInt(Date.now()) * 1000000n - ctimeNs > SETTLED_NS;
var SETTLED_NS = 100000000n;
/** Files up to here are read in one go, because waiting for a read takes longer than the read. */
var CHUNK = 1048576;
var ONE_FILE = Buffer.alloc(CHUNK);
function hashAtOnce(file, digest) {
	const bytes = readSync(file, ONE_FILE, 0, CHUNK, null);
	digest.update(ONE_FILE.subarray(0, bytes));
	return bytes;
}
/** One piece is read while the one before it is hashed. */
async function hashAlong(file, digest, hear) {
	let [filling, full] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
	let size = 0;
	let reading = readInto(file, filling, 0, CHUNK, null);
	for (;;) {
		const { bytesRead } = await reading;
		if (bytesRead === 0) return size;
		[filling, full] = [full, filling];
		reading = readInto(file, filling, 0, CHUNK, null);
		digest.update(full.subarray(0, bytesRead));
		size += bytesRead;
		hear(bytesRead);
	}
}
var readInto = promisify(read);
// server/client/stamp/hasher.ts
var Hasher = class {
	#terminal;
	#tell;
	#files = 0;
	#bytes = 0;
	#restedAt = performance.now();
	constructor(terminal) {
		this.#terminal = terminal;
		this.#tell = paced(terminal.progress, {
			firstMs: 500,
			everyMs: 200
		});
	}
	/** @throws Complaint */
	async hash(source) {
		this.passed(source);
		if ("digest" in source) return {
			...source.digest,
			mark: ""
		};
		const hear = (bytes) => {
			this.#bytes += bytes;
			this.#say(source);
		};
		await this.#rest();
		return {
			type: "sha256",
			...await hashFile(source, { hear })
		};
	}
	/** It need not be hashed. */
	passed(source) {
		this.#files += 1;
		this.#say(source);
	}
	/** Takes the line away. */
	end() {
		this.#terminal.progress?.("");
	}
	#say({ path }) {
		this.#tell(() => {
			const read = this.#bytes === 0 ? "" : `, ${(this.#bytes / 1e9).toFixed(1)} GB`;
			return `${plural(this.#files, "file")}${read}  ${printable(path).slice(0, 60)}`;
		});
	}
	/** Small files are read without waiting, and an interrupt has to be heard. */
	async #rest() {
		if (performance.now() - this.#restedAt < 50) return;
		await setImmediate();
		this.#restedAt = performance.now();
	}
};
// server/client/stamp/salt.ts
var POOL = /* @__PURE__ */ new Uint8Array(65536);
var used = POOL.length;
/** 16 bytes that nobody else has. */
function newSalt() {
	if (used === POOL.length) {
		randomFillSync(POOL);
		used = 0;
	}
	used += 16;
	return POOL.slice(used - 16, used);
}
// server/client/stamp/stamping.ts
/** @throws Complaint */
var acceptPatiently = ({ surroundings, acceptor }, entries, files) => askAgain(surroundings.terminal, () => acceptAll(acceptor, entries, files));
var otherAt = (place, advice) => new Complaint(`${place} is there already, and is about something else. It is not overwritten.`, { advice });
// server/client/stamp/stamp_each.ts
/**
* @param placeOf where the evidence of each goes
* @returns 2 when one of them could not be stamped, which keeps none of the others from it
*/
async function stampEach(stamping, sources, placeOf) {
	const { terminal } = stamping.surroundings;
	let code = 0;
	for await (const some of several(sources, mostAtOnce(stamping.acceptor.service))) {
		const wanted = [];
		for (const source of some) try {
			wanted.push(await wantedOf(stamping, source, placeOf(source)));
		} catch (error) {
			if (!(error instanceof Complaint)) throw error;
			stamping.hasher.end();
			tellComplaint(terminal, error);
			code = 2;
		}
		await stampSome(stamping, wanted);
	}
	return code;
}
/** @throws Complaint when it cannot be hashed, or there is something else at the place */
async function wantedOf({ hasher, acceptor, surroundings }, source, place) {
	const { type, value } = await hasher.hash(source);
	const wanted = {
		source,
		entry: {
			type,
			value,
			salt: isSignedIn(acceptor.service) ? void 0 : newSalt()
		},
		place
	};
	if (!isTaken(place)) {
		await requireRoomAt(place);
		return {
			...wanted,
			heldId: void 0
		};
	}
	const held = await readGiven(surroundings.terminal, place);
	const evidence = held.kind === "evidence" && held.manifest === void 0 ? held.evidence : void 0;
	if (evidence?.digest.type === type && bytesEqual(evidence.digest.value, value)) return {
		...wanted,
		heldId: evidence.item.id
	};
	throw otherAt(place, "Move it away if the file has changed since, or choose another place: -o <place>");
}
async function stampSome(stamping, wanted) {
	const missing = wanted.filter(({ heldId }) => heldId === void 0);
	const asked = missing.length > 0 && isSignedIn(stamping.acceptor.service) ? wanted : missing;
	const entries = asked.map(({ entry }) => entry);
	const answers = entries.length === 0 ? [] : await acceptPatiently(stamping, entries);
	const accepted = new Map(answers.map((answer, at) => [asked[at], answer]));
	stamping.hasher.end();
	for (const one of wanted) {
		const { heldId, place } = one;
		const answer = accepted.get(one);
		if (heldId !== void 0) stamping.telling.accepted({
			place,
			itemId: heldId,
			files: 1,
			isNew: false
		});
		else if (answer === void 0) throw new Error("A digest has no answer.");
		else {
			placeReceipt(stamping, one, answer);
			stamping.telling.accepted({
				place,
				itemId: answer.item.id,
				files: 1,
				isNew: true
			});
		}
	}
}
function placeReceipt({ surroundings: { terminal } }, { source, entry, place }, { item, trees }) {
	const text = writeEvidence(receiptOf({
		digest: entry,
		name: source.path === toHex(entry.value) ? void 0 : basename(source.path),
		trees,
		item
	}));
	if (place === "-") terminal.write(utf8(text));
	else placeText(place, text);
}
/** As many at a time as there are, up to `most`. */
async function* several(all, most) {
	let some = [];
	for await (const one of all) {
		some.push(one);
		if (some.length < most) continue;
		yield some;
		some = [];
	}
	if (some.length > 0) yield some;
}
// server/client/stamp/draft.ts
/** The first line says what it is, with the salt of the names. Every other one is a mark, a tab, and a line of the manifest. */
var Draft = class Draft {
	namesSalt;
	#path;
	#file;
	/** What an earlier run has left. Undefined once something else is to come. */
	#earlier;
	/** Bytes that count: of the lines that were kept, and of those that were written. */
	#size;
	/** Added, and not written yet. */
	#waiting;
	/** Whether nothing lies behind what counts. */
	#isTrimmed;
	/** Over all that counts. */
	#sum = createHash("sha256");
	constructor(path, file, { namesSalt, ...begun }) {
		this.namesSalt = namesSalt;
		this.#path = path;
		this.#file = file;
		this.#earlier = begun.earlier;
		this.#size = begun.size;
		this.#isTrimmed = begun.earlier === void 0;
		this.#waiting = this.#isTrimmed ? firstLine(namesSalt) : "";
		if (!this.#isTrimmed) this.#sum.update(firstLine(namesSalt));
	}
	/** Goes on with what is at this place, or begins anew. @throws Complaint when there is something else */
	static open(path) {
		return kept(path, async () => {
			mkdirSync(dirname(path), { recursive: true });
			const file = await open(path, constants$1.O_RDWR | constants$1.O_CREAT, 384);
			try {
				return new Draft(path, file, await begunIn(file, path));
			} catch (error) {
				await file.close();
				throw error;
			}
		});
	}
	/**
	* The next entry, when an earlier run has left it. When it has left another one, that and all behind it do not count
	* any more, and `add` is to follow.
	*/
	async resume(isIt) {
		const next = await this.#earlier?.next();
		const line = next === void 0 || next.done === true ? void 0 : next.value;
		const entry = line && entryIn(line);
		if (line === void 0 || entry === void 0 || !isIt(entry)) {
			this.#earlier = void 0;
			return;
		}
		this.#size = line.end;
		this.#sum.update(line.text).update(LINE_END);
		return entry;
	}
	/** @throws RangeError when its line is longer than a line may be, Complaint when it cannot be written */
	async add({ mark, ...entry }) {
		this.#waiting += `${mark}\t${writeEntry(entry)}`;
		if (this.#waiting.length > WRITTEN_AT_ONCE) await this.save();
	}
	/** What was added is there for a later run. @throws Complaint */
	async save() {
		const bytes = WRITING.subarray(0, WRITING.write(this.#waiting));
		this.#waiting = "";
		this.#sum.update(bytes);
		await kept(this.#path, async () => {
			if (!this.#isTrimmed) await this.#file.truncate(this.#size);
			this.#isTrimmed = true;
			const { bytesWritten } = await this.#file.write(bytes, 0, bytes.length, this.#size);
			if (bytesWritten < bytes.length) throw new Error("there is no room for all of it");
		});
		this.#size += bytes.length;
	}
	/** Nothing is added any more. It is on the disk when this returns. @throws Complaint */
	async complete() {
		await this.save();
		await kept(this.#path, () => this.#file.sync());
	}
	/**
	* The lines of the manifest below its first one, to be asked for once, when it is complete. What was yielded changes
	* with the next.
	* @throws Complaint at the end when another program has written to it too
	*/
	async *lines() {
		const sum = createHash("sha256").update(firstLine(this.namesSalt));
		let end = 0;
		for await (const { text } of linesFrom(this.#file, FIRST_LINE_BYTES)) {
			sum.update(text).update(LINE_END);
			const line = text.subarray(text.indexOf(TAB) + 1);
			if (end + line.length >= WRITING.length) {
				yield WRITING.subarray(0, end);
				end = 0;
			}
			WRITING.set(line, end);
			WRITING[end + line.length] = LINE_FEED;
			end += line.length + 1;
		}
		yield WRITING.subarray(0, end);
		if (!sum.digest().equals(this.#sum.digest())) throw new Complaint(`${this.#path} is written by another command too.`, { advice: "Wait until that one has ended, and try again." });
	}
	close() {
		return this.#file.close();
	}
	/** To be called once nobody needs it any more. */
	remove() {
		return rm(this.#path, { force: true });
	}
};
var WRITTEN_AT_ONCE = 65536;
/** Filled again for each piece, because those of a million entries would fill the memory. More than a piece may have. */
var WRITING = Buffer.alloc(3 * (WRITTEN_AT_ONCE + 2 * LONGEST_LINE_BYTES$1));
var firstLine = (namesSalt) => `pharos stamp 1 ${toHex(namesSalt)}\n`;
var FIRST_LINE = /^pharos stamp 1 ([0-9a-f]{32})$/;
var FIRST_LINE_BYTES = firstLine(/* @__PURE__ */ new Uint8Array(16)).length;
async function begunIn(file, path) {
	if ((await file.stat()).size === 0) return {
		namesSalt: randomBytes(16),
		earlier: void 0,
		size: 0
	};
	const earlier = linesFrom(file, 0);
	const { value } = await earlier.next();
	const [, salt] = FIRST_LINE.exec(value?.text.toString("latin1") ?? "") ?? [];
	if (salt === void 0) throw new Complaint(`${path} is there, and is no manifest under way. It is not overwritten.`, { advice: "Move it away, or choose another place: -o <place>" });
	return {
		namesSalt: fromHex(salt),
		earlier,
		size: FIRST_LINE_BYTES
	};
}
/** What is half written has no line feed, and is no line. */
async function* linesFrom(file, from) {
	let held = Buffer.alloc(0);
	for (let at = from; held.length <= 2 * LONGEST_LINE_BYTES$1;) {
		const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(WRITTEN_AT_ONCE), 0, WRITTEN_AT_ONCE, at);
		if (bytesRead === 0) return;
		at += bytesRead;
		const read = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
		let start = 0;
		for (let end = read.indexOf(LINE_FEED); end >= 0; end = read.indexOf(LINE_FEED, start)) {
			yield {
				text: read.subarray(start, end),
				end: at - read.length + end + 1
			};
			start = end + 1;
		}
		held = read.subarray(start);
	}
}
var LINE_FEED = 10;
var LINE_END = Uint8Array.of(LINE_FEED);
var TAB = 9;
/** Undefined for a line that no run has written so. */
function entryIn({ text }) {
	const tab = text.indexOf(TAB);
	try {
		return tab < 0 ? void 0 : {
			mark: text.toString("latin1", 0, tab),
			...readEntryLine(text.subarray(tab + 1))
		};
	} catch (error) {
		if (error instanceof EvidenceRejected) return void 0;
		throw error;
	}
}
async function kept(path, work) {
	try {
		return await work();
	} catch (error) {
		if (error instanceof Complaint) throw error;
		throw new Complaint(`${path} could not be written: ${wordsOf(error)}`);
	}
}
// server/client/stamp/stamp_tree.ts
/**
* @param place of the manifest
* @throws Complaint. What was hashed until then is kept for the next run.
*/
async function stampTree(stamping, sources, place) {
	const draftPath = place === "-" ? join(tmpdir(), `pharos-${randomUUID()}.part`) : `${place}.part`;
	if (isTaken(place)) {
		await requireSame(stamping, sources, place);
		await rm(draftPath, { force: true });
		return;
	}
	await requireRoomAt(place);
	const draft = await Draft.open(draftPath);
	try {
		const { tree } = await gathered(stamping, sources, draft).catch(async (error) => {
			await draft.save();
			throw error;
		});
		await draft.complete();
		const files = tree.size - 1;
		const [accepted] = await acceptPatiently(stamping, [treeEntry(tree.root, tree.size)], files);
		if (accepted === void 0) throw new Error("A tree has no answer.");
		const { item, trees: above } = accepted;
		const document = headerDocument({
			size: tree.size,
			namesSalt: draft.namesSalt,
			above,
			item
		});
		if (place === "-") for await (const chunk of manifestOf(document, draft)) await writeOut(chunk);
		else await placeChunks(place, manifestOf(document, draft));
		await draft.remove();
		stamping.hasher.end();
		stamping.telling.accepted({
			place,
			itemId: item.id,
			files,
			isNew: true
		});
	} finally {
		if (place === "-") await draft.remove();
		await draft.close();
	}
}
async function gathered({ hasher }, sources, draft) {
	const gathering = new ManifestTree();
	try {
		for await (const source of sources) {
			const known = await draft.resume((entry) => isStill(entry, source));
			if (known !== void 0) {
				hasher.passed(source);
				gathering.add(known);
				continue;
			}
			const entry = await hashed(hasher, source);
			gathering.add(entry);
			await draft.add(entry);
		}
		return gathering.close(draft.namesSalt);
	} catch (error) {
		if (!(error instanceof EvidenceRejected) && !(error instanceof RangeError)) throw error;
		throw new Complaint(`No manifest can be made of this: ${error.message}.`, { advice: "Rename it, stamp the folders one by one, or each file by itself: --each" });
	}
}
var isStill = ({ path, entry, mark }, source) => {
	if (path !== source.path) return false;
	if ("digest" in source) return entry.type === source.digest.type && bytesEqual(entry.value, source.digest.value);
	return mark !== "" && mark === markAt(source.at);
};
async function hashed(hasher, source) {
	const { type, value, mark } = await hasher.hash(source);
	return {
		path: source.path,
		entry: {
			type,
			value,
			salt: newSalt()
		},
		mark
	};
}
/** No faster than it is read. The chunk is the caller’s again when this returns. */
var writeOut = (chunk) => new Promise((written) => void process.stdout.write(chunk, () => written()));
async function* manifestOf(document, draft) {
	yield Buffer.from(writeManifestHeader(document));
	yield* draft.lines();
}
/** What is at the place is not overwritten: it is about the very same files, or this is refused. */
async function requireSame({ hasher, surroundings, telling }, sources, place) {
	const { terminal, self } = surroundings;
	const coming = sources[Symbol.asyncIterator]();
	let isSame = true;
	const given = await readGiven(terminal, place, async ({ path, entry }) => {
		if (!isSame) return;
		const next = await coming.next();
		isSame = next.done !== true && next.value.path === path;
		if (next.done === true || !isSame) return;
		const { type, value } = await hasher.hash(next.value);
		isSame = type === entry.type && bytesEqual(value, entry.value);
	});
	isSame &&= (await coming.next()).done === true;
	const manifest = given.kind === "evidence" ? given.manifest : void 0;
	if (manifest === void 0 || !isSame) throw otherAt(place, `What changed:  ${self} verify --manifest ${quoted(place)} <folder>    To stamp it as it is now, choose another place: -o <place>`);
	hasher.end();
	telling.accepted({
		place,
		itemId: manifest.header.item.id,
		files: manifest.tree.size - 1,
		isNew: false
	});
}
/**
* An evidence file for each entry of a manifest.
* @param placeOf the evidence of the file at this path
* @throws Complaint
*/
async function placeEvidence({ terminal }, place, placeOf) {
	const read = (hear) => readGiven(terminal, place, hear);
	const given = await read();
	const manifest = given.kind === "evidence" ? given.manifest : void 0;
	if (manifest === void 0) throw new Complaint(`${place} is no manifest.`);
	await read(async (entry, index) => {
		const target = placeOf(entry.path);
		if (!isTaken(target)) return placeText(target, writeEvidence(evidenceOfEntry(manifest, index, entry)), { isSpare: true });
		const there = await readGiven(terminal, target);
		if (!(there.kind === "evidence" && bytesEqual(there.evidence.digest.value, entry.entry.value))) throw otherAt(target, "Move it away, or choose another place: -o <folder>");
	});
}
// server/client/stamp/telling.ts
var Telling = class {
	#surroundings;
	#service;
	#isJson;
	#stamped = [];
	/** By the places of the evidence, for which somebody has waited. */
	#states = /* @__PURE__ */ new Map();
	constructor(surroundings, service, isJson) {
		this.#surroundings = surroundings;
		this.#service = service;
		this.#isJson = isJson;
	}
	get stamped() {
		return this.#stamped;
	}
	accepted(stamped) {
		this.#stamped.push(stamped);
		const { place, itemId, files, isNew } = stamped;
		if (this.#isJson || place === "-") return;
		const whose = isNew ? "the receipt of" : "is there already, of";
		this.#say(`${printable(place)}  ${whose} ${plural(files, "file")}, accepted ${shownTime(itemId)}`);
	}
	waited(place, tried) {
		const state = tried.kind !== "not_yet" ? "committed" : tried.isInBlock ? "block" : "receipt";
		this.#states.set(place, state);
		if (!this.#isJson) this.#say(`${printable(place)}  ${WORDS[state]}`);
	}
	/** What could not be done, with what was done all the same. */
	unfinished({ message, advice, exitCode }) {
		const { terminal } = this.#surroundings;
		if (this.#isJson && this.#stamped.length > 0) sayDocument(terminal, this.#document());
		return new Complaint(`${message} ${this.#stamped.length === 0 ? "Nothing was stamped." : "Nothing else was stamped."}`, {
			exitCode,
			...advice === void 0 ? {} : { advice }
		});
	}
	/** What was done as JSON, and what is still to be done. */
	end() {
		const { terminal, self } = this.#surroundings;
		if (this.#isJson) sayDocument(terminal, this.#document());
		if (this.#stamped.some(({ isNew }) => isNew) && !isSignedIn(this.#service)) terminal.note("It belongs to nobody, and there is no other copy: keep the evidence.");
		const [first, ...more] = this.#stamped.filter(({ place }) => this.#states.get(place) !== "committed");
		if (first === void 0) return;
		const place = first.place === "-" ? "<evidence>" : quoted(first.place);
		terminal.note("It is accepted and signed, and its proof comes with the next commitment to a public chain. Then:");
		terminal.note(`  ${self} upgrade ${place}${more.length === 0 ? "" : " …"} --wait`);
	}
	#document() {
		const stamped = this.#stamped.map(({ place, itemId, files, isNew }) => ({
			evidence: place,
			item_id: itemId,
			files,
			is_new: isNew,
			state: this.#states.get(place) ?? "receipt"
		}));
		return {
			service: this.#service.url.origin,
			stamped
		};
	}
	#say(line) {
		this.#surroundings.terminal.say(line);
	}
};
var WORDS = {
	receipt: "is in no block yet",
	block: "is in a block, and on no public chain yet",
	committed: "has its proof"
};
var shownTime = (itemId) => utcSeconds(ulidTime(itemId)) ?? "at no known time";
// server/client/stamp/waiting.ts
/** Undefined without `--wait`. @throws Complaint for what is no time or no stage */
function waitOf(values) {
	const until = textOption(values, "until") ?? "committed";
	if (until !== "block" && until !== "committed") throw new Complaint("--until is block or committed.");
	const most = timeOption(values, "timeout") ?? USUAL_MS$1[until];
	if (values.wait === true) return {
		until,
		deadline: Date.now() + most
	};
	const lonely = ["until", "timeout"].find((name) => values[name] !== void 0);
	if (lonely === void 0) return void 0;
	throw new Complaint(`--${lonely} says how one waits, and nobody waits without --wait.`);
}
var USUAL_MS$1 = {
	block: 18e4,
	committed: 108e5
};
// server/client/stamp/stamp.ts
/** More files than that become one item and a manifest, unless each is to have its own. */
var MOST_ALONE = 256;
var stamp = {
	usage: "<file>… | <folder> | - [--hash <hex>] [--from <list>] [-o <place>] [--wait]",
	meaning: "has files timestamped, and writes the evidence beside them",
	help: `
Only digests leave this computer. FILE.pharos is written beside each file: a receipt at first, and "upgrade" puts the
proof into it as soon as there is one. A folder, or more than ${MOST_ALONE} files, becomes one item and one manifest,
FOLDER.pharos, with the digest of every file in it and below. - is what comes from standard input. Links, what is no
regular file, and *.pharos are named and left out.

Without an account the service is asked as anybody may ask it: what it stamps then belongs to nobody, and the evidence
is the only copy. With one each stamp is an item of yours. A run that was interrupted is called again in the same words,
and goes on from there. Nothing that exists is overwritten.`,
	options: {
		hash: {
			type: "string",
			multiple: true,
			takes: "<hex>",
			meaning: "a digest that you have made, as HEX or HEX:TYPE; without a type sha256. May be repeated"
		},
		from: {
			type: "string",
			takes: "<file>",
			meaning: "a list of files, or what sha256sum prints; - for standard input"
		},
		out: {
			type: "string",
			short: "o",
			takes: "<file>",
			meaning: "the evidence file, or the folder for all of them; - for standard output"
		},
		evidence: {
			type: "boolean",
			meaning: "of a folder: an evidence file beside each file as well"
		},
		each: {
			type: "boolean",
			meaning: "of a folder: an item and an evidence file for each file, and no manifest"
		},
		name: {
			type: "string",
			takes: "<text>",
			meaning: "how the item is called: \"file\", or \"N files\". No name leaves this computer unless you say so"
		},
		tag: {
			type: "string",
			multiple: true,
			takes: "<label>",
			meaning: "a label of the item. May be repeated"
		},
		visibility: {
			type: "string",
			takes: "private|team|public",
			meaning: "who may read the item"
		},
		wait: {
			type: "boolean",
			meaning: "until its proof is in the evidence"
		},
		until: {
			type: "string",
			takes: "block|committed",
			meaning: "waits for this only: a block, or a public chain"
		},
		timeout: {
			type: "string",
			takes: "<time>",
			meaning: "waits no longer: 3m for a block, 3h for a chain, unless it says otherwise. Such as 90 (seconds), 20m, 2h"
		},
		json: {
			type: "boolean",
			meaning: "prints what was done as JSON"
		},
		...SERVICE_OPTIONS
	},
	exits: {
		0: "all of it is stamped",
		1: "the service refused",
		2: "something could not be read, asked or written",
		3: "it is stamped, and what was waited for is not there yet",
		4: "an account is needed"
	},
	run: async (surroundings, values, words) => {
		const leftOut = new LeftOut(surroundings.terminal);
		const hasher = new Hasher(surroundings.terminal);
		const places = new Places(textOption(values, "out"));
		if (places.isStdout && values.json === true) throw new Complaint("With -o - the evidence itself goes to standard output, so --json has no place there.");
		const wait = waitOf(values);
		if (places.isStdout && wait !== void 0) throw new Complaint("With -o - there is no file into which a proof could be put, so nobody waits for it.");
		const given = await givenBy(surroundings, {
			values,
			words,
			leftOut
		});
		const service = await serviceFrom(surroundings, values, { credential: "optional" });
		const labels = labelsOf(values, service);
		const telling = new Telling(surroundings, service, values.json === true);
		try {
			return await stampGiven({
				surroundings,
				acceptor: await acceptorOf(surroundings, service, labels),
				hasher,
				places,
				telling
			}, given, {
				values,
				leftOut,
				wait
			});
		} catch (error) {
			throw error instanceof Complaint ? telling.unfinished(error) : error;
		} finally {
			hasher.end();
		}
	}
};
/** What is asked with an account is known before anything is hashed. @throws Complaint */
function labelsOf(values, service) {
	const labels = {
		name: textOption(values, "name"),
		tags: textOptions(values, "tag"),
		visibility: textOption(values, "visibility")
	};
	const needing = [
		"name",
		"tag",
		"visibility"
	].find((name) => values[name] !== void 0);
	if (needing !== void 0 && !isSignedIn(service)) throw new Complaint(`--${needing} is for items of an account, and there is no credential for ${service.url.origin}.`, {
		exitCode: 4,
		...service.signIn === void 0 ? {} : { advice: service.signIn }
	});
	return labels;
}
/**
* The keys of the service are remembered, so that its evidence can be verified from now on.
* @throws Complaint when they are not those that are remembered
*/
async function acceptorOf(surroundings, service, labels) {
	const { name, keys, document } = await findKeyring(service.url.origin);
	await rememberKeyring(surroundings, name, document).catch((error) => {
		if (!(error instanceof Complaint) || error.exitCode === 1) throw error;
		surroundings.terminal.note(`! ${printable(error.message)}`);
	});
	return {
		service,
		labels,
		trust: { keyrings: [{
			name,
			keys
		}] }
	};
}
async function stampGiven(stamping, given, { values, leftOut, wait }) {
	const { surroundings, places, telling } = stamping;
	const { first, all } = await begun(given.sources, 257);
	const isTree = values.each !== true && (given.folder !== void 0 || first.length > MOST_ALONE);
	const withEvidence = values.evidence === true;
	if (withEvidence && (!isTree || places.isStdout)) throw new Complaint("--evidence writes files beside those that a manifest is about, and there is none here.");
	const [only, ...more] = first;
	if (only === void 0) {
		leftOut.tell();
		throw new Complaint("There is nothing to stamp.");
	}
	const codes = [];
	if (isTree) await stampTree(stamping, all, places.manifest(given.manifest));
	else codes.push(await stampEach(stamping, all, more.length === 0 ? places.alone : places.each));
	leftOut.tell();
	const { stamped } = telling;
	if (wait !== void 0) for (const { place } of stamped) codes.push(await waitFor(stamping, place, wait));
	const [manifest] = stamped;
	if (withEvidence && manifest !== void 0) await placeEvidence(surroundings, manifest.place, (path) => places.ofEntry(given.folder, path));
	telling.end();
	return worst(codes);
}
async function waitFor({ surroundings, acceptor: { trust }, telling }, place, wait) {
	try {
		const tried = await fillReceipt(surroundings, place, { trust }, wait);
		telling.waited(place, tried);
		return isThere(tried, wait) ? 0 : 3;
	} catch (error) {
		if (!(error instanceof Complaint)) throw error;
		tellComplaint(surroundings.terminal, error, `${place}: `);
		return pauseAfter(error, 0) === void 0 ? error.exitCode : 2;
	}
}
// server/client/stamp/upgrade.ts
var upgrade = {
	usage: "<receipt>… [--wait] [--timeout <time>] [--dry-run] [--keyring <file or address>]",
	meaning: "puts the proof into receipts, which are evidence files and manifests, once there is one",
	help: `
<receipt> is a file that says "not yet" when it is verified. The service that it names is asked for its proof. Only a
proof that is valid and belongs to this very item is put into the file, which is replaced in whole or stays as it was.

The address in a receipt is a hint that anybody may have written. What you are signed in with is sent to that very
service and to nobody else: any other is asked without it, by https (http on this computer), and named before.`,
	options: {
		wait: {
			type: "boolean",
			meaning: "until every one has its proof"
		},
		timeout: {
			type: "string",
			takes: "<time>",
			meaning: "waits no longer: 3h, unless it says otherwise. Such as 90 (seconds), 20m, 2h"
		},
		"dry-run": {
			type: "boolean",
			meaning: "asks and checks, and changes nothing"
		},
		keyring: KEYRING_OPTION,
		...TRUST_OPTIONS
	},
	exits: {
		0: "every file has its valid proof",
		1: "one was refused",
		2: "one could not be read or asked about",
		3: "not yet",
		4: "you are to sign in first"
	},
	run: async (surroundings, values, files) => {
		if (files.length === 0) throw new Complaint("Name one receipt, or more.", { advice: `${surroundings.self} upgrade --help` });
		const isDry = values["dry-run"] === true;
		if (isDry && values.wait === true) throw new Complaint("--dry-run changes nothing, so there is nothing to wait for.");
		const wait = waitOf(values);
		const trust = {
			keyrings: await keyringsFor(surroundings, values),
			logs: await logTrust(surroundings, values)
		};
		const codes = [];
		for (const file of files) codes.push(await upgradeOrTell(surroundings, file, {
			trust,
			isDry
		}, wait));
		return worst(codes);
	}
};
/** One file that cannot be upgraded keeps none of the others from it. */
async function upgradeOrTell(surroundings, file, how, wait) {
	const { terminal } = surroundings;
	try {
		const tried = await fillReceipt(surroundings, file, how, wait);
		terminal.say(`${printable(file)}  ${wordsFor(tried)}`);
		return isThere(tried) ? 0 : 3;
	} catch (error) {
		if (!(error instanceof Complaint)) throw error;
		tellComplaint(terminal, error, `${file}: `);
		return pauseAfter(error, 0) === void 0 ? error.exitCode : 2;
	}
}
function wordsFor(tried) {
	switch (tried.kind) {
		case "had": return "has its proof already";
		case "filled": return "has its proof now";
		case "there": return "its proof is there; nothing was changed";
		case "not_yet": return `not yet: ${tried.why}`;
		default: return tried;
	}
}
// shared/wire/webhook_events.ts
/** As the SQL function `item_snapshot` writes it. Never contains claims. */
var CREATED = {
	id: "01MB78W7FGY7TZHKNWE7WA3Z57",
	state: "created",
	visibility: "private",
	claims_hash: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
	metadata_hash: "2c1f7f3b8a6c0b1de1a2a5b7f4ab0c35d4a9a4f3f6f6f0a3f0c8f4a2bb7d1e90",
	item_hash: "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447",
	tags: ["invoices"],
	team_id: "01a2ce8c-be60-74a1-9884-d675915e9850",
	block_id: null,
	inserted_at: "2027-01-01T00:00:12.345Z",
	committed_at: null,
	redacted_at: null
};
var COMMITTED = {
	...CREATED,
	state: "committed",
	block_id: "01a2ce8c-be60-7b4c-8d1e-0f5a6b7c8d9e",
	committed_at: "2027-01-01T00:01:00.000Z"
};
/** As the SQL function `endpoint_snapshot` writes it. Never contains secrets, nor the address, whose path may be one. */
var ENDPOINT = {
	id: "01a2ce8e-9320-7630-bb7f-73edc8868b1d",
	kind: "push",
	description: "Accounting",
	signing: "v1",
	enabled: true,
	disabled_reason: null,
	consecutive_failures: 0,
	last_success_at: "2027-01-01T00:00:12.345Z",
	last_failure_at: null,
	updated_at: "2027-01-01T00:00:00.000Z"
};
var EVENTS = {
	"item.created": {
		fact: "item.created",
		each: "subject",
		meaning: "an item was submitted",
		example: CREATED
	},
	"item.committed": {
		fact: "block.finalized",
		each: "item_of_block",
		meaning: "its block was finalized",
		note: "From now on it has its place in the chain.",
		example: COMMITTED
	},
	"item.provable": {
		fact: "block.committed",
		each: "item_of_block",
		meaning: "a public chain confirmed its block",
		note: "From now on its proof can be fetched.",
		example: COMMITTED
	},
	"item.redacted": {
		fact: "item.redacted",
		each: "subject",
		meaning: "its claims were erased",
		note: "The hashes stay.",
		example: {
			...COMMITTED,
			state: "redacted",
			redacted_at: "2027-01-02T09:30:00.000Z"
		}
	},
	"item.unredacted": {
		fact: "item.unredacted",
		each: "subject",
		meaning: "its claims were restored",
		example: COMMITTED
	},
	"item.deleted": {
		fact: "item.deleted",
		each: "subject",
		meaning: "it is gone for good",
		note: "Only its id is told.",
		example: { id: CREATED.id }
	},
	"webhook_endpoint.failing": {
		fact: "webhook_endpoint.failing",
		each: "subject",
		meaning: "ten deliveries in a row failed for good",
		example: {
			...ENDPOINT,
			consecutive_failures: 10,
			last_failure_at: "2027-01-02T09:30:00.000Z"
		}
	},
	"webhook_endpoint.disabled": {
		fact: "webhook_endpoint.disabled",
		each: "subject",
		meaning: "an endpoint was switched off",
		example: {
			...ENDPOINT,
			enabled: false,
			disabled_reason: "manual"
		}
	},
	"webhook_endpoint.secret_rotated": {
		fact: "webhook_endpoint.secret_rotated",
		each: "subject",
		meaning: "an endpoint got a new signing key",
		note: "The key is not told.",
		example: ENDPOINT
	}
};
var isEvent = (name) => Object.hasOwn(EVENTS, name);
var EVENT_NAMES = Object.keys(EVENTS).filter(isEvent);
var isEventOf = (resource, name) => isEvent(name) && name.startsWith(`${resource}.`);
/** The events to which an endpoint of this resource may subscribe. */
var eventsOf = (resource) => EVENT_NAMES.filter((name) => isEventOf(resource, name));
// server/client/stream/forward.ts
var TIMEOUT_MS = 3e4;
/** Of an answer. What comes beyond is not read. */
var MOST_BYTES = 65536;
/** A proxy before a receiver that is down, or a receiver that asks for a pause. */
var NOT_NOW = /* @__PURE__ */ new Set([
	429,
	502,
	503,
	504
]);
async function forward(url, { headers, body }, signal) {
	const { request: send } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
	const began = performance.now();
	const bytes = Buffer.from(body);
	return new Promise((resolve) => {
		const request = send(url, {
			method: "POST",
			agent: false,
			headers: {
				...headers,
				"content-length": String(bytes.length)
			},
			signal
		}, (response) => {
			const status = response.statusCode ?? 0;
			const ms = Math.round(performance.now() - began);
			let size = 0;
			response.on("data", (chunk) => {
				size += chunk.length;
				if (size > MOST_BYTES) response.destroy();
			});
			response.on("error", () => void 0);
			response.on("close", () => clearTimeout(late));
			resolve(NOT_NOW.has(status) ? {
				kind: "down",
				why: `answered ${status}`
			} : {
				kind: "answered",
				status,
				ms
			});
		});
		const late = setTimeout(() => request.destroy(/* @__PURE__ */ new Error(`did not answer within ${TIMEOUT_MS / 1e3} seconds`)), TIMEOUT_MS);
		request.on("error", (error) => {
			clearTimeout(late);
			resolve({
				kind: "down",
				why: wordsOf(error)
			});
		});
		request.end(bytes);
	});
}
// server/client/stream/listen_place.ts
/** One endpoint may be forwarded to several receivers, each with a place of its own. */
var placeFile = (env, endpointId, to) => {
	const receiver = createHash("sha256").update(to.href).digest("hex").slice(0, 16);
	return join(configFolder(env), "listen", `${endpointId}-${receiver}.json`);
};
/** Undefined before the first run. @throws Complaint when the file is something else */
async function readPlace(path) {
	const text = await readFile(path).catch((error) => {
		if (codeOf(error) === "ENOENT") return void 0;
		throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`);
	});
	if (text === void 0) return void 0;
	try {
		const value = readStrictJson(text);
		const after = textAt(value, "after");
		const forwarded = memberAt(value, "forwarded");
		if (after !== void 0 && Array.isArray(forwarded)) return {
			after,
			forwarded: forwarded.filter((id) => typeof id === "string")
		};
	} catch (error) {
		if (!(error instanceof StrictJsonError)) throw error;
	}
	throw new Complaint(`${path} is not the place of a listener.`, { advice: "Move it away to begin anew, with --since for what was missed." });
}
/** @throws Complaint */
async function writePlace(path, { after, forwarded }) {
	try {
		await replaceFile(path, `${JSON.stringify({
			version: 1,
			after,
			forwarded
		})}\n`);
	} catch (error) {
		throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`);
	}
}
// server/client/stream/pull_endpoint.ts
var PATH = "/api/json/webhook-endpoints";
/** Names the endpoint for people, too, in the console. */
var description = () => `pharos listen on ${hostname()}`.slice(0, 200);
var SWITCHED_ON = ["data[type]=webhook_endpoint", "data[attributes][enabled]=true"];
/**
* Its events become more, never fewer: another `listen` of this computer may want the others.
* @throws Complaint, also when its owner has switched it off
*/
async function pullEndpoint({ self }, asking, events) {
	const found = await ownEndpoint(asking);
	if (found === void 0) return makeEndpoint(asking, events);
	const { id } = found;
	if (found.enabled !== true) throw new Complaint(`The endpoint of this computer is switched off: ${id}.`, {
		exitCode: 1,
		advice: `To switch it on: ${self} api PATCH webhook-endpoints/${id} ${SWITCHED_ON.map((field) => `--field ${quoted(field)}`).join(" ")} --field 'data[id]=${id}'`
	});
	const held = Array.isArray(found.events) ? found.events : [];
	if (events.some((event) => !held.includes(event))) await change(asking.service, id, { events: [.../* @__PURE__ */ new Set([...held, ...events])] });
	return {
		id,
		isNew: false,
		secret: void 0
	};
}
/** Undefined when there is none yet. @throws Complaint */
async function ownEndpoint(asking) {
	const own = description();
	let path = `${PATH}${queryOf({
		sort: "inserted_at",
		"page[limit]": String(250)
	})}`;
	while (path !== void 0) {
		const { rows, next } = await readPage(asking, path);
		const found = rows.find((row) => row.kind === "pull" && row.description === own);
		if (found !== void 0) return found;
		path = next;
	}
}
async function makeEndpoint({ service }, events) {
	const made = await askService(service, PATH, { data: {
		type: "webhook_endpoint",
		attributes: {
			kind: "pull",
			resource_type: "item",
			events,
			signing: "v1",
			description: description()
		}
	} });
	const id = textAt(memberAt(made, "data"), "id");
	if (id === void 0) throw new Complaint(`${service.url.origin} made an endpoint, and did not say which.`);
	return {
		id,
		isNew: true,
		secret: textAt(memberAt(made, "meta"), "signing_secret")
	};
}
async function change(service, id, attributes) {
	await askBytes(service, `${PATH}/${id}`, {
		method: "PATCH",
		headers: { "content-type": "application/vnd.api+json" },
		body: JSON.stringify({ data: {
			type: "webhook_endpoint",
			id,
			attributes
		} })
	});
}
/** A new secret. The one before signs beside it for a day. @throws Complaint */
async function newSecret(service, id) {
	const secret = textAt(memberAt(await askService(service, `${PATH}/${id}/rotate-secret`, { data: {} }), "result"), "signing_secret");
	if (secret === void 0) throw new Complaint("Its deliveries are not signed by a secret.", { exitCode: 1 });
	return secret;
}
/** The id of the delivery that the sample made. @throws Complaint */
async function sendSample(service, id, event) {
	const delivery = textAt(memberAt(await askService(service, `${PATH}/${id}/test`, { data: { event } }, true), "result"), "id");
	if (delivery === void 0) throw new Complaint(`${service.url.origin} did not say what it sent.`);
	return delivery;
}
/** The longest answer has 2 MiB of bodies, and what JSON needs around them. */
var LARGEST_ANSWER_BYTES = 16777216;
/** What a request takes beside its wait. */
var SLACK_MS = 15e3;
/** @param waitSeconds for which the service may hold the answer back while there is nothing */
async function pullPage({ service, signal }, id, { after, waitSeconds }) {
	const answer = readAnswer(await askBytes(service, `${PATH}/${id}/events${queryOf({
		after,
		wait: String(waitSeconds)
	})}`, {
		ceilings: {
			bytes: LARGEST_ANSWER_BYTES,
			milliseconds: waitSeconds * 1e3 + SLACK_MS
		},
		...signal === void 0 ? {} : { signal }
	}), service.url);
	const [events, next] = [memberAt(answer, "events"), textAt(answer, "next")];
	const read = Array.isArray(events) ? events.map(eventOf) : [void 0];
	const known = read.filter((one) => one !== void 0);
	if (next === void 0 || known.length < read.length) throw new Complaint(`${service.url.origin} answered with something else than events.`);
	return {
		events: known,
		next
	};
}
function eventOf(value) {
	const [id, body, headers] = [
		textAt(value, "id"),
		textAt(value, "body"),
		memberAt(value, "headers")
	];
	if (id === void 0 || body === void 0 || !isJsonObject$1(headers)) return void 0;
	const pairs = Object.entries(headers).flatMap(([name, one]) => typeof one === "string" ? [[name, one]] : []);
	return {
		id,
		body,
		headers: Object.fromEntries(pairs)
	};
}
// server/client/stream/keep_forwarding.ts
/** The longest that a service holds an answer back. */
var WAIT_SECONDS = 30;
/** A service that stops answers at once, so it may be asked again too soon. */
var SHORT_REST_MS = 1e3;
/** A receiver that is being written is back soon. */
var LONGEST_PAUSE_MS$1 = 1e4;
/** Between two writings of the place within one answer. A crash repeats what was forwarded since. */
var SAVED_EVERY_MS = 1e3;
/** Ends only when it is stopped. */
async function keepForwarding(listener, wanted) {
	const { endpointId } = wanted;
	const { terminal, stopped, rest, asking, path } = listener;
	let { after } = wanted.place;
	const forwarded = new Set(wanted.place.forwarded);
	let savedAt = performance.now();
	const save = async () => {
		await writePlace(path, {
			after,
			forwarded: [...forwarded]
		});
		savedAt = performance.now();
	};
	let isReady = false;
	let isCatchingUp = wanted.sinceMs !== void 0;
	const isPassedOver = (event) => {
		if (isCatchingUp && happenedAt(event) < (wanted.sinceMs ?? 0)) return true;
		isCatchingUp = false;
		return !wanted.events.has(event.headers["x-pharos-event"] ?? "");
	};
	try {
		for (let troubles = 0;;) {
			const began = performance.now();
			const waitSeconds = isReady && troubles === 0 ? WAIT_SECONDS : 0;
			const page = await untilAnswered(listener, () => pullPage(asking, endpointId, {
				after,
				waitSeconds
			}));
			if (!isReady) listener.tellReady(endpointId, listener.to);
			isReady = true;
			const why = await forwardAll(page);
			if (why !== void 0) {
				if (troubles === 0) terminal.note(printable(`! The receiver ${why}. What it does not take waits, in its order.`));
				await rest(backoffMs(troubles, LONGEST_PAUSE_MS$1));
				troubles += 1;
				continue;
			}
			if (troubles > 0) terminal.note("The receiver is back.");
			troubles = 0;
			if (page.next === after) {
				isCatchingUp = false;
				if (performance.now() - began < SHORT_REST_MS) await rest(SHORT_REST_MS);
				continue;
			}
			after = page.next;
			forwarded.clear();
			await save();
		}
	} finally {
		if (forwarded.size > 0) await save();
	}
	/** Why the receiver did not take one. Undefined when all are done with. */
	async function forwardAll({ events }) {
		for (const event of events) {
			if (forwarded.has(event.id)) continue;
			if (isPassedOver(event)) {
				forwarded.add(event.id);
				continue;
			}
			const outcome = await forward(listener.to, event, stopped);
			stopped.throwIfAborted();
			if (outcome.kind === "down") return outcome.why;
			const { status, ms } = outcome;
			listener.tellDelivered({
				event,
				status,
				ms,
				at: (/* @__PURE__ */ new Date()).toISOString()
			});
			forwarded.add(event.id);
			if (performance.now() - savedAt > SAVED_EVERY_MS) await save();
		}
	}
}
/** Unix milliseconds: the end of the second that the body names. Now, when it names none. */
function happenedAt({ body }) {
	const seconds = memberAt(readStrictJson(body), "timestamp");
	return typeof seconds === "number" ? seconds * 1e3 + 999 : Date.now();
}
// server/client/stream/listen.ts
var EVENTS_OF_ITEMS = eventsOf("item");
var listen = {
	usage: "--forward-to <address> [--events <names>] [--since <time>] | --print-secret",
	meaning: "forwards the events of your items to a receiver on this computer",
	help: `
For a receiver of webhooks that nobody reaches from outside, such as one that is being written. From its first run on the
service keeps the events, for 31 days, and this command fetches them: what happens while it does not run, or while the
computer sleeps, comes when it is there again. What is sent again in the console, or with api, comes again.

Each event arrives as a webhook would, with its headers and its signature, and the same bytes. They come one after the
other. A receiver that does not answer, or answers 429, 502, 503 or 504, gets the event again until it takes it; every
other answer counts as its answer. After an interruption an event may come twice, with the same webhook-id.

It makes one endpoint for this computer, called "pharos listen on …" in the console, and finds it again. It goes on
where it was, or with a new receiver from now on.

--print-secret makes a new signing secret, prints it, and ends. The one before signs beside it for a day.

"trigger item.created" sends a sample.`,
	options: {
		"forward-to": {
			type: "string",
			takes: "<address>",
			meaning: "such as http://localhost:3000/webhooks"
		},
		events: {
			type: "string",
			takes: "<names>",
			meaning: `with commas between: ${EVENTS_OF_ITEMS.join(", ")}; all of them`
		},
		since: {
			type: "string",
			takes: "<time>",
			meaning: "sends again what happened since then"
		},
		"print-secret": {
			type: "boolean",
			meaning: "prints a secret by which its events are signed, and ends"
		},
		...JSON_OPTION,
		...SERVICE_OPTIONS
	},
	exits: {
		0: "the secret is printed, or nobody reads its output any more",
		1: "the service said no",
		4: "sign in first"
	},
	run: async (surroundings, values, words) => {
		const help = { advice: `${surroundings.self} listen --help` };
		if (words.length > 0) throw new Complaint("It takes options only.", help);
		const events = eventsIn(textOption(values, "events"));
		const address = textOption(values, "forward-to");
		if (values["print-secret"] === true) return printSecret(surroundings, values, events);
		if (address === void 0) throw new Complaint("Name a receiver with --forward-to.", help);
		const to = receiverAt(address);
		const since = textOption(values, "since");
		const sinceMs = since === void 0 ? void 0 : Date.parse(sinceTime(since));
		const service = await serviceFrom(surroundings, values);
		return endless(async (stopped) => {
			const asking = {
				service,
				signal: stopped
			};
			const endpoint = await pullEndpoint(surroundings, asking, events);
			const path = placeFile(surroundings.env, endpoint.id, to);
			const place = sinceMs === void 0 ? await placeOf(asking, endpoint, path) : NOWHERE;
			const told = announcer(surroundings.terminal, values.json === true);
			await keepForwarding({
				...going(surroundings.terminal, stopped),
				asking,
				to,
				path,
				...told
			}, {
				endpointId: endpoint.id,
				events: new Set(events),
				place,
				sinceMs
			});
		});
	}
};
var NOWHERE = {
	after: "",
	forwarded: []
};
/** @throws Complaint */
function receiverAt(text) {
	if (isAddress(text) && URL.canParse(text)) return new URL(text);
	throw new Complaint(`${text} is not the address of a receiver.`, { advice: "Such as --forward-to http://localhost:3000/webhooks" });
}
/** @throws Complaint for a name that is none of an item's events */
function eventsIn(text) {
	if (text === void 0) return EVENTS_OF_ITEMS;
	const names = text.split(",").map((name) => name.trim());
	const known = names.filter((name) => isEventOf("item", name));
	const wrong = names.find((name) => !isEventOf("item", name));
	if (wrong === void 0) return [...new Set(known)];
	throw new Complaint(`${wrong === "" ? "A name" : wrong} is no event of an item.`, { advice: `Events: ${EVENTS_OF_ITEMS.join(", ")}.` });
}
async function printSecret(surroundings, values, events) {
	const service = await serviceFrom(surroundings, values);
	const { id, secret } = await pullEndpoint(surroundings, { service }, events);
	surroundings.terminal.say(secret ?? await newSecret(service, id));
	return 0;
}
/**
* Where this receiver was, or behind all that waits in an endpoint that it has not been told of before. That is
* remembered at once: what comes from now on is for this receiver, even if nobody runs when it comes.
*/
async function placeOf(asking, { id, isNew }, path) {
	const held = await readPlace(path);
	if (held !== void 0) return held;
	const place = isNew ? NOWHERE : {
		after: await presentEnd(asking, id),
		forwarded: []
	};
	await writePlace(path, place);
	return place;
}
async function presentEnd(asking, id) {
	for (let after = "";;) {
		const { next } = await pullPage(asking, id, {
			after,
			waitSeconds: 0
		});
		if (next === after) return after;
		after = next;
	}
}
/** How it tells what it does. */
var announcer = (terminal, isJson) => ({
	tellReady: (endpointId, to) => isJson ? terminal.say(jsonLine({
		type: "ready",
		endpoint_id: endpointId,
		forward_to: to.href
	})) : terminal.note(`Ready. Events are forwarded to ${printable(to.href)}`),
	tellDelivered: ({ event, status, ms, at }) => {
		const { id, headers } = event;
		const [name, messageId] = [headers["x-pharos-event"] ?? "", headers["webhook-id"] ?? ""];
		const { paint } = terminal;
		const tone = status >= 200 && status < 300 ? paint.green : paint.red;
		const row = {
			type: "forwarded",
			at,
			event: name,
			delivery_id: id,
			message_id: messageId,
			status,
			ms
		};
		terminal.say(isJson ? jsonLine(row) : `${at}  ${printable(name)}  ${printable(id)}  ${tone(String(status))}  ${ms} ms`);
	}
});
// server/client/stream/follow_chain.ts
/** Those that every reader needs. */
var CHAIN_FIELDS = "height,block_hash,previous_block_hash,finalized_at";
/** Between two full pages: half of what a caller may ask stays for others. */
var PAGE_REST_MS$1 = 1e3;
/** Blocks whose spans tell how long the next one may take. */
var SPANS = 5;
/** Never ends by itself. @param first the height of the first block; its like may not exist yet */
async function* followChain(reader, first) {
	let pace = paceOf([]);
	let last;
	const begin = async (height) => {
		const lead = await blocks(reader, {
			"filter[height][gte]": String(Math.max(0, height - SPANS - 1)),
			"filter[height][lt]": String(height)
		});
		pace = paceOf(lead);
		last = lead.at(-1);
	};
	await begin(first);
	for (let from = first, quietSince = performance.now(), isToldQuiet = false;;) {
		const page = await blocks(reader, { "filter[height][gte]": String(last?.height ?? from) });
		const isFull = page.length === 250;
		const known = last === void 0 ? void 0 : page.shift();
		if (last !== void 0 && !isSame(known, last)) {
			const [head] = await blocks(reader, {
				sort: "-height",
				"page[limit]": "1"
			});
			if (head !== void 0 && !isSame(head, last)) {
				yield {
					kind: "break",
					lost: last,
					head
				};
				from = Math.min(last.height, head.height);
				await begin(from);
			}
			await reader.rest(reader.everyMs);
			continue;
		}
		for (const block of page) {
			if (last !== void 0 && !follows(block, last)) break;
			const absentSince = pace.absentSince(block);
			if (absentSince !== void 0) yield {
				kind: "absence",
				from: absentSince,
				until: block.at
			};
			pace.take(block);
			last = block;
			yield {
				kind: "block",
				block
			};
		}
		if (page.length > 0) {
			quietSince = performance.now();
			isToldQuiet = false;
		} else if (!isToldQuiet && last !== void 0 && performance.now() - quietSince > pace.longestMs()) {
			isToldQuiet = true;
			reader.terminal.note(`! No block since ${last.at}.`);
		}
		await reader.rest(isFull ? Math.min(PAGE_REST_MS$1, reader.everyMs) : reader.everyMs);
	}
}
var isSame = (one, other) => one?.height === other.height && one.hash === other.hash;
var follows = (block, last) => block.height === last.height + 1 && block.previousHash === last.hash;
/** Blocks of the service, in ascending order of height unless the query says otherwise. */
async function blocks(reader, query) {
	const { asking, fields } = reader;
	const path = `/api/json/blocks${queryOf({
		sort: "height",
		"page[limit]": String(250),
		...fields === void 0 ? {} : { "fields[block]": fields },
		...query
	})}`;
	const { rows } = await untilAnswered(reader, () => readPage(asking, path));
	return rows.map((row) => ({
		height: numberOf(row, "height"),
		hash: textOf(row, "block_hash"),
		previousHash: textOf(row, "previous_block_hash"),
		at: textOf(row, "finalized_at"),
		row
	}));
}
/** A span is an absence when it is much longer than those before it, and not only some seconds longer. */
var LONG = {
	times: 3,
	leastMs: 3e4
};
/** Before there are blocks to judge by: about one a minute. */
var USUAL_MS = 6e4;
function paceOf(lead) {
	const times = [];
	const take = ({ at }) => {
		times.push(Date.parse(at));
		if (times.length > 6) times.shift();
	};
	for (const block of lead) take(block);
	const longestMs = () => {
		const spans = times.slice(1).map((time, index) => time - (times[index] ?? time));
		const usual = spans.sort((one, other) => one - other)[Math.floor(spans.length / 2)] ?? USUAL_MS;
		return Math.max(LONG.leastMs, LONG.times * usual);
	};
	return {
		take,
		longestMs,
		/** The time of the block before, when there was none for long. */
		absentSince: ({ at }) => {
			const before = times.at(-1);
			if (before === void 0 || Date.parse(at) - before <= longestMs()) return void 0;
			return new Date(before).toISOString();
		}
	};
}
// server/client/stream/chain_start.ts
/**
* The height of the first block to tell. It is beyond the newest one when all that is told is still to come.
* @throws Complaint when the place is none
*/
async function chainStart(reader, start) {
	if ("newest" in start) return Math.max(0, await headHeight(reader) + 1 - start.newest);
	const { since } = start;
	const names = readNames(since, Date.now());
	const place = names.find(({ kind }) => kind === "time") ?? names[0];
	const block = place === void 0 ? void 0 : await blockAt(reader, place);
	if (block !== void 0) return block.height + (place?.kind === "time" ? 0 : 1);
	if (place?.kind === "time") return await headHeight(reader) + 1;
	throw new Complaint(`There is no block ${since}.`, {
		exitCode: 1,
		advice: "--since takes the height, the hash or the id of a block, or a time such as 2026-11-26T18:00:00Z."
	});
}
async function headHeight(reader) {
	const [head] = await blocks(reader, {
		sort: "-height",
		"page[limit]": "1"
	});
	return head?.height ?? -1;
}
async function blockAt(reader, place) {
	const query = questionOf(place);
	return query === void 0 ? void 0 : (await blocks(reader, {
		...query,
		"page[limit]": "1"
	}))[0];
}
/** Undefined for what no block is called by. */
function questionOf(place) {
	switch (place.kind) {
		case "height": return { "filter[height]": String(place.height) };
		case "hash": return { "filter[block_hash]": place.hash };
		case "id": return { "filter[id]": place.id };
		case "time": return {
			"filter[finalized_at][gte]": new Date(place.from).toISOString(),
			sort: "finalized_at"
		};
		case "item":
		case "message":
		case "digest": return;
		default: return place;
	}
}
// server/client/stream/follow_list.ts
/** Milliseconds. No transaction that makes rows takes longer. */
var WINDOW_MS = 12e4;
var MOST_SEEN = 1e5;
/** Between two full pages: half of what a caller may ask stays for others. */
var PAGE_REST_MS = 1e3;
/** Never ends by itself. */
async function* followList(reader, start) {
	const seen = new SeenRows(reader.mostSeen ?? MOST_SEEN, () => reader.terminal.note("! More is made than can be remembered: a row that comes late may be missed."));
	if ("since" in start) seen.beginAt(start.since);
	else yield* newestRows(reader, seen, start.newest);
	for (;;) {
		for await (const row of rowsFrom(reader, seen.floor)) if (seen.isNew(row)) yield row;
		await reader.rest(reader.everyMs);
	}
}
/** What is in the window is seen, whether it is told or not. */
async function* newestRows(reader, seen, count) {
	const [newest] = await newestBefore(reader, void 0, 1);
	if (newest === void 0) return;
	seen.beginAt((/* @__PURE__ */ new Date(timeOf(newest) - WINDOW_MS)).toISOString());
	const { floor } = seen;
	const told = [];
	for await (const row of rowsFrom(reader, floor)) {
		if (seen.isNew(row)) told.push(row);
		if (told.length > count) told.shift();
	}
	yield* (count > told.length ? await newestBefore(reader, floor, count - told.length) : []).reverse();
	yield* told;
}
async function newestBefore(reader, before, count) {
	const path = `${reader.path}${queryOf({
		sort: "-inserted_at",
		"page[limit]": String(count),
		...before === void 0 ? {} : { "filter[inserted_at][lt]": before }
	})}`;
	const { rows } = await untilAnswered(reader, () => readPage(reader.asking, path));
	return [...rows];
}
/** In the order in which they were made. */
async function* rowsFrom(reader, floor) {
	let path = `${reader.path}${queryOf({
		sort: "inserted_at",
		"page[limit]": String(250),
		...floor === void 0 ? {} : { "filter[inserted_at][gte]": floor }
	})}`;
	while (path !== void 0) {
		const asked = path;
		const { rows, next } = await untilAnswered(reader, () => readPage(reader.asking, asked));
		yield* rows;
		path = next;
		if (path !== void 0) await reader.rest(Math.min(PAGE_REST_MS, reader.everyMs));
	}
}
var timeOf = (row) => Date.parse(textOf(row, "inserted_at"));
/** The rows of the last two minutes before the newest. */
var SeenRows = class {
	#times = /* @__PURE__ */ new Map();
	#most;
	#onFull;
	#newest = Number.NEGATIVE_INFINITY;
	#floor = Number.NEGATIVE_INFINITY;
	#isFull = false;
	constructor(most, onFull) {
		this.#most = most;
		this.#onFull = onFull;
	}
	beginAt(time) {
		this.#floor = Date.parse(time);
	}
	/** From when on rows are to be read again. Undefined before there is any. */
	get floor() {
		return Number.isFinite(this.#floor) ? new Date(this.#floor).toISOString() : void 0;
	}
	/** Whether it was not seen before. It is from now on. */
	isNew(row) {
		const time = timeOf(row);
		if (this.#times.has(row.id) || time < this.#floor) return false;
		this.#times.set(row.id, time);
		if (time > this.#newest) {
			this.#newest = time;
			this.#raise(time - WINDOW_MS);
		}
		if (this.#times.size > this.#most) this.#shorten();
		return true;
	}
	/** Rows come in the order of their times, but for those that come late. These go when they are the first. */
	#raise(floor) {
		if (floor <= this.#floor) return;
		this.#floor = floor;
		for (const [id, time] of this.#times) {
			if (time >= floor) break;
			this.#times.delete(id);
		}
	}
	#shorten() {
		const times = [...this.#times.values()].sort((one, other) => one - other);
		this.#raise((times[Math.floor(times.length / 2)] ?? this.#floor) + 1);
		for (const [id, time] of this.#times) if (time < this.#floor) this.#times.delete(id);
		if (!this.#isFull) this.#onFull();
		this.#isFull = true;
	}
};
// server/client/stream/run_for_row.ts
/** A program and its words. A word has no spaces in it, because nothing here reads quotes. */
function readProgram(text) {
	const [program, ...words] = text.split(/\s+/).filter((word) => word !== "");
	if (program === void 0) throw new Complaint("--exec names no program.");
	return [program, ...words];
}
/** Resolves with how it ended: undefined when all is well. @throws Complaint when it cannot be started */
function runForRow([program, ...words], line) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, words, {
			stdio: [
				"pipe",
				"inherit",
				"inherit"
			],
			shell: false
		});
		child.on("error", (error) => reject(new Complaint(codeOf(error) === "ENOENT" ? `There is no program ${program}.` : `${program} could not be started: ${wordsOf(error)}`)));
		child.on("close", (code, signal) => resolve(code === 0 ? void 0 : `${code ?? signal}`));
		child.stdin.on("error", () => void 0);
		child.stdin.end(`${line}\n`);
	});
}
// server/client/stream/tail.ts
var tail = {
	usage: "[beacons|blocks|items|deliveries] [--since <place>] [-n <rows>] [--exec <program>]",
	meaning: "prints what the service makes, as it is made",
	help: `
Beacons, unless other rows are named. The newest ten come first, and then each as it is made.

Beacons and blocks are read by their height, so none is left out and none comes twice, whatever becomes of the service
meanwhile. --since a height, a hash or an id goes on behind that one; --since a time begins with what was made then or
later. Where no block was made for long, one line says so, and another where the service shows another chain.

Items and deliveries are read by their time: each once, as it is when it is first read. Their --since is a time.

With --exec a program is run for each row, one after the other, instead of printing it. It gets the row as JSON on
its standard input. It is run without a shell: what follows its name is split at spaces. When it fails, this command
ends too, and says how to go on from there.

Times: 2026-11-26, 2026-11-26T18:00:00Z, 14:02, yesterday, "2 hours ago"; all in UTC.`,
	options: {
		since: {
			type: "string",
			takes: "<place>",
			meaning: "where to begin, instead of the newest rows"
		},
		rows: {
			type: "string",
			short: "n",
			takes: "<rows>",
			meaning: "newest rows to begin with: 10"
		},
		exec: {
			type: "string",
			takes: "<program>",
			meaning: "is run for each row"
		},
		every: {
			type: "string",
			takes: "<seconds>",
			meaning: "time between two looks: 5"
		},
		...JSON_OPTION,
		...SERVICE_OPTIONS
	},
	exits: {
		0: "nobody reads its output any more",
		1: "the service said no, or the program of --exec failed",
		4: "sign in first"
	},
	run: async (surroundings, values, [noun = "beacons", ...more]) => {
		const what = Object.hasOwn(FOLLOWERS, noun) && more.length === 0 ? FOLLOWERS[noun] : void 0;
		if (what === void 0) throw new Complaint(`Name one of ${Object.keys(FOLLOWERS).join(", ")}.`, { advice: `${surroundings.self} tail --help` });
		const options = readOptions(values);
		const service = await serviceFrom(surroundings, values);
		return endless(async (stopped) => {
			const reader = {
				...going(surroundings.terminal, stopped),
				asking: {
					service,
					signal: stopped
				}
			};
			const show = outlet(surroundings, values, {
				noun,
				stopped
			});
			for await (const shown of what({
				...reader,
				everyMs: options.everyMs
			}, options)) await show(shown);
		});
	}
};
function readOptions(values) {
	const since = textOption(values, "since");
	if (since !== void 0 && values.rows !== void 0) throw new Complaint("--since says where to begin, so -n has nothing to say.");
	return {
		since,
		rows: wholeOption(values, "rows", {
			usual: 10,
			least: 0,
			most: 250
		}),
		everyMs: 1e3 * wholeOption(values, "every", {
			usual: 5,
			least: 1,
			most: 86400
		})
	};
}
function wholeOption(values, name, { usual, least, most }) {
	const text = textOption(values, name) ?? String(usual);
	if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most) throw new Complaint(`--${name} takes a whole number from ${least} to ${most}.`);
	return Number(text);
}
var followsChain = (fields, rowOf) => async function* (reader, { since, rows }) {
	const chain = {
		...reader,
		...fields === void 0 ? {} : { fields }
	};
	const first = await chainStart(chain, since === void 0 ? { newest: rows } : { since });
	for await (const event of followChain(chain, first)) yield shownOfChain(event, rowOf);
};
var followsList = (path) => async function* (reader, { since, rows }) {
	const start = since === void 0 ? { newest: rows } : { since: sinceTime(since) };
	for await (const row of followList({
		...reader,
		path
	}, start)) yield {
		...shownRow(row),
		again: textOf(row, "inserted_at")
	};
};
var FOLLOWERS = {
	beacons: followsChain(CHAIN_FIELDS, beaconOf),
	blocks: followsChain(void 0, ({ row }) => row),
	items: followsList("/api/json/items"),
	deliveries: followsList("/api/json/webhook-deliveries")
};
/** The four fields of a beacon, and its height. */
function beaconOf({ height, hash, previousHash, at, row }) {
	return {
		type: "beacon",
		id: row.id,
		height,
		hash,
		timestamp: at,
		previous_hash: previousHash
	};
}
var shownRow = (row) => ({
	row,
	document: row,
	line: ({ paint }) => rowLine(row, paint)
});
function shownOfChain(event, rowOf) {
	switch (event.kind) {
		case "block": return {
			...shownRow(rowOf(event.block)),
			again: placeBefore(event.block)
		};
		case "absence": {
			const { from, until } = event;
			const seconds = Math.round((Date.parse(until) - Date.parse(from)) / 1e3);
			return {
				document: {
					type: "absence",
					from,
					until,
					seconds
				},
				line: ({ paint }) => paint.yellow(`--- no block for ${duration(seconds)}: ${from} to ${until}`),
				again: until
			};
		}
		case "break": {
			const [lost, head] = [event.lost, event.head].map(({ height, hash }) => ({
				height,
				hash
			}));
			return {
				document: {
					type: "break",
					lost: { ...lost },
					head: { ...head }
				},
				line: ({ paint }) => paint.red(`--- the service shows another chain: block ${lost?.height} (${lost?.hash}) is gone, and the newest is block ${head?.height} (${head?.hash})`),
				again: String(event.head.height)
			};
		}
		default: return event;
	}
}
/** A height that is named was read. Before the first block there is only its time. */
var placeBefore = ({ height, at }) => height === 0 ? at : String(height - 1);
var duration = (seconds) => seconds < 120 ? plural(seconds, "second") : plural(Math.round(seconds / 60), "minute");
/** Prints what comes, or runs a program for it. */
function outlet({ terminal, self }, values, { noun, stopped }) {
	const exec = textOption(values, "exec");
	const program = exec === void 0 ? void 0 : readProgram(exec);
	return async ({ row, document, line, again }) => {
		if (program === void 0 || row === void 0) {
			const text = values.json === true ? jsonLine(document) : line(terminal);
			if (program === void 0) terminal.say(text);
			else terminal.note(text);
			if (process$1.stdout.writableNeedDrain) await once(process$1.stdout, "drain", { signal: stopped });
			return;
		}
		const end = await runForRow(program, jsonLine(document));
		if (end !== void 0) throw new Complaint(`${program[0]} ended with ${end} for ${row.type.replaceAll("_", " ")} ${row.id}.`, {
			exitCode: 1,
			advice: `Nothing was passed over. To go on with it: ${self} tail ${noun} --since ${again} --exec ${quoted(exec ?? "")}`
		});
	};
}
// server/client/stream/trigger.ts
var trigger = {
	usage: "<event> [--endpoint <id>]",
	meaning: "lets the service send a sample of an event",
	help: `
The sample has "test": true in its data, and comes to "listen" on this computer, or to another endpoint of yours.
Events: ${EVENT_NAMES.join(", ")}.`,
	options: {
		endpoint: {
			type: "string",
			takes: "<id>",
			meaning: "of a webhook endpoint; that of \"listen\" on this computer"
		},
		...JSON_OPTION,
		...SERVICE_OPTIONS
	},
	exits: {
		0: "the service has taken it",
		1: "the service said no",
		4: "sign in first"
	},
	run: async (surroundings, values, [event = "", ...more]) => {
		const { self, terminal } = surroundings;
		if (!isEvent(event) || more.length > 0) throw new Complaint(event === "" ? "Name one event." : `${event} is no event.`, { advice: `Events: ${EVENT_NAMES.join(", ")}.` });
		const service = await serviceFrom(surroundings, values);
		const endpointId = textOption(values, "endpoint") ?? (await ownEndpoint({ service }))?.id;
		if (endpointId === void 0) throw new Complaint("Nothing listens on this computer yet.", {
			exitCode: 1,
			advice: `${self} listen --forward-to http://localhost:3000/webhooks`
		});
		const id = await sendSample(service, encodeURIComponent(endpointId), event);
		terminal.say(values.json === true ? jsonLine({
			type: "webhook_delivery",
			id,
			event_type: event,
			endpoint_id: endpointId
		}) : `A sample of ${event} is delivered as ${id}.`);
		return 0;
	}
};
// server/client/verify/info.ts
var info = {
	usage: "<proof> [--json]",
	meaning: "prints what is in a proof, without judging it",
	help: `
<proof> is a file that "verify" takes, or - for standard input. What it says of itself is printed, be it true or not.`,
	options: { json: {
		type: "boolean",
		meaning: "prints it as JSON"
	} },
	exits: {
		0: "it was read",
		2: "it could not be read"
	},
	run: async ({ terminal, self }, values, [source, ...more]) => {
		if (source === void 0 || more.length > 0) throw new Complaint("Name one proof, or - for standard input.", { advice: `${self} info --help` });
		const facts = factsOf(await readGiven(terminal, source));
		if (values.json === true) {
			sayDocument(terminal, Object.fromEntries(facts));
			return 0;
		}
		terminal.say(`This is what it says of itself. Whether that is true is for "verify" to say.`);
		terminal.say("");
		for (const [name, value] of facts) for (const [at, line] of (Array.isArray(value) ? value : [String(value)]).entries()) terminal.say(`  ${(at === 0 ? name.replaceAll("_", " ") : "").padEnd(NAME_WIDTH$1)} ${printable(line)}`);
		return 0;
	}
};
var NAME_WIDTH$1 = 16;
function factsOf(given) {
	switch (given.kind) {
		case "bundle": return [["kind", "proof bundle"], ...factsOfBundle(given.read)];
		case "ots": return [["kind", "OpenTimestamps proof"], ...factsOfOts(given.read)];
		case "evidence": return given.manifest === void 0 ? [
			["kind", kindOf("evidence", given.evidence)],
			...factsOfDigest(given.evidence),
			...factsOfItem(given.evidence, EVIDENCE)
		] : [
			["kind", kindOf("manifest", given.evidence)],
			...factsOfManifest(given.manifest),
			...factsOfItem(given.evidence, MANIFEST)
		];
		default: return given;
	}
}
var kindOf = (what, { bundle }) => bundle === void 0 ? `${what} without a proof so far` : `${what} with its proof`;
var present = (name, value) => value === void 0 ? [] : [[name, value]];
function factsOfDigest({ digest, name, trees, timeStamp }) {
	return [
		["digest", `${digest.type} ${toHex(digest.value)}`],
		...present("name", name),
		...trees.map(({ size, index, salt }, at) => {
			return [at === 0 ? "tree" : "tree_above", `entry ${index} of ${size}${salt === void 0 ? "" : ", salted"}`];
		}),
		...present("time_stamp", timeStamp && "an RFC 3161 token")
	];
}
var factsOfManifest = ({ header: { size, above } }) => [["files", size - 1], ...above.map(({ size: of, index }) => ["tree_above", `entry ${index} of ${of}`])];
function factsOfItem({ item, bundle, logProof, document }, { known, own }) {
	const strangers = Object.keys(document).filter((member) => !known.includes(member) && !own.includes(member));
	return [
		["service", item.service],
		["item", item.id],
		...present("accepted_at", utcSeconds(ulidTime(item.id))),
		["claims", canonicalJson(item.claims)],
		["signing_key", toHex(item.signingKeyId)],
		...bundle === void 0 ? [] : factsOfCarried(bundle),
		...logProof === void 0 ? [] : factsOfLog(logProof),
		...strangers.length === 0 ? [] : [["unknown_members", strangers]]
	];
}
/** Members that have a meaning. What is read of a manifest is made into evidence. */
var EVIDENCE = {
	known: [
		"item",
		"trees",
		"bundle",
		"log_proof"
	],
	own: [
		"pharos_evidence",
		"digest",
		"name",
		"time_stamp"
	]
};
var MANIFEST = {
	...EVIDENCE,
	own: ["pharos_evidence", "digest"]
};
function factsOfCarried(bundle) {
	try {
		return factsOfBundle(readBundleObject(bundle)).filter(([name]) => name !== "name");
	} catch (error) {
		if (error instanceof BundleRejected) return [["bundle", "cannot be read"]];
		throw error;
	}
}
function factsOfBundle(read) {
	const { keyId, name, claimedHash, blockId, chains } = bundleFacts(read);
	return [
		["proof_of", `${read.type} ${textOf$2(read.subject?.id) ?? blockId ?? "(no id)"}`],
		["layout", read.layout],
		...present("name", name),
		...present("hash", claimedHash && `${claimedHash.type} ${claimedHash.hex}`),
		...present("block", blockId),
		...present("proof_key", keyId),
		["public_chains", chains.map(({ chain, network }) => `${chain} ${network}`)]
	];
}
function factsOfLog(text) {
	const proof = readOrUndefined(() => readLogProof(text));
	const checkpoint = proof && readOrUndefined(() => readSignedCheckpoint(utf8(proof.checkpoint)));
	if (proof === void 0 || checkpoint === void 0) return [["public_log", "cannot be read"]];
	const { origin, size, note } = checkpoint;
	return [["public_log", `entry ${proof.index} of ${size} of ${origin}`], ["log_signatures", note.signatures.map(({ name }) => name)]];
}
var factsOfOts = (read) => [["digest", `${read.hashType} ${toHex(read.digest)}`], ["attestations", attestedMessages(read).map(({ attestation }) => {
	switch (attestation.kind) {
		case "bitcoin": return `Bitcoin block ${attestation.height}`;
		case "pending": return `promised by ${attestation.address}`;
		case "unknown": return `of an unknown kind (${toHex(attestation.tag)})`;
		default: return attestation;
	}
})]];
// server/client/verify/status.ts
var status = {
	usage: "<file or id>… [--json] [--url <service>]",
	meaning: "says how far items are: stored, in a block, on public chains, seen by witnesses",
	help: `
<file> is evidence or a manifest: the service that it names is asked about its item. <id> is that of an item of yours.
What is told is what they say: "verify" checks it.`,
	options: {
		json: {
			type: "boolean",
			meaning: "prints a list as JSON"
		},
		...SERVICE_OPTIONS
	},
	exits: {
		0: "every one is on a public chain",
		1: "there is none such",
		2: "one could not be read or asked about",
		3: "not yet",
		4: "you are to sign in first"
	},
	run: async (surroundings, values, sources) => {
		const { terminal, self } = surroundings;
		if (sources.length === 0) throw new Complaint("Name evidence files or ids of items.", { advice: `${self} status --help` });
		const codes = [];
		const shown = [];
		for (const source of sources) try {
			const standing = await standingOf(surroundings, values, source);
			codes.push(standing.publicChains.length > 0 ? 0 : 3);
			if (values.json === true) shown.push(shownStanding(source, standing));
			else printStanding(surroundings, source, standing);
		} catch (error) {
			if (!(error instanceof Complaint)) throw error;
			codes.push(error.exitCode);
			tellComplaint(terminal, error, `${source}: `);
		}
		if (values.json === true) sayDocument(terminal, shown);
		return worst(codes);
	}
};
async function standingOf(surroundings, values, source) {
	if (!existsSync(source) && isUlid(source.toUpperCase())) return ofItem(await serviceFrom(surroundings, values), source.toUpperCase());
	const given = await readGiven(surroundings.terminal, source);
	if (given.kind !== "evidence") throw new Complaint("It names no item that could be asked about.", { advice: `${surroundings.self} verify --help` });
	const { evidence } = given;
	const { bundle, logProof } = evidence;
	return ofEvidence(evidence, bundle === void 0 ? await askFor(surroundings, source, evidence) : {
		kind: "answer",
		answer: {
			bundle,
			logProof
		}
	});
}
function ofEvidence({ item }, asked) {
	const stored = {
		itemId: item.id,
		service: item.service
	};
	if (asked.kind === "not_yet") return {
		...stored,
		block: asked.isInBlock ? "yes" : void 0,
		publicChains: [],
		witnesses: [],
		dueSeconds: asked.retryAfterSeconds
	};
	const { bundle, logProof } = asked.answer;
	const { blockId, chains } = bundleFacts(readBundleObject(bundle));
	const log = logProof === void 0 ? void 0 : seenIn(logProof);
	return {
		...stored,
		block: log === void 0 ? blockId : `height ${log.height}, ${blockId}`,
		publicChains: chains.map(({ chain, network }) => `${chain} ${network}`),
		witnesses: log?.witnesses ?? [],
		dueSeconds: void 0
	};
}
/** What its owner may read. */
async function ofItem(service, id) {
	const document = await askService(service, `/api/json/items/${id}?include=block,block.commitments`);
	const attributes = memberIn(memberIn(document, "data"), "attributes");
	const included = memberIn(document, "included");
	const ofType = (type) => (Array.isArray(included) ? included : []).filter((resource) => textAt(resource, "type") === type).flatMap((resource) => memberIn(resource, "attributes") ?? []).filter(isJsonObject$1);
	const [block] = ofType("block");
	const height = block && memberOf(block, "height");
	const publicChains = ofType("commitment").filter((commitment) => textAt(commitment, "state") === "confirmed").map((commitment) => `${textAt(commitment, "chain")} ${textAt(commitment, "network")}`);
	const asked = publicChains.length > 0 ? void 0 : await askItem(service, id);
	return {
		itemId: id,
		service: service.url.origin,
		block: block && `height ${height}, ${textAt(attributes, "block_id")}`,
		publicChains,
		witnesses: typeof height === "number" ? await witnessesAt(service, height) : [],
		dueSeconds: asked?.kind === "not_yet" ? asked.retryAfterSeconds : void 0
	};
}
var memberIn = (value, name) => isJsonObject$1(value) ? memberOf(value, name) : void 0;
/** None also when the log does not hold the block yet. */
async function witnessesAt(service, height) {
	try {
		return seenIn(new TextDecoder().decode(await askBytes(service, `/log/proof/${height}`)))?.witnesses ?? [];
	} catch (error) {
		if (error instanceof ServiceRefused) return [];
		throw error;
	}
}
function seenIn(logProof) {
	return readOrUndefined(() => {
		const { index, checkpoint } = readLogProof(logProof);
		const { origin, note } = readSignedCheckpoint(utf8(checkpoint));
		const names = note.signatures.map(({ name }) => name).filter((name) => name !== origin);
		return {
			height: index,
			witnesses: [...new Set(names)]
		};
	});
}
var storedAt = (itemId) => utcSeconds(ulidTime(itemId)) ?? "at no known time";
function shownStanding(source, { itemId, service, ...standing }) {
	return {
		source,
		item_id: itemId,
		service,
		stored_at: storedAt(itemId),
		block: standing.block ?? null,
		public_chains: standing.publicChains,
		witnesses: standing.witnesses,
		due_in_seconds: standing.dueSeconds ?? null
	};
}
function printStanding({ terminal: { say, paint } }, source, standing) {
	const { itemId, service, block, publicChains, witnesses, dueSeconds } = standing;
	const line = (isThere, what, words) => say(`  ${isThere ? paint.green("✓") : paint.dim("-")} ${what.padEnd(14)} ${printable(words)}`);
	say(paint.bold(printable(source)));
	line(true, "stored", `${storedAt(itemId)}, item ${itemId} of ${service}`);
	line(block !== void 0, "in a block", block ?? "not yet");
	const due = dueSeconds === void 0 ? "" : `; expected in ${shownWait(dueSeconds)}`;
	const isPublic = publicChains.length > 0;
	line(isPublic, "public chains", isPublic ? publicChains.join(", ") : `not yet${due}`);
	line(witnesses.length > 0, "witnesses", witnesses.length > 0 ? witnesses.join(", ") : "none is told of");
}
var shownWait = (seconds) => seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
// shared/evidence/judge_evidence.ts
/** A report as JSON, e.g. `{"verdict": "not_yet", "item_id": "01…", "rows": […]}`. */
var shownReport = ({ item }, { verdict, rows, bundle }) => ({
	verdict,
	item_id: item.id,
	rows,
	bundle: bundle?.report
});
function judgeEvidence({ item }, { verdict, rows, acceptedAt, bundle }, keyrings) {
	const accepted = shownTime$1(utcSeconds(acceptedAt) ?? "a time that is none");
	const keyId = toHex(item.signingKeyId);
	const said = (sentence, reservations) => ({
		headline: HEADLINES[verdict],
		sentence,
		reservations
	});
	const words = rows.filter(({ status, group }) => status === "warn" && group !== "Bundle").map(({ message }) => message);
	switch (verdict) {
		case "valid": {
			if (bundle === void 0) return said("", words);
			const { read, report } = bundle;
			return said(judgeReport(read, report, keyrings).sentence, [...words, ...chainReservations(read, report, bundleFacts(read))]);
		}
		case "not_yet": return said(`The service accepted this at ${accepted} and signed that by key ${keyId}. No block with it is committed to a public chain yet, as far as this file knows.`, words);
		case "key_open": return said(`${rows.some(({ status, group }) => status === "pass" && group === "Item Signature") ? "Every hash, path and signature fits." : `Every hash and path fits. The signature of the item, by key ${keyId}, was not checked.`} But none of the keyrings at hand has the key that signed this, and anybody can make such a file with a key of his own.`, words);
		case "not_valid": {
			const failed = rows.filter(({ status }) => status === "fail").map(({ group }) => group);
			return said(`Failed: ${[...new Set(failed)].join(", ")}.`, []);
		}
		default: return verdict;
	}
}
var HEADLINES = {
	valid: "Valid",
	not_yet: "Not yet",
	key_open: "Not confirmed: whose key is it?",
	not_valid: "Not valid"
};
// shared/evidence/verify_ots.ts
/** @param fileDigest of the file at hand, by the hash function that `read.hashType` names */
async function verifyOts(read, sources, fileDigest) {
	const attested = attestedMessages(read);
	const checked = [];
	for (const [at, block] of blocksOf(attested).entries()) checked.push(await checkBlock(block, at < MOST_LOOKUPS ? sources : {
		...sources,
		lookups: void 0
	}));
	const blocks = checked.flatMap(({ block }) => block ?? []);
	const known = attested.filter(({ attestation: { kind } }) => kind !== "unknown");
	const rows = [
		...inGroup("Digest", digestFindings({
			type: read.hashType,
			value: read.digest
		}, fileDigest)),
		...inGroup("Bitcoin", besideEachOther(checked)),
		...inGroup("Calendar", promiseFindings(attested)),
		...inGroup("Bitcoin", known.length > 0 ? [] : [fail("No attestation in it is of a kind that is known.")])
	];
	return {
		verdict: verdictOf(rows, blocks),
		rows,
		blocks
	};
}
var CATEGORIES = {
	Digest: "data_integrity",
	Bitcoin: "blockchain",
	Calendar: "timing"
};
var inGroup = (group, findings) => findings.map(({ status, message }) => ({
	group,
	category: CATEGORIES[group],
	status,
	message
}));
/** Files of the usual client name one block for each calendar, and there are four of those. */
var MOST_LOOKUPS = 8;
/** One block is enough: whoever puts a false one beside it takes nothing from it. */
function besideEachOther(checked) {
	const isConfirmed = checked.some(({ block }) => block?.confirmedBy !== void 0);
	return checked.flatMap(({ findings }) => findings).map((finding) => isConfirmed && finding.status === "fail" ? warn(finding.message) : finding);
}
function verdictOf(rows, blocks) {
	if (rows.some(({ status }) => status === "fail")) return "not_valid";
	if (blocks.some(({ confirmedBy }) => confirmedBy !== void 0)) return "valid";
	return blocks.length > 0 ? "not_asked" : "not_yet";
}
function blocksOf(attested) {
	const blocks = /* @__PURE__ */ new Map();
	for (const { attestation, message } of attested) {
		if (attestation.kind !== "bitcoin") continue;
		const block = {
			height: attestation.height,
			merkleRoot: displayHash(message)
		};
		blocks.set(`${block.height} ${block.merkleRoot}`, block);
	}
	return [...blocks.values()];
}
async function checkBlock(block, { lookups, merkleRoots }) {
	const { height, merkleRoot } = block;
	if (merkleRoot.length !== 64) return {
		block: void 0,
		findings: [fail("The operations lead to something else than a Merkle root.")]
	};
	const entered = merkleRoots?.get(height);
	if (entered !== void 0) return compareEntered(block, entered);
	if (lookups !== void 0) return askBlock(lookups, block);
	return {
		block,
		findings: [warn(`Bitcoin block ${height} must have Merkle root ${merkleRoot}: that was not looked up.`)]
	};
}
function compareEntered(block, entered) {
	const { height, merkleRoot } = block;
	if (entered !== merkleRoot) return {
		block,
		findings: [fail(`The Merkle root that was entered for Bitcoin block ${height} is not that of the operations.`)]
	};
	return {
		block: {
			...block,
			confirmedBy: "reader"
		},
		findings: [pass(`The operations lead to the Merkle root that was entered for Bitcoin block ${height}.`), warn(`The Merkle root of Bitcoin block ${height} came from you, and nobody was asked: this says as much as the place where you looked it up.`)]
	};
}
/** An attestation names no network, so the test network is asked about what is not on the main one. */
async function askBlock(lookups, block) {
	const { height, merkleRoot } = block;
	const main = await look$1(lookups, bitcoinBlockAt("mainnet", height));
	if (main.outcome === "unreachable") return {
		block,
		findings: [warn(`Bitcoin block ${height} could not be looked up: ${main.why}.`)]
	};
	if (main.outcome === "found" && main.value.merkleRoot === merkleRoot) return confirmed(block, "mainnet", main.value.timestamp);
	const other = main.outcome === "found" ? `Block ${height} of Bitcoin mainnet has Merkle root ${shown(main.value.merkleRoot)}, not ${merkleRoot}.` : `Block ${height} of Bitcoin mainnet is not there.`;
	const test = await look$1(lookups, bitcoinBlockAt("testnet", height));
	if (test.outcome === "found" && test.value.merkleRoot === merkleRoot) return confirmed(block, "testnet", test.value.timestamp);
	if (test.outcome === "unreachable") return {
		block,
		findings: [warn(`${other} That of testnet could not be looked up: ${test.why}.`)]
	};
	return {
		block,
		findings: [fail(`${other} The attestation is of another network, such as a development chain, or it is false.`)]
	};
}
var confirmed = (block, confirmedBy, seconds) => ({
	block: {
		...block,
		confirmedBy,
		time: seconds * 1e3
	},
	findings: [pass(`Block ${block.height} of Bitcoin ${confirmedBy} has the Merkle root to which the operations lead. It was made ${utcSeconds(seconds * 1e3) ?? "at no known time"}.`), ...confirmedBy === "mainnet" ? [] : [warn("That is a network for trials, which is started anew: what stands there does not last.")]]
});
var promiseFindings = (attested) => attested.flatMap(({ attestation }) => {
	if (attestation.kind === "pending") return [info$1(`The calendar at ${attestation.address} promises a proof.`)];
	return attestation.kind === "unknown" ? [info$1("An attestation of an unknown kind counts for nothing.")] : [];
});
/** A report as JSON. */
var shownOts = ({ digest, hashType }, { verdict, rows, blocks }) => ({
	verdict,
	digest: {
		type: hashType,
		value: shown(digest)
	},
	rows,
	blocks
});
function judgeOts({ hashType }, { verdict, rows, blocks }) {
	const words = rows.filter(({ status }) => status === "warn").map(({ message }) => message);
	const heights = blocks.map(({ height }) => height).join(", ");
	switch (verdict) {
		case "valid": return {
			headline: "Valid",
			sentence: `What has this ${hashType} digest was there when ${firstConfirmed(blocks)}.`,
			reservations: words
		};
		case "not_yet": return {
			headline: "Not yet",
			sentence: "No Bitcoin block attests to this so far, as far as this file knows. Calendars have promised that one will: “ots upgrade” asks them for it.",
			reservations: words
		};
		case "not_asked": return {
			headline: "Not confirmed: what does Bitcoin say?",
			sentence: `The steps lead to the Merkle root that Bitcoin block ${heights} must have. Whether it has that is not known here.`,
			reservations: words
		};
		case "not_valid": {
			const failed = rows.filter(({ status }) => status === "fail").map(({ group }) => group);
			return {
				headline: "Not valid",
				sentence: `Failed: ${[...new Set(failed)].join(", ")}.`,
				reservations: []
			};
		}
		default: return verdict;
	}
}
/** The earliest block, but one of the test network only when there is no other. */
function firstConfirmed(blocks) {
	const confirmed = blocks.filter(({ confirmedBy }) => confirmedBy !== void 0);
	const lasting = confirmed.filter(({ confirmedBy }) => confirmedBy !== "testnet");
	const [first] = (lasting.length > 0 ? lasting : confirmed).toSorted((a, b) => a.height - b.height);
	if (first === void 0) return "no known block was made";
	const network = first.confirmedBy === "testnet" ? " testnet" : "";
	const made = first.time === void 0 ? "" : `, ${shownTime$1(utcSeconds(first.time) ?? "at no known time")}`;
	const entered = first.confirmedBy === "reader" ? ", if it has the Merkle root that was entered" : "";
	return `Bitcoin${network} block ${first.height} was made${made}${entered}`;
}
// shared/verifier/report_summary.ts
/** Such as `12 passed` and `2 not checked`. A status that no row has is left out. */
var reportCounts = ({ steps }) => COUNTED.map(([status, word]) => [steps.filter((row) => row.status === status).length, word]).filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
var COUNTED = [
	["pass", "passed"],
	["fail", "failed"],
	["warn", "to note"],
	["info", "for information"],
	["skip", "not checked"]
];
/** In the order in which the steps ran. */
function stepGroups({ steps }) {
	const byName = /* @__PURE__ */ new Map();
	for (const row of steps) {
		const rows = byName.get(row.group) ?? [];
		rows.push(row);
		byName.set(row.group, rows);
	}
	return [...byName].map(([name, rows]) => ({
		name,
		rows,
		status: SEVERITY.find((status) => rows.some((row) => row.status === status)) ?? "skip",
		question: QUESTIONS.get(name) ?? ""
	}));
}
var SEVERITY = [
	"fail",
	"warn",
	"pass",
	"info",
	"skip"
];
var QUESTIONS = new Map([
	["Hash Comparison", "Is the claimed digest the digest of your file?"],
	["Structure", "Is the bundle written as the format wants it?"],
	["Signing Key", "Does it carry a usable public key?"],
	["Subject Data", "Which hash do the data, its metadata and its id make together?"],
	["Inclusion Proof", "Does the path lead from that hash to the root of the block’s tree?"],
	["Block Hash", "Which hash do the block’s parts make?"],
	["Epoch Proof", "Does the path lead from the block to the root of the epoch?"],
	...CHAIN_NAMES.map((chain) => [commitmentStep(chain), `Does ${CHAINS[chain].title} carry the epoch’s root?`]),
	["Proof Signature", "Did the key sign exactly this?"],
	["Key Binding", "Whose key is it?"],
	["Signing Key Event", "Which block introduced the key?"],
	["Digest", "Is the digest that of your file?"],
	["Trees", "Does the path lead from the digest to what the item claims?"],
	["Item", "Which hash do the item’s parts make?"],
	["Item Signature", "Did the service sign the item?"],
	["Bundle", "Is the proof bundle about this item, and valid?"],
	["Public Log", "Does the public log have the item’s block?"],
	["Bitcoin", "Does the Bitcoin block have the Merkle root to which the steps lead?"],
	["Calendar", "Who has promised a proof?"],
	["Witnesses", "What had the service seen when it accepted the item?"],
	["Entropy Source", "Do the public sources confirm what the witnesses say?"],
	["Submission Window", "Was it submitted before its block was closed?"],
	["Temporal Info", "Which times does it name?"],
	["Submitted After", "After which moment must it have been made?"],
	["Submitted Before", "Before which moment must it have been made?"]
]);
[...CHAIN_NAMES.map((chain) => ({
	member: `${chain}_commit`,
	name: `on ${CHAINS[chain].title}`,
	on: chain
}))];
// server/client/verify/print_report.ts
function printReport(surroundings, printed) {
	const { terminal } = surroundings;
	const { read, report, judgement, keyrings, counted } = printed;
	for (const line of titleOf(read, report)) terminal.say(line);
	printSteps(terminal, report.steps);
	printJudgement(surroundings, judgement, keyrings, counted);
	terminal.say(terminal.paint.dim(`  ${reportCounts(report).join(", ")}`));
}
function printEvidence(surroundings, printed) {
	const { terminal } = surroundings;
	const { evidence, entries, report, judgement, keyrings, counted } = printed;
	const { digest, name, item } = evidence;
	terminal.say(entries === void 0 ? `Evidence of ${digest.type} ${toHex(digest.value)}${name === void 0 ? "" : `  ${printable(name)}`}` : `Manifest of ${plural(entries, "file")}`);
	terminal.say(`  item ${item.id} of ${printable(item.service)}`);
	printSteps(terminal, report.rows);
	if (report.bundle !== void 0) printSteps(terminal, report.bundle.report.steps);
	printJudgement(surroundings, {
		...judgement,
		verdict: report.verdict
	}, keyrings, counted);
}
function printOts(surroundings, { read, report, judgement }) {
	const { terminal } = surroundings;
	terminal.say(`OpenTimestamps proof of ${read.hashType} ${toHex(read.digest)}`);
	printSteps(terminal, report.rows);
	printJudgement(surroundings, {
		...judgement,
		verdict: report.verdict
	}, [], report.verdict);
}
function printSteps({ say, paint }, steps) {
	say("");
	for (const group of stepGroups({ steps })) for (const line of groupLines(group, paint)) say(line);
}
function printJudgement({ terminal: { say, paint }, self }, judgement, keyrings, counted) {
	say("");
	say(`${verdictColour(judgement.verdict, paint)(paint.bold(judgement.headline))}`);
	say(`  ${printable(judgement.sentence)}`);
	for (const reservation of judgement.reservations) say(`  ${paint.yellow("!")} ${printable(reservation)}`);
	if (judgement.verdict === "key_open") for (const line of keyAdvice(keyrings, counted, self)) say(`  ${line}`);
}
var titleOf = (read, report) => {
	const { name, keyId } = bundleFacts(read);
	const titled = name === void 0 ? "" : `  ${printable(name)}`;
	const signed = report.generated_at === null ? "" : `signed ${shownTime$1(printable(report.generated_at))} `;
	const layout = read.layout === "compact" ? ", compact layout" : "";
	return [`Proof of ${report.source} ${printable(report.id ?? "(no id)")}${titled}`, `  ${signed}by key ${keyId ?? "(unreadable)"}${layout}`];
};
/** One line for a step whose rows all passed. Other rows get a line each. */
var groupLines = ({ name, status, rows }, paint) => {
	const [only, ...more] = rows;
	if (only !== void 0 && more.length === 0) return [`${markOf$1(status, paint)} ${name.padEnd(NAME_WIDTH)} ${messageOf(only, paint)}`];
	return [`${markOf$1(status, paint)} ${name}`, ...rows.map((row) => `    ${markOf$1(row.status, paint)} ${messageOf(row, paint)}`)];
};
var NAME_WIDTH = 18;
var messageOf = ({ status, message }, paint) => {
	const shown = printable(message);
	return status === "fail" ? paint.red(shown) : status === "skip" ? paint.dim(shown) : shown;
};
var markOf$1 = (status, paint) => {
	switch (status) {
		case "pass": return paint.green("✓");
		case "fail": return paint.red("✗");
		case "warn": return paint.yellow("!");
		case "info": return "i";
		case "skip": return paint.dim("-");
		default: return status;
	}
};
/** In front of the name of a proof that is one of many. */
function verdictMark(verdict, paint) {
	const mark = verdict === "valid" ? "✓" : verdict === "invalid" || verdict === "not_valid" ? "✗" : "!";
	return verdictColour(verdict, paint)(mark);
}
var verdictColour = (verdict, paint) => {
	switch (verdict) {
		case "valid": return paint.green;
		case "key_open":
		case "not_yet":
		case "not_asked": return paint.yellow;
		case "invalid":
		case "not_valid": return paint.red;
		default: return verdict;
	}
};
var keyAdvice = (keyrings, counted, self) => [
	keyrings.length === 0 ? "No keyring is at hand. Name that of the service you trust:" : `Looked in: ${keyrings.map(({ name }) => printable(name)).join(", ")}. Name that of the service you trust:`,
	`    --keyring <its keyring file, or https address>   or, to remember it:  ${self} keyring add <the same>`,
	...counted === "key_open" ? [] : [`Counted as ${counted.replace("_", " ")} because of --any-key.`]
];
// server/client/verify/judge.ts
/** @throws Complaint when it cannot be compared with the file or the digest that the options name */
function judge(surroundings, values, given, trust) {
	switch (given.kind) {
		case "evidence": return judgedEvidence(surroundings, values, given, trust);
		case "ots": return judgedOts(surroundings, values, given.read, trust);
		case "bundle": return judgedBundle(surroundings, values, given.read, trust);
		default: return given;
	}
}
async function judgedBundle(surroundings, values, read, trust) {
	const { keyrings } = trust;
	const expectedHash = await expectedHashOf(surroundings, values, read);
	const report = await verifyBundle(read, {
		...trust,
		expectedHash
	});
	const { verdict, ...judgement } = judgeReport(read, report, keyrings);
	const counted = countedAs(values, verdict, "valid");
	const printed = {
		read,
		report,
		judgement: {
			...judgement,
			verdict
		},
		keyrings,
		counted
	};
	return {
		...judgement,
		counted,
		code: EXIT_CODES[counted],
		shown: report,
		print: () => printReport(surroundings, printed)
	};
}
async function judgedEvidence(surroundings, values, { evidence, manifest }, trust) {
	const { keyrings } = trust;
	const entries = manifest && manifest.tree.size - 1;
	if (entries !== void 0 && (values.file !== void 0 || values["expected-hash"] !== void 0)) throw new Complaint("A manifest is about many files: there is no single one to compare with.", { advice: "Verify it without --file and --expected-hash." });
	const report = await verifyEvidence(evidence, trust, await fileDigestOf(surroundings, values, evidence.digest.type));
	const judgement = judgeEvidence(evidence, report, keyrings);
	const counted = countedAs(values, report.verdict, report.bundle === void 0 ? "not_yet" : "valid");
	return {
		...judgement,
		counted,
		code: EXIT_CODES[counted],
		shown: shownReport(evidence, report),
		print: () => printEvidence(surroundings, {
			evidence,
			entries,
			report,
			judgement,
			keyrings,
			counted
		})
	};
}
async function judgedOts(surroundings, values, read, trust) {
	const report = await verifyOts(read, trust, await fileDigestOf(surroundings, values, read.hashType));
	const judgement = judgeOts(read, report);
	return {
		...judgement,
		counted: report.verdict,
		code: EXIT_CODES[report.verdict],
		shown: shownOts(read, report),
		print: () => printOts(surroundings, {
			read,
			report,
			judgement
		})
	};
}
var EXIT_CODES = {
	valid: 0,
	not_yet: 3,
	not_asked: 2,
	key_open: 1,
	invalid: 1,
	not_valid: 1
};
/** @param known the verdict if the key were a known one: a receipt is without a proof by any key */
var countedAs = (values, verdict, known) => verdict === "key_open" && values["any-key"] === true ? known : verdict;
async function expectedHashOf({ terminal }, values, read) {
	const file = textOption(values, "file");
	if (file === void 0) return textOption(values, "expected-hash");
	const { claimedHash } = bundleFacts(read);
	if (claimedHash === void 0) throw new Complaint(read.type === "item" ? "This item names no digest of a file, or one by a function unknown here: there is nothing to compare with." : `A proof about ${read.type} has no file to compare with.`, { advice: "Verify it without --file." });
	return hashData(terminal, file, claimedHash.type);
}
/** @param type of the digest in the proof */
async function fileDigestOf({ terminal }, values, type) {
	const file = textOption(values, "file");
	const expected = textOption(values, "expected-hash");
	if (file === void 0 && expected === void 0) return void 0;
	if (file === void 0) return hexOrUndefined((expected ?? "").trim().toLowerCase()) ?? /* @__PURE__ */ new Uint8Array();
	if (!isHashType(type)) throw new Complaint(`This is about a digest of type ${type}, which no file can be compared with here.`, { advice: "Verify it without --file." });
	return fromHex(await hashData(terminal, file, type));
}
// server/client/verify/public_places.ts
/** @throws Complaint for a mirror that is not an address */
var publicLookups = (env) => httpLookups({
	getJson,
	addresses: lookupAddresses((place) => {
		const { verifierSetting, byDefault } = LOOKUP_PLACES[place];
		return addressOf(env, verifierSetting, byDefault);
	})
});
function addressOf(env, name, usual) {
	const given = env[name] ?? "";
	if (given === "") return usual;
	if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) throw new Complaint(`${name} is not an http(s) address.`);
	return given.replace(/\/+$/, "");
}
/** Never throws. A source that does not answer is a finding of the report, not an error. */
var getJson = async (url) => {
	try {
		const { status, bytes } = await askHttp(new URL(url));
		return {
			status,
			body: status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : null
		};
	} catch (error) {
		if (error instanceof Complaint) return { failure: error.message };
		if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` };
		throw error;
	}
};
// server/client/verify/verify_folder.ts
/**
* Names every file that is not as it was. What is new alone does not make the answer a no.
* @throws Complaint
*/
async function verifyFolder(surroundings, values, { manifest: source, folder, trust }) {
	const { terminal } = surroundings;
	const isJson = values.json === true;
	if (source === "-") throw new Complaint("A manifest is read twice, so it cannot come from standard input.");
	if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Complaint(`There is no folder ${folder}.`);
	const given = await readGiven(terminal, source);
	const manifest = given.kind === "evidence" ? given.manifest : void 0;
	if (manifest === void 0) throw new Complaint(`${source} is no manifest.`);
	const judged = await judge(surroundings, values, given, trust);
	if (!isJson) judged.print();
	const found = new Findings(isJson ? void 0 : terminal.say);
	const isItems = judged.counted !== "not_valid";
	if (isItems) {
		const root = await compare(surroundings, {
			source,
			folder,
			size: manifest.tree.size
		}, found);
		if (root === void 0 || !bytesEqual(root, manifest.tree.root)) throw new Complaint(`${source} was changed while it was verified.`);
	}
	if (isJson) sayDocument(terminal, {
		report: judged.shown,
		...found.shown()
	});
	else terminal.say(isItems ? found.summary() : "No file was compared.");
	return worst([judged.code, found.isAsItWas ? 0 : 1]);
}
/** @returns the root of the manifest as it was read now */
async function compare({ terminal }, { source, folder, size }, found) {
	const known = new KnownPaths(size);
	const ways = new Ways(folder);
	const given = await readGiven(terminal, source, async (entry) => {
		known.add(entry.path);
		found.add(await stateOf(ways, entry), entry.path);
	});
	known.close();
	const silent = {
		...terminal,
		note: () => void 0
	};
	for (const { path } of filesUnder(folder, new LeftOut(silent))) if (!known.has(path)) found.add("new", path);
	return given.kind === "evidence" ? given.manifest?.tree.root : void 0;
}
/** @throws Complaint when the file cannot be read */
async function stateOf(ways, { path, entry: { type, value } }) {
	const at = ways.to(path);
	if (at === void 0) return "missing";
	const found = lstatSync(at, { throwIfNoEntry: false });
	if (found === void 0) return "missing";
	if (!found.isFile()) return "changed";
	if (!isHashType(type)) throw new Complaint(`${path} is listed by a ${type}, which is the digest of no file.`);
	return bytesEqual((await hashFile({
		path,
		at
	}, { type })).value, value) ? "unchanged" : "changed";
}
/** The ways to files below a folder, without a link on them. */
var Ways = class {
	#folder;
	/** Of the file before, because files of one folder follow each other. */
	#last = ".";
	#isOpen = true;
	constructor(folder) {
		this.#folder = folder;
	}
	/** Undefined where a link or a file stands in the way. */
	to(path) {
		const parent = dirname(path);
		if (parent !== this.#last) {
			this.#last = parent;
			this.#isOpen = this.#isFolder(parent);
		}
		return this.#isOpen ? join(this.#folder, path) : void 0;
	}
	#isFolder(path) {
		if (path === ".") return true;
		if (!this.#isFolder(dirname(path))) return false;
		return lstatSync(join(this.#folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
	}
};
var Findings = class {
	#say;
	#paths = {
		changed: [],
		missing: [],
		new: []
	};
	#counts = {
		unchanged: 0,
		changed: 0,
		missing: 0,
		new: 0
	};
	/** @param say prints each as it is found. Undefined where all are shown at the end. */
	constructor(say) {
		this.#say = say;
	}
	add(state, path) {
		this.#counts[state] += 1;
		if (state === "unchanged") return;
		if (this.#say === void 0) this.#paths[state].push(path);
		else this.#say(`  ${state.padEnd(9)} ${printable(path)}`);
	}
	get isAsItWas() {
		return this.#counts.changed + this.#counts.missing === 0;
	}
	summary() {
		const { unchanged, ...others } = this.#counts;
		const rest = Object.entries(others).map(([state, count]) => `, ${count} ${state}`);
		return `${plural(unchanged, "file")} unchanged${rest.join("")}`;
	}
	shown() {
		return {
			unchanged: this.#counts.unchanged,
			...this.#paths
		};
	}
};
/** Of each path 8 bytes of its hash, because a million paths themselves take too much memory. */
var KnownPaths = class {
	#marks;
	#size = 0;
	constructor(most) {
		this.#marks = new BigUint64Array(most);
	}
	add(path) {
		this.#marks[this.#size] = markOf(path);
		this.#size += 1;
	}
	/** To be called once, after all were added. */
	close() {
		this.#marks.sort();
	}
	has(path) {
		const mark = markOf(path);
		let [from, to] = [0, this.#marks.length];
		while (from < to) {
			const middle = from + to >> 1;
			const there = this.#marks[middle] ?? 0n;
			if (there === mark) return true;
			if (there < mark) from = middle + 1;
			else to = middle;
		}
		return false;
	}
};
var UTF_8 = new TextEncoder();
var markOf = (path) => {
	const { buffer } = sha256(UTF_8.encode(path));
	return new DataView(buffer).getBigUint64(0);
};
// server/client/verify/verify.ts
var verify$1 = {
	usage: "<proof>… [--file <data> | --expected-hash <hex>] [--keyring <file or address>] [--offline] [--json]",
	meaning: "verifies proof bundles, evidence files, manifests and .ots files on this computer",
	help: `
<proof> is a file, or - for standard input, and there may be many of all kinds. Evidence files, manifests, .ots files and
proof bundles (JSON, CBOR, base64 of CBOR) are told apart by what is in them. A proof whose key no keyring at hand knows is
not valid: the mathematics hold, and whose key it is stays open. An .ots file says only which Merkle root a Bitcoin block
must have, and nobody could be asked for it with --offline.

Where it asks, for mirrors, by environment variables:
${LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting).join(", ")}. NO_COLOR switches colours off.`,
	options: {
		file: {
			type: "string",
			takes: "<file>",
			meaning: "hashes this file the way the proof names, and compares. Of one proof alone"
		},
		"expected-hash": {
			type: "string",
			takes: "<hex>",
			meaning: "compares this digest"
		},
		manifest: {
			type: "string",
			takes: "<file>",
			meaning: "compares the folder that is named in the place of a proof with this manifest, and says which of its files were changed, which are missing, and which are new"
		},
		keyring: KEYRING_OPTION,
		...TRUST_OPTIONS,
		"any-key": {
			type: "boolean",
			meaning: "counts a proof as valid although nobody at hand knows its key. It then says only that everything fits together, which anybody can bring about with a key of his own; of a receipt not even its signature is checked, and it stays \"not yet\""
		},
		offline: {
			type: "boolean",
			meaning: "asks nobody. Otherwise the public chains and entropy sources are asked about what the bundle says of them; what does not answer is not checked"
		},
		json: {
			type: "boolean",
			meaning: "prints the report as JSON, of several proofs a list. Its \"passed\" knows nothing of --any-key"
		}
	},
	exits: {
		0: "valid, all of them",
		1: "one is not valid, or a file is not what its manifest says",
		2: "one is not readable, or nobody could be asked about it",
		3: "not yet: the service accepted it, and its evidence has no bundle so far; or a calendar promised it, and no Bitcoin block attests to it so far"
	},
	run: async (surroundings, values, sources) => {
		const manifest = textOption(values, "manifest");
		const [source, ...more] = sources;
		if (source === void 0 || manifest !== void 0 && more.length > 0) throw new Complaint(manifest === void 0 ? "Name proofs, or - for standard input." : "Name the folder of the manifest.", { advice: `${surroundings.self} verify --help` });
		checkTogether(surroundings, values, sources);
		const trust = {
			keyrings: await keyringsFor(surroundings, values),
			logs: await logTrust(surroundings, values),
			lookups: values.offline === true ? void 0 : publicLookups(surroundings.env)
		};
		if (manifest !== void 0) return verifyFolder(surroundings, values, {
			manifest,
			folder: source,
			trust
		});
		if (more.length > 0) return verifyMany(surroundings, values, sources, trust);
		const judged = await judge(surroundings, values, await readGiven(surroundings.terminal, source), trust);
		if (values.json === true) sayDocument(surroundings.terminal, judged.shown);
		else judged.print();
		return judged.code;
	}
};
/** A line for each, and below it what it says of itself. One that cannot be read keeps none of the others from it. */
async function verifyMany(surroundings, values, sources, trust) {
	const { terminal } = surroundings;
	const codes = [];
	const shown = [];
	for (const source of sources) try {
		const judged = await judge(surroundings, values, await readGiven(terminal, source), trust);
		codes.push(judged.code);
		if (values.json === true) shown.push({
			source,
			exit_code: judged.code,
			report: judged.shown
		});
		else printShortly(surroundings, source, judged);
	} catch (error) {
		if (!(error instanceof Complaint)) throw error;
		codes.push(error.exitCode);
		if (values.json === true) shown.push({
			source,
			exit_code: error.exitCode,
			error: error.message
		});
		tellComplaint(terminal, error);
	}
	if (values.json === true) sayDocument(terminal, shown);
	const good = codes.filter((code) => code === 0).length;
	terminal.note(`${good} of ${plural(codes.length, "proof")} ${good === 1 ? "is" : "are"} valid.`);
	return worst(codes);
}
function printShortly({ terminal: { say, paint } }, source, { counted, headline, sentence, reservations }) {
	say(`${verdictMark(counted, paint)} ${paint.bold(printable(source))}  ${headline}`);
	say(`    ${printable(sentence)}`);
	for (const reservation of reservations) say(`    ${paint.yellow("!")} ${printable(reservation)}`);
}
function checkTogether({ self }, values, sources) {
	const compared = ["file", "expected-hash"].filter((name) => values[name] !== void 0);
	if (compared.length > 1) throw new Complaint("--file and --expected-hash answer the same question; give one of them.");
	if (compared.length > 0 && (sources.length > 1 || values.manifest !== void 0)) throw new Complaint(`--${compared[0]} is about one proof alone.`);
	if (values.file === "-") throw new Complaint("--file takes a file; only the proof can come from - .");
	if ([...sources, ...textOptions(values, "keyring")].filter((source) => source === "-").length > 1) throw new Complaint("Only one of all proofs and keyrings can come from standard input.");
	if (values.offline === true && textOptions(values, "keyring").some(isAddress)) throw new Complaint("--offline asks nobody, and a --keyring address has to be asked.", { advice: `Remember it while there is a network: ${self} keyring add <address>` });
}
// server/client/watch.ts
var stateFile = (env, log) => join(configFolder(env), "logs", `${encodeURIComponent(`${log.host}${log.pathname}`)}.json`);
/** Undefined before the first run. @throws Complaint when the file is something else */
async function readState(path) {
	const text = await readFile(path).catch((error) => {
		if (codeOf(error) === "ENOENT") return void 0;
		throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`);
	});
	if (text === void 0) return void 0;
	try {
		const value = readStrictJson(text);
		const [key, checkpoint, seenAt] = [
			"key",
			"checkpoint",
			"seen_at"
		].map((name) => textAt(value, name));
		if (isJsonObject$1(value) && memberOf(value, "version") === 1 && key && checkpoint && seenAt) return {
			key,
			checkpoint,
			seenAt
		};
	} catch (error) {
		if (!(error instanceof StrictJsonError)) throw error;
	}
	throw new Complaint(`${path} is not the state of a monitor.`, { advice: "What it saw is lost with it, so it is not replaced. Move it away to begin anew." });
}
async function writeState(path, { key, checkpoint, seenAt }) {
	try {
		await replaceFile(path, `${JSON.stringify({
			version: 1,
			key,
			checkpoint,
			seen_at: seenAt
		}, null, 2)}\n`);
	} catch (error) {
		throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`);
	}
}
var watch = {
	usage: "<address> [--key <verifier key>] [--state <file>] [--every <seconds>] [--once]",
	meaning: "watches a public log, and ends when it has shown two histories",
	help: `
<address> is what stands before /checkpoint: https://pharos.example/log, or a copy of it on any web server.

Each new checkpoint must be signed by the key of the log and continue the one before: the log proves it, or its tiles
do. A log that does not answer, or answers with something else, is asked again, later and later.

When the log has shown two histories, both checkpoints are printed, and they are the evidence.
What you are signed in with is sent only where the address is at that very service: see "login".`,
	options: {
		key: {
			type: "string",
			multiple: true,
			takes: "<verifier key>",
			meaning: "whose log it is. Without it: that of your profile of this service, or else the key that the log names in its policy is believed once, and remembered"
		},
		state: {
			type: "string",
			takes: "<file>",
			meaning: "where the last checkpoint is remembered (~/.config/pharos/logs/<address>.json)"
		},
		every: {
			type: "string",
			takes: "<seconds>",
			meaning: "time between two looks: 60"
		},
		once: {
			type: "boolean",
			meaning: "looks once, and ends"
		}
	},
	exits: {
		0: "all is well",
		1: "the log has shown two histories, or goes under another name",
		2: "wrongly asked, or --once found no answer",
		4: "--once found a log that asks for a credential"
	},
	run: async (surroundings, values, [address, ...more]) => {
		if (address === void 0 || more.length > 0) throw new Complaint("Name one log.", { advice: `${surroundings.self} watch --help` });
		const url = logAddress(address);
		const monitor = {
			surroundings,
			key: await keyOfLog(surroundings, values, url),
			read: logFiles(surroundings, url.href).read,
			path: textOption(values, "state") ?? stateFile(surroundings.env, url)
		};
		return values.once === true ? look(monitor) : keepLooking(monitor, everyMs(values));
	}
};
var LONGEST_PAUSE_MS = 6e5;
/** Ends only with a split: a monitor that gives up because of a bad night is none. */
async function keepLooking(monitor, pauseMs) {
	for (let troubles = 0;;) {
		try {
			const code = await look(monitor);
			if (code !== 0) return code;
			troubles = 0;
		} catch (error) {
			if (!(error instanceof Complaint)) throw error;
			troubles += 1;
			monitor.surroundings.terminal.note(`! ${(/* @__PURE__ */ new Date()).toISOString()} ${printable(error.message)}`);
		}
		await setTimeout$1(Math.min(pauseMs * 2 ** Math.min(troubles, 10), Math.max(pauseMs, LONGEST_PAUSE_MS)));
	}
}
async function look({ surroundings, key: given, read, path }) {
	const { terminal } = surroundings;
	const held = await readState(path);
	const { text, checkpoint: now } = await shownCheckpoint(read);
	const key = given ?? (held === void 0 ? await namedKey(read, now.origin) : readVerifierKey(held.key));
	if (key === void 0) throw new Complaint("The log names no key of its own in its policy.", { advice: "Say whose log it is with --key." });
	const seenAt = (/* @__PURE__ */ new Date()).toISOString();
	const state = {
		key: writeVerifierKey(key),
		checkpoint: text,
		seenAt
	};
	const report = (words) => {
		terminal.say(`${seenAt} ${printable(now.origin)}: ${plural(now.size, "block")}, ${words}`);
		return 0;
	};
	if (held === void 0) {
		if (now.origin !== key.name || !isSignedBy(now.note, key)) throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`);
		await writeState(path, state);
		return report(`seen for the first time${given === void 0 ? `; its key is believed from now on: ${writeVerifierKey(key)}` : ""}`);
	}
	const seen = heldCheckpoint(path, held);
	if (given !== void 0 && writeVerifierKey(given) !== held.key) throw new Complaint(`${path} remembers another key: ${held.key}.`, { advice: "Name another --state for another log." });
	if (now.origin !== seen.origin) return loud({
		surroundings,
		path
	}, held, text, `The log ${seen.origin} goes under another name now: ${now.origin}`);
	switch (await compared(read, key, {
		seen,
		now
	})) {
		case "same": return report(`as they were seen ${held.seenAt}`);
		case "grown":
			await writeState(path, state);
			return report(`consistent with the ${seen.size} seen ${held.seenAt}`);
		case "older": return report(`of the same history as the ${seen.size} seen ${held.seenAt}`);
		case "open": throw new StrangeAnswer(`The log shows ${plural(now.size, "block")} and no proof that they belong to the ${seen.size} seen ${held.seenAt}.`);
		case "split": return loud({
			surroundings,
			path
		}, held, text, `SPLIT: the log ${seen.origin} has shown two histories. Its own signature is under both`);
	}
}
/** Signed by the key that is remembered: otherwise nothing may be concluded from it. */
function heldCheckpoint(path, { key, checkpoint }) {
	try {
		return openCheckpoint(new TextEncoder().encode(checkpoint), readVerifierKey(key));
	} catch (error) {
		if (error instanceof RangeError) throw new Complaint(`${path} is not the state of a monitor.`);
		throw error;
	}
}
function loud({ surroundings: { terminal }, path }, { checkpoint, seenAt }, now, words) {
	const shown = (text) => text.split("\n").map(printable).join("\n");
	const { say, note, paint } = terminal;
	say(paint.red(`${printable(words)}.`));
	say(`--- seen ${seenAt}`);
	say(shown(checkpoint));
	say(`--- seen ${(/* @__PURE__ */ new Date()).toISOString()}`);
	say(shown(now));
	note(`Keep both. Once you have understood them, remove ${path} to begin anew with what is shown now.`);
	return 1;
}
function everyMs(values) {
	const text = textOption(values, "every") ?? "60";
	if (!/^\d{1,5}$/.test(text) || Number(text) === 0) throw new Complaint("--every takes seconds, from 1 to 99999.");
	return Number(text) * 1e3;
}
// server/client/commands.ts
/** By their names, of one word or two. Help lists them in this order. */
var COMMANDS = {
	stamp,
	status,
	upgrade,
	verify: verify$1,
	info,
	proof,
	ls,
	show: show$1,
	tail,
	listen,
	trigger,
	api,
	login,
	logout,
	whoami,
	...PROFILE_COMMANDS,
	...KEYRING_COMMANDS,
	audit,
	watch
};
var COMMON_OPTIONS = {
	profile: {
		type: "string",
		takes: "<name>",
		meaning: "the service, and the credential for it, that are remembered under this name"
	},
	quiet: {
		type: "boolean",
		short: "q",
		meaning: "prints nothing: the exit code is the answer"
	},
	...HELP_OPTION
};
/**
* First words of the operator's commands. When a person types one here, the program says where those commands
* are.
*/
var OPERATOR_NOUNS = /* @__PURE__ */ new Set([
	"user",
	"key",
	"flag",
	"export",
	"log",
	"client",
	"grant",
	"backup",
	"doctor",
	"restore",
	"devchain"
]);
var programOf = (self) => ({
	self,
	version: package_default.version,
	commands: COMMANDS,
	texts: {
		completion: COMPLETION,
		help: HELP
	},
	options: COMMON_OPTIONS,
	footer: ["Operators of a service have commands of their own: npm run pharos -- --help, in its checkout."],
	elsewhere: ([noun = "", ...more]) => OPERATOR_NOUNS.has(noun) ? `It is a command for operators, run in the checkout of a service: npm run pharos -- ${[noun, ...more].join(" ")}` : void 0
});
// server/client/main.ts
/** npx and a global install link the file as `pharos`. A downloaded file is run with node. */
var selfOf = (env, file) => {
	if (basename(file) === "cli.ts") return "npm run pharos --";
	if (!file.endsWith(".mjs")) return env.npm_command === "exec" ? "npx --no pharos" : basename(file);
	const near = relative(process$1.cwd(), file);
	return `node ${near.length < file.length ? near : file}`;
};
var { argv, env, stdout, stderr } = process$1;
var self = selfOf(env, argv[1] ?? "");
var terminal = openTerminal(stdout, stderr, env);
for (const stream of [stdout, stderr]) stream.on("error", (error) => {
	if (codeOf(error) !== "EPIPE") process$1.exit(2);
});
endOnInterrupt(() => terminal.progress?.(""));
try {
	const order = readOrder(programOf(self), argv.slice(2));
	if (order.kind === "text") terminal.say(order.text);
	else {
		const { command, values, words } = order;
		if (values.quiet === true) terminal = quieted(terminal);
		process$1.exitCode = await command.run({
			terminal,
			env,
			self
		}, values, words);
	}
} catch (error) {
	process$1.exitCode = error instanceof Complaint ? error.exitCode : 2;
	if (error instanceof Complaint) tellComplaint(terminal, error);
	else stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
export {};
/*!
Bundled:

@noble/curves 2.4.0

The MIT License (MIT)

Copyright (c) 2022 Paul Miller (https://paulmillr.com)

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the “Software”), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

@noble/hashes 2.4.0

The MIT License (MIT)

Copyright (c) 2022 Paul Miller (https://paulmillr.com)

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the “Software”), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

@noble/post-quantum 0.7.1

The MIT License (MIT)

Copyright (c) 2024 Paul Miller (https://paulmillr.com)

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the “Software”), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

oauth4webapi 3.8.8

The MIT License (MIT)

Copyright (c) 2022 Filip Skokan

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
