import { useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { createDetector, createSight } from '#app/parts/scan/camera.ts';

/** Between two looks, in milliseconds. */
const LOOK = 120;

/** Reads barcodes with the camera of a phone or tablet; the list and the verdict stay in sight. */
export default function CameraScan({ onScan }: { onScan: (text: string) => void }) {
  const translate = useTranslate();
  const video = useRef<HTMLVideoElement>(null);
  const [isForbidden, setForbidden] = useState(false);
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });
  useEffect(() => {
    let stopped = false;
    let stream: MediaStream | undefined;
    const stop = () => {
      stopped = true;
      stream?.getTracks().forEach((it) => it.stop());
    };
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (stopped || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      const detector = createDetector();
      const freshOf = createSight();
      while (!stopped) {
        // A frame that can't be read, as in the first moments, is followed by the next.
        const codes = await detector.detect(video.current).catch(() => []);
        const texts = codes.map((it) => it.rawValue);
        if (!stopped) freshOf(texts, performance.now()).forEach((it) => latest.current(it));
        await new Promise((done) => setTimeout(done, LOOK));
      }
    };
    start().catch(() => {
      if (!stopped) setForbidden(true);
    });
    return stop;
  }, []);
  return (
    <Box sx={{ height: 240, flex: 'none', borderRadius: 1, overflow: 'hidden', bgcolor: '#000', color: '#fff' }}>
      {isForbidden ? (
        <Box role="alert" sx={{ height: 1, display: 'grid', placeItems: 'center', p: 4, textAlign: 'center' }}>
          {translate('stations.camera.forbidden')}
        </Box>
      ) : (
        <Box
          component="video"
          ref={video}
          muted
          playsInline
          aria-label={translate('stations.camera.picture')}
          sx={{ width: 1, height: 1, objectFit: 'cover' }}
        />
      )}
    </Box>
  );
}
