export interface Matcher {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly labels: readonly Matcher[];
}

const FUNCTIONS = new Set(
  'sum max min avg count topk rate increase histogram_quantile absent abs time clamp_min label_replace'.split(' '),
);
const WORDS = new Set('by without on and or unless bool offset group_left'.split(' '));

/**
 * Strings, durations in brackets, matchers, numbers, words, operators: one of them matches in this order, or the text
 * is invalid.
 */
const TOKEN =
  /\s*(?:(?<range>\[(?:\d+(?:ms|[smhdw])|\$__rate_interval)\])|(?<labels>\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})|(?<number>\d+(?:\.\d+)?)|(?<word>[a-zA-Z_:]\w*)|(?<sign>[-+*/%^(),]|[<>=!]=|[<>]))/y;

const MATCHER = /^\s*(?<name>\w+)\s*(?<operator>=~|!~|!=|=)\s*"(?<value>(?:[^"\\]|\\.)*)"\s*$/;

/**
 * Returns the series of an expression. Supports only the part of PromQL that dashboards and alerts use, and refuses
 * everything else.
 */
export function selectorsIn(expr: string): Selector[] {
  const tokens = tokensOf(expr.trim());
  const found: Selector[] = [];
  let depth = 0;
  let inLabelList = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    const next = tokens[at + 1];
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === ')') inLabelList = false;
    if (depth < 0) throw new Error(`One parenthesis too many: ${expr}`);
    if (kind !== 'word' || inLabelList) continue;
    if (WORDS.has(text)) inLabelList = /^(by|without|on|group_left)$/.test(text);
    else if (next?.text !== '(' && !/^(by|without)$/.test(next?.text ?? ''))
      found.push({ metric: text, labels: next?.kind === 'labels' ? matchersIn(next.text) : [] });
    else if (!FUNCTIONS.has(text)) throw new Error(`Unknown function ${text}`);
  }
  if (depth !== 0) throw new Error(`A parenthesis is not closed: ${expr}`);
  return found;
}

interface Token {
  readonly kind: string;
  readonly text: string;
}

function tokensOf(expr: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < expr.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(expr)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    if (!kind || !text) throw new Error(`Not understood: ${expr.slice(at)}`);
    tokens.push({ kind, text });
  }
  return tokens;
}

function matchersIn(braces: string): Matcher[] {
  const parts = braces.slice(1, -1).match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return parts.map((part) => {
    const groups = MATCHER.exec(part)?.groups;
    if (!groups) throw new Error(`Not a label matcher: ${part}`);
    return groups as unknown as Matcher;
  });
}
