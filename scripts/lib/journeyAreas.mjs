// Which journeys belong to which feature and module: a journey belongs to what it names.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distancesTo } from './importGraph.mjs';

/** Gives journeys all pages and dialogs that features register. */
const REGISTER = 'tests/e2e/register.ts';
/** Gives them the whole menu. */
const MENU = 'tests/e2e/menuWalk.ts';

export const isJourney = (file) => /^tests\/e2e\/.*\.spec\.ts$/.test(file);
export const featureOf = (file) => /^src\/features\/([^/]+)\//.exec(file)?.[1];

/**
 * @param {string} root
 * @param {Map<string, string[]>} graph of its imports
 * @returns `modulesOf(feature)`: the modules of its pages, dialogs and hooks, or those that its sources name;
 * `nearness(journey, modules)`: 0 when the journey names one of them itself, 1 when what it uses does, 2 when it walks over
 * all pages, `undefined` when it has nothing to do with them; `countOf(journey)`: how many modules it names itself
 */
export function readJourneyAreas(root, graph) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const sources = [...graph.keys()];
  const modules = readdirSync(join(root, 'definitions'), { recursive: true, encoding: 'utf8' })
    .filter((it) => /[/\\].*\.json$/.test(it))
    .map((it) => basename(it, '.json'));
  const known = new Set(modules);
  // A page of a list has the module's name with an ending in its address.
  const namedIn = (text) =>
    new Set([...text.matchAll(/\b[a-z]+[A-Z]\w*/g)].map(([it]) => moduleOf(it)).filter((it) => it !== undefined));
  const moduleOf = (word) => [word, word.replace(/(?:Request)?List(?:\.json)?$/, '')].find((it) => known.has(it));

  const registered = new Map();
  const add = (feature, module) => registered.set(feature, (registered.get(feature) ?? new Set()).add(module));
  for (const file of sources.filter((it) => /^src\/features\/[^/]+\.ts$/.test(it))) {
    const text = read(file);
    const locals = new Map();
    for (const [, names, path] of text.matchAll(/^import \{([^}]*)\} from '\.\/([^']+)'/gm)) {
      for (const name of names.split(',')) locals.set(name.trim(), path);
    }
    for (const [, name, path] of text.matchAll(/^const (\w+) = \(\) => import\('\.\/([^']+)'\)/gm))
      locals.set(name, path);
    for (const [, module, path, name] of text.matchAll(
      /^ {2}'?(\w+)(?::\w+)?'?: (?:\(\) => import\('\.\/([^']+)'\)|(\w+)),$/gm,
    )) {
      const feature = (path ?? locals.get(name))?.split('/')[0];
      if (feature && known.has(module)) add(feature, module);
    }
  }

  const modulesOf = (feature) =>
    registered.get(feature) ??
    namedIn(
      sources
        .filter((it) => it.startsWith(`src/features/${feature}/`) && !/\.test\.tsx?$/.test(it))
        .map(read)
        .join('\n'),
    );

  const named = new Map(sources.filter((it) => it.startsWith('tests/e2e/')).map((it) => [it, namedIn(read(it))]));
  const walkers = distancesTo(graph, [REGISTER, MENU]);
  const helpers = (journey) => {
    const reached = new Set([journey]);
    for (const it of reached) for (const next of graph.get(it) ?? []) if (named.has(next)) reached.add(next);
    reached.delete(journey);
    return reached;
  };
  const helped = new Map(
    sources.filter(isJourney).map((it) => [it, new Set([...helpers(it)].flatMap((helper) => [...named.get(helper)]))]),
  );
  const nearness = (journey, wanted) => {
    const names = (set) => [...wanted].some((it) => set.has(it));
    if (names(named.get(journey))) return 0;
    if (names(helped.get(journey))) return 1;
    return walkers.has(journey) ? 2 : undefined;
  };
  return { modulesOf, nearness, countOf: (journey) => named.get(journey).size, journeys: [...helped.keys()] };
}
