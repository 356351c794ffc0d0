-- The coin whose hash rate somebody watches on the home page.
CREATE TABLE user_coin (
  "userId" text PRIMARY KEY,
  coin text NOT NULL
);
