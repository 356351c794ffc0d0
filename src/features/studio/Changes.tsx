import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { MENU } from '#domain/definition/overlay.ts';
import type { Definition, Field, MenuNode, Option, OptionLists } from '#domain/definition/grammar.ts';
import { EMPTY } from '#app/fields/format.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { monospace } from '#app/theme.ts';
import { readModule } from './contract.ts';
import { differencesOf, type Difference } from './rules.ts';
import { menuDifferences } from './rules.menu.ts';

/** What a change does to a module, part by part: what it was and what it becomes; or as it is kept. */
export function Changes({ module, change }: { module: string; change: DefinitionChange }) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string) => translate(`studio.changes.${key}`);
  const [isJson, setJson] = useState(false);
  const maySee = useUser()?.access.includes('sysModule:configure') === true;
  const { data } = useLookup(readModule, { module }, { enabled: maySee, staleTime: 60_000 });
  const shipped = (data?.shipped ?? null) as Definition | null;
  const lists = data?.options as OptionLists | undefined;
  const differences = change.menu
    ? menuDifferences((data?.menu ?? []) as MenuNode[], change.menu)
    : differencesOf(shipped, change, lists);
  const names: Names = {
    fields: { ...shipped?.fields, ...change.definition?.fields, ...change.fields },
    buttons: shipped?.buttons ?? [],
  };
  const name =
    change.definition?.label[lang] ??
    shipped?.label[lang] ??
    (module === MENU ? translate('studio.menu.title') : module);
  return (
    <Box component="section" aria-label={name} sx={{ border: 1, borderColor: 'divider', borderRadius: 1, mb: 3 }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          px: 3,
          minHeight: 40,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {name}
        </Box>
        <Box component="code" sx={{ flex: 1, fontFamily: monospace, fontSize: 12, color: 'text.secondary' }}>
          {module}
        </Box>
        <Button variant="text" onClick={() => setJson(!isJson)}>
          {say(isJson ? 'asWords' : 'asJson')}
        </Button>
      </Box>
      {isJson ? (
        <Box
          component="pre"
          tabIndex={0}
          sx={{ m: 0, p: 3, maxHeight: 480, overflow: 'auto', fontFamily: monospace, fontSize: 12 }}
        >
          {JSON.stringify(change, null, 2)}
        </Box>
      ) : (
        <Box component="dl" sx={gridSx}>
          {differences.map((it) => (
            <DifferenceRow key={it.path} it={it} names={names} />
          ))}
        </Box>
      )}
    </Box>
  );
}

/** What the parts of a module are called, by their names. */
interface Names {
  fields: Readonly<Record<string, object | null>>;
  buttons: readonly { btnNo: string; label: Words }[];
}

type Words = Readonly<Record<'zh' | 'en', string>>;

/** Parts whose texts stand elsewhere than under their names. */
const WHOLE: Readonly<Record<string, string>> = { label: 'configure.listName', definition: 'newModule.action' };
/** Parts that hold names of fields. */
const OF_FIELDS = ['definition', 'list', 'search', 'form', 'detail', 'indexes', 'lines'];

/** A place in a definition as its editor calls it, and what stands there: fields by their labels, types by their names. */
function useWording({ fields, buttons }: Names) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, otherwise: string): string => translate(`studio.${key}`, { _: otherwise });
  const labelOf = (name: string): string | undefined => (fields[name] as { label?: Words } | undefined)?.label?.[lang];
  const sayPath = (path: string): string => {
    const [part = '', name, ...rest] = path.split('.');
    const words = [WHOLE[part] ? say(WHOLE[part], part) : say(`configure.${part}`, say(`${part}.title`, part))];
    if (name !== undefined) {
      const label = { fields: labelOf(name), buttons: buttons.find((it) => it.btnNo === name)?.label[lang] }[part];
      words.push(label ?? say(`${part}.${name}`, name));
    }
    const properties = part === 'fields' ? 'field' : part;
    return [...words, ...rest.map((it) => say(`${properties}.${it}`, it))].join(' · ');
  };
  const sayName = (path: string, name: string): string =>
    (OF_FIELDS.includes(path.split('.')[0] ?? '') ? labelOf(name) : undefined) ?? name;
  const sayType = (type: string): string => say(`field.types.${type}`, type);
  return { sayPath, sayName, sayType };
}

type Wording = ReturnType<typeof useWording>;

function DifferenceRow({ it, names }: { it: Difference; names: Names }) {
  const spoken = useLanguage();
  const wording = useWording(names);
  const say = (value: unknown) => saidOf(value, lang, (name) => wording.sayName(it.path, name), wording.sayType);
  // What differs in the other language alone is said in both.
  const lang = saidOf(it.from, spoken) === saidOf(it.to, spoken) ? 'both' : spoken;
  return (
    <>
      <Box component="dt" title={it.path} sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {wording.sayPath(it.path)}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {it.from !== undefined && !isEmptyObject(it.from) && (
          <Box component="del" sx={{ mr: 2, color: 'text.secondary' }}>
            {say(it.from)}
          </Box>
        )}
        <Box component="ins" sx={{ textDecoration: 'none', fontWeight: 600 }}>
          {say(it.to)}
        </Box>
      </Box>
    </>
  );
}

const isEmptyObject = (it: unknown): boolean => typeof it === 'object' && it !== null && Object.keys(it).length === 0;

/** A value of a definition as one reads it: words in the language, names with commas, the rest as it is kept. */
function saidOf(
  value: unknown,
  lang: 'zh' | 'en' | 'both',
  sayName: Wording['sayType'] = String,
  sayType: Wording['sayType'] = String,
): string {
  const say = (it: unknown) => saidOf(it, lang, sayName, sayType);
  if (value === null || value === undefined) return EMPTY;
  if (Array.isArray(value))
    return value.every((it) => typeof it === 'string')
      ? value.map((it) => sayName(it)).join(', ')
      : value.map((it) => say(it)).join(' | ');
  if (typeof value !== 'object') return String(value);
  if ('zh' in value && 'en' in value) {
    const { zh, en } = value as { zh: string; en: string };
    return { zh, en, both: `${zh} / ${en}` }[lang];
  }
  if ('type' in value && 'label' in value) {
    const { type, label, computed } = value as Field;
    return `${say(label)} (${sayType(type)})${computed === undefined ? '' : ` = ${computed}`}`;
  }
  if ('value' in value && 'label' in value) {
    const { label, tone, retired } = value as Option;
    return [say(label), tone, retired && 'retired'].filter(Boolean).join(', ');
  }
  if ('fields' in value)
    return Object.keys(value.fields as object)
      .map((it) => sayName(it))
      .join(', ');
  return JSON.stringify(value);
}

const gridSx = {
  m: 0,
  p: 3,
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(160px, 1fr) minmax(0, 2fr)' },
  gap: '8px 16px',
  fontSize: 13,
} as const;
