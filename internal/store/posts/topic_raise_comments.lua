-- Is one pass over the comments of a topic that is listed, or is not any more; see raise_comments.
-- INCLUDE topic_state comment_state raise_comments
-- KEYS topic     HASH       the topic
-- ARGV after     string     number of the last comment that was raised; "" at the start
-- RETURN topic   TopicState its state
-- RETURN states  strings    of the comments
return {topic = topic_state(topic), states = raise_comments(after)}
