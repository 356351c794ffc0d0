import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';

interface Words {
  zh: string;
  en: string;
}

interface Props {
  label: string;
  value: Words;
  problem?: string | undefined;
  isFirst?: boolean;
  /** Both are said, or none. */
  isOptional?: boolean;
  onChange: (words: Words) => void;
}

/** What people read, in both languages side by side. */
export function WordsField({ label, value, problem, isFirst = false, isOptional = false, onChange }: Props) {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 }}>
      {(['zh', 'en'] as const).map((lang) => (
        <TextField
          key={lang}
          required={!isOptional}
          autoFocus={isFirst && lang === 'zh'}
          label={translate(`studio.words.${lang}`, { label })}
          value={value[lang]}
          error={problem !== undefined && value[lang].trim() === ''}
          helperText={value[lang].trim() === '' ? problem : undefined}
          slotProps={{ htmlInput: { maxLength: 100 } }}
          onChange={(event) => onChange({ ...value, [lang]: event.target.value })}
        />
      ))}
    </Box>
  );
}
