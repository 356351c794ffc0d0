import { watchDefinitions } from '#domain/definitionVersion.ts';
import type { DataOf } from '#domain/call.ts';
import type { ModelHolder } from '#server/definitions/follow.ts';
import { inTurns, type Reader, type StreamSource } from '#server/streams/plugin.ts';

type Version = DataOf<typeof watchDefinitions>;

/** Tells open pages the number of the last publish, and each later one after this server works by it. Rule: definitions#publishing. */
export function openDefinitionNews(holder: ModelHolder, onError: (error: unknown) => void): StreamSource {
  /** Each with the number that it was told last. */
  const readers = new Map<Reader<Version>, number>();
  let isTelling = false;
  let isStale = false;

  const tell = async () => {
    isStale = true;
    if (isTelling) return;
    isTelling = true;
    try {
      while (isStale) {
        isStale = false;
        const { last } = holder;
        const waiting = [...readers].filter(([, told]) => told !== last).map(([it]) => it);
        await inTurns(waiting, async (it) => {
          if (!(await it.mayNotify())) return it.end();
          if (!readers.has(it)) return;
          readers.set(it, last);
          it.notify({ last });
        });
      }
    } catch (error) {
      onError(error);
    } finally {
      isTelling = false;
    }
  };
  const onPublish = () => void tell();
  holder.listeners.add(onPublish);

  return {
    routes: [
      {
        call: watchDefinitions,
        watch: (_, __, reader) => {
          const { last } = holder;
          readers.set(reader, last);
          reader.notify({ last });
          return () => void readers.delete(reader);
        },
      },
    ],
    beat: onPublish,
    close: () => void holder.listeners.delete(onPublish),
  };
}
