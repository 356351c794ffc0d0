import { useEffect, useState } from 'react';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import InsertDriveFileOutlined from '@mui/icons-material/InsertDriveFileOutlined';
import Replay from '@mui/icons-material/Replay';
import { useTranslate } from 'ra-core';
import { isPictureFile } from '#app/parts/pictures.ts';
import { RemoveButton } from '#app/parts/RemoveButton.tsx';
import type { Upload } from '#app/parts/useUploads.ts';

const SIZE = 72;

interface Props {
  uploads: readonly Upload[];
  onCancel: (id: number) => void;
  onRetry: (id: number) => void;
}

/** Files on their way, each with its preview and how far it is; what failed can be tried again. */
export function UploadTiles({ uploads, onCancel, onRetry }: Props) {
  if (uploads.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 2 }}>
      {uploads.map((it) => (
        <Tile key={it.id} upload={it} onCancel={() => onCancel(it.id)} onRetry={() => onRetry(it.id)} />
      ))}
    </Box>
  );
}

function Tile({ upload, onCancel, onRetry }: { upload: Upload; onCancel: () => void; onRetry: () => void }) {
  const translate = useTranslate();
  const { file, share, failure } = upload;
  const preview = usePreview(file);
  const isFailed = failure !== null;
  return (
    <Box sx={{ position: 'relative', width: SIZE }}>
      <Box
        title={file.name}
        sx={{
          width: SIZE,
          height: SIZE,
          display: 'grid',
          placeItems: 'center',
          border: 1,
          borderColor: isFailed ? 'error.main' : 'divider',
          borderRadius: 1,
          overflow: 'hidden',
        }}
      >
        {preview ? (
          <Box
            component="img"
            src={preview}
            alt={translate('stations.picture.preview', { name: file.name })}
            sx={{ width: 1, height: 1, objectFit: 'cover', opacity: isFailed ? 0.4 : 0.7 }}
          />
        ) : (
          <InsertDriveFileOutlined sx={{ color: 'text.secondary' }} aria-label={file.name} />
        )}
      </Box>
      {!isFailed && (
        <LinearProgress
          variant="determinate"
          value={share * 100}
          aria-label={translate('stations.picture.progress', { name: file.name })}
          sx={{ position: 'absolute', left: 0, right: 0, top: SIZE - 4, height: 4 }}
        />
      )}
      {isFailed && (
        <IconButton
          size="small"
          title={translate('stations.picture.retry', { name: file.name })}
          aria-label={translate('stations.picture.retry', { name: file.name })}
          onClick={onRetry}
          sx={{
            position: 'absolute',
            top: 20,
            left: 20,
            bgcolor: 'background.paper',
            border: 1,
            borderColor: 'divider',
          }}
        >
          <Replay sx={{ fontSize: 18 }} />
        </IconButton>
      )}
      <RemoveButton label={translate('stations.picture.cancel', { name: file.name })} onClick={onCancel} />
    </Box>
  );
}

function usePreview(file: File): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!isPictureFile(file)) return;
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return preview;
}
