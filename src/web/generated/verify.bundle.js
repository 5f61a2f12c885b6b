// src/proof/bytes.ts
const webSha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
/** Rejects by throwing. A check that returns has passed. */
const refuse = (reason) => {
	throw new Error(reason);
};
const utf8 = (text) => new TextEncoder().encode(text);
/** Throws on invalid UTF-8. A byte order mark is kept as a character. */
const textOf = (bytes) => new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
}).decode(bytes);
const concat = (...parts) => {
	const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
};
const isEqual = (one, other) => one.length === other.length && one.every((byte, index) => byte === other[index]);
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const toHex = (bytes) => bytes.reduce((hex, byte) => hex + HEX[byte], "");
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
/** Decodes Base64 (RFC 4648, section 4), and rejects all but the canonical text of the bytes. */
const fromBase64 = (text) => {
	const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
	const bytes = Uint8Array.from(isBase64 ? atob(text) : "", (character) => character.charCodeAt(0));
	return isBase64 && toBase64(bytes) === text ? bytes : refuse("it is not Base64 as it is written");
};
/** A count or an index: decimal digits without leading zeroes, up to the largest safe integer. */
const wholeNumber = (text) => /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : refuse("a number is not written in decimal digits without leading zeroes");

// src/proof/note.ts
/**
* Signed notes of C2SP signed-note, Ed25519 only: a text and its signatures. The caller decides
* which keys to trust; other signatures are ignored.
*/
const ALGORITHM = "Ed25519";
/** Signature types: over the text of a note, and the cosignature of a witness. */
const ED25519_TYPE = 1;
const COSIGNATURE_TYPE = 4;
const KEY_BYTES = 32;
const ID_BYTES = 4;
/** Enough for sixteen signatures of the largest kind that the specification knows. */
const MAX_NOTE_CHARACTERS = 2e5;
const NAME = /^[^\s+\p{White_Space}]+$/u;
const keyId = async (name, key, type = 1) => (await webSha256(concat(utf8(`${name}\n`), [type], key))).slice(0, ID_BYTES);
const verifierKeyOf = async (name, key, type = 1) => `${name}+${toHex(await keyId(name, key, type))}+${toBase64(concat([type], key))}`;
const parseVerifierKey = async (verifierKey, wanted = 1) => {
	const [, name, base64] = /^([^+]+)\+[0-9a-f]{8}\+(.*)$/s.exec(verifierKey) ?? refuse("it is not a verifier key");
	const [type, ...key] = fromBase64(base64);
	const publicKey = Uint8Array.from(key);
	if (!(NAME.test(name) && type === wanted && key.length === KEY_BYTES) || await verifierKeyOf(name, publicKey, wanted) !== verifierKey) refuse(`it is not a verifier key of Ed25519, type 0x0${wanted}`);
	return {
		name,
		id: await keyId(name, publicKey, wanted),
		publicKey
	};
};
/** The text of a note, not yet verified. */
const textOfNote = (note) => note.slice(0, note.lastIndexOf("\n\n") + 1);
const SIGNATURE = /^— ([^\s+\p{White_Space}]+) (\S+)$/u;
/** The signatures of a note, not yet verified. */
const signaturesOf = (note) => {
	const text = textOfNote(note);
	const lines = note.slice(text.length + 1).split("\n");
	if (!(note.length <= 2e5 && ![...note].some((one) => one < " " && one !== "\n")) || text === "" || lines.pop() !== "") refuse("it is not a signed note");
	return lines.map((line) => {
		const [, name, base64] = SIGNATURE.exec(line) ?? refuse("a signature of the note is not written as one");
		const bytes = fromBase64(base64);
		if (bytes.length <= ID_BYTES) refuse("a signature of the note is too short");
		return {
			line,
			name,
			id: bytes.subarray(0, ID_BYTES),
			signature: bytes.subarray(ID_BYTES)
		};
	});
};
const checkSignature = async ({ publicKey }, signature, message) => {
	const key = await crypto.subtle.importKey("raw", publicKey, ALGORITHM, false, ["verify"]);
	if (!await crypto.subtle.verify("Ed25519", key, signature, utf8(message))) refuse("a signature does not verify");
};
/** A note's text if one of these keys signed it; throws if a signature by any of them is wrong. */
const openNote = async (note, verifierKeys) => {
	const signatures = signaturesOf(note);
	const text = textOfNote(note);
	const parsed = await Promise.all(verifierKeys.map((key) => parseVerifierKey(key).catch(() => void 0)));
	let verified = 0;
	for (const { id, name, signature } of signatures) {
		const known = parsed.find((key) => key && key.name === name && isEqual(key.id, id));
		if (known === void 0) continue;
		await checkSignature(known, signature, text);
		verified++;
	}
	return verified > 0 ? text : refuse("no trusted key has signed it");
};
const MILLIS_PER_SECOND = 1000n;
/** The last second that a Date can hold. */
const MAX_SECONDS = 8640000000000n;
const cosignedText = (seconds, text) => `cosignature/v1\ntime ${seconds}\n${text}`;
/**
* A witness's cosignature of a note (tlog-cosignature, Ed25519): its line, and the time at which
* the witness saw the note. Null if there is none; throws if one is wrong.
*/
const cosignatureOf = async (note, verifierKey) => {
	const key = await parseVerifierKey(verifierKey, 4);
	const own = signaturesOf(note).filter(({ id, name }) => name === key.name && isEqual(id, key.id));
	return (await Promise.all(own.map(async ({ line, signature }) => {
		const seconds = BigInt(`0x${toHex(signature.subarray(0, 8))}`);
		if (seconds === 0n || seconds > MAX_SECONDS) refuse("a cosignature has no time");
		await checkSignature(key, signature.subarray(8), cosignedText(seconds, textOfNote(note)));
		return {
			line,
			at: new Date(Number(seconds * MILLIS_PER_SECOND))
		};
	}))).reduce((first, one) => first && first.at <= one.at ? first : one, null);
};

// src/proof/tree.ts
/** Merkle trees of RFC 6962, section 2.1: hashes, and checks of inclusion and consistency. */
const leafHash = (entry, sha256 = webSha256) => sha256(concat(Uint8Array.of(0), entry));
const nodeHash = (left, right, sha256 = webSha256) => sha256(concat([1], left, right));
/** The largest power of two that is smaller than `size`, which is at least 2. */
const splitOf = (size) => {
	let split = 1;
	while (split * 2 < size) split *= 2;
	return split;
};
/** Checks that the leaf is in the tree at `index`; throws if not. */
const checkInclusion = async ({ root, size }, index, leaf, proof) => {
	const rest = [...proof];
	const rootOver = async (at, width) => {
		if (width === 1) return leaf;
		const split = splitOf(width);
		const sibling = rest.pop() ?? refuse("the proof is too short for the tree");
		if (at < split) return nodeHash(await rootOver(at, split), sibling);
		return nodeHash(sibling, await rootOver(at - split, width - split));
	};
	if (index >= size) refuse(`a tree of ${size} has no entry ${index}`);
	if (!(isEqual(await rootOver(index, size), root) && rest.length === 0)) refuse("the entry is not in the tree at this index");
};

// src/proof/checkpoint.ts
/**
* Checkpoints (C2SP tlog-checkpoint) and receipts (C2SP tlog-proof). A receipt holds a record as
* its extra data, the proof that it is in a log, and the log's checkpoint. The log entry is the
* SHA-256 of the record.
*/
const hashOf = (text) => {
	const hash = fromBase64(text);
	return hash.length === 32 ? hash : refuse("a hash does not have 32 bytes");
};
/** The content of a checkpoint, verified by a signature of its log. Extension lines are ignored. */
const openCheckpoint = async (note, verifierKeys) => {
	if (note.length > 2e5) refuse("it is longer than a checkpoint");
	const lines = textOfNote(note).split("\n");
	const [origin, size, root] = lines;
	if (lines.length < 4 || lines.slice(0, -1).includes("")) refuse("it is not a checkpoint");
	const ofThisLog = verifierKeys.filter((key) => key.startsWith(`${origin}+`));
	await openNote(note, ofThisLog);
	return {
		origin,
		size: wholeNumber(size),
		root: hashOf(root)
	};
};
const FIRST_LINE = "c2sp.org/tlog-proof@v1";
/** The checkpoint at the end of a receipt, as text. */
const noteOf = (receipt) => receipt.slice(receipt.indexOf("\n\n") + 2);
/** Reads a receipt and verifies that its record is in the log at the index; throws if not. */
const openReceipt = async (text, verifierKeys) => {
	const end = Math.max(text.indexOf("\n\n"), 0);
	const [first, extra, index, ...proof] = text.slice(0, end).split("\n");
	if (!(first === "c2sp.org/tlog-proof@v1" && extra?.startsWith("extra ") && index?.startsWith("index "))) refuse("it is not a receipt");
	const checkpoint = await openCheckpoint(noteOf(text), verifierKeys);
	const record = fromBase64(extra.slice(6));
	const at = wholeNumber(index.slice(6));
	await checkInclusion(checkpoint, at, await leafHash(await webSha256(record)), proof.map(hashOf));
	return {
		record: textOf(record),
		index: at,
		checkpoint
	};
};

// src/proof/commitment.ts
/**
* The commitment of a record to its answer: the SHA-256 of the brief answer as RFC 8785 JSON. A
* brief answer has ids for citations and omissions, and no provenance for each projection of a
* comparison. Its `textsHash` covers the texts that were left out, and its random salt keeps the
* figures from being guessed.
*/
const MEMBERS = "answerHash answerId endpoint eventType inputsHash recordedAtUtc ruleVersion source".split(" ");
/** Parses the record in a receipt: RFC 8785 JSON of exactly these fields, all of them text. */
const readRecord = (text) => {
	const value = JSON.parse(text);
	const record = Object.fromEntries(MEMBERS.map((name) => [name, String(value?.[name])]));
	return JSON.stringify(record) === text ? record : refuse("what is logged is not a record of an answer");
};
const MAX_PARTS = 16;
const MAX_TEXTS = 1024;
/** Version of the hash format. */
const FORM = "a2-";
/** JSON by RFC 8785, for values of JSON.parse. */
const canonicalJson = (value) => {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const member = (name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`;
	return `{${Object.keys(value).sort().map(member).join(",")}}`;
};
/**
* Whether all JSON parsers read the text alike: no name is duplicate or escaped, and numbers have
* the usual form.
*/
const isPlain = (text, value) => {
	const plain = (part) => part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part;
	const solid = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
	if (/[{,]"[^"\\]*\\/.test(solid)) return false;
	return JSON.stringify(value) === (solid.includes("\\") ? solid.replace(/"(?:[^"\\]|\\.)*"/g, plain) : solid);
};
/** Citations and omissions of an answer. Rejects other texts before the more costly hashing. */
const textsOf = ({ provenance }) => {
	const { citations, knownOmissions, notes = [], textsHash, ...others } = provenance;
	const isFlat = (one) => Object.values(one).every((value) => typeof value !== "object" || value === null);
	const isTexts = (all) => Array.isArray(all) && all.every((one) => typeof one?.id === "string" && isFlat(one));
	const isPlainOne = isFlat(others) && Array.isArray(notes) && isFlat(notes) && textsHash === void 0;
	if (isTexts(citations) && isTexts(knownOmissions) && isPlainOne) return [citations, knownOmissions];
	return refuse("it is not an answer of this service");
};
/** The hash that the record of this answer, full or brief, contains if nothing was altered. */
const answerHashOf = async (answer, sha256 = webSha256) => {
	const hashOf = async (value) => toHex(await sha256(utf8(canonicalJson(value))));
	const value = JSON.parse(answer);
	const isBrief = typeof value.provenance["textsHash"] === "string";
	const parts = isBrief ? [] : [value, ...value.projections ?? []];
	if (parts.length > MAX_PARTS) refuse("it has more parts than any answer");
	const textsOfParts = parts.map(textsOf);
	const texts = textsOfParts.flat(2);
	if (texts.length > MAX_TEXTS) refuse("it has more texts than any answer");
	if (!isPlain(answer, value)) refuse("this service would not have written the answer in this form");
	const provenances = parts.map((part, index) => {
		const [citations, knownOmissions] = textsOfParts[index].map((all) => all.map(({ id }) => id));
		return {
			...part.provenance,
			citations,
			knownOmissions
		};
	});
	const textsHash = await hashOf([await Promise.all(texts.map(hashOf)), provenances]);
	const { computedBy: _, engine: __, parityVerified: ___, ...outer } = provenances[0] ?? {};
	const figures = value.projections && { projections: value.projections.map(({ provenance: _, ...rest }) => rest) };
	return `${FORM}${await hashOf(isBrief ? value : {
		...value,
		...figures,
		provenance: {
			...outer,
			textsHash
		}
	})}`;
};
/** Checks that the answer is the recorded one, to the last figure; throws if not. */
const checkAnswer = async (answer, record) => {
	if (await answerHashOf(answer) !== record.answerHash) refuse("the answer is not the one that was recorded");
};

// src/proof/policy.ts
/**
* Trust policies (C2SP tlog-policy). A policy names trusted logs and witnesses, and how many
* witnesses must have seen a checkpoint. Keys are Ed25519: type 0x01 of logs, 0x04 of witnesses.
*/
/** Maximum numbers of logs, witnesses and groups. */
const MAX_EACH = 32;
const MAX_POLICY_CHARACTERS = 65536;
const NONE = "none";
/** The syntax of each line, with the minimum and maximum number of words after the first. */
const FORMS = /* @__PURE__ */ new Map([
	["log", [
		"log VKEY [URL]",
		1,
		2
	]],
	["witness", [
		"witness NAME VKEY [URL]",
		2,
		3
	]],
	["group", [
		"group NAME all|any|NUMBER NAME...",
		3,
		66
	]],
	["quorum", [
		"quorum NAME",
		1,
		1
	]]
]);
const leastOf = (count, members) => {
	if (count === "any") return 1;
	const least = count === "all" ? members : /^[1-9]\d{0,2}$/.test(count) ? Number(count) : 0;
	return least >= 1 && least <= members ? least : refuse(`write all, any or a number from 1 to ${members}`);
};
/** Reads a policy. Throws with the number of the line that is wrong. */
const parsePolicy = async (text) => {
	const logs = [];
	const witnesses = /* @__PURE__ */ new Map();
	const groups = /* @__PURE__ */ new Map();
	const keys = /* @__PURE__ */ new Set();
	const inGroup = /* @__PURE__ */ new Set();
	let quorum;
	const isKnown = (name) => witnesses.has(name) || groups.has(name);
	const checkNew = (name) => (name === NONE || isKnown(name)) && refuse(`the name ${name} is taken`);
	const checkKey = async (key, type) => {
		const id = `${type} ${toHex((await parseVerifierKey(key, type)).publicKey)}`;
		if (keys.has(id)) refuse("the key stands on an earlier line");
		keys.add(id);
	};
	const read = async (word, values) => {
		const [first = "", second = "", third] = values;
		const [form, least, most] = FORMS.get(word) ?? refuse(`write ${[...FORMS.keys()].join(", ")} or #`);
		if (values.length < least || values.length > most) refuse(`write ${form}`);
		if (word === "log") {
			await checkKey(first, 1);
			logs.push(first);
		} else if (word === "witness") {
			checkNew(first);
			await checkKey(second, 4);
			witnesses.set(first, {
				name: first,
				verifierKey: second,
				url: third?.replace(/\/+$/, "") ?? null
			});
		} else if (word === "group") {
			checkNew(first);
			const members = values.slice(2);
			for (const member of members) {
				if (!isKnown(member)) refuse(`no earlier line defines ${member}`);
				if (inGroup.has(member)) refuse(`${member} is in a group already`);
				inGroup.add(member);
			}
			groups.set(first, {
				least: leastOf(second, members.length),
				members
			});
		} else {
			if (quorum !== void 0) refuse("there is a quorum already");
			if (first !== NONE && !isKnown(first)) refuse(`no earlier line defines ${first}`);
			quorum = first;
		}
		if (Math.max(logs.length, witnesses.size, groups.size) > MAX_EACH) refuse(`there are more than ${MAX_EACH}`);
	};
	if (text.length > MAX_POLICY_CHARACTERS) refuse(`it is longer than ${MAX_POLICY_CHARACTERS} characters`);
	for (const [index, line] of text.split("\n").entries()) try {
		if (/[^\t\x20-\x7e\u0080-\u{10ffff}]/u.test(line)) refuse("it has a control character");
		const [word, ...values] = line.split(/[ \t]+/).filter((part) => part !== "");
		if (word !== void 0 && !word.startsWith("#")) await read(word, values);
	} catch (cause) {
		refuse(`line ${index + 1}: ${cause.message}`);
	}
	return {
		logs,
		witnesses,
		groups,
		quorum: quorum ?? refuse("it has no quorum line")
	};
};
/**
* Finds the policy's witnesses that saw a checkpoint, and when. Throws if one of their cosignatures
* is wrong, or if the policy names logs and none of them signed the checkpoint.
*/
const witnessedBy = async (note, policy) => {
	if (policy.logs.length > 0) await openCheckpoint(note, policy.logs);
	const seen = (await Promise.all([...policy.witnesses.values()].map(async ({ name, verifierKey }) => {
		const seen = await cosignatureOf(note, verifierKey);
		return seen === null ? [] : [{
			name,
			at: seen.at
		}];
	}))).flat();
	const lacking = (name) => {
		const group = policy.groups.get(name);
		if (group === void 0) return seen.some((one) => one.name === name) ? [] : [name];
		const missing = group.members.map(lacking);
		return missing.filter((names) => names.length === 0).length >= group.least ? [] : missing.flat();
	};
	return {
		seen,
		missing: policy.quorum === NONE ? [] : lacking(policy.quorum)
	};
};

// src/web/verify.ts
/**
* The script of the page of a record: shows whether a pasted answer is the recorded one, whether
* the record is in the log, and which witnesses saw the log. The answer stays in the page. Text is
* shown as text, never as HTML. Bundled with the verifier by `npm run x -- generate`.
*/
const { answerHash = "", answerId = "" } = document.getElementById("record").dataset;
const record = {
	answerId,
	answerHash
};
const good = (text) => ({
	isGood: true,
	text
});
const bad = (text) => ({
	isGood: false,
	text
});
const reasonOf = (cause) => cause instanceof Error ? cause.message : String(cause);
/** The number of checks begun per place. Only the newest one may show a verdict. */
const begun = /* @__PURE__ */ new Map();
/**
* Shows the verdict of a check at its place. The last verdict is removed before the check. A check
* that throws has a verdict, too.
*/
const judge = async (id, check, wordsOfFailure) => {
	const place = document.getElementById(id);
	const show = ({ isGood, text }) => {
		place.className = isGood ? "good" : "bad";
		place.textContent = text;
	};
	const number = (begun.get(id) ?? 0) + 1;
	begun.set(id, number);
	const isNewest = () => begun.get(id) === number;
	show(good(""));
	const verdict = await check(isNewest).catch((cause) => bad(wordsOfFailure(reasonOf(cause))));
	if (isNewest()) show(verdict);
};
/** The id that the text itself names, if it is an answer. */
const claimedId = (text) => {
	try {
		const { answerId } = JSON.parse(text).provenance;
		return typeof answerId === "string" ? answerId : void 0;
	} catch {
		return;
	}
};
const refusal = (text, reason) => {
	const claimed = claimedId(text);
	if (claimed === void 0) return "This is no answer of this service. Paste all of it, as it was received, in JSON.";
	if (claimed !== answerId) return `This answer names another record, ${claimed}: open its own page.`;
	return `This is not the recorded answer: ${reason}.`;
};
const judgeText = async (text) => {
	if (text.trim() === "") return good("");
	try {
		await checkAnswer(text, record);
	} catch (cause) {
		return bad(refusal(text, reasonOf(cause)));
	}
	return good("This is the recorded answer: each figure and each word is as it was recorded.");
};
const notChecked = (reason) => `This was not checked: ${reason}.`;
const TRIES = 5;
const SECOND = 1e3;
/** Fetches a path of this service. A receipt may not be ready for a moment (503). */
const load = async (path) => {
	for (let left = TRIES;; left--) {
		const response = await fetch(path);
		if (response.ok) return response.text();
		if (response.status !== 503 || left === 1) throw new Error(`${path} has status ${response.status}`);
		await new Promise((resolve) => setTimeout(resolve, SECOND));
	}
};
/** Whether the receipt proves the record that this page shows. */
const isShown = ({ record: text }) => {
	const proven = readRecord(text);
	return proven.answerId === answerId && proven.answerHash === answerHash;
};
const NAMED_HERE = "These witnesses are named by this service; to decide for yourself, use a policy of your own.";
/** The witnesses of the checkpoint, under the service's policy or the reader's own. */
const judgeWitnesses = async (note, text, isOwn) => {
	const policy = await parsePolicy(text);
	const { missing, seen } = await witnessedBy(note, policy);
	const isFulfilled = missing.length === 0;
	if (policy.witnesses.size === 0 && !isOwn) return good("");
	const saw = seen.map(({ at, name }) => `${name} at ${at.toISOString()}`).join(", ");
	const who = saw === "" ? "No witness of the policy has seen this log yet." : `This log was seen by ${saw}.`;
	const needed = isFulfilled ? "That is enough for the policy." : `The policy also needs ${missing.join(", ")}.`;
	return {
		isGood: isFulfilled || !isOwn,
		text: `${who} ${needed}${isOwn ? "" : ` ${isFulfilled ? NAMED_HERE : `Look again in a minute. ${NAMED_HERE}`}`}`
	};
};
/** A failure here does not change the verdict about the log. */
const checkWitnesses = async (note) => {
	const named = await load("/log/policy").catch((cause) => cause);
	const own = document.getElementById("policy");
	const judgePolicy = async () => {
		const isOwn = own.value.trim() !== "";
		const policy = isOwn ? own.value : named;
		if (!(policy instanceof Error)) return judgeWitnesses(note, policy, isOwn);
		const text = `The witnesses that this service names are not shown: ${policy.message}.`;
		return bad(`${text} Load the page again, or use a policy of your own.`);
	};
	const check = () => judge("witnesses", judgePolicy, (reason) => `Under this policy the log is not confirmed: ${reason}.`);
	own.addEventListener("input", check);
	await check();
};
const judgeLog = async () => {
	const [receipt, keys] = await Promise.all([load(`/v1/verify/${answerId}/receipt`), load("/log/key")]);
	const opened = await openReceipt(receipt, keys.split("\n"));
	if (!isShown(opened)) throw new Error("the receipt is of another record");
	checkWitnesses(noteOf(receipt));
	const { checkpoint, index } = opened;
	return good(`The record is entry ${index} of the ${checkpoint.size} in the signed log ${checkpoint.origin}.`);
};
const notConfirmed = (reason) => `The log does not confirm the record now: ${reason}.`;
if (isSecureContext) {
	const answer = document.getElementById("answer");
	const file = document.getElementById("file");
	const judgeTyped = () => judge("figures", () => judgeText(answer.value), notChecked);
	const judgeFile = async (isNewest) => {
		answer.value = "";
		const text = await file.files?.[0]?.text() ?? "";
		if (isNewest()) answer.value = text;
		return judgeText(text);
	};
	answer.addEventListener("input", judgeTyped);
	file.addEventListener("change", () => judge("figures", judgeFile, notChecked));
	judgeTyped();
	judge("log", judgeLog, notConfirmed);
} else {
	const text = "Browsers check nothing on a page that came without https; repay verify answer.json does.";
	judge("log", async () => bad(text), notConfirmed);
}
