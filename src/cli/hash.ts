import { hashPassword } from '../auth/password-hash.js';
import { Secret } from '../core/secret.js';
import { type Command, EXIT, parseOptions, UsageError } from './lib/command.js';

/** NIST SP 800-63B, section 5.1.1.2. */
const MIN_PASSWORD_LENGTH = 8;

/** Creates the hash of a password, so that no configuration needs the password itself. */
export const hash: Command = {
  name: 'hash',
  help: `Usage: gatehouse hash

Asks for a password (or reads it from standard input) and prints its scrypt hash in
PHC format. The password must have at least 8 characters and be hard to guess: no common
word, no word about this server, no sequence of keys. For example:

  printf %s "$PASSWORD" | gatehouse hash

Write the hash into the configuration unchanged, in single quotes: for a person

  auth: { local: { users: [{ username: NAME, passwordHash: '...', roles: [admin] }] } }

and for a program

  auth: { local: { clients: [{ clientId: NAME, clientSecretHash: '...', roles: [admin] }] } }

or store it in Vault, and write a reference instead.`,
  async run(args, io) {
    parseOptions(args, {});
    const password = (await io.readPassword('Password: ')).replace(/\r?\n$/, '');
    if (password === '')
      throw new UsageError('no password was given: type it, or send it as the standard input');
    if (Array.from(password).length < MIN_PASSWORD_LENGTH)
      throw new UsageError(`the password has fewer than ${MIN_PASSWORD_LENGTH} characters`);
    const weakness = whyGuessable(password);
    if (weakness !== undefined) throw new UsageError(`the password ${weakness}, so it is easy to guess`);
    io.out(`${await hashPassword(new Secret(password))}\n`);
    return EXIT.ok;
  },
};

/** Words about this server that are likely in a password. */
const PRODUCT_WORDS =
  'gatehouse itential orchestrator orchestration engineering automation adapter token vault';

/**
 * Words in the most common passwords, in English and on keyboards. This list is original, not a copy of a
 * published list.
 */
const COMMON_WORDS = `
  access account adgjmptw admin administrator alexander alexandra amanda america andrea andrew angel angela angels
  anthony apples arsenal asdfasdf asdfgh asdfghjkl ashley austin awesome babygirl backup bailey banana barcelona
  baseball basket basketball batman beautiful benjamin berlin blessed bluebird bonjour boomer brandon brandy brazil
  brooklyn bubbles buddy bulldog business buster butterfly californ california camaro canada carlos caroline catherine
  champion changeit changeme charles charlie charlotte cheese chelsea cherry chester chicago chicken chocolate christian
  christina christine christopher cisco cocacola compaq computer connect consumer cookie coolcool corvette cowboy
  cowboys creative crystal customer dallas danger daniel danielle database dauphin david debian december default demo
  destiny devil diamond dolphin dolphins dragon dragons eagles elephant elizabeth eminem england enter everton explorer
  fantasy ferrari firebird fireman florida flower flowers football forever freedom friday friend friends games garfield
  gateway general genesis george gfhjkm goldfish goodluck google grandma guest guitar hahaha hammer hannah happy harley
  heather hello helpme hockey hollywood hunter iceman iloveyou infinity internet isabella jackson jasmine jasper jeffrey
  jennifer jessica jonathan jordan joseph joshua junior juniper justin katherine kawasaki kevin killer kingdom kitten
  knight kristina ladybug lakers letmein liberty linux liverpool login london lovely loveme lucky madison maggie manager
  marina marine marlboro martin master matrix matthew maverick maxwell melissa mercedes merlin metallica michael
  michelle mickey midnight midnite monday money monkey monster morgan morning mother motorola mountain mustang naruto
  natasha network newyork nicholas nicole nintendo nothing november october office oliver operator oracle orange
  pakistan panther paradise passion passme passport passwd password passwort patches patricia patrick peaches peanut
  pepper phoenix photoshop piglet player please pokemon police porsche postgres power precious prince princess private
  pumpkin purple qazwsx qazwsxedc qweasd qweasdzxc qwertyui rainbow ranger rangers raspberry rebecca redhat redskins
  richard robert rocket root rosebud router ruby samantha sample samson samsung samurai sandra saturday saturn scooby
  scooter scorpio scorpion secret secure security september server service shadow shannon sierra silver simple simpson
  skywalker slipknot smokey snoopy snowball soccer softball sophie spider spiderman squirrel starfish starlight startrek
  starwars station steelers stephanie steven student success summer sunday sunflower sunrise sunset sunshine super
  superman superstar support swordfish sydney system taylor teacher tennis teresa test testing thomas thunder thursday
  tiffany tigers tigger tinker tomorrow toyota training travis trinity trouble trustme trustno tuesday turtle twilight
  tyler user vampire vanessa veronica victor victoria viking vincent virginia warrior warriors wednesday welcome
  westside whatever william williams windows winner winston winter wizard wolfgang wolverine wonder yamaha yankees
  yellow zaqwsx zxcvbn zxcvbnm
`;

/** Sequences of keys on a keyboard, in both directions. */
const KEY_RUNS = `
  abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm qazwsxedcrfvtgb 1qaz2wsx3edc4rfv5tgb 1q2w3e4r5t6y7u8i9o0p
  q1w2e3r4t5y6u7i8o9p0 a1b2c3d4e5f6g7h8
`
  .trim()
  .split(/\s+/)
  .flatMap((run) => [run, Array.from(run).reverse().join('')]);

/** Letters by the digits and signs that replace them. */
const LETTER_SUBSTITUTES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const GUESSED_WORDS: ReadonlySet<string> = new Set(`${PRODUCT_WORDS} ${COMMON_WORDS}`.trim().split(/\s+/));

/** Minimum number of different characters in a password. */
const MIN_DISTINCT_CHARACTERS = 5;

/**
 * Returns the reason that a password is easy to guess, or `undefined`. Easy to guess is a common word, a word
 * about this server, or a sequence of keys: once or twice, with digits and signs around it or instead of
 * letters. Easy to guess is also a password of mostly digits, or with few different characters.
 */
export function whyGuessable(password: string): string | undefined {
  const text = password.toLowerCase();
  if (/^\d*[a-z]{0,3}\d*$/.test(text)) return 'has little but digits';
  if (new Set(text).size < MIN_DISTINCT_CHARACTERS)
    return `has fewer than ${MIN_DISTINCT_CHARACTERS} different characters`;
  return coreTextsOf(text).some(isCommon) ? 'is a common word or a run of keys, or made of one' : undefined;
}

/**
 * Returns the texts from which a password may be derived: without the characters around its letters, and with
 * digits and signs replaced by letters.
 */
function coreTextsOf(text: string): readonly string[] {
  const letters = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const substituted = [text, letters].map((core) =>
    core.replace(/[013457@$!]/g, (character) => LETTER_SUBSTITUTES[character] ?? character),
  );
  return [text, letters, ...substituted].map(withoutRepetition);
}

/** Returns half of a text that consists of two equal halves, and any other text unchanged. */
function withoutRepetition(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

function isCommon(core: string): boolean {
  return GUESSED_WORDS.has(core) || (core.length > 3 && KEY_RUNS.some((run) => run.includes(core)));
}
