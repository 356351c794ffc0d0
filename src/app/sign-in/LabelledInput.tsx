import { useId, useState, type Ref } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import VisibilityOffOutlined from '@mui/icons-material/VisibilityOffOutlined';
import VisibilityOutlined from '@mui/icons-material/VisibilityOutlined';

type LabelledInputProps = Omit<OutlinedInputProps, 'label' | 'error' | 'ref' | 'size'> & {
  label: string;
  error?: string;
  ref?: Ref<HTMLInputElement>;
};

/** Label above, room for its message below; a password can be shown. (A TextField would bring the select with it.) */
export function LabelledInput({ label, error, type, ref, ...rest }: LabelledInputProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const isPassword = type === 'password';
  return (
    <FormControl fullWidth error={!!error} sx={{ mb: 1 }}>
      <Box component="label" htmlFor={id} sx={{ fontSize: 13, lineHeight: '18px', fontWeight: 600, mb: 1 }}>
        {label}
      </Box>
      <OutlinedInput
        {...rest}
        id={id}
        size="small"
        type={isPassword && isShown ? 'text' : type}
        inputRef={ref}
        aria-describedby={`${id}-message`}
        endAdornment={isPassword && <Toggle isShown={isShown} onToggle={() => setIsShown(!isShown)} />}
      />
      <FormHelperText id={`${id}-message`} sx={{ mx: 0, minHeight: 20 }}>
        {error}
      </FormHelperText>
    </FormControl>
  );
}

function Toggle({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  const translate = useTranslate();
  const Icon = isShown ? VisibilityOffOutlined : VisibilityOutlined;
  return (
    <InputAdornment position="end">
      <IconButton
        size="small"
        edge="end"
        aria-label={translate(isShown ? 'ra.input.password.toggle_visible' : 'ra.input.password.toggle_hidden')}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onToggle}
      >
        <Icon fontSize="small" />
      </IconButton>
    </InputAdornment>
  );
}
