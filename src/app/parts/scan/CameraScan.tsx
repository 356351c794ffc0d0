import { useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { createDetector, createCodeFilter, type Detector } from '#app/parts/scan/camera.ts';

/** Between two looks, in milliseconds. */
const LOOK = 120;
/** Wide enough for the bars of a long SN. */
const PICTURE = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };

/** Reads barcodes with the camera of a phone or tablet; the list and the verdict stay in sight. */
export default function CameraScan({ onScan }: { onScan: (text: string) => void }) {
  const translate = useTranslate();
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<'forbidden' | 'noReader' | null>(null);
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
    const fail = (why: 'forbidden' | 'noReader') => {
      if (!stopped) setProblem(why);
      stop();
    };
    const show = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: PICTURE });
      if (stopped || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
    };
    const read = async (detector: Detector) => {
      const takeNewCodes = createCodeFilter();
      while (!stopped && video.current) {
        // A frame that can't be read, as in the first moments, is followed by the next.
        const codes = await detector.detect(video.current).catch(() => []);
        const texts = codes.map((it) => it.rawValue);
        if (!stopped) takeNewCodes(texts, performance.now()).forEach((it) => latest.current(it));
        await new Promise((done) => setTimeout(done, LOOK));
      }
    };
    const detector = createDetector();
    detector.catch(() => fail('noReader'));
    show().then(
      () => detector.then(read, () => undefined),
      () => fail('forbidden'),
    );
    return stop;
  }, []);
  return (
    <Box sx={{ height: 240, flex: 'none', borderRadius: 1, overflow: 'hidden', bgcolor: '#000', color: '#fff' }}>
      {problem ? (
        <Box role="alert" sx={{ height: 1, display: 'grid', placeItems: 'center', p: 4, textAlign: 'center' }}>
          {translate(`stations.camera.${problem}`)}
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
